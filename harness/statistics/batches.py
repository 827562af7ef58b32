"""E-values against the spread of batch sums: whether the draws of a batch are independent.

Knows nothing of Go.  Of n independent draws the sum has a known distribution, the n-fold convolution of
that of one draw.  How far a batch lies from its expectation, in squared standard deviations, therefore has
a known distribution too, and bets on it are made as in ``evalues``: upwards, which copied or correlated
draws win; downwards, which stratified or reused numbers win.  Distances are cut off at ``_FARTHEST``, so
that nothing in far tails, where convolution is rounding noise, weighs anything.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy.special import logsumexp

from harness.statistics.evalues import TABLE_Z, UNSEEN_ERROR, Histogram, Vector, log_mean

_FARTHEST: Final = 16.0
_BETS: Final = (0.45, 0.3, 0.2, 0.1, 0.05, -0.1, -0.3, -0.8, -2.0)
"""Nats for each squared standard deviation."""
_LEAST_VARIANCE: Final = 1e-3
"""Of a batch's sum in its own steps: below, nearly every batch comes out the same and there is no spread."""


@dataclass(frozen=True)
class Sums:
    """The distribution of one whole-numbered quantity summed over a batch.

    Attributes:
        first: the least possible sum.
        weights: float64[k], probabilities of ``first``, ``first`` + 1 and so on.
        error: greatest relative error of an expectation under it.
        unseen: greatest probability of a sum that the convolved table cannot know.
    """

    first: int
    weights: Vector
    error: float
    unseen: float

    @classmethod
    def of(cls, steps: Vector, one: Histogram, draws: int) -> "Sums":
        """Convolve the distribution of one draw with itself.

        A table's error enters three times: its mean moves every batch, its variance scales every distance,
        and a draw may be one that it never saw.

        Args:
            steps: float64[k], the whole numbers that a draw can take.
            one: their weights, and how they are known.
            draws: draws of a batch.
        """
        values = np.rint(steps).astype(int)
        single = np.zeros(draws * int(np.ptp(values)) + 1)
        np.add.at(single, values - values.min(), one.weights)
        total = np.maximum(np.fft.irfft(np.fft.rfft(single) ** draws, n=len(single)), 0.0)
        error, unseen = 1e-9, 0.0
        if one.error is None:
            error = TABLE_Z * float(draws / one.total + np.sqrt(3 / one.total))
            unseen = -float(np.log(UNSEEN_ERROR)) * draws / one.total
        return cls(draws * int(values.min()), total / total.sum(), error, unseen)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        sums = self.first + np.arange(len(self.weights))
        mean = float(self.weights @ sums)
        return mean, float(self.weights @ (sums - mean) ** 2)

    @property
    def varies(self) -> bool:
        """Whether there is a spread to speak of."""
        return self._moments[1] > _LEAST_VARIANCE

    def distance(self, sums: Vector) -> Vector:
        """Return squared standard deviations from the expectation, cut off."""
        mean, variance = self._moments
        cut: Vector = np.minimum((sums - mean) ** 2 / variance, _FARTHEST)
        return cut

    @cached_property
    def log_mgf(self) -> Vector:
        """float64[len(_BETS)]: upper bounds of ln E exp(bet * distance)."""
        distances = self.distance(self.first + np.arange(len(self.weights), dtype=np.float64))
        with np.errstate(divide="ignore"):
            log_weights = np.log(self.weights)
        log_mean = logsumexp(np.outer(_BETS, distances) + log_weights, axis=1)
        farthest = np.maximum(np.array(_BETS), 0.0) * _FARTHEST
        bound: Vector = np.logaddexp(log_mean + np.log1p(self.error), np.log(self.unseen + 1e-300) + farthest)
        return bound

    def log_e(self, sums: Vector) -> float:
        """Return the log e-value of batches for another spread than that of independent draws."""
        gains = np.array(_BETS) * float(self.distance(sums).sum()) - len(sums) * self.log_mgf
        return float(logsumexp(gains) - np.log(len(_BETS)))


@dataclass(frozen=True)
class Spread:
    """Batches of draws of (steps, wins), wins counted in halves: the spreads of both sums."""

    steps: Sums
    halves: Sums

    @classmethod
    def of(cls, one: Histogram, draws: int) -> "Spread":
        """Make the spreads of the sums over ``draws`` draws."""
        return cls(Sums.of(one.values[:, 0], one, draws), Sums.of(2 * one.values[:, 1], one, draws))

    def log_e(self, steps: Vector, halves: Vector | None) -> float:
        """Return the log e-value of batches for a spread that is not that of independent draws.

        Args:
            steps: float64[b], sums of the first quantity.
            halves: float64[b], twice the sums of the second; None where they are known too coarsely.
        """
        values = [self.steps.log_e(steps)] if self.steps.varies else []
        if halves is not None and self.halves.varies:
            values.append(self.halves.log_e(halves))
        return log_mean(values)
