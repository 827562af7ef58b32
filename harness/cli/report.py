"""``refbot report``: runs as pages for people, from their evidence alone."""
# ruff: noqa: PLC0415 - imports inside functions make `--help` quick

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.console import say
from harness.errors import EvidenceError

if TYPE_CHECKING:
    from harness.cases.suite import Suite
    from harness.judging.exhibit import Exhibit
    from harness.judging.verdict import Verdict
    from harness.records.evidence import Evidence
    from harness.tables.tables import Tables

REPORT_NAME = "report.html"


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, or evidence files.")],
    *,
    html: Annotated[Path, typer.Option("--html", help="The page to be written.")],
) -> None:
    """Make one page of runs, from their evidence alone."""
    _keep_quiet()
    from harness.render.html import render_html

    exhibits = [_exhibit(run) for run in runs]
    page = render_html(exhibits, None)
    try:
        html.write_text(page, "utf-8")
    except OSError as error:
        raise EvidenceError(f"cannot write {html}: {error.strerror}") from None
    say(f"refbot: {html}: {len(runs)} {'run' if len(runs) == 1 else 'runs'}, {len(page) / 1024:,.0f} KiB")


def _exhibit(run: Path) -> "Exhibit":
    from harness.cases.suite import load_suite
    from harness.cli.tables import complete_tables
    from harness.judging.exhibit import exhibit_of
    from harness.records.evidence import read_evidence
    from harness.runs.record import judged

    evidence = read_evidence(run)
    suite = load_suite()
    asked = {unit.case for unit in evidence.units}
    tables = complete_tables(suite.for_bot(evidence.header.bot.fixed_playouts), asked, quiet=True)
    return exhibit_of(suite, tables, evidence, judged(suite, evidence, tables))


def leave_report(
    folder: Path, suite: "Suite", tables: "Tables", evidence: "Evidence", verdict: "Verdict"
) -> None:
    """Leave the page of a run in its folder; whatever hinders that is said, and costs no verdict."""
    _keep_quiet()
    try:
        from harness.judging.exhibit import exhibit_of
        from harness.render.html import render_html

        page = render_html([exhibit_of(suite, tables, evidence, verdict)], None)
        (folder / REPORT_NAME).write_text(page, "utf-8")
    except Exception as error:  # noqa: BLE001 - the verdict is written and stands
        say(f"refbot: {REPORT_NAME} was not written: {type(error).__name__}: {error}")


def _keep_quiet() -> None:
    """Let matplotlib say nothing of the list of fonts that it makes when it is first used."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
