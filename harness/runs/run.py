"""One run: starts processes, asks jobs, writes evidence; judges only to know when to stop."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from harness.bots.bot import Bot
from harness.bots.driver import NEEDED
from harness.bots.processes import Processes, Starter, start_session
from harness.bots.settings import check_identity, settings_of
from harness.cases.case import Case, Dialogue
from harness.cases.level import DIAGNOSIS_BUDGET, DIAGNOSIS_ROUNDS, LEVELS
from harness.cases.suite import SUITE_VERSION, Suite
from harness.judging.diagnosis import diagnose
from harness.judging.dialogue import place_of_failure
from harness.judging.judge import is_decided
from harness.judging.run_assessment import RunAssessment, RunAssessor, idle, missing, refusal
from harness.judging.unanswered import TRIES, command_names, unanswered_commands
from harness.records.bounded import Bounded
from harness.records.evidence import (
    FILE_NAME,
    SCHEMA,
    BotRef,
    Evidence,
    Header,
    Part,
    Resumed,
    Round,
    SuiteRef,
    Unit,
    WorkLine,
)
from harness.records.handshake import HANDSHAKE
from harness.records.journal import Journal
from harness.records.ledger import WARM_UP, Ledger
from harness.runs.asking import (
    DIALOGUE,
    FRESH,
    WITHOUT_WARM_UP,
    ask_once,
    is_uncertain,
    processes_for,
    purpose_of,
)
from harness.runs.introduction import host_system, shake_hands, time_now
from harness.runs.plan import (
    Job,
    affordable,
    budget_of,
    confirming_jobs,
    exact_jobs,
    first_samples,
    more_samples,
    needs_dialogues,
    telling_jobs,
    top_up_jobs,
)
from harness.runs.progress import Observer, Progress
from harness.runs.shortening import Shortening, failed_dialogue, lines_before
from harness.runs.sizes import introduce
from harness.shipped import refbot_version
from harness.tables.tables import Tables
from reference_engine.digest import source_digest

INTERRUPTED = "interrupted"
"""Why a run ended that can be resumed although it has a footer."""
_COMMANDS = "G1"
"""The requirement that both private commands exist."""
STOPPED = "the bot stopped answering"


@dataclass(frozen=True, slots=True)
class Extras:
    """What a run does besides coming to a verdict, so that others can be compared with it."""

    command: str = ""
    """The one that made the run, for its header; certify or check if not said."""
    top_up: int = 0
    """Playouts that every case of sums gets in the end, whatever the verdict needed."""
    rounds: Callable[[Evidence], Iterable[Round]] | None = None
    """Measures the bot's speed, once all has been asked; it is given the evidence so far."""


class Run:
    """A run of one bot into one folder."""

    def __init__(
        self,
        bot: Bot,
        suite: Suite,
        tables: Tables,
        level: str,
        folder: Path,
        only: list[str],
        start: Starter = start_session,
        part: Part | None = None,
        extras: Extras = Extras(),
    ) -> None:
        """Prepare a run, or with ``part`` the rest of one that must be of this bot, suite and level."""
        self._extras = extras
        self._top_up = part.evidence.header.top_up if part else extras.top_up
        self._bot = bot
        self._whole_suite = suite
        self._suite = suite.for_level(level).for_bot(bot.fixed_playouts)
        self._tables = tables
        self._level = LEVELS[level]
        self._is_check = level == "check"
        self._folder = folder
        self._only = only
        self._commands = part.evidence.header.bot.commands if part else []
        self._part = part
        recorded = part.evidence.units if part else []
        # Numbers go on, and with them the seeds: no process of a run repeats another.
        self._processes = Processes(start, max((unit.process for unit in recorded), default=0))
        self._ledger, self._bounded = Ledger(recorded), Bounded(recorded)
        self._journal: Journal | None = None
        self._resumed = list(part.evidence.resumed) if part else []
        self._rounds = list(part.evidence.rounds) if part else []
        self._works: list[WorkLine] = []
        self._lost: dict[tuple[str, int], Case] = {}
        """Purpose and playouts of processes that went down with an earlier part; what each was asked last."""
        self._worked_s = part.elapsed_s if part else 0.0
        self._since: float | None = None
        self._head: Header
        self._assessor: RunAssessor
        self._reason = "the bot did not get through the handshake"
        self._log10_e = 0.0
        self._budget = budget_of(self._level, bot.fixed_playouts)

    def go(self, observer: Observer) -> Evidence:
        """Ask until decided, out of budget, or the bot stops answering; return all evidence.

        The evidence file is complete, footer included, whatever the bot did.

        Raises:
            UsageError: how many playouts the bot runs is neither in its command nor told; or the bot to go
                on with is not the one of the run.
            EvidenceError: the folder cannot be written to, or what is recorded there is not of this plan.
        """
        try:
            self.begin()
            self.decide(observer)
            self._level_up(observer)
            self._measure_speed(observer)
            return self.finish()
        except KeyboardInterrupt:
            self.interrupt()
            raise
        finally:
            self.close()

    def begin(self) -> None:
        """Ask the bot who it is, unless that is recorded; the evidence file begins here."""
        with self._at_work():
            self._head = self._part.evidence.header if self._part else self._begin()
            if self._is_check:
                on_boards = self._whole_suite.for_level(self._level.name, self._head.bot.sizes)
                self._suite = on_boards.for_bot(self._bot.fixed_playouts)
            self._assessor = RunAssessor(self._suite, self._tables, self._head)
            # If the bot broke off in the handshake, that unit decides the verdict.
            for unit in self._ledger.units:
                if unit.case == HANDSHAKE:
                    self._assessor.add(unit)

    def decide(self, observer: Observer) -> None:
        """Ask until decided, out of budget, or the bot stops answering."""
        with self._at_work():
            # A check goes on if the bot broke off only while board sizes were tried.
            if not (self._ledger.units[0].broken if self._is_check else self._ledger.has_stopped):
                self._reason = self._ask_all(observer)

    def ask_more(self, phase: str, jobs: list[Job], observer: Observer) -> None:
        """Ask what others want to know, beyond what decides this run."""
        with self._at_work():
            if jobs and not self._ledger.has_stopped:
                # What others want to know is not paid from the budget of this run.
                self._budget -= self._ledger.spent
                if not self._asker(observer)(phase, jobs):
                    self._reason = STOPPED
                self._budget += self._ledger.spent

    def _level_up(self, observer: Observer) -> None:
        """Ask what comparisons with other runs need, whatever the verdict needed."""
        if self._top_up and not self._ledger.has_stopped:
            fixed = self._bot.fixed_playouts
            jobs = top_up_jobs(self._suite, self._tables, self.assessment(), self._top_up, fixed)
            self.ask_more("top-up", self._chosen(jobs), observer)
            self.decide_again(observer)

    def _measure_speed(self, observer: Observer) -> None:
        """Let the rounds be measured, unless the bot has stopped answering."""
        if self._extras.rounds is None or (self._ledger.has_stopped and not self._is_check):
            return
        self.pause()
        with self._at_work():
            so_far = Evidence(self._head, self._ledger.units, None, self._resumed, self._rounds)
            for measured in self._extras.rounds(so_far):
                self._open_journal().add(measured)
                self._rounds.append(measured)
                observer.see(self._progress("speed", f"round {measured.number}", len(self._rounds), 0))

    def decide_again(self, observer: Observer) -> None:
        """Ask on where evidence that others wanted has left open again what had been decided."""
        with self._at_work():
            assessment = self._assessor.assessment()
            is_open = not assessment.failed and not is_decided(self._suite, assessment, self._level.name)
            if is_open and self._level.may_pass and not self._ledger.has_stopped:
                jobs = self._chosen(self._more(assessment))
                self._reason = self._ask_samples(self._asker(observer), jobs)

    def pause(self) -> None:
        """End the bot's processes; whatever is asked next is asked of new ones."""
        with self._at_work():
            self._processes.close_all()
            self._lost.clear()

    def finish(self) -> Evidence:
        """Close the evidence file with its footer; return all evidence."""
        self._ledger.check_all_recalled()
        self.pause()
        footer = self._open_journal().finish(self._reason, self._elapsed_s())
        self._journal = None
        return Evidence(self._head, self._ledger.units, footer, self._resumed, self._rounds, self._works)

    def interrupt(self) -> None:
        """Close the evidence file so that the run can be resumed."""
        if self._journal is not None:
            self._journal.finish(INTERRUPTED, self._elapsed_s())

    def close(self) -> None:
        """End what is still open, whatever happened."""
        self._processes.close_all()
        if self._journal is not None:
            self._journal.close()

    @property
    def bot(self) -> Bot:
        """The bot that is asked."""
        return self._bot

    @property
    def has_stopped(self) -> bool:
        """Whether the bot stopped answering."""
        return self._ledger.has_stopped

    def assessment(self) -> RunAssessment:
        """Weigh everything asked so far."""
        return self._assessor.assessment()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Count the time: a run that waits for others does not spend any."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._worked_s, self._since = self._elapsed_s(), None

    def _begin(self) -> Header:
        reference, units = introduce(self._bot, self._processes, sizes=self._is_check)
        header = self._header(reference)
        self._journal = Journal(self._folder / FILE_NAME, header)
        for unit in units:
            self._keep(unit)
        return header

    def _go_on(self) -> None:
        """Make a resumed run ready to ask: is this the bot that was asked before?"""
        if self._journal is None and self._part is not None:
            reference, first = shake_hands(self._bot, self._processes)
            if first.broken is None:
                check_identity(self._part.evidence.header, reference)
            self._open_journal()
            self._keep(first)

    def _open_journal(self) -> Journal:
        if self._journal is None:
            assert self._part is not None  # noqa: S101 - a new run has a journal from its beginning
            resumed = Resumed(time_now(), refbot_version(), host_system(), self._part.elapsed_s)
            self._journal = Journal.resume(self._folder / FILE_NAME, self._part, resumed)
            self._resumed.append(resumed)
        return self._journal

    def _keep(self, unit: Unit) -> None:
        unit = self._bounded.cut(unit)
        self._open_journal().add(unit)
        self._ledger.add(unit)

    def _elapsed_s(self) -> float:
        return self._worked_s + (0.0 if self._since is None else time.monotonic() - self._since)

    def _exact_jobs(self) -> list[Job]:
        return self._chosen(exact_jobs(self._suite, self._level, self._bot.fixed_playouts))

    def _first_samples(self) -> list[Job]:
        return self._chosen(first_samples(self._suite, self._level, self._bot.fixed_playouts))

    def _chosen(self, jobs: list[Job]) -> list[Job]:
        chosen = [job for job in jobs if not self._only or job.case.id in self._only]
        if self._is_check or not self._commands or set(NEEDED) & set(self._commands):
            return chosen
        # This is no reference bot: what the clause about its commands asks says so in a moment.
        return [job for job in chosen if job.case.requirement == _COMMANDS]

    def _header(self, reference: BotRef) -> Header:
        self._commands = reference.commands
        jobs = [*self._exact_jobs(), *self._first_samples()]
        return Header(
            schema=SCHEMA,
            command=self._extras.command or ("check" if self._is_check else "certify"),
            refbot=refbot_version(),
            engine=source_digest(),
            suite=SuiteRef(SUITE_VERSION, self._suite.digest, self._suite.tables_digest),
            level=self._level.name,
            bot=reference,
            started=time_now(),
            host=host_system(),
            cases=sorted(job.case.id for job in jobs),
            settings=settings_of(self._bot),
            top_up=self._top_up,
        )

    def _ask_all(self, observer: Observer) -> str:
        """Ask stage by stage; return why the run ended."""
        ask = self._asker(observer)
        jobs = self._exact_jobs()
        if not ask("exact checks", [job for job in jobs if not isinstance(job.case.question, Dialogue)]):
            return STOPPED
        if not self._ask_dialogues(ask, [job for job in jobs if isinstance(job.case.question, Dialogue)]):
            return STOPPED
        self._processes.may_repeat = not any(self._assessor.failed_exactly(job.case.id) for job in jobs)
        if self._bot.fixed_playouts:
            # What such a bot plays to answer the exact checks is its own choice.
            self._budget += self._ledger.spent
        return self._ask_samples(ask, self._first_samples())

    def _asker(self, observer: Observer) -> Callable[[str, list[Job]], bool]:
        commands = self._head.bot.commands
        return partial(self._ask_jobs, assessor=self._assessor, commands=commands, observer=observer)

    def _ask_samples(self, ask: Callable[[str, list[Job]], bool], jobs: list[Job]) -> str:
        taken = -1  # a round that brings nothing can never bring anything
        while jobs and self._assessor.taken > taken:
            taken = self._assessor.taken
            if not ask("statistics", jobs):
                return STOPPED
            assessment = self._assessor.assessment()
            self._log10_e = assessment.log10_e
            if assessment.failed and self._level.may_pass:
                if not self._look_closer(ask):
                    return STOPPED
                # What tells explanations apart may also take evidence away: then the bot is asked on.
                if (assessment := self._assessor.assessment()).failed:
                    return "decided"
            if is_decided(self._suite, assessment, self._level.name):
                return "decided"
            if self._ledger.spent > self._budget:
                return "the level's budget of playouts is spent"
            jobs = self._chosen(self._more(assessment)) if self._level.may_pass else []
        return "complete"

    def _look_closer(self, ask: Callable[[str, list[Job]], bool]) -> bool:
        """Tell the leading explanations of a conviction apart; return False if the bot stopped answering."""
        limit = self._ledger.spent + DIAGNOSIS_BUDGET
        confirming = confirming_jobs(
            self._suite, self._tables, self._assessor.assessment(), self._bot.fixed_playouts
        )
        jobs = affordable(self._chosen(confirming), DIAGNOSIS_BUDGET, self._bot.fixed_playouts)
        if jobs and not ask("diagnosis", jobs):
            return False
        for _ in range(DIAGNOSIS_ROUNDS):
            assessment = self._assessor.assessment()
            diagnosis = diagnose(
                self._suite, self._tables, assessment, self._ledger.units, self._head.bot, pairs=False
            )
            room = limit - self._ledger.spent
            jobs = telling_jobs(self._suite, self._tables, assessment, diagnosis, self._bot.fixed_playouts)
            jobs = self._chosen(affordable(jobs, room, self._bot.fixed_playouts))
            if not jobs:
                break
            if not ask("diagnosis", jobs):
                return False
        return True

    def _more(self, assessment: RunAssessment) -> list[Job]:
        return more_samples(self._suite, self._tables, assessment, self._bot.fixed_playouts)

    def _ask_jobs(
        self, phase: str, jobs: list[Job], *, assessor: RunAssessor, commands: list[str], observer: Observer
    ) -> bool:
        """Ask every job; return False when the bot stopped answering.

        A check goes on: a bot that broke off is started anew, and a command it left unanswered is not
        sent again.
        """
        done, planned = 0, sum(job.times * processes_for(job.case) for job in jobs)
        waited: Counter[str] = Counter()
        for job in jobs:
            hung = {name for name, times in waited.items() if times >= TRIES.get(name, 1)}
            if missing(job.case, commands) or idle(job.case, self._tables) or hung & command_names(job.case):
                continue
            for unit in self._ask_job(job, commands):
                done += 1
                assessor.add(unit)
                observer.see(self._progress(phase, unit.case, done, planned))
                if unit.broken is not None and not self._is_check:
                    break
                if unit.broken is not None:
                    waited.update(unanswered_commands(job.case, unit))
                    self._processes.close_all()
                if refusal(job.case, unit):
                    break
            if self._ledger.has_stopped and not self._is_check:
                return False
        return True

    def _ask_job(self, job: Job, commands: list[str]) -> Iterator[Unit]:
        """Yield every unit of a job, as it is recorded or as it comes."""
        case, purpose = job.case, purpose_of(job.case, self._level)
        playouts = self._bot.fixed_playouts or self._level.playouts or case.file.playouts
        for _ in range(processes_for(case)):
            if purpose == FRESH:
                self._processes.close(purpose, playouts)
            asked, process = 0, 0
            while asked < job.times:
                if self._ledger.is_recalling:
                    unit = self._recall(case, purpose, playouts)
                else:
                    self._go_on()
                    if self._is_check or not self._ledger.has_stopped:
                        self._ask_once(case, purpose, playouts, commands)
                    unit = self._ledger.units[-1]
                    if unit.case != case.id:
                        return
                if purpose == FRESH and unit.process != process:
                    # A process that a kill cut short says less than a whole one, which takes its place.
                    asked, process = 0, unit.process
                asked += 1
                yield unit

    def _ask_dialogues(self, ask: Callable[[str, list[Job]], bool], jobs: list[Job]) -> bool:
        """Ask dialogues if need be, and shorten the shortest that failed; return False if the bot stopped."""
        if not jobs:
            return True
        units, assessment = self._ledger.units, self._assessor.assessment()
        if not needs_dialogues(self._suite, self._tables, assessment, units, self._head.bot):
            return True
        if not ask("dialogues", jobs):
            return False
        unit = failed_dialogue(self._suite, self._assessor) if self._level.may_pass else None
        if unit is not None:
            earlier = lines_before(unit, self._ledger.units)
            Shortening(partial(self._ask_lines, unit), place_of_failure).shorten(unit, earlier)
        return not self._ledger.has_stopped

    def _ask_lines(self, failed: Unit, lines: Sequence[str], is_minimal: bool) -> Unit:
        case, playouts = self._suite.cases[failed.case], failed.playouts
        if self._ledger.is_recalling:
            unit = self._ledger.recall(case.id)
        else:
            self._go_on()
            commands = self._head.bot.commands
            asked = ask_once(self._processes, self._bot, DIALOGUE, case, playouts, commands, lines)
            self._keep(msgspec.structs.replace(asked, is_minimal=is_minimal))
            unit = self._ledger.units[-1]
        self._assessor.add(unit)
        return unit

    def _recall(self, case: Case, purpose: str, playouts: int) -> Unit:
        unit = self._ledger.recall(case.id)
        if is_uncertain(case, unit):
            self._lost.pop((purpose, playouts), None)
        elif purpose not in WITHOUT_WARM_UP:
            self._lost[purpose, playouts] = case
        return unit

    def _ask_once(self, case: Case, purpose: str, playouts: int, commands: list[str]) -> None:
        # What a bot carries from one question to the next must not be lost with the process it was in.
        last = self._lost.pop((purpose, playouts), None)
        name = self._head.bot.gtp_name if self._is_check else ""
        unit = ask_once(self._processes, self._bot, purpose, last or case, playouts, commands, name=name)
        if last is None:
            self._keep(unit)
            return
        self._keep(msgspec.structs.replace(unit, case=WARM_UP))
        if unit.broken is None:
            self._ask_once(case, purpose, playouts, commands)

    def _progress(self, phase: str, case: str, done: int, planned: int) -> Progress:
        spent, genmoves = self._ledger.spent, self._ledger.genmoves
        return Progress(phase, case, spent, genmoves, self._elapsed_s(), self._log10_e, done, planned)
