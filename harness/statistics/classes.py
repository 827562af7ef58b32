"""Which of several means are the same within a tolerance.  Numbers only.

Being near is not transitive, so a class has an anchor: the reference, or the member measured best.  A mean
belongs to it if it is *shown* to be within the tolerance of the anchor, and does not if it is shown to differ
from it and not to be within.  Otherwise it cannot be told, and that is said.
"""

from collections.abc import Sequence
from statistics import median

from harness.statistics.intervals import Interval


def classes_of(
    intervals: Sequence[Interval | None], tolerance: float, reference: float | None
) -> list[int | None]:
    """Return each mean's class: 0 for the reference's, then 1 and on; None where it cannot be told.

    Args:
        intervals: of the means; None where nothing was measured.
        tolerance: how far from a class's anchor its members may be.
        reference: anchor of class 0; its own error is in the intervals.  None where there is none.
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
    """Return the mean measured best; of equals, the first."""
    return min(left.values(), key=lambda interval: interval.radius) if left else None


def odd_ones(intervals: Sequence[Interval | None], tolerance: float) -> dict[int, float]:
    """Return the means that differ from what the others agree on, with their residuals in tolerances.

    A residual is the distance from the median of the others.  A mean is odd if it is shown to differ from
    more than half of all, none of which are shown to differ from each other, and is not within the tolerance
    of their median.  So there is none among two, nor where no majority agrees.
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
