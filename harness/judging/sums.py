"""Sums of playouts, genmove by genmove: the interval of each mean, and the bets on the sums.

From batches and a table to numbers.  A score that is printed with few digits leaves a range of wins possible;
whatever is computed here holds at every count in that range.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from harness.cases.case import Case, Sample
from harness.cases.level import BETA, Level
from harness.judging.answers import GenmoveStatistics
from harness.judging.verdict import Estimate
from harness.statistics.betting import lower_limit, upper_limit
from harness.statistics.evalues import TABLE_Z, Histogram, Vector
from harness.tables.tables import Tables

GENMOVES_HIT = 10
"""An interval covers faults of whole genmoves that occur at least once in so many genmoves."""
PLAYOUTS_HIT = 2
"""So many playouts of one genmove may lie at the extreme of the support and still count in full."""
_NOISE = 3.0
"""Means of batches are never cut off within so many standard deviations."""
INTERVAL_METHOD = (
    "betting on the means of genmoves, valid at every look and for every distribution "
    "(Waudby-Smith and Ramdas 2024), and the table's error"
)
"""Name of the method that finds intervals of means."""


@dataclass(frozen=True)
class BatchSums:
    """Sums of the batches of a case, in a fixed order; one row for each batch.

    Attributes:
        playouts: int64[b].
        nodes: int64[b].
        halves: int64[b, 2], the least and the greatest number of half wins a printed score leaves possible.
    """

    playouts: np.ndarray
    nodes: np.ndarray
    halves: np.ndarray

    @classmethod
    def of(cls, asked: Iterable[tuple[int, GenmoveStatistics]]) -> "BatchSums":
        """Collect the batches whose statistics could be read, given as playouts and statistics."""
        rows = sorted(
            (playouts, s.nodes, *s.wins)
            for playouts, s in asked
            if s.nodes is not None and s.wins is not None
        )
        table = np.array(rows, np.int64).reshape(-1, 4)
        return cls(table[:, 0], table[:, 1], table[:, 2:])

    @property
    def total(self) -> int:
        """Playouts of all batches."""
        return int(self.playouts.sum())

    @property
    def ends(self) -> tuple[Vector, ...]:
        """Sums of length and wins: every end of what a coarsely printed score leaves possible."""
        nodes, halves = float(self.nodes.sum()), self.halves.sum(axis=0) / 2
        return tuple(np.array([nodes, wins]) for wins in sorted(set(halves.tolist())))

    def means(self, place: int) -> tuple[Vector, Vector]:
        """Return float64[b] twice: the least and the greatest mean each batch may have.

        Args:
            place: 0 for the length, 1 for the score.
        """
        if place == 0:
            means = self.nodes / self.playouts
            return means, means
        return self.halves[:, 0] / (2 * self.playouts), self.halves[:, 1] / (2 * self.playouts)


def tolerances(sample: Sample, level: Level) -> tuple[float, float]:
    """Return how far length and score may be off at a level."""
    return sample.length * level.length, sample.score * level.score


def planned(spread: float, tolerance: float) -> int:
    """Return the approximate number of playouts that bring an interval inside a tolerance."""
    return max(100, int((5.5 * spread / tolerance) ** 2))


def intervals_of(case: Case, sums: BatchSums, tables: Tables, level: Level) -> tuple[Estimate, ...]:
    """Return the intervals of mean length and score.

    Args:
        case: about sums.
        sums: what was asked, one batch at least.
        tables: the references.
        level: whose tolerances hold.
    """
    question, null = case.question, tables.histogram(case)
    assert isinstance(question, Sample)  # noqa: S101 - the caller chose by this type
    allowed = tolerances(question, level)
    return tuple(
        _interval(quantity, unit, place, sums, null, allowed[place])
        for place, (quantity, unit) in enumerate((("length", "moves"), ("score", "wins")))
    )


def _interval(
    quantity: str, unit: str, place: int, sums: BatchSums, null: Histogram, tolerance: float
) -> Estimate:
    mean, sd = float(null.mean[place]), sqrt(null.covariance[place, place])
    least, greatest = sums.means(place)
    low, high = bounds_of_batches(null, place, sums.playouts, tolerance)
    value = float(sums.playouts @ (least + greatest)) / 2 / sums.total
    radius = max(upper_limit(greatest, high, BETA) - value, value - lower_limit(least, low, BETA), 0.0)
    return Estimate(
        quantity,
        unit,
        value,
        radius + TABLE_Z * sd / sqrt(null.total),
        mean,
        tolerance,
        sums.total,
        sd,
        None if null.error is not None else int(null.total),
        INTERVAL_METHOD,
        float(sums.playouts @ (greatest - least)) / 2 / sums.total,
    )


def bounds_of_batches(
    null: Histogram, place: int, playouts: np.ndarray, tolerance: float
) -> tuple[Vector, Vector]:
    """Return float64[b] twice: the least and the greatest mean of a batch that counts in full.

    A wider range asks for more genmoves before an interval is narrow.  It leaves room for the noise of a
    conforming bot, for a fault that strikes one genmove in ``GENMOVES_HIT`` and moves the mean by a
    tolerance, and for ``PLAYOUTS_HIT`` playouts of a genmove at the bounds of what is possible.  What lies
    beyond is cut off there: the interval is one of the mean cut off, and says nothing of rarer and larger
    faults.

    Args:
        null: the reference.
        place: 0 for the length, 1 for the score.
        playouts: int64[b], of each batch.
        tolerance: of the mean.
    """
    mean, sd = float(null.mean[place]), sqrt(null.covariance[place, place])
    least, most = float(null.corners[:, place].min()), float(null.corners[:, place].max())
    noise = _NOISE * sd / np.sqrt(playouts)
    below, above = (
        np.maximum(GENMOVES_HIT * tolerance, PLAYOUTS_HIT * room / playouts) + noise
        for room in (mean - least, most - mean)
    )
    # A constant mean has no range; any wider range is valid.
    margin = 1e-6 * max(1.0, abs(mean))
    return np.maximum(mean - below, least - margin), np.minimum(mean + above, most + margin)


def log_e_spread(case: Case, sums: BatchSums, tables: Tables) -> float:
    """Return the log e-value for batches that vary otherwise than independent playouts do."""
    values = []
    for playouts in np.unique(sums.playouts):
        own = sums.playouts == playouts
        nodes, halves = sums.nodes[own].astype(np.float64), sums.halves[own].astype(np.float64)
        values.append(tables.spread(case, int(playouts)).log_e(nodes, halves))
    return float(sum(values))
