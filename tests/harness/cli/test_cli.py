"""The command line: exit statuses, one line for every error, results on stdout, no stray files."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pexpect
import pytest
from house import ENVIRONMENT, ROOT, Done, bot, refbot

from harness.cases.suite import load_suite
from harness.records.evidence import FILE_NAME, SCHEMA, BotRef, Header, SuiteRef, Unit
from harness.records.journal import Journal
from reference_engine.digest import source_digest


def one_line(done: Done, status: int) -> str:
    """Return the one line a failed command says on standard error."""
    assert status == done.returncode, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def cause_of(done: Done) -> str:
    """Return the line about a bot that could not be judged; how to see it again stands last."""
    assert done.returncode == 4, done.stderr
    lines = done.stderr.splitlines()
    assert lines[-1].startswith("  again:   ")
    assert all(line.startswith("  stderr | ") for line in lines[1:-1])
    return lines[0]


@pytest.mark.parametrize("command", ["", "certify", "check", "verify", "explain", "list", "tables", "engine"])
def test_help(tmp_path: Path, command: str) -> None:
    """Every command explains itself on standard output."""
    done = refbot(tmp_path, *([command] if command else []), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage:" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--bogus"],
        ["certify", "--time-scale", "fast"],
        ["certify", "--playouts", "0"],
        ["certify", "--time-scale", "0"],
        ["nonsense"],
        ["verify"],
        ["explain"],
        ["engine", "--playouts", "0"],
    ],
)
def test_bad_usage(tmp_path: Path, arguments: list[str]) -> None:
    """Unknown commands and options, missing arguments and impossible values exit 2, and write nothing."""
    done = refbot(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["certify", "--level", "standrad"], "no level 'standrad'; did you mean 'standard'?"),
        (["certify", "--case", "ids-come-bak"], "no case 'ids-come-bak'; did you mean 'ids-come-back'?"),
        (["explain", "no-koo"], "did you mean 'no-ko'?"),
        (["explain"], "name a requirement, a case, a deviation or a word of a verdict"),
        (["explain", "R4", "--all"], "choose one"),
        (["list", "deviation"], "did you mean 'deviations'?"),
        (["list", "--matrix", "no-koo"], "no deviation 'no-koo'; did you mean 'no-ko'?"),
        (["list", "--json"], "--json goes with --matrix"),
        (["list", "--level", "full"], "--level goes with --plan"),
        (["list", "--plan", "--matrix"], "choose one"),
        (["list", "--plan", "--level", "ful"], "did you mean 'full'?"),
        (["list", "deviations", "--markdown"], "--markdown goes with --matrix"),
        (["list", "--matrix", "--json", "--markdown"], "choose one"),
        (["list", "--matrix", "no-ko", "--markdown"], "--markdown prints the whole matrix"),
        (["engine", "--deviation", "no-koo"], "did you mean 'no-ko'?"),
        (["check", "--playouts", "5"], "{playouts}"),
        (["check", "bot 'x"], "No closing quotation"),
        (["check", ""], "the command is empty"),
        (["check", "b", "--bots", "none.toml"], "none.toml"),
    ],
)
def test_misspelt(tmp_path: Path, arguments: list[str], expected: str) -> None:
    """A misspelt name exits 2 with one line that suggests the one meant, and writes nothing."""
    done = refbot(tmp_path, *arguments)
    assert expected in one_line(done, 2)
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_misspelt_setting(tmp_path: Path) -> None:
    """An unknown key of a settings file exits 2 with the key meant."""
    (tmp_path / "bots.toml").write_text('[b]\ncommand = "x"\nplayout = 5\n')
    done = refbot(tmp_path, "check", "b", "--bots", "bots.toml")
    assert "unknown key 'playout'; did you mean 'playouts'?" in one_line(done, 2)


FAULTS = [
    ("mybot=/no/such/bot --x", "could not be started", ""),
    (bot("exits-at-once"), "did not start", "start"),
    (bot("exits-status-3"), "did not start", "start"),
    (bot("not-gtp"), "does not speak GTP", "start"),
    (bot("echo"), "does not speak GTP", "start"),
    (bot("never-answers"), "no answer to", "start"),
    (bot("never-reads-stdin"), "no answer to", "start"),
]


@pytest.mark.parametrize(("command", "cause", "limit"), FAULTS, ids=[f[0].split()[-1] for f in FAULTS])
def test_bot_that_cannot_be_judged(tmp_path: Path, command: str, cause: str, limit: str) -> None:
    """A bot that does not start, is not GTP or never answers exits 4 within its limit, with one line that
    names the bot, the command and the limit.
    """
    started = time.monotonic()
    done = refbot(tmp_path, "check", command, "--playouts", "8", "--time-scale", "0.05", "--out", "run")
    said = cause_of(done)
    assert "  mybot: " in said
    assert cause in said
    if limit:
        assert "'protocol_version'" in said
        assert f"limit: {limit}" in said
    # Half a second for the bot; the rest is the interpreter's start on a busy machine.
    assert time.monotonic() - started < 20
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert {"evidence.jsonl", "verdict.json"} <= {path.name for path in (tmp_path / "run").iterdir()}


def test_bot_without_a_number_of_playouts(tmp_path: Path) -> None:
    """A bot of which nobody says how many playouts it runs exits 2 with what to add."""
    done = refbot(tmp_path, "check", bot("none"), "--out", "run")
    assert "--playouts N" in one_line(done, 2)


def test_long_script_argument(tmp_path: Path) -> None:
    """A bot given as a long script behind -c is a bot like any other, here one that leaves at once."""
    command = f"mybot={sys.executable} -c '{'pass;' * 100}'"
    done = refbot(tmp_path, "check", command, "--playouts", "8", "--time-scale", "0.1", "--out", "run")
    assert "did not start" in cause_of(done)


def test_command_that_is_not_utf8(tmp_path: Path) -> None:
    """A command that is not UTF-8 is a bot that cannot be started, and no fault of the harness."""
    done = refbot(tmp_path, "check", b"/no/such/bot\xff", "--playouts", "8", "--out", "run")
    assert done.returncode == 4
    assert "Traceback" not in done.stderr


HEADER = Header(
    schema=SCHEMA,
    command="check",
    refbot="0",
    engine="e",
    suite=SuiteRef("1", "d"),
    level="check",
    bot=BotRef("mybot", "./mybot", commands=["name"]),
    started="2026-01-01T00:00:00+00:00",
    host="test",
    cases=["protocol-version-is-two"],
)


def here() -> Header:
    """Return the header of a run made with the suite and the engine of the house."""
    suite = load_suite(Path(ENVIRONMENT["PYTHONPATH"]) / "fixtures")
    reference = SuiteRef("1", suite.digest, suite.tables_digest)
    return msgspec.structs.replace(HEADER, suite=reference, engine=source_digest())


def write_run(folder: Path, answer: str = "= 2\n\n", header: Header | None = None) -> Path:
    """Write the evidence of a tiny run."""
    header = header or here()
    folder.mkdir()
    setup = [("boardsize 3", "=\n\n"), ("clear_board", "=\n\n"), ("komi 0.5", "=\n\n")]
    unit = Unit("protocol-version-is-two", 1, 1, [*setup, ("protocol_version", answer)], 0.1)
    with Journal(folder / FILE_NAME, header) as writer:
        writer.add(unit)
        writer.finish("complete", 1.0)
    return folder


@pytest.mark.parametrize(("answer", "status", "word"), [("= 2\n\n", 3, "PASS"), ("= 1\n\n", 1, "FAIL")])
def test_verify(tmp_path: Path, answer: str, status: int, word: str) -> None:
    """A run has the verdict of its evidence, as JSON too, and is unchanged; without verdict.json to compare
    with nothing is confirmed, so that status 0 is not given.
    """
    run = write_run(tmp_path / "run", answer)
    before = (run / FILE_NAME).read_bytes()
    done = refbot(tmp_path, "verify", str(run))
    assert status == done.returncode
    assert word in done.stdout
    done = refbot(tmp_path, "verify", str(run / FILE_NAME), "--json")
    assert status == done.returncode
    assert json.loads(done.stdout)["verdict"] == word
    assert before == (run / FILE_NAME).read_bytes()
    assert [path.name for path in run.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize(
    ("cut", "expected"),
    [(-5, "line 3 is cut off"), (500, "line 2 is cut off"), (0, "line 1 is not a header")],
)
def test_verify_of_a_cut_file(tmp_path: Path, cut: int, expected: str) -> None:
    """Verification of a file that was cut exits 5, names the line, and leaves the file as it is."""
    path = write_run(tmp_path / "run") / FILE_NAME
    path.write_bytes(path.read_bytes()[:cut])
    before = path.read_bytes()
    assert expected in one_line(refbot(tmp_path, "verify", "run"), 5)
    assert before == path.read_bytes()


def test_verify_of_nothing(tmp_path: Path) -> None:
    """Verify of a run that is not there exits 2, like any other wrong argument, with its name."""
    assert "nothing" in one_line(refbot(tmp_path, "verify", "nothing"), 2)


@pytest.mark.parametrize("what", ["level", "case", "word"])
def test_verify_of_what_is_not_known_here(tmp_path: Path, what: str) -> None:
    """Evidence with a level, a case or a word that this installation does not know never exits 1, which would
    be a verdict on the bot, nor with a traceback.
    """
    header = HEADER
    if what == "level":
        header = msgspec.structs.replace(HEADER, level="extreme")
    if what == "case":
        header = msgspec.structs.replace(HEADER, cases=["long-ago"])
    path = write_run(tmp_path / "run", header=header) / FILE_NAME
    if what == "word":
        broken = b'"seconds":0.1,"broken":{"word":"MELTED","sentence":"x","stderr_tail":""}'
        path.write_bytes(path.read_bytes().replace(b'"seconds":0.1', broken))
    done = refbot(tmp_path, "verify", "run")
    assert "Traceback" not in done.stderr
    assert done.returncode in (3, 5)


def test_verify_against_a_recorded_verdict(tmp_path: Path) -> None:
    """A recorded verdict that was reached on other evidence exits 5."""
    run = write_run(tmp_path / "run")
    document = json.loads(refbot(tmp_path, "verify", "run", "--json").stdout)
    (run / "verdict.json").write_text(json.dumps(document))
    assert refbot(tmp_path, "verify", "run").returncode == 0
    (run / "verdict.json").write_text(json.dumps(document | {"evidence": "0" * 16}))
    done = refbot(tmp_path, "verify", "run")
    assert (done.returncode, "evidence, its units" in done.stderr.splitlines()[-1]) == (5, True)
    assert done.stdout == ""
    (run / "verdict.json").write_text("{")
    done = refbot(tmp_path, "verify", "run")
    assert (done.returncode, "verdict.json" in done.stderr.splitlines()[-1]) == (5, True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("R4", ["R4", "Source:", "Reading.", "Its cases:", "Known mistakes:", "eye-no-diagonals"]),
        ("r4", ["R4"]),
        ("no-ko", ["no-ko", "R2", "refbot engine --playouts {playouts} --deviation no-ko"]),
        ("ids-come-back", ["G2", "> 17 name"]),
    ],
)
def test_explain(tmp_path: Path, name: str, expected: list[str]) -> None:
    """A requirement, a deviation and a case are explained on standard output."""
    done = refbot(tmp_path, "explain", name)
    assert (done.returncode, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    assert [words for words in expected if words not in text] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("cases", ["ids-come-back", "undo-brings-captured-stones-back"]),
        ("requirements", ["R1", "R12", "N4", "X1", "G13"]),
        ("deviations", ["no-ko", "superko-in-playouts"]),
    ],
)
def test_list(tmp_path: Path, what: str, expected: list[str]) -> None:
    """Lists hold every name whole, so that they can be searched and copied."""
    done = refbot(tmp_path, "list", what)
    assert (done.returncode, done.stderr) == (0, "")
    assert [name for name in expected if name not in done.stdout.split()] == []
    assert "\u2026" not in done.stdout


def test_matrix_of_a_suite_without_tables(tmp_path: Path) -> None:
    """Without tables every deviation is listed without a witness, and the cases as not measured."""
    done = refbot(tmp_path, "list", "--matrix")
    assert (done.returncode, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    assert "no-ko no witness n/a" in text
    assert "not measured yet:" in text
    assert list(tmp_path.iterdir()) == []


def shipped(folder: Path, *arguments: str) -> Done:
    """Run the real command with the suite and tables as they ship."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ENVIRONMENT, "PYTHONPATH", str(ROOT))
        return refbot(folder, *arguments)


def test_matrix(tmp_path: Path) -> None:
    """The matrix names the witnesses of every deviation, and what a plain test would need."""
    done = shipped(tmp_path, "list", "--matrix")
    assert (done.returncode, done.stderr) == (0, "")
    line = next(line for line in done.stdout.splitlines() if " no-ko " in line)
    assert re.fullmatch(r"R2 +no-ko +\d+ +\S+ +[\d.]+ \S+ +[\d,]+ *", line)
    assert "\u2026" not in done.stdout


def test_matrix_of_one_deviation(tmp_path: Path) -> None:
    """A deviation named has its full row: passes, distances with errors, and the reason where one is due."""
    done = shipped(tmp_path, "list", "--matrix", "half-the-playouts")
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 playouts, by the length: half the moves per declared playout" in " ".join(done.stdout.split())
    assert "never passes" in done.stdout


def test_matrix_as_data(tmp_path: Path) -> None:
    """The matrix comes as JSON, of all deviations or of one, and as the page in docs."""
    data = json.loads(shipped(tmp_path, "list", "--matrix", "--json").stdout)
    one = json.loads(shipped(tmp_path, "list", "--matrix", "no-ko", "--json").stdout)
    assert [row["deviation"] for row in one["rows"]] == ["no-ko"]
    assert one["rows"][0] in data["rows"]
    assert {cell["kind"] for row in data["rows"] for cell in row["cells"]} == {"exact", "sums", "moves"}
    page = shipped(tmp_path, "list", "--matrix", "--markdown").stdout
    assert page == (ROOT / "docs" / "matrix.md").read_text("utf-8")


def test_names_of_steps_are_whole(tmp_path: Path) -> None:
    """The names of the steps of a check are printed whole where standard output is no terminal."""
    write_run(tmp_path / "run")
    done = refbot(tmp_path, "verify", "--verbose", "run")
    assert "protocol-version-is-two" in done.stdout
    assert "\u2026" not in done.stdout


@pytest.mark.parametrize(
    "arguments", [["list"], ["explain", "R4"], ["tables"], ["verify", "run"], ["--help"]]
)
def test_no_escape_sequences_off_a_terminal(tmp_path: Path, arguments: list[str]) -> None:
    """Where output is no terminal it holds no escape sequence."""
    write_run(tmp_path / "run")
    done = refbot(tmp_path, *arguments)
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("is_plain", [False, True])
def test_no_color(tmp_path: Path, is_plain: bool) -> None:
    """On a terminal words have colours, and with NO_COLOR they have none."""
    write_run(tmp_path / "run")
    environment = ENVIRONMENT | ({"NO_COLOR": "1"} if is_plain else {})
    output, status = pexpect.run(
        f"{sys.executable} -m harness verify run",
        cwd=str(tmp_path),
        env=environment,
        withexitstatus=True,
        timeout=60,
    )
    assert status == 3  # there is no verdict.json to compare with
    colours = re.findall(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;\d+)*m", output)
    assert is_plain == (not colours)


def test_second_run_into_one_folder(tmp_path: Path) -> None:
    """A folder that holds a run is not used for another, and stays as it was."""
    run = write_run(tmp_path / "run")
    before = (run / FILE_NAME).read_bytes()
    done = refbot(tmp_path, "check", bot("none"), "--playouts", "8", "--out", "run")
    assert "already holds a run" in one_line(done, 2)
    assert before == (run / FILE_NAME).read_bytes()


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """An --out that cannot be a folder exits 2 with one line."""
    (tmp_path / "file").write_text("")
    done = refbot(tmp_path, "check", bot("none"), "--playouts", "8", "--out", "file/run")
    assert "--out" in one_line(done, 2)


def test_run_of_one_case(tmp_path: Path) -> None:
    """A run of one case prints the document that its folder holds, and cannot pass."""
    done = refbot(
        tmp_path,
        "certify",
        bot("none"),
        "--playouts",
        "1",
        "--case",
        "protocol-version-is-two",
        "--json",
        "-q",
        "--level",
        "smoke",
    )
    assert done.returncode == 3, done.stderr
    runs = list((tmp_path / "reports").iterdir())
    assert len(runs) == 1
    assert (runs[0] / "verdict.json").read_text() == done.stdout
    assert json.loads(done.stdout)["bot"]["name"] == "mybot"
    assert refbot(tmp_path, "verify", str(runs[0])).returncode == 3


def test_engine(tmp_path: Path) -> None:
    """The engine speaks GTP on standard input and output, with nothing else on them."""
    done = subprocess.run(
        [sys.executable, "-m", "harness", "engine", "--playouts", "2"],
        input="1 protocol_version\nboardsize 5\nnonsense\nquit\n",
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "=1 2\n\n=\n\n? unknown command\n\n=\n\n",
        "",
    )
