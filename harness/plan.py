"""What to ask next: pure functions from a suite and what is known so far to jobs."""

from dataclasses import dataclass

from harness.case import Case, Fresh
from harness.evalues import Categories
from harness.judge import Weights
from harness.level import Level
from harness.suite import Suite
from harness.tables import Tables

_NATS_NEEDED = 7.0
"""Just over ln(1/beta), for one deviation's exclusion."""


@dataclass(frozen=True, slots=True)
class Job:
    """One case, to be asked a number of times."""

    case: Case
    times: int


def exact_jobs(suite: Suite, level: Level) -> list[Job]:
    """Return every exact case, cases of the same number of playouts together."""
    cases = [c for c in suite.cases.values() if not c.is_statistical]
    order = sorted(cases, key=lambda c: (isinstance(c.question, tuple), c.file.playouts, c.id))
    return [
        Job(c, c.file.genmoves if level.may_pass or isinstance(c.question, Fresh) else 1)
        for c in order
        if level.name != "check" or isinstance(c.question, tuple)
    ]


def first_samples(suite: Suite, level: Level) -> list[Job]:
    """Return the round every statistical case is given whatever the bot does."""
    cases = [c for c in suite.cases.values() if c.is_statistical]
    if not level.statistical_genmoves:
        return []
    return [Job(c, level.statistical_genmoves) for c in sorted(cases, key=lambda c: (c.file.playouts, c.id))]


def more_samples(suite: Suite, tables: Tables, weights: Weights) -> list[Job]:
    """Return the next round: intervals still too wide, and deviations not yet excluded.

    Each deviation is pursued where a playout says most about it.
    """
    wanted: dict[str, int] = {}
    for name, w in weights.cases.items():
        if w.estimates and not all(e.is_inside for e in w.estimates):
            # A radius shrinks with the root of n: go half of the way, look again.
            excess = max(
                e.radius / max(e.tolerance - abs(e.value - e.reference), e.tolerance / 4) for e in w.estimates
            )
            more = int(w.genmoves * min(2.0, max(0.25, (excess**2 - 1) / 2)))
            wanted[name] = max(2, more)
    for deviation in weights.not_excluded:
        best = max(
            ((rate, name) for name, rate in _rates(suite, tables, weights, deviation)), default=(0.0, "")
        )
        if best[0] <= 0:
            continue
        so_far = sum(w.exclude.get(deviation, 0.0) for w in weights.cases.values())
        more = int((_NATS_NEEDED - min(so_far, 0.0 if so_far < 0 else so_far)) / best[0]) + 1
        wanted[best[1]] = max(wanted.get(best[1], 0), min(max(more, 5), 200))
    return [
        Job(suite.cases[name], times)
        for name, times in sorted(wanted.items(), key=lambda item: suite.cases[item[0]].file.playouts)
    ]


def _rates(suite: Suite, tables: Tables, weights: Weights, deviation: str) -> list[tuple[str, float]]:
    """Return how many nats against a deviation one genmove of each case is expected to yield."""
    found = []
    for case in suite.cases.values():
        if case.id in weights.skipped or not case.is_statistical:
            continue
        if case.file.sample is not None:
            shift = tables.sample(case).shifts.get(deviation)
            if shift is not None and shift.exclude is not None:
                # Dear positions are paid for: a 9x9 playout costs five of 5x5.
                cost = case.file.playouts * case.file.size**2
                found.append((case.id, shift.exclude.rate * case.file.playouts, cost))
        else:
            table = tables.choice(case)
            if deviation in table.deviations:
                null, other = Categories(table.counts), Categories(table.deviations[deviation])
                rate = other.rate_of(null, len(table.counts) + 1)
                found.append((case.id, rate, case.file.playouts * case.file.size**2))
    best = [(name, rate) for name, rate, _ in found if rate > 0]
    if not best:
        return []
    cheapest = max(found, key=lambda f: f[1] / f[2])
    return [(cheapest[0], cheapest[1])] if cheapest[1] > 0 else best
