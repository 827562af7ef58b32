"""``refbot report`` and what a run leaves: the right files in the right places, one line for every error."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from judged_runs import header, judged_run, units
from typer.testing import CliRunner, Result

from harness.cli.main import app
from harness.cli.report import leave_reports
from harness.errors import EvidenceError, RefbotError
from harness.records.evidence import FILE_NAME
from harness.records.journal import Journal

ROOT = Path(__file__).parents[3]


def refbot(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, ["report", *arguments])


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two runs in sub-folders."""
    for name in ("a", "b"):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        with Journal(folder / FILE_NAME, header(name)) as journal:
            for unit in units():
                journal.add(unit)
            journal.finish("complete", 1.0)
    monkeypatch.chdir(tmp_path / "runs")
    return tmp_path / "runs"


def test_one_format_goes_to_standard_output(runs: Path) -> None:
    """One format is data on standard output, with nothing beside it, and no file is written."""
    done = refbot("a", "--format", "badge")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout)["message"] == "INCONCLUSIVE (smoke)"
    assert [path.name for path in (runs / "a").iterdir()] == [FILE_NAME]


def test_nothing_asked_for(runs: Path) -> None:
    """Without a format the usual ones are written beside the evidence, of one run or of several."""
    done = refbot(f"a/{FILE_NAME}")
    assert done.exit_code == 0, done.stderr
    assert {"junit.xml", "report.md", FILE_NAME} <= {path.name for path in (runs / "a").iterdir()}
    done = refbot(str(runs))
    assert done.exit_code == 0, done.stderr
    suites = {suite.get("name") for suite in ET.parse(runs / "junit.xml").getroot()}  # noqa: S314
    assert {"a", "b"} <= suites


def test_places(runs: Path) -> None:
    """--out is a file of one format and a folder of several."""
    assert refbot("a", "b", "-f", "markdown", "--out", "page.md").exit_code == 0
    assert "`a`" in (runs / "page.md").read_text()
    assert refbot("a", "-f", "csv", "-f", "badge", "--out", "new/out").exit_code == 0
    written = {path.name for path in (runs / "new" / "out").iterdir()}
    assert written == {"requirements.csv", "checks.csv", "estimates.csv", "observations.csv", "badge.json"}


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (("a", "-f", "markdwn"), 2, "did you mean 'markdown'?"),
        (("a", "-f", "csv:check"), 2, "did you mean 'csv:checks'?"),
        (("nothing",), 2, "nothing"),
        (("empty",), 5, "give the folder of a run"),
        (("match",), 5, "refbot match --resume match"),
        (("a", "-f", "badge", "--out", "no/badge.json"), 5, "cannot write no/badge.json"),
        (("a", "--out", f"a/{FILE_NAME}"), 2, "give another with --out"),
    ],
)
def test_errors(runs: Path, arguments: tuple[str, ...], status: int, expected: str) -> None:
    """What is wrong is said in one line with the right status."""
    (runs / "empty").mkdir()
    (runs / "match").mkdir()
    (runs / "match" / "match.jsonl").touch()
    done = refbot(*arguments)
    assert isinstance(done.exception, RefbotError)
    assert (done.exception.status, done.stdout) == (status, "")
    assert expected in str(done.exception)
    assert "\n" not in str(done.exception)


def test_a_run_that_did_not_end(runs: Path) -> None:
    """A run without its footer is not reported as if it were whole; how to go on is said."""
    path = runs / "a" / FILE_NAME
    path.write_bytes(path.read_bytes().rsplit(b"\n", 2)[0] + b"\n")
    done = refbot("a", "-f", "junit")
    assert isinstance(done.exception, EvidenceError)
    assert "--resume" in str(done.exception)


def test_a_check_leaves_junit(tmp_path: Path) -> None:
    """The real command leaves junit.xml in a run's folder, red as its status is not 0."""
    bot = f"mybot={sys.executable} {ROOT / 'tests' / 'bots' / 'fault_bot.py'} exits-at-once"
    done = subprocess.run(
        [sys.executable, "-m", "harness", "check", bot, "--playouts", "8", "-q", "--out", "run"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    root = ET.parse(tmp_path / "run" / "junit.xml").getroot()  # noqa: S314
    assert done.returncode == 4, done.stderr
    error = root.find("testsuite/testcase/error")
    assert error is not None
    assert error.get("type") in done.stdout


def test_what_cannot_be_left_costs_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A report that cannot be written beside a run is said in one line, and raises nothing."""
    (tmp_path / "junit.xml").mkdir()
    leave_reports(tmp_path, [judged_run(units())], strict=False)
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "junit.xml was not written" in said
