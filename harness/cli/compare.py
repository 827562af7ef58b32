"""The command ``refbot compare``: any number of bots and the reference, compared on the same plan."""
# ruff: noqa: PLC0415 - the imports inside functions keep `--help` quick

import shlex
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from harness.cli.console import conclude, console, error_console, page_in, say, say_open
from harness.cli.options import (
    BotsOption,
    LevelOption,
    MaxTimeOption,
    OutOption,
    PlayoutsOption,
    QuietOption,
    SandboxOption,
    ScaleOption,
    StrictOption,
    VerboseOption,
    WrapOption,
)
from harness.errors import EvidenceError, UsageError
from harness.word import SEVERITY, Word, exit_status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.bots.bot import Bot
    from harness.cases.suite import Suite
    from harness.comparison.agreement import ComparedBot
    from harness.comparison.bot_comparison import BotComparison
    from harness.records.evidence import Evidence
    from harness.runs.comparison_run import ComparisonEntry
    from harness.tables.tables import Tables


def compare(
    bots_or_runs: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT|RUN...",
            help="Bots as `refbot certify` takes them, and folders of earlier runs or comparisons.",
        ),
    ],
    *,
    level: LevelOption = "standard",
    playouts: PlayoutsOption = None,
    bots: BotsOption = None,
    out: OutOption = None,
    resume: Annotated[
        Optional[Path],  # noqa: UP045 - typer reads the annotation at run time
        typer.Option("--resume", help="Folder of a comparison of the same bots that was interrupted."),
    ] = None,
    time_scale: ScaleOption = 1.0,
    wrap: WrapOption = None,
    sandbox: SandboxOption = False,
    max_time: MaxTimeOption = None,
    strict: StrictOption = False,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Compare any number of bots with the reference and with each other, and name the odd one out."""
    from harness.cases.level import LEVELS
    from harness.document import document_bytes
    from harness.render.comparison import answer_of, render_comparison
    from harness.suggest import closest

    if level not in LEVELS or level == "check":
        known = [name for name in LEVELS if name != "check"]
        raise UsageError(
            f"no level {level!r} to compare by{closest(level, known)}; there are {', '.join(known)}"
        )
    if resume is not None and out is not None:
        raise UsageError("--resume continues in the comparison's own folder; omit --out")
    asked = CompareRequest(
        bots_or_runs, level, playouts, bots, out, resume, time_scale, wrap, sandbox, max_time
    )
    comparison, folder = run_comparison(asked, quiet=quiet, strict=strict)
    if json:
        sys.stdout.write(document_bytes(comparison).decode())
    else:
        console().print(render_comparison(comparison, str(folder), verbose=verbose))
    status = status_of(comparison, strict=strict)
    conclude(_word_of(comparison, status, strict=strict), *answer_of(comparison), page_in(folder), json=json)
    raise typer.Exit(status)


def _word_of(comparison: "BotComparison", status: int, *, strict: bool) -> str:
    """Return the word of the bot that determines the exit status; NON-STRICT is as good as PASS here."""
    words = [Word(word) for word in comparison.verdicts] + [Word.FAIL]
    return next(str(word) for word in words if exit_status(word, strict=strict) == status)


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """A request for a comparison, from the command line."""

    texts: list[str]
    """Bots and folders of runs, as they were typed."""
    level: str
    playouts: int | None
    settings: Path | None
    out: Path | None
    resume: Path | None
    time_scale: float
    wrap: str | None
    sandbox: bool = False
    max_time: float | None = None
    """Seconds after which the comparison ends; None for the default."""


def status_of(comparison: "BotComparison", *, strict: bool) -> int:
    """Return the exit status of a comparison: that of its worst bot.

    It is 1 if a bot failed its certificate or a check without a table.  Otherwise it is 5 for a fault of
    refbot, 4 if a bot could not be judged, 3 if the evidence is too thin, and 0 if all bots passed.
    """
    words = [Word(word) for word in comparison.verdicts]
    statuses = {exit_status(word, strict=strict) for word in words}
    if any(Word.FAIL in check.words for check in comparison.checks):
        statuses.add(exit_status(Word.FAIL))
    return next(status for status in map(exit_status, SEVERITY) if status in statuses)


def run_comparison(
    asked: CompareRequest, *, quiet: bool, strict: bool = False
) -> "tuple[BotComparison, Path]":
    """Ask the bots, read the runs, compare all, and write everything into the comparison's folder.

    Raises:
        UsageError: a bot, a run or an option cannot be used.
        EvidenceError: a folder cannot be written to or read.
    """
    from harness.cases.suite import load_suite
    from harness.cli.report import leave_reports
    from harness.comparison.compare import compare as put_together
    from harness.report.judged_run import judged_run_of
    from harness.runs.record import make_folder, write_comparison

    suite = load_suite()
    places = list(_places(asked))
    names = _distinct([name for name, _ in places])
    tables = _tables_of(suite, quiet=quiet)
    # Earlier runs are read first, so that an unusable one ends this before any bot is asked.
    members = {
        name: _read_member(name, path, suite, tables)
        for name, (_, path) in zip(names, places, strict=True)
        if isinstance(path, Path)
    }
    folder = asked.resume or make_folder(asked.out, "compare", f"{len(names)}-bots")
    if asked.resume is not None and not folder.is_dir():
        raise UsageError(f"{folder}: there is no comparison to resume")
    bots = [
        replace(bot, name=name)
        for name, (_, bot) in zip(names, places, strict=True)
        if not isinstance(bot, Path)
    ]
    if bots:
        members |= _ask(bots, asked, folder, suite, tables, len(members), quiet=quiet)
    comparison = put_together([members[name] for name in names], suite, tables(None), asked.level)
    write_comparison(folder, comparison)
    runs = [(members[name].evidence, members[name].verdict) for name in names]
    judged_runs = [
        judged_run_of(suite, tables(e.header.bot.fixed_playouts), e, verdict) for e, verdict in runs
    ]
    leave_reports(folder, judged_runs, strict=strict)
    return comparison, folder


def _places(asked: CompareRequest) -> "list[tuple[str, Bot | Path]]":
    """Return every bot and every run, with its name."""
    from harness.bots.bot import parse_bot
    from harness.bots.declared import with_playouts
    from harness.records.evidence import FILE_NAME, read_evidence

    found: list[tuple[str, Bot | Path]] = []
    for text in asked.texts:
        path = Path(text)
        runs = [path] if (path / FILE_NAME).is_file() or (path.is_file() and path.name == FILE_NAME) else []
        if not runs and path.is_dir():
            runs = sorted(p.parent for p in path.glob(f"*/{FILE_NAME}"))
            if not runs:
                raise UsageError(f"{path} holds no run and no comparison; a bot is given by its command")
        found += [(read_evidence(run).header.bot.name, run) for run in runs]
        if not runs:
            bot = parse_bot(text, None, asked.settings, asked.time_scale, asked.wrap, sandbox=asked.sandbox)
            if asked.playouts is not None and not bot.takes_playouts and bot.fixed_playouts is None:
                bot = replace(bot, fixed_playouts=asked.playouts)
            say_open(bot)
            bot = with_playouts(bot)
            found.append((bot.name, bot))
    return found


def _distinct(names: "Sequence[str]") -> list[str]:
    """Return names that differ, as names and as folders; a repeated name gets a number."""
    from harness.runs.record import folder_name

    found: list[str] = []
    for name in names:
        new, number = name, 1
        taken = {folder_name(other).lower() for other in found}
        while folder_name(new).lower() in taken:
            number += 1
            new = f"{name[:36]}-{number}"
        if new != name:
            say(f"refbot: a second bot is named {name}; here it is {new}")
        found.append(new)
    return found


def _tables_of(suite: "Suite", *, quiet: bool) -> "Callable[[int | None], Tables]":
    """Return a function that makes the tables for a fixed number of playouts, once for each number."""
    from functools import cache

    from harness.cli.tables import complete_tables

    @cache
    def tables(fixed: int | None) -> "Tables":
        fitted = suite.for_bot(fixed)
        return complete_tables(fitted, fitted.cases, quiet=quiet)

    return tables


def _read_member(
    name: str, path: Path, suite: "Suite", tables: "Callable[[int | None], Tables]"
) -> "ComparedBot":
    from harness.records.evidence import read_evidence

    evidence = read_evidence(path)
    if evidence.header.level == "check":
        raise UsageError(f"{path} is a run of refbot check, which has no statistics to compare")
    return _member(name, evidence, suite, tables)


def _member(
    name: str, evidence: "Evidence", suite: "Suite", tables: "Callable[[int | None], Tables]"
) -> "ComparedBot":
    from harness.comparison.agreement import ComparedBot
    from harness.judging.judge import judge
    from harness.judging.run_assessment import assess_run

    fixed = evidence.header.bot.fixed_playouts
    fitted, own = suite.for_bot(fixed), tables(fixed)
    assessment = assess_run(fitted, own, evidence)
    return ComparedBot(name, evidence, assessment, judge(fitted, own, evidence, assessment))


def _ask(
    bots: "Sequence[Bot]",
    asked: CompareRequest,
    folder: Path,
    suite: "Suite",
    tables: "Callable[[int | None], Tables]",
    others: int,
    *,
    quiet: bool,
) -> "dict[str, ComparedBot]":
    """Ask the bots, and write a whole run of each into a folder of its own."""
    from harness.cases.level import LEVELS
    from harness.cli.certify import failures_of, prepare_engine
    from harness.interruption import time_limit
    from harness.records.lock import Lock
    from harness.render.terminal import Display
    from harness.runs.comparison_run import run_together
    from harness.runs.record import folder_name, write_verdict

    with ExitStack() as locks:
        entrants = []
        for bot in bots:
            own = folder / folder_name(bot.name)
            try:
                own.mkdir(exist_ok=True)
            except OSError as error:
                raise EvidenceError(f"cannot make the folder {own}: {error.strerror}") from None
            locks.enter_context(Lock(own))
            entrants.append(_entrant(bot, own, asked, suite))
            tables(bot.fixed_playouts)
        if any(bot.command.startswith("refbot engine") for bot in bots):
            prepare_engine(say, quiet=quiet)
        display = Display(error_console(), quiet=quiet)
        display.start(f"{len(bots)} bots")
        try:
            most_s = sum(LEVELS[asked.level].most_s(bot.fixed_playouts, asked.time_scale) for bot in bots)
            with time_limit(asked.max_time or most_s):
                records = run_together(entrants, suite, tables, asked.level, display.of, others=others)
        except KeyboardInterrupt:
            display.hide()
            say(f"refbot: to go on: `refbot compare --resume {shlex.quote(str(folder))}` with the same bots")
            raise
        finally:
            display.hide()
        members = {}
        for entrant, evidence in zip(entrants, records, strict=True):
            member = _member(entrant.bot.name, evidence, suite, tables)
            write_verdict(entrant.folder, member.verdict, evidence)
            for text in failures_of(evidence, entrant.folder):
                say(text)
            members[member.name] = member
    return members


def _entrant(bot: "Bot", folder: Path, asked: CompareRequest, suite: "Suite") -> "ComparisonEntry":
    """Return a bot with the recorded part of its run, if any; a run of another bot or level is refused."""
    from harness.bots.settings import check_same
    from harness.records.evidence import FILE_NAME, read_part
    from harness.runs.comparison_run import COMMAND, ComparisonEntry

    if asked.resume is None or not (folder / FILE_NAME).exists():
        return ComparisonEntry(bot, folder)
    part = read_part(folder)
    header = part.evidence.header
    if header.command != COMMAND or header.level != asked.level:
        raise UsageError(
            f"{folder} is a run of refbot {header.command}, level {header.level}, and not of this comparison"
        )
    check_same(header, bot, suite)
    return ComparisonEntry(bot, folder, part)
