"""The command ``refbot compare``: bots, earlier runs, names, exit statuses; what it prints and leaves."""

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from certificates import shipped
from rich.console import Console

from harness.bots.bot import Bot
from harness.bots.inprocess import InProcess
from harness.cli.compare import CompareRequest, run_comparison, status_of
from harness.comparison.bot_comparison import BotComparison, ContrastCheck
from harness.document import document_bytes
from harness.errors import UsageError
from harness.records.evidence import read_evidence
from harness.render.comparison import render_comparison
from harness.runs.comparison_run import ComparisonEntry, run_together
from harness.runs.progress import Unwatched
from harness.runs.record import judged, make_folder, write_verdict
from harness.runs.verify import Agreement, compare_digests, compare_verdicts, recorded_verdict
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

ASKED = CompareRequest([], "smoke", None, None, None, None, 1.0, None)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two runs at level smoke: one bot that conforms, one that does not."""
    suite, tables = shipped()
    folder = tmp_path_factory.mktemp("runs")
    entrants = []
    for name in ("right", "komi-ignored"):
        (folder / name).mkdir()
        entrants.append(ComparisonEntry(Bot(name, f"{name} --playouts {{playouts}}"), folder / name))
    records = run_together(
        entrants,
        suite,
        lambda _: tables,
        "smoke",
        lambda _: Unwatched(),
        lambda bot, n, seed: InProcess(n, seed, BY_NAME[bot.name].spec if bot.name in BY_NAME else SPEC),
    )
    for entrant, evidence in zip(entrants, records, strict=True):
        write_verdict(entrant.folder, judged(suite, evidence, tables), evidence)
    return folder


def test_runs_made_earlier_are_compared_without_asking(runs: Path, tmp_path: Path) -> None:
    """A comparison's folder stands for its runs; what is left is the comparison and its reports."""
    out = tmp_path / "out"

    comparison, folder = run_comparison(replace(ASKED, texts=[str(runs)], out=out), quiet=True)

    assert folder == out
    assert sorted(path.name for path in out.iterdir()) == ["comparison.json", "junit.xml", "report.html"]
    assert (out / "comparison.json").read_bytes() == document_bytes(comparison)
    assert comparison.bots == ["komi-ignored", "right"]
    assert comparison.verdicts == ["FAIL", "INCONCLUSIVE"]
    assert comparison.requirements == ["R5", ""]
    assert (comparison.classes, comparison.undecided) == ([["komi-ignored"]], ["right"])
    assert comparison.speeds[0].genmoves > 100
    assert status_of(comparison, strict=False) == 1


def test_the_runs_of_a_comparison_are_runs(runs: Path) -> None:
    """`refbot verify` finds what was recorded."""
    suite, tables = shipped()
    evidence = read_evidence(runs / "right")
    recorded = recorded_verdict(runs / "right")
    computed = judged(suite, evidence, tables)

    assert recorded is not None
    assert recorded.command == "compare"
    found = [*compare_digests(evidence, recorded, suite), *compare_verdicts(recorded, computed)]
    assert len(found) > 3
    assert [each for each in found if each.finding is Agreement.DIFFERS] == []


def test_same_names_get_numbers(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two bots of one name are told apart, and it is said."""
    texts = [str(runs / "right")] * 3

    comparison, _ = run_comparison(replace(ASKED, texts=texts, out=tmp_path / "o"), quiet=True)

    assert comparison.bots == ["right", "right-2", "right-3"]
    assert "a second bot is named right; here it is right-2" in capsys.readouterr().err


def test_what_cannot_be_compared_is_refused(runs: Path, tmp_path: Path) -> None:
    """An empty folder, a comparison on top of another, a bot that hides its number of playouts."""
    with pytest.raises(UsageError, match="holds no run"):
        run_comparison(replace(ASKED, texts=[str(tmp_path)]), quiet=True)
    out = tmp_path / "once"
    run_comparison(replace(ASKED, texts=[str(runs)], out=out), quiet=True)
    with pytest.raises(UsageError, match="already holds a run"):
        make_folder(out, "compare", "2-bots")


def comparison_of(*verdicts: str, checks: tuple[str, ...] = ()) -> BotComparison:
    """Return a comparison of which only words matter."""
    names = [f"bot{i}" for i in range(len(verdicts))]
    free = [
        ContrastCheck("swapped", "because", "N2", [word] * len(names), [""] * len(names)) for word in checks
    ]
    return BotComparison(names, list(verdicts), [], [], [], free, [], "")


@pytest.mark.parametrize(
    ("verdicts", "checks", "wanted"),
    [
        (("PASS", "NON-STRICT"), ("PASS",), 0),
        (("PASS", "INCONCLUSIVE"), ("PASS",), 3),
        (("PASS", "CRASH", "INCONCLUSIVE"), ("PASS",), 4),
        (("START-FAILED", "ERROR"), ("PASS",), 5),
        (("FAIL", "ERROR", "CRASH"), ("PASS",), 1),
        (("PASS", "PASS"), ("PASS", "FAIL"), 1),
        (("PASS", "PASS"), ("INCONCLUSIVE", "NOT-APPLICABLE"), 0),
    ],
)
def test_exit_status(verdicts: tuple[str, ...], checks: tuple[str, ...], wanted: int) -> None:
    """The worst bot decides, a proof of a fault before everything else."""
    assert status_of(comparison_of(*verdicts, checks=checks), strict=False) == wanted


def test_strict_counts_non_strict_as_fail() -> None:
    """As in every command."""
    assert status_of(comparison_of("PASS", "NON-STRICT"), strict=True) == 1


def test_a_comparison_is_rendered_with_hostile_names(runs: Path, tmp_path: Path) -> None:
    """Markup and control characters of a name are shown as text; every part is there."""
    comparison, _ = run_comparison(replace(ASKED, texts=[str(runs)], out=tmp_path / "o"), quiet=True)
    hostile = msgspec.structs.replace(comparison, bots=["[red]x\x1b[2J", "right"], undecided=["right"])
    out = Console(file=io.StringIO(), width=200, force_terminal=False)

    out.print(render_comparison(hostile, "reports/[bold]x"))
    text = out.file.getvalue()  # type: ignore[attr-defined]

    assert "[red]x" in text
    assert "\x1b" not in text
    for part in ("cannot be told", "Bots", "Length and win fraction", "Checks that need no table"):
        assert part in text


def test_many_bots_are_rendered_by_those_that_matter() -> None:
    """Of fifty bots the table shows those apart; the others stand in comparison.json."""
    comparison = comparison_of(*["PASS"] * 50)
    speeds = msgspec.convert([{"playouts": 10, "genmoves": 1, "seconds": 0.0}] * 50, type(comparison.speeds))
    full = msgspec.structs.replace(
        comparison,
        speeds=msgspec.convert(speeds, list[BotComparison.__annotations__["speeds"].__args__[0]]),
        requirements=[""] * 50,
        reasons=["fine"] * 50,
        classes=[comparison.bots[:49], comparison.bots[49:]],
        reference_class=0,
    )
    out = Console(file=io.StringIO(), width=200)

    out.print(render_comparison(full, "x"))

    assert "(1 of 50 bots" in out.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_the_command_with_an_example_a_wrong_bot_and_one_that_is_gone(tmp_path: Path) -> None:
    """The whole command: classes, the wrong one's requirement, a missing program, JSON, status, resume."""
    out = tmp_path / "out"
    bots = [
        "c=examples/refbot-c --playouts {playouts}",
        "again=examples/refbot-c --playouts {playouts}",
        "wrong=refbot engine --deviation list-scan --playouts {playouts}",
        "gone=/nonexistent/bot --playouts {playouts}",
    ]
    command = [sys.executable, "-m", "harness", "compare", *bots, "--json", "--quiet"]

    done = subprocess.run([*command, "--out", out], capture_output=True, text=True, check=False)

    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert found["verdicts"] == ["PASS", "PASS", "FAIL", "START-FAILED"]
    assert found["classes"] == [["c", "again"], ["wrong"]]
    assert [(odd["bot"], odd["requirement"]) for odd in found["odd"]] == [("wrong", "R2")]
    amounts = {q["case"]: q["playouts"][:3] for q in found["quantities"]}
    assert all(max(n) - min(n) <= 400 for n in amounts.values())
    again = subprocess.run([*command, "--resume", out], capture_output=True, text=True, check=False)
    assert json.loads(again.stdout)["quantities"] == found["quantities"]
