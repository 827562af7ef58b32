"""What to ask next: pure functions from a suite and what is known so far to jobs."""

from dataclasses import dataclass

from harness.case import Case, Fresh
from harness.level import Level
from harness.suite import Suite
from harness.tables import Tables
from harness.verdict import Estimate
from harness.weights import Weights

_NATS_NEEDED = 7.0
"""Just over ln(1/beta), for one deviation's exclusion."""
_LEAST_ROUND, _LARGEST_ROUND = 5, 200
"""Genmoves of one round of one case."""


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

    Each deviation is pursued in the case that says most about it for the time it takes.
    """
    wanted: dict[str, int] = {}
    for name, w in weights.cases.items():
        if w.estimates and not all(e.is_inside for e in w.estimates):
            wanted[name] = max(2, int(w.genmoves * min(2.0, max(0.25, _growth(w.estimates)))))
    for deviation in weights.not_excluded:
        case, rate = _best_case(suite, tables, weights, deviation)
        if case is not None:
            so_far = sum(w.exclude.get(deviation, 0.0) for w in weights.cases.values())
            times = max(_LEAST_ROUND, int((_NATS_NEEDED - so_far) / rate) + 1)
            wanted[case.id] = max(wanted.get(case.id, 0), min(times, _LARGEST_ROUND))
    jobs = [Job(suite.cases[name], times) for name, times in wanted.items()]
    return sorted(jobs, key=lambda job: (job.case.file.playouts, job.case.id))


def _growth(estimates: list[Estimate]) -> float:
    """Return by how much a sample should grow: half of what its intervals need, as sqrt(n) shrinks them."""
    excess = max(e.radius / max(e.tolerance - abs(e.value - e.reference), e.tolerance / 4) for e in estimates)
    return (excess**2 - 1) / 2


def _best_case(suite: Suite, tables: Tables, weights: Weights, deviation: str) -> tuple[Case | None, float]:
    """Return the case to ask about a deviation, and the nats one genmove of it is expected to yield."""
    best: tuple[float, Case | None, float] = (0.0, None, 0.0)
    for case in suite.cases.values():
        if not case.is_statistical or case.id in weights.skipped:
            continue
        rate = _rate(tables, case, deviation)
        # A playout takes about as long as the board has points.
        worth = rate / (case.file.playouts * case.file.size**2)
        if worth > best[0]:
            best = (worth, case, rate)
    return best[1], best[2]


def _rate(tables: Tables, case: Case, deviation: str) -> float:
    if case.file.sample is not None:
        shift = tables.sample(case).shifts.get(deviation)
        return shift.exclude.rate * case.file.playouts if shift and shift.exclude else 0.0
    rival = tables.rivals(case).get(deviation)
    return max(0.0, rival.exclude_rate) if rival else 0.0
