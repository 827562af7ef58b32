"""What a certificate will cost a conforming bot, before it is asked anything.

A run is gone through with expected values in the place of observations: every interval as wide as so many
playouts make it, every e-value what its bet gains on average.  The planner that plans real runs plans this
one, so that the forecast follows its rules; it follows no bot's luck.  Computed from suite, tables and
level; nothing is played.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import pi, sqrt
from typing import Final

import msgspec
import numpy as np
import scipy  # its parts are loaded when they are first used

from harness.bots.driver import NEEDED
from harness.cases.case import Case, Complete, Dialogue, Fresh, Moves, Sample, Script
from harness.cases.level import Level
from harness.cases.suite import Suite
from harness.judging.case_assessment import CaseAssessment, excluded_by_passing
from harness.judging.choices import Choices, interval_of
from harness.judging.run_assessment import RunAssessment, exclusion, idle, missing
from harness.judging.sums import BatchSums, intervals_of
from harness.runs.plan import Job, budget_of, exact_jobs, first_samples, more_samples, playouts_of
from harness.statistics.evalues import Categories, Histogram
from harness.tables.tables import Tables

GAME_MOVES: Final = 1.5
"""Moves of a complete game a point of the board: 107 to 160 on 9x9."""
GENMOVES: Final = 0.25
"""Genmoves of a dialogue a command."""
AREA: Final = 81
"""Points of the board whose playouts are the unit of work: one takes about as long as it has points."""


@dataclass(frozen=True, slots=True)
class Luck:
    """What a conforming bot draws, where a real one draws at random."""

    errors: float = sqrt(2 / pi)
    """Distance of a mean from its expectation, in standard errors; on average this."""
    yields: float = 1.0
    """What a bet against a deviation gains, as a part of what it gains on average."""


AVERAGE: Final = Luck()
_MOST_ROUNDS: Final = 100
_COMMANDS: Final = (*NEEDED, "undo", "ref-playouts")
"""Commands of the bot whose cost is forecast."""


class Cost(msgspec.Struct, frozen=True):
    """What a part of a certificate takes."""

    name: str
    """Name of a stage or of a case."""
    cases: int
    genmoves: int
    playouts: int
    work: float
    """Playouts as if all were on the 9x9 board."""

    def seconds(self, speed: float) -> float:
        """Return how long it takes at so many playouts a second on 9x9; answers and processes aside."""
        return self.work / speed


class Forecast(msgspec.Struct, frozen=True):
    """What a certificate of one level will cost."""

    level: str
    fixed_playouts: int | None
    """Playouts of a bot that always runs the same number; None for one that can choose."""
    stages: tuple[Cost, ...]
    """Exact checks, first round, further rounds."""
    total: Cost
    cases: tuple[Cost, ...]
    """Every case that is asked, most work first."""
    rounds: int
    """Further rounds."""
    passes: bool
    """Whether the level ends in PASS, if the bot conforms and all comes as expected."""
    wide: tuple[str, ...]
    """Cases whose interval is not inside its tolerance at the end."""
    not_excluded: tuple[str, ...]
    """Deviations not excluded at the end."""


@dataclass(frozen=True)
class SimulatedRun:
    """A run gone through beforehand: what it asks, stage by stage."""

    exact: list[Job]
    first: list[Job]
    further: list[Job]
    rounds: int
    """Number of rounds in ``further``."""
    asked: dict[str, CaseAssessment]
    assessment: RunAssessment


def genmoves_of(case: Case) -> int:
    """Return the genmoves of asking a case once; of a whole game, about as many as it takes."""
    question = case.question
    if isinstance(question, Script):
        return sum("genmove" in step.send.split() for step in question.steps)
    if isinstance(question, Dialogue):
        return round(question.commands * GENMOVES)
    if isinstance(question, Complete):
        return min(question.limit, round(GAME_MOVES * case.file.size**2))
    return 2 if isinstance(question, Fresh) else 1


def forecast(suite: Suite, tables: Tables, level: Level, fixed: int | None = None) -> Forecast:
    """Return what a certificate will cost a conforming bot that answers every case.

    Args:
        suite: what it will be judged by.
        tables: the references, for a fixed number with those of the cases about chosen moves.
        level: how much is asked.
        fixed: the playouts of each genmove of a bot that always runs the same number.
    """
    found = course(suite, tables, level, fixed)
    stages = {"exact checks": found.exact, "first round": found.first, "further rounds": found.further}
    everything = [job for jobs in stages.values() for job in jobs]
    cases = [_cost(name, [j for j in everything if j.case.id == name], fixed) for name in found.asked]
    return Forecast(
        level.name,
        fixed,
        tuple(_cost(name, jobs, fixed) for name, jobs in stages.items()),
        _cost("in all", everything, fixed),
        tuple(sorted(cases, key=lambda cost: (-cost.work, cost.name))),
        found.rounds,
        level.may_pass and _is_done(found.assessment),
        tuple(name for name, w in found.assessment.cases.items() if not w.is_inside),
        found.assessment.not_excluded,
    )


def course(
    suite: Suite, tables: Tables, level: Level, fixed: int | None = None, luck: Luck = AVERAGE
) -> SimulatedRun:
    """Go through a run of a conforming bot that answers every case; see ``forecast`` for the arguments.

    With less than average luck it asks for more: so much suffices for most bots.
    """
    suite = suite.for_bot(fixed)
    skipped = {name: reason for name, case in suite.cases.items() if (reason := _skipped(case, tables))}
    exact = _applicable(exact_jobs(suite, level, fixed), skipped)
    first = _applicable(first_samples(suite, level, fixed), skipped)
    further: list[Job] = []
    run = _Run(tables, level, fixed, luck)
    for job in (*exact, *first):
        run.ask(job)
    # As in a run: the exact checks of a bot that cannot run fewer playouts are not on the budget.
    spent = 0 if fixed else sum(run.price(job) for job in exact)
    spent += sum(run.price(job) for job in first)
    assessment, rounds, budget = run.assessment(skipped), 0, budget_of(level, fixed)
    while level.may_pass and not _is_done(assessment) and spent <= budget and rounds < _MOST_ROUNDS:
        jobs = more_samples(suite, tables, assessment, fixed)
        if not jobs:
            break
        for job in jobs:
            run.ask(job)
        further += jobs
        spent += sum(run.price(job) for job in jobs)
        assessment, rounds = run.assessment(skipped), rounds + 1
    return SimulatedRun(exact, first, further, rounds, run.asked, assessment)


def _skipped(case: Case, tables: Tables) -> str:
    return missing(case, _COMMANDS) or idle(case, tables)


def _applicable(jobs: Iterable[Job], skipped: Collection[str]) -> list[Job]:
    return [job for job in jobs if job.case.id not in skipped]


def _is_done(assessment: RunAssessment) -> bool:
    return assessment.all_inside and not assessment.not_excluded


def _cost(name: str, jobs: list[Job], fixed: int | None) -> Cost:
    genmoves = {id(job): job.times * genmoves_of(job.case) for job in jobs}
    playouts = {id(job): genmoves[id(job)] * playouts_of(job.case, fixed) for job in jobs}
    work = sum(playouts[id(job)] * job.case.file.size**2 / AREA for job in jobs)
    cases = len({job.case.id for job in jobs})
    return Cost(name, cases, sum(genmoves.values()), sum(playouts.values()), round(work, 1))


class _Run:
    """A run so far, as a conforming bot of some luck would have it."""

    def __init__(self, tables: Tables, level: Level, fixed: int | None, luck: Luck) -> None:
        self._luck = luck
        self._tables = tables
        self._level = level
        self._fixed = fixed
        self.asked: dict[str, CaseAssessment] = {}

    def price(self, job: Job) -> int:
        """Return a job's playouts as a run counts them: of a whole game those of one genmove."""
        return job.times * playouts_of(job.case, self._fixed)

    def ask(self, job: Job) -> None:
        """Take a job for done."""
        before = self.asked.get(job.case.id, CaseAssessment(job.case))
        assessed = replace(
            before,
            genmoves=before.genmoves + job.times,
            playouts=before.playouts + self.price(job),
        )
        if isinstance(job.case.question, Sample):
            assessed = self._with_sums(assessed)
        elif isinstance(job.case.question, Moves):
            assessed = self._with_choices(assessed)
        else:
            playouts = playouts_of(job.case, self._fixed)
            assessed = replace(assessed, exclude=excluded_by_passing(job.case, playouts, self._tables))
        self.asked[job.case.id] = assessed

    def _with_sums(self, assessed: CaseAssessment) -> CaseAssessment:
        case, n = assessed.case, assessed.playouts
        sums = _expected_sums(
            self._tables.histogram(case), assessed.genmoves, n // assessed.genmoves, self._luck
        )
        shifts = self._tables.sample(case).shifts
        return replace(
            assessed,
            intervals=partial(intervals_of, case, sums, self._tables, self._level),
            exclude={k: s.exclude.rate * n * self._luck.yields for k, s in shifts.items() if s.exclude},
        )

    def _with_choices(self, assessed: CaseAssessment) -> CaseAssessment:
        case, rivals = assessed.case, self._tables.rivals(assessed.case).items()
        choices = _expected_choices(self._tables.moves(case), assessed.genmoves, self._luck)
        return replace(
            assessed,
            intervals=partial(interval_of, choices, case, self._tables, self._level),
            exclude={
                name: rival.exclude_rate * assessed.genmoves * self._luck.yields
                for name, rival in rivals
                if rival.exclude_rate > 0
            },
        )

    def assessment(self, skipped: dict[str, str]) -> RunAssessment:
        """Return what the run amounts to."""
        return RunAssessment(self.asked, skipped, None, 0.0, *exclusion(self.asked, _COMMANDS), hidden=())


def _expected_sums(null: Histogram, genmoves: int, playouts: int, luck: Luck) -> BatchSums:
    """Return batches that vary as a conforming bot's do, about means that are off as far as its are."""
    noise = scipy.special.ndtri((np.arange(genmoves) + 0.5) / genmoves) / sqrt(playouts)
    sds = np.sqrt(np.diag(null.covariance))
    means = null.mean + sds * (noise[:, None] + luck.errors / sqrt(genmoves * playouts))
    wins = np.clip(means[:, 1], 0, 1)
    halves = np.rint(2 * playouts * np.stack([wins, wins], axis=1)).astype(np.int64)
    nodes = np.rint(playouts * means[:, 0]).astype(np.int64)
    return BatchSums(np.full(genmoves, playouts, np.int64), nodes, halves)


def _expected_choices(moves: Categories, genmoves: int, luck: Luck) -> Choices:
    """Return chosen moves whose shares are off by standard errors, by turns up and down."""
    counts = {}
    for place, (move, count) in enumerate(sorted(moves.counts.items())):
        share = count / moves.total
        error = luck.errors * sqrt(share * (1 - share) / genmoves)
        counts[move] = max(0, round(genmoves * (share + (-error if place % 2 else error))))
    return Choices({(move,): count for move, count in counts.items()}, counts)
