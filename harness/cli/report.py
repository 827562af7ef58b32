"""The command ``refbot report``: runs in the formats of ``render.formats``, made from their evidence."""
# ruff: noqa: PLC0415 - the imports inside functions keep `--help` quick

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from harness.cli.console import conclude, console, leaving, say
from harness.cli.options import StrictOption
from harness.errors import EvidenceError, UsageError

if TYPE_CHECKING:
    from harness.records.evidence import Evidence
    from harness.render.formats import Format
    from harness.report.judged_run import JudgedRun


def report(
    run: Annotated[
        list[Path],
        typer.Argument(help="Folder of a run, its evidence file, or a folder whose sub-folders are runs."),
    ],
    *,
    format: Annotated[  # noqa: A002 - the option's name
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--format",
            "-f",
            help="html, junit, markdown, badge, csv or parquet (repeatable). csv and parquet stand for all "
            "tables, csv:checks and the like for one.",
            show_default="html, junit and markdown",
        ),
    ] = None,
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--out",
            help="Folder, or file of a single format. By default a single format goes to standard output, "
            "several formats into the run's folder.",
            show_default=False,
        ),
    ] = None,
    trend: Annotated[
        bool,
        typer.Option(
            "--trend", help="Write one page on the runs of a bot over time: what changed, and when."
        ),
    ] = False,
    strict: StrictOption = False,
) -> None:
    """Write reports of runs, from their evidence: for people, build servers, pull requests, spreadsheets."""
    from harness.render.formats import USUAL

    formats = formats_named(format or USUAL)
    if trend and format:
        raise UsageError("--trend is a page of its own; omit --format")
    folders = [folder for path in run for folder in runs_in(path)]
    is_one = len(formats) == 1 and bool(format)
    is_file = is_one and out is not None and not out.is_dir() and bool(out.suffix)
    if is_one and out is None and not formats[0].is_text and sys.stdout.isatty():
        raise UsageError(f"{formats[0].name} is not text; give a file with --out")
    judged_runs = load_judged_runs(folders)
    if trend:
        _report_trend(judged_runs, out)
        return
    if is_one and out is None:
        sys.stdout.buffer.write(formats[0].render(judged_runs, strict=strict))
    elif is_file and out is not None:
        _write(out, formats[0].render(judged_runs, strict=strict))
        say(f"refbot: wrote {out}")
    else:
        folder = _folder(out, run, len(folders))
        write_reports(folder, judged_runs, formats, strict=strict)
        say(f"refbot: wrote {', '.join(f.file for f in formats)} into {folder}")


def _report_trend(judged_runs: "Sequence[JudgedRun]", out: Path | None) -> None:
    """Print the course of one bot's runs, and write its page."""
    from harness.comparison.trend import trend_of
    from harness.render.trend import answer_of, render_trend, render_trend_page
    from harness.runs.record import make_folder
    from harness.shipped import refbot_version

    found = trend_of(judged_runs)
    bot = judged_runs[-1].verdict.bot.name
    page = make_folder(out, "trend", bot) / "trend.html" if out is None or not out.suffix else out
    _write(page, render_trend_page(found, refbot_version()).encode())
    console().print(render_trend(found))
    conclude(found.points[-1].verdict, bot, answer_of(found), page)


def formats_named(names: Iterable[str]) -> "list[Format]":
    """Return the formats with these names, each once, in the order asked for.

    Raises:
        UsageError: a name is unknown; the message suggests similar ones.
    """
    from harness.render.formats import FORMATS, formats_of
    from harness.suggest import closest

    found: dict[str, Format] = {}
    for name in names:
        if not formats_of(name):
            known = list(
                dict.fromkeys([f.name.partition(":")[0] for f in FORMATS] + [f.name for f in FORMATS])
            )
            plain = [other for other in known if ":" not in other]
            raise UsageError(f"no format {name!r}{closest(name, known)}; there are {', '.join(plain)}")
        found |= {f.name: f for f in formats_of(name)}
    return list(found.values())


def runs_in(path: Path) -> list[Path]:
    """Return the evidence files that a path stands for.

    Raises:
        EvidenceError: there are none, or the path is a match.
    """
    from harness.match.record import FILE_NAME as MATCH_NAME
    from harness.records.evidence import FILE_NAME

    if not path.is_dir() or (path / FILE_NAME).exists():
        return [path]
    found = sorted(path.glob(f"*/{FILE_NAME}"))
    if not found and (path / MATCH_NAME).exists():
        raise EvidenceError(f"{path} is a match: `refbot match --resume {path}` prints its results")
    if not found:
        raise EvidenceError(f"{path}: no {FILE_NAME} there or in its sub-folders; give the folder of a run")
    return found


def load_judged_runs(paths: Sequence[Path]) -> "list[JudgedRun]":
    """Read runs and judge them by the installed suite; report runs that were made with another suite.

    Raises:
        EvidenceError: a run cannot be read, is not complete, or has unknown cases.
    """
    from harness.cases.suite import load_suite
    from harness.cli.tables import complete_tables
    from harness.judging.judge import judge
    from harness.records.evidence import read_evidence
    from harness.report.judged_run import judged_run_of

    runs = [read_evidence(path) for path in paths]
    suite = load_suite()
    kinds: dict[int | None, list[Evidence]] = {}
    for path, evidence in zip(paths, runs, strict=True):
        kinds.setdefault(evidence.header.bot.fixed_playouts, []).append(evidence)
        if evidence.header.suite.digest != suite.digest:
            say(
                f"refbot: {path} was made with suite {evidence.header.suite.digest}; this report is by the "
                f"one installed, {suite.digest}"
            )
    suites = {playouts: suite.for_bot(playouts) for playouts in kinds}
    tables = {
        playouts: complete_tables(
            suites[playouts], sorted({u.case for e in same for u in e.units}), quiet=True
        )
        for playouts, same in kinds.items()
    }
    judged_runs = []
    for evidence in runs:
        playouts = evidence.header.bot.fixed_playouts
        verdict = judge(suite, tables[playouts], evidence)
        judged_runs.append(judged_run_of(suite, tables[playouts], evidence, verdict))
    return judged_runs


def write_reports(
    folder: Path, judged_runs: "Sequence[JudgedRun]", formats: "Iterable[Format]", *, strict: bool
) -> None:
    """Write every format into a folder.

    Raises:
        EvidenceError: the folder cannot be written to.
    """
    for each in formats:
        _write(folder / each.file, each.render(judged_runs, strict=strict))


def leave_reports(folder: Path, judged_runs: "Sequence[JudgedRun]", *, strict: bool) -> None:
    """Write the default reports into the folder of a run or comparison; a failure is only reported."""
    from harness.render.formats import LEFT

    for each in formats_named(LEFT):
        with leaving(each.file):
            write_reports(folder, judged_runs, [each], strict=strict)


def _folder(out: Path | None, given: Sequence[Path], runs: int) -> Path:
    from harness.runs.record import make_folder

    if out is None and len(given) == 1:
        return given[0] if given[0].is_dir() else given[0].parent
    if out is None:
        return make_folder(None, "report", f"{runs}-runs")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {out}: {error.strerror}; give another with --out") from None
    return out


def _write(path: Path, data: bytes) -> None:
    from harness.records.draft import replace_file

    try:
        replace_file(path, data)
    except OSError as error:
        raise EvidenceError(
            f"cannot write {path}: {error.strerror}; the evidence is kept, and `refbot report` makes it again"
        ) from error
