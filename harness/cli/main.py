"""The command line: it parses, calls, and turns errors into one line and an exit status.

Results go to standard output, everything else for people to standard error.  Heavy libraries are imported by
the commands that need them, so that ``--help`` is quick.
"""
# ruff: noqa: PLC0415 - the imports inside commands keep `--help` quick

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from typer.core import TyperGroup

from harness.cli import bench as cli_bench
from harness.cli import compare as cli_compare
from harness.cli import engine as cli_engine
from harness.cli import explain as cli_explain
from harness.cli import explore as cli_explore
from harness.cli import init as cli_init
from harness.cli import match as cli_match
from harness.cli import merge as cli_merge
from harness.cli import regress as cli_regress
from harness.cli import report as cli_report
from harness.cli import tst as cli_tst
from harness.cli import verify as cli_verify
from harness.cli.console import close_output, conclude_verdict, console, say, show_verdict
from harness.cli.options import (
    BotArgument,
    BotsOption,
    CasesOption,
    ExecutorOption,
    JobsOption,
    JsonOption,
    LevelOption,
    MaxTimeOption,
    OutOption,
    PlayoutsOption,
    QuietOption,
    ResumeOption,
    SandboxOption,
    ScaleOption,
    StrictOption,
    ThreadsOption,
    TrustOption,
    VerboseOption,
    WrapOption,
)
from harness.errors import RefbotError, UsageError
from harness.interruption import catch_signals, interruption
from harness.word import HARNESS_STATUS, INTERRUPTED_STATUS, PIPE_STATUS, Word, exit_status

if TYPE_CHECKING:
    from harness.cli.certify import CertifyRequest


class _Carried(Exception):  # noqa: N818 - it only carries another exception
    """Carries an exception that typer would turn into an exit status without a message."""

    def __init__(self, original: BaseException) -> None:
        self.original = original


class _Commands(TyperGroup):
    """The commands.  Interrupts and closed pipes are passed on to ``_errors_as_status``."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, BrokenPipeError) as error:
            raise _Carried(error) from error


app = typer.Typer(
    name="refbot",
    cls=_Commands,
    no_args_is_help=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
)

_FIRST_STEPS = """\
refbot {version}: is this Go program the 2008 reference bot? If not, which rule is wrong?

  refbot check   './mybot --playouts {{playouts}}'   seconds: does it speak the protocol
  refbot certify './mybot --playouts {{playouts}}'   PASS, FAIL with the rule, or INCONCLUSIVE
  refbot certify                                   the same for refbot's own engine
  refbot init    './mybot --playouts {{playouts}}'   files for your project: settings, CI, pytest
  refbot explain FAIL                              any word of a verdict, clause, case or mistake

{{playouts}} stands for the number of playouts, which refbot fills in. All commands: refbot --help
"""


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        from harness.shipped import refbot_version

        typer.echo(f"refbot {refbot_version()}")
        raise typer.Exit


@app.callback()
def first_steps(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - the callback does the work
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version.", expose_value=False
        ),
    ] = False,
) -> None:
    """Conformance tests for Go bots that speak GTP: is it the 2008 reference bot? If not, which rule?"""
    if context.invoked_subcommand is None:
        from harness.shipped import refbot_version

        typer.echo(_FIRST_STEPS.format(version=refbot_version()), nl=False)


@app.command()
def certify(
    bot: BotArgument = None,
    *,
    level: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="smoke, standard, full or reference.", show_default="standard"),
    ] = None,
    playouts: PlayoutsOption = None,
    bots: BotsOption = None,
    out: OutOption = None,
    resume: ResumeOption = None,
    trust: TrustOption = False,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    shard: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Ask only part I of N of the first stage, such as 2/4; `refbot merge` joins them."),
    ] = None,
    case: CasesOption = None,
    time_scale: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(
            "--time-scale",
            min=0.001,
            max=1e6,
            help="Factor on every time limit, for slow machines.",
            show_default="1.0",
        ),
    ] = None,
    wrap: WrapOption = None,
    sandbox: SandboxOption = False,
    max_time: MaxTimeOption = None,
    bench: Annotated[
        bool, typer.Option("--bench", help="Also measure the speed; see `refbot bench`.")
    ] = False,
    baseline: Annotated[
        bool,
        typer.Option(
            "--baseline", help="Record all that `refbot regress` compares: speed, and more playouts."
        ),
    ] = False,
    strict: StrictOption = False,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Decide whether a bot conforms, and name the rule if it does not."""
    if resume is not None and out is not None:
        raise UsageError("--resume continues in the run's own folder; omit --out")
    if resume is not None and baseline:
        raise UsageError("--resume continues the run as it was begun; omit --baseline")
    if resume is not None and shard is not None:
        raise UsageError("--resume continues the shard of the run; omit --shard")
    from harness.cli.certify import CertifyRequest, parse_spreading

    wanted = CertifyRequest("certify", bot, level, playouts, bots, out, case or [], time_scale, wrap, resume)
    wanted = replace(wanted, spreading=parse_spreading(jobs, executor, shard), trust=trust)
    wanted = replace(wanted, sandbox=sandbox, max_time=max_time)
    if baseline or bench:
        if wanted.spreading is not None:
            raise UsageError("speeds and baselines are measured alone: omit --jobs, --executor and --shard")
        wanted = _with_extras(wanted, top_up=baseline)
    _certify(wanted, strict=strict, quiet=quiet, json=json, verbose=verbose)


@app.command()
def check(
    bot: BotArgument = None,
    *,
    playouts: PlayoutsOption = None,
    bots: BotsOption = None,
    out: OutOption = None,
    section: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--section", help="Ask only this section (repeatable), such as time; docs/check.md."),
    ] = None,
    case: CasesOption = None,
    time_scale: ScaleOption = 1.0,
    wrap: WrapOption = None,
    sandbox: SandboxOption = False,
    max_time: MaxTimeOption = None,
    strict: StrictOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print every clause.")] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Check a bot of any kind against the clauses of GTP 2, in seconds; no statistics."""
    from harness.cli.certify import CertifyRequest, cases_of_sections

    cases = [*(case or []), *cases_of_sections(section or [])]
    wanted = CertifyRequest("check", bot, "check", playouts, bots, out, cases, time_scale, wrap)
    wanted = replace(wanted, sandbox=sandbox, max_time=max_time)
    _certify(wanted, strict=strict, quiet=quiet, json=json, verbose=verbose)


app.command()(cli_init.init)
app.command()(cli_merge.merge)
app.command()(cli_explain.explain)


@app.command("list")
def list_(
    what: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(help="cases (default), requirements or deviations; a deviation, with --matrix."),
    ] = None,
    *,
    matrix: Annotated[
        bool,
        typer.Option("--matrix", help="Show which cases detect each deviation, or one, and how well."),
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Show what a certificate will cost, level by level.")
    ] = False,
    level: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="With --plan: only this level."),
    ] = None,
    speed: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(min=0.001, help="With --plan: playouts a second of the bot on the empty 9x9 board."),
    ] = None,
    playouts: PlayoutsOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print the matrix, or the plan, as JSON.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print it as a page: docs/matrix.md.")] = False,
    tst: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--tst", help="Write the exact cases as regression files into this folder."),
    ] = None,
) -> None:
    """List the cases, the requirements or the known mistakes."""
    from harness.cases.suite import load_suite
    from harness.cli import list as cli_list

    for option, is_given in (("--level", level), ("--speed", speed), ("--playouts", playouts)):
        if is_given is not None and not plan:
            raise UsageError(f"{option} goes with --plan")
    if json and not (matrix or plan):
        raise UsageError("--json goes with --matrix or --plan")
    if markdown and not matrix:
        raise UsageError("--markdown goes with --matrix")
    if plan and (matrix or what):
        raise UsageError(f"--plan and {'--matrix' if matrix else repr(what)} are different lists; choose one")
    if tst and (what or matrix or plan):
        raise UsageError("--tst writes all exact cases; it cannot be combined with other lists")
    if tst:
        cli_list.write_tst(load_suite(), tst)
    elif plan:
        cli_list.show_plan(console(), load_suite(), level, playouts, speed, json=json)
    elif matrix:
        cli_list.show_matrix(console(), load_suite(), what, json=json, page=markdown)
    else:
        cli_list.list_names(console(), load_suite(), what or "cases")


@app.command()
def tables(
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(help="A case, to see its table or sample its position.", show_default=False),
    ] = None,
    *,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make missing, outdated and too small tables again.")
    ] = False,
    only: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--only", help="Rebuild this case's table, even if current (repeatable)."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare the tables with independent samples.")
    ] = False,
    size: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Make a reference of any position: lines of the board."),
    ] = None,
    komi: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Its komi, 7.5 by default."),
    ] = None,
    moves: Annotated[str, typer.Option(help="Moves that lead to it, Black first: 'D4 Q16 pass'.")] = "",
    colour: Annotated[str, typer.Option(help="Side to move, if it is not the one whose turn it is.")] = "",
    sgf: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="Game record that ends with the position."),
    ] = None,
    playouts: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Playouts of a sample, such as 1e9; it goes on where it was interrupted."),
    ] = None,
    threads: ThreadsOption = None,
    executor: ExecutorOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show the reference tables, check or rebuild them, or make the reference of any position."""
    # No bot is started here that would inherit this.  For such small matrices, BLAS threads only waste time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from harness.cases.setup import parse_playouts, parse_position
    from harness.cases.start import start_of
    from harness.cases.suite import load_suite
    from harness.cli import tables as cli_tables

    position = {"--size": size, "--komi": komi, "--moves": moves, "--colour": colour, "--sgf": sgf}
    is_position = any(position.values())
    asked = {"--check": check, "--rebuild": rebuild or bool(only), next(iter(position)): is_position}
    chosen = [option for option, given in asked.items() if given]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} are different tasks; choose one")
    if name and (rebuild or only or is_position):
        raise UsageError(f"{chosen[0]} takes no case; {name!r} is given")
    if executor is not None and not (rebuild or only):
        raise UsageError("--executor goes with --rebuild")
    if playouts is not None and (rebuild or only or not (name or is_position or check)):
        raise UsageError("--playouts goes with a case, a position or --check; other tables have fixed sizes")
    number = None if playouts is None else parse_playouts(playouts)
    suite, out = load_suite(), console()
    case = suite.case(name) if name else None
    if check:
        cli_tables.check_tables(out, suite, case, number, threads, quiet=quiet)
    elif rebuild or only:
        cli_tables.rebuild_tables(out, suite, only or [], threads, executor, quiet=quiet)
    elif is_position:
        start, points = parse_position(size, komi, moves, colour, sgf)
        title = "position asked for"
        cli_tables.sample_position(out, suite, start, points, title, number, threads, quiet=quiet)
    elif case is not None and number is not None:
        start, points = start_of(case), case.file.komi
        cli_tables.sample_position(out, suite, start, points, case.id, number, threads, quiet=quiet)
    elif case is not None:
        cli_tables.show_table(out, suite, case, threads, quiet=quiet)
    else:
        cli_tables.list_tables(out, suite)


@app.command()
def selftest(
    deviation: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(help="Deviations, or faults, to try; all of them by default.", show_default=False),
    ] = None,
    *,
    faults: Annotated[
        bool, typer.Option("--faults", help="Try bots that hang, lie, flood and die: the word of each.")
    ] = False,
    trials: Annotated[int, typer.Option(min=0, help="Simulated certificates of each deviation.")] = 1,
    conforming: Annotated[int, typer.Option(min=0, help="Simulated certificates without a deviation.")] = 10,
    leave_one_out: Annotated[
        bool,
        typer.Option("--leave-one-out", help="Judge each as if nobody had listed it or its near twins."),
    ] = False,
    level: LevelOption = "standard",
    seed: Annotated[int, typer.Option(min=0, help="Number of the first trial; the others follow.")] = 1,
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--jobs", min=1, help="Trials at a time; as many as there are cores by default."),
    ] = None,
    executor: ExecutorOption = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a page: docs/kill-matrix.md.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print every trial as JSON.")] = False,
    time_scale: ScaleOption = 1.0,
    quiet: QuietOption = False,
) -> None:
    """Certify bots with every known mistake, and one without: the proof that verdicts are right."""
    # Matrices are tiny here, and every core has its own process: BLAS threads would only waste time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from harness.cli import selftest as cli_selftest

    if faults and markdown:
        raise UsageError("--markdown goes with deviations, not with --faults")
    if time_scale != 1.0 and not faults:
        raise UsageError("--time-scale goes with --faults: other trials have no time limits")
    if faults and executor is not None:
        raise UsageError("--executor goes with deviations: fault bots run on this machine, in threads")
    if faults:
        status = cli_selftest.run_faults(
            console(), deviation or [], jobs, time_scale, quiet=quiet, as_json=json
        )
        raise typer.Exit(status)
    if leave_one_out and faults:
        raise UsageError("--leave-one-out goes with deviations, not with --faults")
    wanted = cli_selftest.SelftestRequest(
        deviation or [],
        trials,
        0 if leave_one_out else conforming,
        level,
        seed,
        jobs,
        executor or "processes",
        leave_one_out,
    )
    raise typer.Exit(cli_selftest.run_selftest(console(), wanted, quiet=quiet, page=markdown, as_json=json))


app.command()(cli_regress.regress)
app.command()(cli_explore.explore)
app.command()(cli_bench.bench)
app.command()(cli_match.match)
app.command()(cli_tst.tst)
app.command()(cli_compare.compare)
app.command()(cli_report.report)
app.command()(cli_verify.verify)
app.command()(cli_engine.engine)


def _with_extras(wanted: "CertifyRequest", *, top_up: bool) -> "CertifyRequest":
    """Return a request that also measures the speed and, for a baseline, asks more playouts."""
    from harness.comparison.drift import TOP_UP
    from harness.runs.speed import Timing

    return replace(wanted, timing=Timing(), top_up=TOP_UP if top_up else 0)


def _certify(wanted: "CertifyRequest", *, strict: bool, quiet: bool, json: bool, verbose: bool) -> None:
    from harness.cli.certify import certify as run
    from harness.comparison.rates import rates_of
    from harness.render.bench import render_rates

    done = run(wanted, say, quiet=quiet, strict=strict)
    if done.shard is not None:
        say(done.shard)
        raise typer.Exit(0)
    for failure in done.failures:
        say(failure)
    show_verdict(done.verdict, done.suite, str(done.folder), json=json, verbose=verbose)
    if not json and (rates := rates_of(done.evidence.rounds)):
        console().print(render_rates(rates))
    conclude_verdict(done.verdict, done.folder, json=json)
    raise typer.Exit(exit_status(Word(done.verdict.verdict), strict=strict))


@contextmanager
def _errors_as_status() -> Iterator[None]:
    try:
        try:
            yield
        except _Carried as carried:
            raise carried.original from None
    except RefbotError as error:
        say(f"refbot: {error}")
        raise SystemExit(error.status) from None
    except (KeyboardInterrupt, SystemExit) as error:  # typer turns an interrupt into an exit
        if (struck := interruption()) is not None:
            say(f"refbot: {struck.cause}; what was done so far is kept")
            raise SystemExit(struck.status) from None
        if isinstance(error, SystemExit):
            raise
        say("refbot: interrupted; what was done so far is kept")
        raise SystemExit(INTERRUPTED_STATUS) from None
    except BrokenPipeError:
        close_output()
        raise SystemExit(PIPE_STATUS) from None
    except Exception as error:  # noqa: BLE001 - the last line of defence, which must not exit with 1
        # A fault of ours must not look like a verdict on the bot: status 1 means FAIL.
        traceback.print_exc()
        say(f"refbot: a fault of refbot, not of the bot: {type(error).__name__}: {error}")
        raise SystemExit(HARNESS_STATUS) from None


def main() -> None:
    """Run the command line."""
    try:
        with catch_signals(), _errors_as_status():
            app()
    finally:
        # If the reader has closed the pipe, the exit status stays as it is.
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            close_output()
