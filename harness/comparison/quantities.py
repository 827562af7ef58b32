"""Every measure of every case for several bots: values, intervals, classes.

Each mean has an interval; all of a comparison's together hold with error ``COMPARE_ALPHA``.  Whatever is
said of two bots follows from their intervals, so it holds for all pairs at once.
"""

from collections.abc import Iterable, Sequence
from math import isfinite, sqrt
from typing import Final

from harness.cases.case import Case, Sample
from harness.cases.level import LEVELS
from harness.cases.suite import Suite
from harness.comparison.bot_comparison import Quantity
from harness.judging.run_assessment import RunAssessment
from harness.judging.sums import BatchSums, planned, tolerances
from harness.statistics.classes import classes_of
from harness.statistics.intervals import Interval, reference_radius
from harness.tables.tables import Tables

COMPARE_ALPHA: Final = 1e-3
"""Error of any false difference of a comparison, over all bots, cases, measures and looks."""
_MEASURES: Final = (("length", "moves"), ("win", "wins"))


def quantities_of(
    assessments: Sequence[RunAssessment], suite: Suite, tables: Tables, level: str, bots: int
) -> list[Quantity]:
    """Return every measure of every case about sums that a bot was asked, bots side by side.

    Args:
        assessments: of every bot.
        suite: the cases.
        tables: the references.
        level: whose tolerances hold.
        bots: how many share the error, those included that are not here.
    """
    cases = [case for case in suite.cases.values() if isinstance(case.question, Sample)]
    alpha = COMPARE_ALPHA / (len(_MEASURES) * len(cases) * bots)
    found: list[Quantity] = []
    for case in sorted(cases, key=lambda case: case.id):
        assessed = [w.cases.get(case.id) for w in assessments]
        sums = [w.sums if w is not None and w.sums is not None and w.sums.total else None for w in assessed]
        if any(sums):
            found += _quantities(case, sums, tables, level, alpha)
    return found


def _quantities(
    case: Case, sums: list[BatchSums | None], tables: Tables, level: str, alpha: float
) -> Iterable[Quantity]:
    assert isinstance(case.question, Sample)  # noqa: S101 - the caller chose by this type
    null, allowed = tables.histogram(case), tolerances(case.question, LEVELS[level])
    centred = null.values - null.mean
    for place, (measure, unit) in enumerate(_MEASURES):
        sd, tolerance = sqrt(null.covariance[place, place]), allowed[place]
        skewness = float(null.weights @ centred[:, place] ** 3) / sd**3 if sd > 0 else 0.0
        intervals: list[Interval | None] = []
        for batches in sums:
            if batches is None:
                intervals.append(None)
                continue
            n, ends = batches.total, [float(end[place]) / batches.total for end in batches.ends]
            spread = max(sd, _own_spread(batches, place))
            half = reference_radius(spread, skewness, n, null.total, alpha, planned(sd, tolerance))
            intervals.append(Interval((ends[0] + ends[-1]) / 2, half + (ends[-1] - ends[0]) / 2))
        reference = float(null.mean[place])
        yield Quantity(
            case.id,
            measure,
            unit,
            tolerance,
            reference,
            [None if i is None else i.value for i in intervals],
            [None if i is None else i.radius for i in intervals],
            classes_of(intervals, tolerance, reference),
            [0 if batches is None else batches.total for batches in sums],
        )


def _own_spread(sums: BatchSums, place: int) -> float:
    """Return a bot's own standard deviation of one playout, as its batches spread: it may not be ours."""
    totals = sums.nodes if place == 0 else sums.halves.mean(axis=1) / 2
    if len(totals) < 2:
        return 0.0
    mean = totals.sum() / sums.total
    residuals = (totals - mean * sums.playouts) ** 2 / sums.playouts
    return sqrt(residuals.sum() / (len(totals) - 1))


def intervals_of(quantity: Quantity) -> list[Interval | None]:
    """Return the values of a measure with their intervals; None where nothing was measured."""
    pairs = zip(quantity.values, quantity.radii, strict=True)
    return [None if value is None or half is None else Interval(value, half) for value, half in pairs]


def widest(quantities: Iterable[Quantity], place: int) -> dict[str, float]:
    """Return the cases in which it cannot be told whether a bot is near the reference.

    With each, by what factor its interval is too wide for the tolerance.
    """
    found: dict[str, float] = {}
    for q in quantities:
        value, half = q.values[place], q.radii[place]
        if value is None or half is None or q.reference is None or q.classes[place] is not None:
            continue
        room = max(q.tolerance - abs(value - q.reference), q.tolerance / 4)
        if isfinite(half):
            found[q.case] = max(found.get(q.case, 0.0), half / room)
    return found
