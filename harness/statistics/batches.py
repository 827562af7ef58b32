"""E-values against the spread of batch sums: a test whether the draws of a batch are independent.

The sum of n independent draws has a known distribution, the n-fold convolution of that of one draw.  So the
squared distance of a batch from a centre, in units of a scale, has a known distribution too, and is bet on as
in ``evalues``.  Copied or correlated draws win the upward bets, stratified or reused random numbers the
downward bets.  Distances are cut off at ``_FARTHEST``, so that the far tails, where convolution is rounding
noise, have no weight.

The centre and the scale are the mean and the variance of a batch by the table.  They are fixed before the
first batch and need not be the truth.  A bet is fair if E exp(bet * distance) is not above its price under
the true distribution of a draw, whatever the distance is measured from.  Only this one functional of that
distribution needs a bound; see ``SumDistribution.log_mgf``.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, inf, log, sqrt
from typing import Final

import numpy as np
import scipy  # its parts are loaded when they are first used
from numpy.fft import irfft, rfft

from harness.statistics.evalues import TABLE_Z, UNSEEN_ERROR, Histogram, Vector, log_mean

_FARTHEST: Final = 16.0
_BETS: Final = (0.45, 0.3, 0.2, 0.1, 0.05, -0.1, -0.3, -0.8, -2.0)
"""Bets, in nats per squared standard deviation."""
_LEAST_VARIANCE: Final = 1e-3
"""Least variance of a batch's sum, in squared steps: below it nearly all batches have the same sum."""
_ROUNDING: Final = 1e-9
"""Relative error of an expectation by floating point, rounded up."""
_LOG_TAIL: Final = log(1e-16)
"""Log of the probability of sums that are so far out that they may be counted elsewhere."""


@dataclass(frozen=True)
class SumDistribution:
    """The distribution of the sum of an integer quantity over a batch.

    Attributes:
        least: the least value of a draw.
        single: float64[k], probabilities that a draw is ``least``, ``least`` + 1 and so on.
        draws: the number of draws in a batch.
        table: the number of draws behind ``single``; infinite if the distribution is known exactly.
        error: the greatest relative error of a probability in a known distribution.
    """

    least: int
    single: Vector
    draws: int
    table: float
    error: float

    @classmethod
    def of(cls, steps: Vector, one: Histogram, draws: int) -> "SumDistribution":
        """Take the distribution of one draw from a histogram.

        Args:
            steps: float64[k], the integer values of a draw.
            one: the histogram of these values.
            draws: the number of draws in a batch.
        """
        values = np.rint(steps).astype(int)
        single: Vector = np.bincount(values - values.min(), weights=one.weights).astype(np.float64)
        return cls(int(values.min()), single, draws, one.total, one.error or 0.0)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        steps = self.least + np.arange(len(self.single))
        mean = float(self.single @ steps)
        return mean, float(self.single @ (steps - mean) ** 2)

    @property
    def centre(self) -> float:
        """Expectation of a batch's sum, by the table."""
        return self.draws * self._moments[0]

    @property
    def scale(self) -> float:
        """Variance of a batch's sum, by the table."""
        return self.draws * self._moments[1]

    @property
    def varies(self) -> bool:
        """Whether the sums of batches vary enough to be bet on."""
        return self.scale > _LEAST_VARIANCE

    @cached_property
    def _whole(self) -> tuple[int, Vector]:
        return self._sum_of(self.draws)

    @property
    def first(self) -> int:
        """The sum that the first of ``weights`` belongs to."""
        return self._whole[0]

    @property
    def weights(self) -> Vector:
        """float64[k], probabilities of the sums ``first``, ``first`` + 1 and so on; they add up to 1."""
        return self._whole[1]

    def _sum_of(self, draws: int) -> tuple[int, Vector]:
        """Return the distribution of the sum of some draws: its least value, and the probabilities.

        Sums that are farther out than Bernstein's inequality allows are folded back onto the others.
        """
        mean, variance = self._moments
        span = len(self.single) - 1
        whole = draws * span + 1
        jump = -span * _LOG_TAIL / 3
        reach = ceil(jump + sqrt(jump**2 - 2 * draws * variance * _LOG_TAIL)) + 1
        size = min(whole, 2 * reach + 1)
        start = max(0, min(whole - size, floor(draws * (mean - self.least)) - reach))
        period = _period(max(size, span + 1))
        folded = irfft(rfft(self.single, period) ** draws, period)
        part = np.maximum(np.take(folded, np.arange(start, start + size), mode="wrap"), 0.0)
        return draws * self.least + start, part / part.sum()

    def distance(self, sums: Vector) -> Vector:
        """Return squared standard deviations from the expectation, cut off."""
        cut: Vector = np.minimum((sums - self.centre) ** 2 / self.scale, _FARTHEST)
        return cut

    @cached_property
    def log_mgf(self) -> Vector:
        """float64[len(_BETS)]: upper bounds of ln E exp(bet * distance).

        The bound is the expectation by the table, plus four of its standard errors, plus the greatest mass
        that the table can have missed in any of the draws, put where it pays most.  This also covers effects
        that a standard error leaves out: few draws of the table may dominate it, and there are terms of
        second order, for example if a wrong mean moves every batch.  Those terms are also proportional to
        draws/table, and smaller.

        For a known distribution only the rounding of its probabilities is added.
        """
        expectation, error = self.expectation
        if self.table == inf:
            drift = 2 * self.draws * np.log1p(self.error)
            exact: Vector = np.log(expectation) + np.log1p(_ROUNDING) + drift
            return exact
        most = np.exp(_FARTHEST * np.maximum(_BETS, 0.0))
        unseen = -log(UNSEEN_ERROR) * self.draws / self.table * most
        bound: Vector = np.log(expectation * (1 + _ROUNDING) + TABLE_Z * error + unseen)
        return bound

    @cached_property
    def expectation(self) -> tuple[Vector, Vector]:
        """E exp(bet * distance) by the table and its standard error, float64[len(_BETS)] each.

        The error follows by the delta method.  The expectation T is a polynomial in the probabilities of one
        draw.  Each draw of the table moves it by n (h - T) / R, with n draws in a batch, R draws in the
        table, and h the expectation given that one draw of the batch is that of the table.
        """
        given = self._given_one()
        expectation: Vector = given @ self.single
        variance = (given - expectation[:, None]) ** 2 @ self.single
        return expectation, self.draws * np.sqrt(variance / self.table)

    def _given_one(self) -> Vector:
        """Return E exp(bet * distance) given one of the draws: float64[len(_BETS), k], a column a step.

        Beyond the cut a bet pays the same everywhere.  So the sum is taken only over the values inside, of
        the difference to that payment.
        """
        bets, reach = np.array(_BETS), sqrt(_FARTHEST * self.scale)
        inside = np.arange(ceil(self.centre - reach), floor(self.centre + reach) + 1)
        beyond = np.exp(bets * _FARTHEST)[:, None]
        pays = np.exp(np.outer(bets, self.distance(inside.astype(np.float64)))) - beyond
        first, rest = self._sum_of(self.draws - 1)
        last_step = self.least + len(self.single) - 1
        places = np.arange(inside[0] - last_step, inside[-1] - self.least + 1) - first
        others = np.where((places >= 0) & (places < len(rest)), np.take(rest, places, mode="clip"), 0.0)
        # Correlation by convolution; the values that wrap around are outside the part that is used.
        period = _period(len(others))
        folded = irfft(rfft(others, period) * rfft(pays[:, ::-1], period), period)
        given: Vector = beyond + folded[:, pays.shape[1] - 1 : len(others)][:, ::-1]
        return given

    def log_e(self, ranges: Vector) -> float:
        """Return the log e-value of batches against independent draws.

        An upward bet is paid for the least distance in a batch's range, a downward bet for the greatest.
        That is never more than the payment for the true sum.

        Args:
            ranges: float64[b, 2], the least and the greatest possible sum of each batch.
        """
        bets = np.array(_BETS)
        nearest = self.distance(np.clip(self.centre, ranges[:, 0], ranges[:, 1])).sum()
        farthest = self.distance(ranges).max(axis=1).sum()
        gains = bets * np.where(bets > 0, nearest, farthest) - len(ranges) * self.log_mgf
        return float(scipy.special.logsumexp(gains) - np.log(len(_BETS)))


def _period(least: int) -> int:
    """Return a power of two that is at least ``least``: Fourier transforms of that length are fast."""
    return 1 << (least - 1).bit_length()


@dataclass(frozen=True)
class BatchSpread:
    """The spreads of the sums of (steps, wins) over batches of draws; wins are counted in halves."""

    steps: SumDistribution
    halves: SumDistribution

    @classmethod
    def of(cls, one: Histogram, draws: int) -> "BatchSpread":
        """Make the spreads of the sums over ``draws`` draws."""
        return cls(
            SumDistribution.of(one.values[:, 0], one, draws),
            SumDistribution.of(2 * one.values[:, 1], one, draws),
        )

    def log_e(self, steps: Vector, halves: Vector) -> float:
        """Return the log e-value of batches against independent draws.

        Args:
            steps: float64[b], sums of the first quantity.
            halves: float64[b, 2], the least and the greatest possible double sum of the second quantity.
        """
        values = [self.steps.log_e(np.column_stack([steps, steps]))] if self.steps.varies else []
        if self.halves.varies:
            values.append(self.halves.log_e(halves))
        return log_mean(values)
