"""E-values against a sampled reference, confidence radii, and means of e-values.

A *histogram* is a finite sample of a vector quantity; a *tilt* bets against the distribution behind it.  Let
T be the sum of n draws, and psi(t) the log of E exp(t.x).  For any vector t, ``exp(t.T - n psi(t))`` is a
non-negative martingale of mean 1 under that distribution, for every n and every time of looking (Ville 1939;
Howard, Ramdas, McAuliffe and Sekhon 2021).  No normal approximation is involved, and only sums are needed.

If psi is only known from a sample, an upper bound replaces it: the sample mean of exp(t.x), plus
``TABLE_Z`` standard errors, plus the greatest mass that a sample of that size can have missed (with error
``UNSEEN_ERROR``) at the worst place.  With a loose bound a bet earns less, but it is never unfair.  If the
distribution is known, only the rounding of its probabilities is added.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt
from typing import Final

import numpy as np
import scipy  # its parts are loaded when they are first used
from numpy.typing import NDArray

Vector = NDArray[np.float64]

TABLE_Z: Final = 4.0
UNSEEN_ERROR: Final = 1e-5

_DIRECTIONS: Final = 16
_SCALES: Final = tuple(0.000625 * 2.0**k for k in range(14))
"""Sizes of the bets of a mixture, in standard deviations of the quantity.  They cover shifts from a sixteenth
of a hundredth, which is a fifth of the smallest tolerance of any level, to five standard deviations."""


@dataclass(frozen=True)
class Histogram:
    """A sample of a quantity, or its known distribution.

    Attributes:
        values: float64[k, d], the distinct values.
        counts: float64[k], the count of each value, or its probability.
        corners: float64[c, d], extreme points of the possible values.
        error: the greatest relative error of the probabilities of a known distribution; None for a sample.
    """

    values: Vector
    counts: Vector
    corners: Vector
    error: float | None = None

    @cached_property
    def total(self) -> float:
        """Size of the sample; infinite for a known distribution."""
        return float(self.counts.sum()) if self.error is None else float("inf")

    @cached_property
    def weights(self) -> Vector:
        """float64[k], the share of each value; they add up to 1."""
        weights: Vector = self.counts / self.counts.sum()
        return weights

    @cached_property
    def mean(self) -> Vector:
        """float64[d], the mean of one draw."""
        mean: Vector = self.weights @ self.values
        return mean

    @cached_property
    def covariance(self) -> Vector:
        """float64[d, d], the covariance of one draw."""
        centred = self.values - self.mean
        covariance: Vector = (centred * self.weights[:, None]).T @ centred
        return covariance

    def log_mgf(self, tilts: Vector) -> Vector:
        """Return an upper bound of ln E exp(t.x) for each row of ``tilts`` (float64[m, d])."""
        exponents = self.values @ tilts.T
        weights = np.log(self.weights)[:, None]
        log_mean: Vector = scipy.special.logsumexp(exponents + weights, axis=0)
        if self.error is not None:
            # Once for the probabilities, once for the sum by which they were divided.
            exact: Vector = log_mean + 2 * np.log1p(self.error)
            return exact
        log_square = scipy.special.logsumexp(2 * exponents + weights, axis=0)
        variance = np.maximum(np.expm1(log_square - 2 * log_mean), 0.0)
        unseen = np.log(-np.log(UNSEEN_ERROR) / self.total) + (self.corners @ tilts.T).max(axis=0)
        slack = TABLE_Z * np.sqrt(variance / self.total) + np.exp(np.minimum(unseen - log_mean, 700.0))
        bound: Vector = log_mean + np.log1p(slack)
        return bound


@dataclass(frozen=True, slots=True)
class Tilt:
    """One bet against a histogram's distribution."""

    tilt: tuple[float, ...]
    log_mgf: float
    """Upper bound of ln E exp(t.x) under the distribution that is bet against."""
    rate: float
    """Expected gain per draw, in nats, under the alternative that the bet was made for."""

    def log_e(self, totals: Vector, n: int) -> float:
        """Return the log e-value of ``n`` draws that sum to ``totals`` (float64[d])."""
        return float(np.dot(self.tilt, totals)) - n * self.log_mgf


def best_tilt(null: Histogram, alternative_mean: Vector, limits: Vector) -> Tilt:
    """Return the bet against ``null`` that gains most per draw if the mean is ``alternative_mean``.

    Args:
        null: the distribution that is bet against.
        alternative_mean: float64[d], the mean.
        limits: float64[d], the greatest absolute tilt in each coordinate.
    """

    def loss(t: Vector) -> float:
        return float(null.log_mgf(t[None, :])[0] - t @ alternative_mean)

    spread = np.sqrt(np.diag(null.covariance)) + 1e-3
    best, value = np.zeros(len(spread)), 0.0
    shift = alternative_mean - null.mean
    bounds = [(-limit, limit) for limit in limits]
    starts = [np.clip(scale * shift / spread**2, -limits, limits) for scale in (0.1, 1.0, 4.0)]
    # The bound has a kink where the unseen mass dominates; far starts get past it, coordinate by coordinate.
    starts += [np.sign(shift) * limits / 3 * axis for axis in np.eye(len(limits))]
    for start in starts:
        found = scipy.optimize.minimize(loss, start, method="L-BFGS-B", bounds=bounds)
        if found.fun < value:
            best, value = found.x, float(found.fun)
    return Tilt(tuple(float(x) for x in best), float(null.log_mgf(best[None, :])[0]), -value)


@dataclass(frozen=True)
class Mixture:
    """Bets in every direction and of every size at once: evidence of any difference."""

    tilts: Vector
    """float64[m, d], one bet a row."""
    log_mgf: Vector
    """float64[m], the bounds of the bets."""

    @classmethod
    def against(cls, null: Histogram) -> "Mixture":
        """Spread bets over the directions in which the histogram varies."""
        angles = np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS)
        directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        values, vectors = np.linalg.eigh(null.covariance)
        # A quantity that did not vary in the sample is bet on in its own units.
        spread = np.where(values > 1e-9, np.sqrt(np.maximum(values, 0)), 0.2)
        tilts = np.concatenate([s * directions / spread @ vectors.T for s in _SCALES])
        return cls(tilts, null.log_mgf(tilts))

    def log_e(self, ends: Iterable[Vector], n: int) -> float:
        """Return the log e-value of ``n`` draws: the least over the possible sums.

        Each bet is linear in the sums, so it is least at an end of their range.  The mixture is not linear:
        it can be large at both ends of a range that holds the truth, where it is small.  So the least value
        of each bet is taken before the mean.

        Args:
            ends: float64[2], the ends of the range of the sums.
            n: the number of draws.
        """
        least = np.min([self.tilts @ end for end in ends], axis=0)
        return float(log_means(least - n * self.log_mgf))


@dataclass(frozen=True)
class Categories:
    """A sample of a categorical quantity: the count of each name."""

    counts: Mapping[str, int]

    @cached_property
    def total(self) -> int:
        """Size of the sample."""
        return sum(self.counts.values())

    def upper(self, name: str) -> float:
        """Return an upper bound of the name's probability, allowing for the sample's size."""
        seen = self.counts.get(name, 0)
        return (seen + TABLE_Z * sqrt(seen) - log(UNSEEN_ERROR)) / self.total

    def estimate(self, name: str, others: int) -> float:
        """Return a positive estimate of the probability; names never seen share half a count."""
        return (self.counts.get(name, 0) + 0.5 / others) / (self.total + 0.5)

    def divergence(self, false: "Categories", others: int) -> float:
        """Return the expected nats of a draw of this against another (Kullback-Leibler divergence)."""
        return sum(
            count / self.total * float(np.log(self.estimate(name, others) / false.estimate(name, others)))
            for name, count in self.counts.items()
        )

    def log_e_of(self, alternative: "Categories", name: str, others: int) -> float:
        """Return the log e-value of one draw for ``alternative`` against this distribution."""
        return log(alternative.estimate(name, others) / self.upper(name))

    def gains_of(self, alternative: "Categories", others: int) -> "Gains":
        """Return this log e-value for every name."""
        names = self.counts.keys() | alternative.counts.keys()
        known = {name: self.log_e_of(alternative, name, others) for name in names}
        return Gains(known, log(0.5 / others / (alternative.total + 0.5) / self.upper("")))

    def rate_of(self, alternative: "Categories", others: int) -> float:
        """Return the expected gain of this bet per draw under the alternative, in nats."""
        return sum(
            count / alternative.total * self.log_e_of(alternative, name, others)
            for name, count in alternative.counts.items()
        )

    def log_e_unknown(self, draws: Mapping[str, int], others: int, trust: float) -> float:
        """Return the log e-value of draws for an unspecified other distribution.

        The alternative is a Dirichlet mixture around this distribution (Lindon and Malek 2022), against
        upper bounds of its probabilities.

        Args:
            draws: the count of each name.
            others: the number of names that share the probability of unseen names.
            trust: the concentration of the mixture, in draws: the larger, the nearer to this distribution.
        """
        n = sum(draws.values())
        prior = {name: trust * self.estimate(name, others) for name in draws}
        value = scipy.special.gammaln(trust) - scipy.special.gammaln(trust + n)
        for name, count in draws.items():
            value += scipy.special.gammaln(prior[name] + count) - scipy.special.gammaln(prior[name])
            value -= count * np.log(self.upper(name))
        return float(value)


@dataclass(frozen=True)
class Gains:
    """The log e-value that a bet gains by one draw of each name.

    Attributes:
        known: the gains of the names in either distribution's sample.
        unseen: the gain of every other name.
    """

    known: Mapping[str, float]
    unseen: float

    def of(self, name: str) -> float:
        """Return the log e-value of one draw."""
        return self.known.get(name, self.unseen)


def radius(sd: float, n: int, table: float, alpha: float, planned: int) -> float:
    """Return the half-width of an anytime-valid confidence interval of a mean.

    This is the boundary of the normal mixture, tuned for ``planned`` draws (Howard et al. 2021, section 3.5),
    plus the table's own uncertainty.

    Args:
        sd: the standard deviation of one draw.
        n: the number of draws so far.
        table: the number of draws behind the reference value; infinite if it is exact.
        alpha: the error over all looks together.
        planned: the number of draws at which the interval should be narrowest.
    """
    if n == 0:
        return float("inf")
    rho = planned / (-scipy.special.lambertw(-(alpha**2) / np.e, -1).real - 1)
    boundary = np.sqrt((n + rho) * (np.log((n + rho) / rho) + 2 * np.log(1 / alpha))) / n
    return float(sd * (boundary + TABLE_Z / np.sqrt(table)))


def log_means(logs: Vector) -> Vector:
    """Return the logs of the means over the first axis of e-values given by their logs.

    A mean of e-values is an e-value again (Vovk and Wang 2021).  The sum is computed here because scipy's
    ``logsumexp`` takes four times as long for a dozen numbers, and this is called often.
    """
    most = np.maximum(logs.max(axis=0), -1e300)
    means: Vector = most + np.log(np.exp(logs - most).mean(axis=0))
    return means


def log_mean(log_values: list[float]) -> float:
    """Return the log of the mean of e-values given by their logs; it is an e-value again."""
    return float(log_means(np.array(log_values))) if log_values else 0.0
