"""The command ``refbot regress``: asks a bot again, and compares it with an earlier run of it."""
# ruff: noqa: PLC0415 - the imports inside the command keep `--help` quick

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from harness.cli.console import conclude, console, leaving, page_in, say
from harness.cli.options import (
    BotArgument,
    BotsOption,
    MaxTimeOption,
    OutOption,
    PlayoutsOption,
    QuietOption,
    SandboxOption,
    ScaleOption,
    StrictOption,
    WrapOption,
)
from harness.errors import UsageError
from harness.word import Word, exit_status

if TYPE_CHECKING:
    from harness.cases.suite import Suite
    from harness.comparison.regress import Before
    from harness.judging.verdict import Verdict
    from harness.records.evidence import Evidence
    from harness.runs.speed import Timing


def regress(
    baseline: Annotated[
        Path,
        typer.Argument(
            help="Folder of an earlier run of certify or regress; or its evidence, or verdict.json."
        ),
    ],
    bot: BotArgument = None,
    *,
    level: Annotated[
        Optional[str],  # noqa: UP045 - typer reads the annotation at run time
        typer.Option(help="smoke, standard, full or reference.", show_default="the baseline's"),
    ] = None,
    known: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="File (TOML) of known failures, with their reasons."),
    ] = None,
    speed_margin: Annotated[
        float, typer.Option(min=0.0, max=0.9, help="Share of the speed that may be lost.")
    ] = 0.05,
    no_bench: Annotated[bool, typer.Option("--no-bench", help="Do not measure the speed.")] = False,
    playouts: PlayoutsOption = None,
    bots: BotsOption = None,
    out: OutOption = None,
    time_scale: ScaleOption = 1.0,
    wrap: WrapOption = None,
    sandbox: SandboxOption = False,
    max_time: MaxTimeOption = None,
    strict: StrictOption = False,
    quiet: QuietOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Ask a bot again, and report new failures, drift and loss of speed since the baseline."""
    from harness.cases.known import read_known
    from harness.cases.suite import load_suite
    from harness.cli.certify import CertifyRequest, certify
    from harness.cli.tables import complete_tables
    from harness.comparison.drift import TOP_UP
    from harness.comparison.regress import After, compare_runs
    from harness.document import document_bytes
    from harness.records.draft import replace_file
    from harness.render.regress import render_regression
    from harness.render.regress_page import PAGE_NAME, render_regression_page

    suite = load_suite()
    reasons = {} if known is None else read_known(known, [*suite.requirements, *suite.cases])
    before = _baseline(baseline, suite)
    level = level or before.recorded.level
    if level == "check":
        raise UsageError("a check has nothing to compare; choose smoke, standard, full or reference")
    timing = None if no_bench else _timing(before)
    wanted = CertifyRequest(
        "regress",
        bot,
        level,
        playouts,
        bots,
        out,
        [],
        time_scale,
        wrap,
        sandbox=sandbox,
        max_time=max_time,
        top_up=TOP_UP,
        timing=timing,
    )
    done = certify(wanted, say, quiet=quiet)
    for failure in done.failures:
        say(failure)
    after = After(str(done.folder), done.verdict, done.evidence)
    tables = complete_tables(done.suite, done.suite.cases, quiet=quiet)
    found = compare_runs(before, after, suite, tables, reasons, speed_margin)
    if json:
        sys.stdout.write(document_bytes(found).decode())
    else:
        console().print(render_regression(found))
    with leaving(PAGE_NAME):
        replace_file(done.folder / PAGE_NAME, render_regression_page(found).encode())
    reason = found.reasons[0] if found.reasons else "no reason against the bot since the baseline"
    conclude(found.outcome, done.verdict.bot.name, reason, page_in(done.folder, PAGE_NAME), json=json)
    raise typer.Exit(exit_status(Word(found.outcome), strict=strict))


def _baseline(path: Path, suite: "Suite") -> "Before":
    from harness.cli.tables import complete_tables
    from harness.runs.baseline import read_baseline
    from harness.runs.record import judged

    def judge(suite: "Suite", evidence: "Evidence") -> "Verdict":
        fitted = suite.for_bot(evidence.header.bot.fixed_playouts)
        asked = {unit.case for unit in evidence.units} & set(fitted.cases)
        return judged(fitted, evidence, complete_tables(fitted, asked, quiet=True))

    return read_baseline(path, suite, judge)


def _timing(before: "Before") -> "Timing":
    """Return how the speed is measured: with the baseline's board and playouts, if it has any."""
    from harness.comparison.rates import playouts_of
    from harness.runs.speed import Timing

    rounds = before.evidence.rounds if before.evidence else []
    if not rounds:
        return Timing()
    return Timing(size=rounds[0].size, playouts=playouts_of(rounds) or None)
