"""The work of ``refbot certify`` and ``refbot check``: a run, new or resumed, and its verdict."""

import gc
import re
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.bots.bot import EMBEDDED, Bot, parse_bot
from harness.bots.declared import with_playouts
from harness.bots.driver import NEEDED
from harness.bots.limits import command_name
from harness.cases.level import LEVELS
from harness.cases.suite import Suite, shipped_suite
from harness.cli.console import error_console, say_open
from harness.cli.report import leave_reports
from harness.cli.tables import complete_tables
from harness.errors import UsageError
from harness.interruption import TimeIsUp, settle_interruption, time_limit
from harness.judging.judge import judge
from harness.judging.run_assessment import RunAssessment
from harness.judging.verdict import Verdict
from harness.records.evidence import FILE_NAME, Broken, Evidence, Part, Round, read_evidence
from harness.records.lock import Lock
from harness.records.private import read_environments, write_environments
from harness.render.failure import render_broken
from harness.render.terminal import Display
from harness.report.judged_run import judged_run_of
from harness.runs.executors import COLLECT_AFTER, THREADS, check_name, team
from harness.runs.record import judged, make_folder, write_verdict
from harness.runs.resume import bot_to_resume, check_options, find_part, has_ended, where
from harness.runs.run import Extras, Run
from harness.runs.speed import Timing, time_rounds
from harness.runs.spread import SpreadRun
from harness.suggest import closest
from harness.tables.tables import Tables
from harness.word import UNJUDGED, Word

Say = Callable[[str], None]
"""A function that prints a line for people."""


@dataclass(frozen=True, slots=True)
class Spreading:
    """The way in which a run is spread: executor, number of jobs, and shard."""

    executor: str = THREADS
    jobs: int | None = None
    shard: tuple[int, int] | None = None
    """The number of the shard, from 1, and the number of all shards."""


def parse_spreading(jobs: int | None, executor: str | None, shard: str | None) -> Spreading | None:
    """Return how a run is to be spread; None if it is not.

    Raises:
        UsageError: the executor is unknown, or the shard cannot be read.
    """
    if jobs is None and executor is None and shard is None:
        return None
    check_name(executor or THREADS)
    part = None
    if shard is not None:
        found = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", shard)
        if not found or int(found[1]) > int(found[2]):
            raise UsageError(f"--shard {shard!r} is not part of a number of parts, such as 2/4")
        part = (int(found[1]), int(found[2]))
    return Spreading(executor or THREADS, jobs, part)


@dataclass(frozen=True, slots=True)
class CertifyRequest:
    """A request for a run, from the command line; None for an option that is not given."""

    command: str
    bot: str | None
    level: str | None
    playouts: int | None
    bots: Path | None
    out: Path | None
    cases: list[str]
    time_scale: float | None
    wrap: str | None
    resume: Path | None = None
    trust: bool = False
    """Whether the bot of a resumed run may be started by the command in its folder."""
    sandbox: bool = False
    max_time: float | None = None
    """Seconds after which the run ends; None for the default."""
    top_up: int = 0
    """Number of playouts to which every case of sums is brought at the end."""
    timing: Timing | None = None
    """The settings for measuring the speed; None if it is not measured."""
    spreading: Spreading | None = None


@dataclass(frozen=True, slots=True)
class _Order:
    """A run to be made or resumed."""

    bot: Bot
    level: str
    cases: list[str]
    folder: Path
    spreading: Spreading | None = None


@dataclass(frozen=True, slots=True)
class CertifiedRun:
    """The results of a run."""

    verdict: Verdict
    suite: Suite
    folder: Path
    evidence: Evidence
    failures: tuple[str, ...]
    """A text for people on each kind of failure of the bot's process."""
    shard: str | None = None
    """The line to be printed for a shard, instead of a verdict; None for a whole run."""


def certify(wanted: CertifyRequest, say: Say, *, quiet: bool, strict: bool = False) -> CertifiedRun:
    """Run, judge, and write everything into the run's folder.

    Raises:
        UsageError: a name or an option is wrong, or does not fit the run to be resumed.
        EvidenceError: the folder cannot be written to, or its evidence cannot be resumed.
    """
    gc.set_threshold(COLLECT_AFTER)
    if wanted.level is not None and wanted.level not in LEVELS:
        raise UsageError(
            f"no level {wanted.level!r}{closest(wanted.level, LEVELS)}; there are {', '.join(LEVELS)}"
        )
    suite = shipped_suite()
    order = _new_order(wanted, suite) if wanted.resume is None else _resumed(wanted, suite, wanted.resume)
    if wanted.bot is None and wanted.resume is None:
        say(f"refbot: no bot is given, so this tests refbot's own engine: `{EMBEDDED}`")
    with Lock(order.folder):
        # Read it again: another process may have been writing until now.
        part = None if wanted.resume is None else find_part(wanted.resume)[1]
        if wanted.resume is None and wanted.command == "certify":
            write_environments(order.folder, [order.bot.env])
        suite = suite.for_bot(order.bot.fixed_playouts)
        # A check is judged without statistics, so it needs no tables of its own.
        cases = order.cases or ([] if order.level == "check" else suite.cases)
        tables = complete_tables(suite, cases, quiet=quiet)
        extras = _extras(wanted, order, suite, tables)
        most_s = LEVELS[order.level].most_s(order.bot.fixed_playouts, wanted.time_scale or 1.0)
        try:
            with time_limit(wanted.max_time or most_s):
                evidence, assessment = _run(order, suite, tables, part, extras, say, quiet=quiet)
        except TimeIsUp as over:
            if order.spreading is not None or not (order.folder / FILE_NAME).exists():
                raise
            say(f"refbot: {over.cause}; what was done so far is kept, and judged")
            settle_interruption()
            evidence, assessment = read_evidence(order.folder), None
        verdict = judge(suite, tables, evidence, assessment)
        if evidence.header.plan and evidence.header.plan.shard and Word(verdict.verdict) not in UNJUDGED:
            shard_line = _describe_shard(evidence, order.folder)
            return CertifiedRun(verdict, suite, order.folder, evidence, (), shard_line)
        write_verdict(order.folder, verdict, evidence)
        whole, suite = suite, suite.for_level(order.level, evidence.header.bot.sizes)
        leave_reports(order.folder, [judged_run_of(whole, tables, evidence, verdict)], strict=strict)
    return CertifiedRun(verdict, suite, order.folder, evidence, failures_of(evidence, order.folder))


def cases_of_sections(names: Iterable[str]) -> list[str]:
    """Return the cases of some sections of the check.

    Raises:
        UsageError: there is no such section; the message lists the sections.
    """
    sections = {section.name: section for section in shipped_suite().checklist.section}
    for name in names:
        if name not in sections:
            raise UsageError(f"no section {name!r}{closest(name, sections)}; there are {', '.join(sections)}")
    chosen = [sections[name] for name in dict.fromkeys(names)]
    return [case for section in chosen for clause in section.clause for case in clause.all_cases]


def _describe_shard(evidence: Evidence, folder: Path) -> str:
    assert evidence.header.plan is not None  # noqa: S101 - it has a shard
    place, number = evidence.header.plan.shard or (1, 1)
    return (
        f"refbot: shard {place} of {number} is done: {len(evidence.works)} of {evidence.header.plan.works} "
        f"work items, {len(evidence.units)} units, in {folder}; `refbot merge` makes the verdict of all"
    )


def failures_of(evidence: Evidence, folder: Path) -> tuple[str, ...]:
    """Return a text for each word of failure: the first in full, and the number of further ones."""
    kinds: dict[str, list[Broken]] = {}
    for unit in evidence.units:
        if unit.broken is not None:
            kinds.setdefault(unit.broken.word, []).append(unit.broken)
    texts = []
    for word, broken in kinds.items():
        text = render_broken(broken[0], folder)
        if more := broken[1:]:
            commands = ", ".join(dict.fromkeys(command_name(each.command) for each in more))
            text += f"\n  and {word} {len(more)} more times, at {commands}; see {folder}"
        texts.append(text)
    return tuple(texts)


def _new_order(wanted: CertifyRequest, suite: Suite) -> _Order:
    level = wanted.level or "standard"
    for name in wanted.cases:
        suite.for_level(level).case(name)
    bot = parse_bot(
        wanted.bot,
        wanted.playouts,
        wanted.bots,
        wanted.time_scale or 1.0,
        wanted.wrap,
        sandbox=wanted.sandbox,
    )
    say_open(bot)
    bot = with_playouts(bot)
    folder = make_folder(wanted.out, wanted.command, bot.name)
    return _Order(bot, level, wanted.cases, folder, wanted.spreading)


def _resumed(wanted: CertifyRequest, suite: Suite, run: Path) -> _Order:
    folder, part = find_part(run)
    header = part.evidence.header
    check_options(header, wanted.level, wanted.cases)
    bot = bot_to_resume(
        header,
        suite,
        wanted.bot,
        wanted.playouts,
        wanted.bots,
        wanted.time_scale,
        wanted.wrap,
        wanted.sandbox,
        next(iter(read_environments(folder)), {}),
        trust=wanted.trust,
    )
    if header.plan is None and wanted.spreading is not None:
        raise UsageError("the run to be resumed asks one case after another; omit --jobs and --executor")
    spreading = wanted.spreading or Spreading() if header.plan else None
    return _Order(bot, header.level, header.cases, folder, spreading)


def _extras(wanted: CertifyRequest, order: _Order, suite: Suite, tables: Tables) -> Extras:
    """Return the extra work of the run besides its verdict; a bot that fails its check is not timed."""
    timing = wanted.timing
    if timing is None:
        return Extras(wanted.command, wanted.top_up)

    def rounds(evidence: Evidence) -> Iterable[Round]:
        if not set(NEEDED) <= set(evidence.header.bot.commands):
            return ()
        is_check = order.level == "check"
        if is_check and judged(suite, evidence, tables).verdict not in (Word.PASS, Word.NON_STRICT):
            return ()
        return time_rounds(order.bot, timing, len(evidence.rounds))

    return Extras(wanted.command, wanted.top_up, rounds)


def _run(
    order: _Order, suite: Suite, tables: Tables, part: Part | None, extras: Extras, say: Say, *, quiet: bool
) -> tuple[Evidence, RunAssessment | None]:
    """Return all evidence of a run, and its assessment if it is known."""
    if part is not None and has_ended(part):
        say(f"refbot: the run in {order.folder} is complete; nothing more is asked")
        return part.evidence, None
    if part is not None:
        say(f"refbot: {where(part)}")
    if order.bot.command == EMBEDDED or extras.rounds is not None:
        prepare_engine(say, quiet=quiet)
    display = Display(error_console(), quiet=quiet)
    display.start(order.bot.name)
    try:
        common = (order.bot, suite, tables, order.level, order.folder, order.cases)
        if (how := order.spreading) is None:
            run = Run(*common, part=part, extras=extras)
            return run.go(display), run.assessment()
        with team(how.executor, how.jobs) as workers:
            return SpreadRun(*common, workers, part=part, shard=how.shard).go(display), None
    except KeyboardInterrupt:
        display.hide()
        if extras.command == "certify" and (order.folder / FILE_NAME).exists():
            say(f"refbot: `refbot certify --resume {shlex.quote(str(order.folder))} --trust` goes on")
        raise
    finally:
        display.hide()


def prepare_engine(say: Say, *, quiet: bool) -> None:
    """Compile the embedded engine's kernel once, so that no process of the run has to wait for it."""
    from reference_engine.board import Position  # noqa: PLC0415 - loads Numba
    from reference_engine.playouts import Root, announce_compilation, run  # noqa: PLC0415
    from reference_engine.vocabulary import Colour  # noqa: PLC0415

    if not quiet:
        announce_compilation(lambda text: say(f"refbot: {text}"))
    run(Root(Position(9), Colour.BLACK), 1, 0)
