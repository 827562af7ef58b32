"""Lengths of playouts beside the reference's: single ones where a genmove runs one, else means of batches."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

from harness.cases.case import Case
from harness.judging.case_assessment import AskedUnit
from harness.tables.tables import Tables

_MOST_BINS: Final = 28
_REACH: Final = 4.0
"""Standard deviations on either side of the reference's mean that are always shown."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """Two histograms over the same bins."""

    playouts: int
    """Playouts of each genmove; with 1 the lengths are of single playouts, otherwise means of so many."""
    batches: int
    edges: tuple[float, ...]
    """Edges of the bins, in moves of one playout; one more than there are bins."""
    counts: tuple[int, ...]
    expected: tuple[float, ...]
    """Genmoves that the reference would have in each bin."""


def lengths_of(case: Case, asked: Iterable[AskedUnit], tables: Tables) -> Lengths | None:
    """Return the lengths seen in a sample case, by the most frequent batch; None if there are none."""
    sums = [(a.playouts, a.reading.statistics.nodes) for a in asked if a.reading.statistics.nodes is not None]
    if not sums:
        return None
    playouts = Counter(n for n, _ in sums).most_common(1)[0][0]
    seen = [nodes for n, nodes in sums if n == playouts]
    steps = tables.spread(case, playouts).steps
    weights = steps.weights.tolist()
    mean = sum(weight * (steps.first + place) for place, weight in enumerate(weights))
    sd = sqrt(sum(weight * (steps.first + place - mean) ** 2 for place, weight in enumerate(weights)))
    least = min(*seen, round(mean - _REACH * sd))
    most = max(*seen, round(mean + _REACH * sd))
    width = max(1, -(-(most - least + 1) // _MOST_BINS))
    bins = (most - least) // width + 1
    counts, expected = [0] * bins, [0.0] * bins
    for nodes in seen:
        counts[(nodes - least) // width] += 1
    for place in range(max(0, least - steps.first), min(len(weights), least + bins * width - steps.first)):
        expected[(steps.first + place - least) // width] += len(seen) * weights[place]
    # A bin holds whole numbers of moves: its edges lie half a move beside them.
    edges = tuple((least - 0.5 + width * place) / playouts for place in range(bins + 1))
    return Lengths(playouts, len(seen), edges, tuple(counts), tuple(expected))
