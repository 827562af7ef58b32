"""Runs of one bot over time: what each measured, and what changed from one to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from harness.comparison.rates import Ratio, rates_of
from harness.comparison.regress import After, Before, compare_runs
from harness.comparison.regression import (
    DRIFTED,
    FASTER,
    NEWLY_FAILING,
    NEWLY_PASSING,
    SLOWER,
    Regression,
)
from harness.errors import UsageError
from harness.judging.verdict import Estimate
from harness.report.judged_run import JudgedRun

_MARGIN = 0.05
"""Share of the speed that may be lost or won before it is called a change."""
_PREFERRED = "opening-9x9"


@dataclass(frozen=True, slots=True)
class Point:
    """One run."""

    started: str
    bot: str
    verdict: str
    reason: str
    length: Estimate | None
    score: Estimate | None
    speed: Ratio | None
    """As a multiple of the engine's, by processor time where that is known."""
    changes: tuple[str, ...]
    """What changed since the run before, in words."""


@dataclass(frozen=True, slots=True)
class Trend:
    """Runs in the order in which they were made."""

    case: str
    """The case whose means are shown."""
    points: tuple[Point, ...]

    @property
    def changed(self) -> tuple[int, ...]:
        """Places of the runs at which something changed."""
        return tuple(place for place, point in enumerate(self.points) if point.changes)


def trend_of(judged_runs: Sequence[JudgedRun]) -> Trend:
    """Put runs in order, and find where something changed.

    Raises:
        UsageError: there are fewer than two, one of them is of a check, or they have no mean in common.
    """
    if len(judged_runs) < 2:
        raise UsageError("a trend takes two runs or more of one bot")
    if any(a.evidence.header.level == "check" for a in judged_runs):
        raise UsageError("a run of refbot check holds no means; a trend is made of certificates")
    ordered = sorted(judged_runs, key=lambda a: a.evidence.header.started)
    case = _case(ordered)
    steps = [(), *(tuple(_changes(then, now)) for then, now in pairwise(ordered))]
    return Trend(case, tuple(_point(a, case, step) for a, step in zip(ordered, steps, strict=True)))


def _case(judged_runs: Sequence[JudgedRun]) -> str:
    """Return the case with a mean in most runs: the opening position, where it has one."""
    counts: dict[str, int] = {}
    for judged_run in judged_runs:
        for name in _estimates(judged_run):
            counts[name] = counts.get(name, 0) + 1
    if not counts:
        raise UsageError("none of these runs got as far as a mean: they hold no trend")
    return max(counts, key=lambda name: (counts[name], name == _PREFERRED, name))


def _estimates(judged_run: JudgedRun) -> dict[str, list[Estimate]]:
    return {c.case: c.estimates for r in judged_run.verdict.requirements for c in r.checks if c.estimates}


def _point(judged_run: JudgedRun, case: str, changes: tuple[str, ...]) -> Point:
    found = {e.quantity: e for e in _estimates(judged_run).get(case, [])}
    rates = rates_of(judged_run.evidence.rounds)
    bot = judged_run.verdict.bot
    return Point(
        judged_run.evidence.header.started,
        f"{bot.name} {bot.version}".strip(),
        judged_run.verdict.verdict,
        judged_run.verdict.reason,
        found.get("length"),
        next((e for name, e in found.items() if name != "length"), None),
        None if rates is None else rates.cpu or rates.wall,
        changes,
    )


def _changes(then: JudgedRun, now: JudgedRun) -> Iterator[str]:
    """Yield what changed: the word, requirements, speed, means by more than those of an unchanged bot."""
    old, new = then.verdict, now.verdict
    if old.verdict != new.verdict:
        yield f"{old.verdict} became {new.verdict}"
    before = Before("", old, old, then.evidence)
    found = compare_runs(before, After("", new, now.evidence), now.suite, now.tables, {}, _MARGIN)
    yield from _of(found)
    if old.suite.digest != new.suite.digest:
        yield "another suite"


def _of(found: Regression) -> Iterator[str]:
    for change in found.changes:
        if change.item == "requirement" and change.kind in (NEWLY_FAILING, NEWLY_PASSING):
            yield f"{change.id} {change.kind}"
    for shift in found.shifts:
        if shift.word == DRIFTED:
            yield f"{shift.measure} of {shift.case} moved by {shift.change:+.4f} {shift.unit}"
    for speed in found.speeds:
        if speed.word in (SLOWER, FASTER):
            by = "processor time" if speed.measure == "cpu" else "the clock"
            yield f"{speed.word} by {by}: {100 * (speed.change.value - 1):+.0f} %"
