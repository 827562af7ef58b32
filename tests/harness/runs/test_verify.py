"""Certificates held against what is here: what was changed, wherever it was, is found and said."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from certificates import shipped
from judged_runs import header, judged_run, units
from typer.testing import CliRunner, Result

from harness.bots.bot import Bot
from harness.bots.settings import settings_of
from harness.cases.suite import load_suite
from harness.cli.main import app
from harness.document import as_written, document_bytes
from harness.errors import EvidenceError
from harness.judging.judge import judge
from harness.judging.verdict import Verdict
from harness.records.evidence import FILE_NAME, Evidence, Header, read_evidence
from harness.records.journal import Journal
from harness.runs.record import VERDICT_NAME, write_verdict
from harness.runs.verify import Agreement, DifferenceKind, compare_digests, compare_verdicts, recorded_verdict
from harness.tables.tables import Tables
from reference_engine.digest import source_digest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return a copy of the shipped fixtures that may be changed."""
    return Path(shutil.copytree(ROOT / "fixtures", tmp_path / "house" / "fixtures"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a bot, a script run by sh, and the folder of its run."""
    place = tmp_path_factory.mktemp("made")
    (place / "mybot").write_text("#!/bin/sh\n")
    bot = Bot("mybot", "sh ./mybot {playouts}", cwd=place)
    head = msgspec.structs.replace(
        header(command=bot.command, files=bot.file_digests()),
        engine=source_digest(),
        settings=settings_of(replace(bot, cwd=None)),
    )
    (place / "run").mkdir()
    with Journal(place / "run" / FILE_NAME, head) as journal:
        for unit in units():
            journal.add(unit)
        journal.finish("complete", 1.0)
    (suite, tables), evidence = shipped(), read_evidence(place / "run")
    write_verdict(place / "run", judge(suite, tables, evidence), evidence)
    return place


@pytest.fixture
def run(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the run, beside its bot, in the folder that is the current one."""
    place = Path(shutil.copytree(made, tmp_path / "place"))
    monkeypatch.chdir(place)
    return place / "run"


def compared(run: Path, fixtures: Path | None = None) -> dict[str, tuple[Agreement, DifferenceKind]]:
    """Compare everything, and return what came of each thing."""
    suite, tables = shipped()
    if fixtures is not None:
        suite = load_suite(fixtures)
        tables = Tables(suite.folder / "tables")
    evidence, recorded = read_evidence(run), recorded_verdict(run)
    verdict = judge(suite, tables, evidence)
    found = [*compare_digests(evidence, recorded, suite), *compare_verdicts(recorded, verdict)]
    return {c.what: (c.finding, c.kind) for c in found}


def differing(run: Path, fixtures: Path | None = None) -> set[str]:
    """Return what differs."""
    return {what for what, (finding, _) in compared(run, fixtures).items() if finding is Agreement.DIFFERS}


def refbot(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, arguments)


def test_nothing_was_changed(run: Path) -> None:
    """Of a run as it was made everything is the same, the files of its bot included."""
    found = compared(run)
    assert {finding for finding, _ in found.values()} == {Agreement.SAME}
    assert {"evidence, its units", "suite", "reference tables", "reference engine", "verdict"} <= set(found)
    assert any(what.endswith("/mybot") for what in found)


@pytest.mark.parametrize("number", [0, 1, 3, -1])
def test_a_changed_line_of_evidence(run: Path, number: int) -> None:
    """A change in any line is found: in the header, in a unit, in the footer."""
    lines = (run / FILE_NAME).read_bytes().split(b"\n")[:-1]
    line = json.loads(lines[number])
    key = {"header": "started", "unit": "seconds", "footer": "reason"}[line["type"]]
    line[key] = 17.5 if key == "seconds" else "changed"
    lines[number] = json.dumps(line).encode()
    (run / FILE_NAME).write_bytes(b"\n".join(lines) + b"\n")

    what = "evidence, its units" if key == "seconds" else "evidence, header and footer"
    assert compared(run)[what] == (Agreement.DIFFERS, DifferenceKind.RECORD)


@pytest.mark.parametrize("change", [{"verdict": "PASS"}, {"reason": "all is well"}, {"excluded": ["no-ko"]}])
def test_a_changed_verdict(run: Path, change: dict[str, object]) -> None:
    """A change in the verdict document is found and named."""
    document = json.loads((run / VERDICT_NAME).read_bytes())
    (run / VERDICT_NAME).write_text(json.dumps(document | change))
    (key,) = change
    assert differing(run) == {"verdict" if key == "verdict" else f"verdict.json, {key}"}


def test_a_verdict_from_another_machine(run: Path) -> None:
    """Other last bits make the same document; another sixth digit does not."""
    suite, tables = shipped()
    computed = judge(suite, tables, read_evidence(run))
    plain = json.loads(msgspec.json.encode(computed), parse_float=lambda text: float(text) * (1 + 1e-15))
    there = msgspec.convert(plain, Verdict)

    assert msgspec.json.encode(there) != msgspec.json.encode(computed)
    assert document_bytes(there) == (run / VERDICT_NAME).read_bytes()
    assert {c.finding for c in compare_verdicts(as_written(there), computed)} == {Agreement.SAME}
    other = msgspec.structs.replace(there, log10_e=there.log10_e + 0.001)
    changed = [
        c.what for c in compare_verdicts(as_written(other), computed) if c.finding is Agreement.DIFFERS
    ]
    assert changed == ["verdict.json, log10_e"]


@pytest.mark.parametrize("key", ["suite", "engine", "bot"])
def test_a_changed_ground_in_the_verdict(run: Path, key: str) -> None:
    """A verdict document that claims another suite, engine or bot than its evidence is found out."""
    document = json.loads((run / VERDICT_NAME).read_bytes())
    new = {
        "suite": document["suite"] | {"version": "9"},
        "engine": "0",
        "bot": document["bot"] | {"name": "x"},
    }
    (run / VERDICT_NAME).write_text(json.dumps(document | {key: new[key]}))
    assert "verdict.json, suite, engine and bot" in differing(run)


def test_a_changed_table(run: Path, house: Path) -> None:
    """One changed byte of a table is found, and said to be of the tables."""
    assert differing(run, house) == set()
    path = min((house / "tables").glob("*.json"))
    path.write_bytes(path.read_bytes() + b" ")
    assert differing(run, house) == {"suite", "reference tables"}


def test_a_changed_case(run: Path, house: Path) -> None:
    """A changed case is the suite's and not the tables'."""
    path = min((house / "cases").rglob("*.toml"))
    path.write_text(path.read_text("utf-8") + "\n# changed\n", "utf-8")
    assert differing(run, house) == {"suite"}


def test_the_bots_program(run: Path) -> None:
    """Another program in its place is found; one that is not there is said not to be."""
    program = run.parent / "mybot"
    what = "the bot's file ./mybot"
    program.write_text("#!/bin/sh\nexit\n")
    assert compared(run)[what] == (Agreement.DIFFERS, DifferenceKind.BOT)
    program.unlink()
    assert compared(run)[what] == (Agreement.NOT_HERE, DifferenceKind.BOT)


def test_what_runs_the_bot_is_not_the_bot() -> None:
    """Another shell than the one that ran a script is no other bot."""
    found = judged_run(units(), header(settings=settings_of(Bot("b", "sh x")), files={"sh": "0", "x": "1"}))
    kinds = {
        c.what: (c.finding, c.kind) for c in compare_digests(found.evidence, found.verdict, shipped()[0])
    }
    assert kinds["the bot's file sh"] == (Agreement.DIFFERS, DifferenceKind.AROUND)
    assert kinds["the bot's file x"] == (Agreement.NOT_HERE, DifferenceKind.BOT)


def test_the_command_confirms(run: Path) -> None:
    """The command says of each thing what it found, and ends with the verdict's status."""
    (run.parent / "mybot").unlink()
    done = refbot("verify", str(run))
    assert done.exit_code == 3, done.stderr
    lines = done.stderr.splitlines()
    assert [line.split(None, 1)[0] for line in lines[:5]] == ["same"] * 5
    assert any(line.startswith("not on this machine") for line in lines)
    assert lines[-1].startswith("confirmed: recorded verdict INCONCLUSIVE")
    assert "not compared: the bot's file" in lines[-1]


@pytest.mark.parametrize("what", ["line", "verdict", "program", "suite"])
def test_the_command_does_not_confirm(run: Path, what: str) -> None:
    """Whatever was changed, the status is 5, which is no verdict, and the last line says what it was."""
    document = json.loads((run / VERDICT_NAME).read_bytes())
    if what == "line":
        path = run / FILE_NAME
        path.write_bytes(path.read_bytes().replace(b'"host":"test"', b'"host":"tess"'))
    elif what == "verdict":
        (run / VERDICT_NAME).write_text(json.dumps(document | {"verdict": "PASS"}))
    elif what == "program":
        (run.parent / "mybot").write_text("another")
    else:
        evidence = read_evidence(run)
        head: Header = msgspec.structs.replace(
            evidence.header, suite=msgspec.structs.replace(evidence.header.suite, digest="0" * 16)
        )
        other = Evidence(head, evidence.units, evidence.footer)
        lines = [head, *other.units, other.footer]
        (run / FILE_NAME).write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        write_verdict(run, judge(*shipped(), other), other)
    done = refbot("verify", str(run))
    assert isinstance(done.exception, EvidenceError)
    assert done.exception.status == 5
    last = str(done.exception)
    expected = {
        "line": "changed since it was made: evidence, header and footer",
        "verdict": "changed since it was made: verdict",
        "program": "not the program that was judged",
        "suite": "installed here is another suite",
    }
    assert "NOT CONFIRMED" in last
    assert expected[what] in last
    if what in {"line", "verdict"}:
        assert done.stdout == ""


def test_there_is_no_recorded_verdict(run: Path) -> None:
    """Evidence alone has nothing to be confirmed by; its header's digests are compared."""
    (run / VERDICT_NAME).unlink()
    found = compared(run)
    assert found["evidence, its units"][0] is Agreement.NOT_RECORDED
    assert found["verdict"][0] is Agreement.NOT_RECORDED
    assert found["suite"][0] is Agreement.SAME
