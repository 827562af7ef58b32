"""Classes of means that are equal within a tolerance.

Nearness is not transitive, so each class has an anchor: the reference, or the mean with the narrowest
interval.  A mean belongs to the class if it is *shown* to be within the tolerance of the anchor.  It does not
belong to it if it is shown to differ from the anchor and is not shown to be within.  Otherwise it is
undecided.
"""

from collections.abc import Sequence
from statistics import median

from harness.statistics.intervals import Interval


def classes_of(
    intervals: Sequence[Interval | None], tolerance: float, reference: float | None
) -> list[int | None]:
    """Return each mean's class: 0 for the reference's, then 1 and so on; None if undecided.

    Args:
        intervals: the intervals of the means; None if nothing was measured.
        tolerance: the greatest distance of a member from its class's anchor.
        reference: the anchor of class 0, or None; its own error is in the intervals.
    """
    found: list[int | None] = [None] * len(intervals)
    left = {i: interval for i, interval in enumerate(intervals) if interval is not None}
    number = 0 if reference is not None else 1
    anchor = Interval(reference, 0.0) if reference is not None else _best(left)
    while anchor is not None:
        for i, interval in list(left.items()):
            if interval is anchor or interval.is_within(tolerance, anchor):
                found[i] = number
                del left[i]
            elif not interval.differs_from(anchor):
                del left[i]
        number += 1
        anchor = _best(left)
    return found


def _best(left: dict[int, Interval]) -> Interval | None:
    """Return the mean with the narrowest interval; of equals, the first."""
    return min(left.values(), key=lambda interval: interval.radius) if left else None


def odd_ones(intervals: Sequence[Interval | None], tolerance: float) -> dict[int, float]:
    """Return the means that differ from what the others agree on, with their residuals in tolerances.

    A residual is the distance from the median of the others.  A mean is odd if it is shown to differ from
    more than half of all means, no two of these are shown to differ from each other, and it is not within
    the tolerance of the median.  So among two means none is odd, and none if no majority agrees.
    """
    known = {i: interval for i, interval in enumerate(intervals) if interval is not None}
    found = {}
    for i, own in known.items():
        others = [other for j, other in known.items() if j != i and own.differs_from(other)]
        agree = not any(a.differs_from(b) for a in others for b in others)
        if 2 * len(others) <= len(known) or len(known) < 3 or not agree:
            continue
        distance = own.value - median(other.value for j, other in known.items() if j != i)
        if abs(distance) + own.radius > tolerance:
            found[i] = distance / tolerance
    return found
