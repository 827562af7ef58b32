"""The command ``refbot tst``: regression files of GNU Go and GoGui, run with any bot."""
# ruff: noqa: PLC0415 - the imports inside the command keep `--help` quick

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from harness.cli.options import BotsOption, QuietOption, SandboxOption, ScaleOption
from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.bots.bot import Bot
    from harness.tst.result import FileResult
    from harness.tst.select import TstSelection


def tst(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="Regression files, or suite:6,13-15, or @list: a file with such names."
        ),
    ],
    *,
    bot: Annotated[
        Optional[str],  # noqa: UP045 - typer reads the annotation at run time
        typer.Option(
            "--bot",
            help="Command that starts the bot, in one string, or a name from --bots; the embedded engine by "
            "default.",
            show_default=False,
        ),
    ] = None,
    bots: BotsOption = None,
    playouts: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--playouts",
            min=1,
            help="Number that replaces {playouts}; by default that of the file ('# playouts: N').",
        ),
    ] = None,
    gnu: Annotated[bool, typer.Option("--gnu", help="Judge and print like GNU Go's eval.sh.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="An unexpected pass of a known failure counts as a failure.")
    ] = False,
    junit: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--junit", help="Also write the results as JUnit XML."),
    ] = None,
    time_scale: ScaleOption = 1.0,
    limit: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--limit",
            metavar="COMMAND=S",
            help="Seconds that one command may take, such as final_score=300 (repeatable).",
        ),
    ] = None,
    sandbox: SandboxOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also show expected results.")] = False,
    quiet: QuietOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Run regression files of GNU Go and GoGui with a bot; each file has a process of its own."""
    from harness.bots.bot import parse_bot
    from harness.cli.console import say_open
    from harness.tst.result import status_of
    from harness.tst.select import select

    if gnu and json:
        raise UsageError("--json and --gnu are two forms of one result; choose one")
    selections = select(files)
    parsed = parse_bot(bot, None, bots, time_scale, sandbox=sandbox)
    say_open(parsed)
    if playouts is not None and not parsed.takes_playouts:
        parsed = parse_bot(bot, playouts, bots, time_scale, sandbox=sandbox)
    parsed = replace(parsed, limits=parsed.limits.with_commands(_limits(limit or ())))
    if junit is not None:
        _write(junit, b"")
    form = "gnu" if gnu else "json" if json else "verbose" if verbose else "plain"
    results = _run(selections, parsed, playouts, form, quiet=quiet)
    status = status_of(results, strict=strict)
    if json:
        sys.stdout.write(_document(results, parsed, status))
    if junit is not None:
        from harness.render.tst_junit import junit_tst

        _write(junit, junit_tst(results, parsed.name, strict=strict))
    raise typer.Exit(status)


def _limits(texts: "Sequence[str]") -> dict[str, float]:
    """Return the limits of single commands.

    Raises:
        UsageError: a text is not COMMAND=SECONDS.
    """
    from harness.bots.bot import check_limit

    limits = {}
    for text in texts:
        name, _, seconds = text.partition("=")
        try:
            limits[name.strip()] = float(seconds)
        except ValueError:
            name = ""
        if not name.strip():
            raise UsageError(f"--limit {text!r}: write COMMAND=SECONDS, such as final_score=300")
        check_limit(f"--limit {text}: {name.strip()}", limits[name.strip()])
    return limits


def _run(
    selections: "Sequence[TstSelection]", bot: "Bot", playouts: int | None, form: str, *, quiet: bool
) -> "list[FileResult]":
    """Run every file, and print its results as soon as they are known, except for JSON."""
    from harness.cli.console import console, error_console
    from harness.render.tst import TstProgress, gnu_lines, render_file, render_total
    from harness.tst.result import judge, judge_as_awk
    from harness.tst.run import Runner

    out = console(soft_wrap=True)
    results: list[FileResult] = []
    with TstProgress(error_console(), sum(s.count for s in selections), quiet=quiet) as progress:

        def see(done: int, where: str) -> None:
            progress.see(sum(len(result.tests) for result in results) + done, where)

        runner = Runner(bot, judge_as_awk if form == "gnu" else judge, playouts, see=see)
        runner.check(selections)
        for selection in selections:
            results.append(runner.run(selection))
            progress.hide()
            if form == "gnu":
                _report_rest(results[-1])
                sys.stdout.write("".join(f"{line}\n" for line in gnu_lines(results[-1])))
            elif form != "json":
                for line in render_file(results[-1], verbose=form == "verbose"):
                    out.print(line, highlight=False)
            sys.stdout.flush()
    if form in {"plain", "verbose"} and len(results) > 1:
        out.print(render_total(results), highlight=False)
    return results


def _report_rest(result: "FileResult") -> None:
    """Print on standard error the facts that GNU Go's format has no place for."""
    from harness.bots.wire import printable
    from harness.tst.result import TstOutcome

    name = printable(result.file)
    lines = [f"{name}: {printable(note)}" for note in result.notes]
    spoiled = [test for test in result.tests if test.outcome is TstOutcome.UNREADABLE]
    unread = [(test.line, note) for test in spoiled for note in test.notes]
    unread += [(stray.line, stray.reason) for stray in result.unreadable]
    lines += [f"{name}:{line}: unreadable: {printable(reason)}" for line, reason in sorted(unread)]
    lines += [f"{name}:{r.line}: refused: {printable(r.command)}" for r in result.refused]
    if result.stop is not None:
        lines.append(f"{name}: {result.stop.word}: {printable(result.stop.reason, 600)}")
    sys.stderr.write("".join(f"{line}\n" for line in lines))


def _document(results: "Sequence[FileResult]", bot: "Bot", status: int) -> str:
    from harness.document import document_bytes
    from harness.tst.result import TstOutcome, total

    counts = total(results)
    document = {
        "schema": 1,
        "bot": bot.name,
        "command": bot.command,
        "status": status,
        "counts": {outcome.value: counts[outcome] for outcome in TstOutcome},
        "files": results,
    }
    return document_bytes(document).decode()


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(f"--junit {path}: {error.strerror}; give a file in a folder that exists") from None
