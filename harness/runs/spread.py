"""A spread run: the same questions as those of ``Run``, asked by many processes, on one machine or many.

Its first stage is known before anything is asked: exact checks, first samples, and the
extra samples that an unlucky conforming bot would need.  So it fills many cores, and shards of it need not
communicate.  What is missing after it the planner decides from all evidence, round by round; an executor
decides nothing.
"""

import os
import secrets
from collections.abc import Callable
from concurrent.futures import Future, as_completed
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from harness.bots.bot import Bot
from harness.bots.processes import Starter, start_session
from harness.bots.settings import check_identity
from harness.cases.suite import Suite
from harness.errors import EvidenceError, RefbotError, WorkerError
from harness.judging.run_assessment import RunAssessor, idle, missing
from harness.records.evidence import BotRef, Header, Part, PlanRef, Unit, WorkLine
from harness.records.journal import Journal
from harness.records.ledger import Ledger
from harness.runs.asking import processes_for
from harness.runs.executors import Team
from harness.runs.forecast import Luck, course
from harness.runs.introduction import shake_hands
from harness.runs.plan import Job, playouts_of
from harness.runs.progress import Observer
from harness.runs.run import STOPPED, Run
from harness.runs.work import HANDSHAKE_WORK, RunSpec, WorkItem, check_is, digest_of, divide, is_of_shard
from harness.runs.worker import Done, do_work, end_works, host_name
from harness.tables.tables import Tables

UNLUCKY: Final = Luck(errors=2.0, yields=0.3)
"""Bad luck that the first stage provides for: means two standard errors off, bets that gain little."""
SHARD_DONE: Final = "this shard's part of the first stage is done"
UNFINISHED: Final = "more rounds are wanted"
"""Reason for the end of a run that can be resumed."""


class _WantsMoreError(Exception):
    """There are work items left, but no workers to do them."""


class SpreadRun(Run):
    """A run of one bot into one folder, or a shard of it, done by a team of workers."""

    def __init__(
        self,
        bot: Bot,
        suite: Suite,
        tables: Tables,
        level: str,
        folder: Path,
        only: list[str],
        team: Team | None,
        start: Starter = start_session,
        part: Part | None = None,
        shard: tuple[int, int] | None = None,
        journal: Journal | None = None,
    ) -> None:
        """Prepare a run, or the rest of one.

        Args:
            bot: who is asked.
            suite: by what.
            tables: the references.
            level: how much.
            folder: where the evidence goes.
            only: these cases; all if empty.
            team: does the works; without one the run ends where it would need some.
            start: starts the bot, in whatever process a work is done.
            part: what there is of the run already.
            shard: which part of the first stage is asked, of how many; None for a whole run.
            journal: takes the footer of a run whose works all came from elsewhere.
        """
        super().__init__(bot, suite, tables, level, folder, only, start, part)
        # Work items are known by their numbers; a resumed run accepts them in whatever order they were done.
        self._ledger = Ledger()
        self._recorded = {line.number: (line, units) for line, units in part.evidence.done} if part else {}
        self._team = team
        self._start = start
        self._shard = part.evidence.header.plan.shard if part and part.evidence.header.plan else shard
        self._journal = journal
        self._next = (HANDSHAKE_WORK + 1, HANDSHAKE_WORK + 1)
        """Number of the next work item, and number of its first process."""
        self._run_name = secrets.token_hex(6)

    def _begin(self) -> Header:
        header = super()._begin()
        self._check_digests(header)
        return header

    def _check_digests(self, header: Header) -> None:
        self._digests = (header.suite.digest, header.engine, header.bot.executable_digest)

    def _header(self, reference: BotRef) -> Header:
        header = super()._header(reference)
        works = self._divide(self._first_stage(), reference.commands, (HANDSHAKE_WORK + 1,) * 2)
        return msgspec.structs.replace(header, plan=PlanRef(len(works) + 1, digest_of(works), self._shard))

    def _first_stage(self) -> list[Job]:
        """Return the jobs of the first stage, which are asked whatever the answers are."""
        found = course(self._suite, self._tables, self._level, self._bot.fixed_playouts, UNLUCKY)
        return self._chosen([*found.exact, *found.first, *found.further])

    def _divide(self, jobs: list[Job], commands: list[str], numbers: tuple[int, int]) -> tuple[WorkItem, ...]:
        applicable = [j for j in jobs if not (missing(j.case, commands) or idle(j.case, self._tables))]
        return divide(applicable, self._level, self._bot.fixed_playouts, *numbers)

    def _keep(self, unit: Unit) -> None:
        """Record the handshake, which is the first work item."""
        digest = self._bot.executable_digest()
        asks = [(unit.case, 1)]
        line = WorkLine(HANDSHAKE_WORK, 1, asks, host_name(), os.getpid(), digest, unit.seconds)
        self._take(Done([unit], line), is_new=True)

    def _take(self, done: Done, *, is_new: bool) -> None:
        if is_new:
            done = Done([self._bounded.cut(unit) for unit in done.units], done.line)
            self._open_journal().add_work(done.units, done.line)
        self._works.append(done.line)
        for unit in done.units:
            self._ledger.add(unit)

    def _go_on(self) -> None:
        """Prepare a resumed run: make sure that this is the bot that was asked before."""
        if self._journal is None and self._part is not None:
            reference, first = shake_hands(self._bot, self._processes)
            if first.broken is None:
                check_identity(self._part.evidence.header, reference)
            self._open_journal()

    def _ask_all(self, observer: Observer) -> str:
        """Ask stage by stage; return why the run ended."""
        if self._part is not None:
            header = self._part.evidence.header
            self._digests = (header.suite.digest, header.engine, header.bot.executable_digest)
            line, units = self._recorded[HANDSHAKE_WORK]
            self._take(Done(units, line), is_new=False)
            if self._ledger.has_stopped:
                return "the bot did not get through the handshake"
        ask = self._asker(observer)
        jobs, fixed = self._first_stage(), self._bot.fixed_playouts
        if fixed:
            # As in any run: what such a bot plays to answer the exact checks is its own choice.
            exact = [job for job in jobs if not job.case.is_statistical]
            self._budget += sum(
                job.times * processes_for(job.case) * playouts_of(job.case, fixed) for job in exact
            )
        try:
            if self._shard is None:
                return self._ask_samples(ask, jobs)
            return SHARD_DONE if ask("first stage", jobs) else STOPPED
        except _WantsMoreError:
            return UNFINISHED

    def _ask_jobs(
        self, phase: str, jobs: list[Job], *, assessor: RunAssessor, commands: list[str], observer: Observer
    ) -> bool:
        """Do the work items of a round; return False when the bot stopped answering."""
        works = self._divide(jobs, commands, self._next)
        if works:
            self._next = (works[-1].number + 1, works[-1].process + works[-1].processes)
        if self._shard is not None:
            works = tuple(work for work in works if is_of_shard(work.number, self._shard))
        total, done = len(works), 0

        def take(result: Done, *, is_new: bool) -> None:
            nonlocal done
            self._take(result, is_new=is_new)
            done += 1
            for unit in self._ledger.units[-len(result.units) :] if result.units else ():
                assessor.add(unit)
                observer.see(self._progress(phase, unit.case, done, total))

        for work in works:
            if work.number in self._recorded:
                line, units = self._recorded[work.number]
                if not check_is(line, work):
                    raise EvidenceError(
                        f"work {work.number} of the evidence is another than this refbot would have asked; "
                        "the run cannot be resumed or merged by this version, only verified"
                    )
                take(Done(units, line), is_new=False)
                if any(unit.broken is not None for unit in units):
                    return False
        todo = [work for work in works if work.number not in self._recorded]
        return self._do(todo, commands, partial(take, is_new=True)) if todo else True

    def _do(self, works: list[WorkItem], commands: list[str], take: Callable[[Done], None]) -> bool:
        """Do new work items; if one of them breaks off, stop the others and return False."""
        if self._team is None:
            raise _WantsMoreError
        self._go_on()
        run_spec = RunSpec(
            self._run_name, self._bot, self._level.name, tuple(commands), self._digests, self._start
        )
        futures: set[Future[Done]] = {self._team.executor.submit(do_work, run_spec, work) for work in works}
        is_whole = False
        try:
            for future in as_completed(futures):
                done = _result_of(future)
                take(done)
                if any(unit.broken is not None for unit in done.units):
                    return False
            is_whole = True
        finally:
            if not is_whole:
                for future in futures:
                    future.cancel()
                self._team.everywhere(end_works, self._run_name)
        return True


def _result_of(future: Future[Done]) -> Done:
    """Return the result of a work item.

    Raises:
        WorkerError: it was lost with the worker that did it.
    """
    try:
        return future.result()
    except RefbotError:
        raise
    except Exception as error:
        raise WorkerError(
            f"a work was lost: {type(error).__name__}: {str(error).partition(chr(10))[0][:200]}; "
            "what was done is kept, and `refbot certify --resume` with the same bot goes on with it"
        ) from error
