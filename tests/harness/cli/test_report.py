"""``refbot report``, and the page that ``certify`` and ``check`` leave in a run's folder."""

from pathlib import Path

import pytest
from certificates import refbot

from harness.cases.suite import load_suite
from harness.cli.report import leave_reports, report
from harness.errors import EvidenceError, UsageError
from harness.records.evidence import read_evidence
from harness.render import html as html_module
from harness.report.judged_run import judged_run_of
from harness.runs.record import judged
from harness.tables.tables import Tables

REPORT_NAME = "report.html"
HTML = ["html"]


@pytest.fixture(scope="module", name="run")
def _run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    refbot("check", "--case", "ids", "--quiet", folder=folder)
    return folder


def test_a_run_leaves_the_page_that_report_makes_of_it(run: Path, tmp_path: Path) -> None:
    """The page in the folder and the one made later from its evidence are the same, byte for byte."""
    report([run], format=HTML, out=tmp_path / "page.html")

    assert (run / REPORT_NAME).read_bytes() == (tmp_path / "page.html").read_bytes()
    assert "ids" in (run / REPORT_NAME).read_text("utf-8")


def test_several_runs_make_one_page(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Runs stand side by side, and the file is told."""
    report([run, run], format=HTML, out=tmp_path / "page.html")

    assert "<h1>2 runs</h1>" in (tmp_path / "page.html").read_text("utf-8")
    assert "page.html" in capsys.readouterr().err


def test_a_page_that_cannot_be_made_costs_no_verdict(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever goes wrong while rendering or writing is one line on standard error."""
    suite, evidence = load_suite(), read_evidence(run)
    tables = Tables(suite.folder / "tables")
    verdict = judged(suite, evidence, tables)

    judged_run = judged_run_of(suite, tables, evidence, verdict)
    (tmp_path / "junit.xml").mkdir()

    leave_reports(tmp_path / "nowhere", [judged_run], strict=False)
    monkeypatch.setattr(html_module, "render_html", lambda *_: 1 / 0)
    leave_reports(tmp_path, [judged_run], strict=False)

    said = capsys.readouterr().err.splitlines()
    files = ("report.html", "junit.xml")
    assert [line.partition(":")[2].split()[0] for line in said] == [*files, *files]
    assert "cannot write" in said[0]
    assert "ZeroDivisionError" in said[2]
    assert not (tmp_path / REPORT_NAME).exists()


def test_what_is_no_run_and_where_nothing_can_be_written(run: Path, tmp_path: Path) -> None:
    """Each is one clear error."""
    with pytest.raises(UsageError, match="there is no run"):
        report([tmp_path / "none"], format=HTML, out=tmp_path / "page.html")
    with pytest.raises(EvidenceError, match=r"cannot write .*page\.html"):
        report([run], format=HTML, out=tmp_path / "none" / "page.html")
