"""Confidence sequence of the total variation distance of drawn categories from a known distribution.

A distribution q is at a distance of d or more from p if and only if some set A of categories has
q(A) >= p(A) + d.  For one set this is a hypothesis about a coin, which is refuted by betting as in
``betting``; the capital depends only on the number of draws that fell into A.  The distance is less than d if
every set's hypothesis is refuted.  If q is further away, one of the hypotheses is true, and this one is
refuted with probability at most alpha.  So no correction for the number of sets is needed (an
intersection-union test, Berger 1982).

Not every set needs to be examined.  Order the categories by the ratio of their draws to their probability,
the largest first, and add one after another to a set.  The points (p(A), share of draws in A) of these sets
form a concave chain, and those of all other sets lie on or below it.  The capital decreases with the number
of draws in A.  So the least capital along the chain is a bound for all sets.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from harness.statistics.evalues import Vector, log_means

_THETAS: Final = np.array([0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 0.95])
"""Stakes as fractions of the largest possible one."""
_PLACES: Final = np.linspace(0.0, 1.0, 201)
"""Probabilities of sets at which the chain is examined."""
_STEPS: Final = 20
"""Number of bisections of a limit: to a part in a million."""
_SAMPLE_ERROR: Final = 1e-5
"""Error of the allowance for the reference's own sampling."""


def distance(counts: Mapping[str, int], weights: Mapping[str, float]) -> float:
    """Return the total variation distance between the shares of draws and a distribution.

    Args:
        counts: the number of draws of each category.
        weights: the probability of each category.
    """
    total = sum(counts.values())
    names = sorted(counts.keys() | weights.keys())
    return 0.5 * sum(abs(counts.get(name, 0) / total - weights.get(name, 0.0)) for name in names)


def sampling_error(weights: Mapping[str, float], sample: float) -> float:
    """Return a bound of the distance between a distribution and an estimate from a sample of it.

    The expected distance is at most half the sum of the standard errors.  One draw changes the distance by
    1/n at most, so that McDiarmid's inequality bounds the excess over the expectation.

    Args:
        weights: the estimated probability of each category.
        sample: the size of the sample; infinite for a known distribution.
    """
    errors = sum(np.sqrt(p * (1 - p) / sample) for p in weights.values())
    return float(errors / 2 + np.sqrt(-np.log(_SAMPLE_ERROR) / (2 * sample)))


def distance_limit(counts: Mapping[str, int], weights: Mapping[str, float], alpha: float) -> float:
    """Return an upper limit of the distance between the distribution of the draws and a known one.

    It holds with error ``alpha`` at all looks together, whatever the distribution of the draws is.

    Args:
        counts: the number of draws of each category.
        weights: the probability of each category; a missing category has probability 0.
        alpha: the error.
    """
    total = sum(counts.values())
    if not total:
        return 1.0
    names = sorted(counts.keys() | weights.keys())
    drawn = np.array([counts.get(name, 0) for name in names], np.float64)
    known = np.array([weights.get(name, 0.0) for name in names])
    with np.errstate(divide="ignore"):
        order = np.argsort(
            -np.where(known > 0, drawn / np.maximum(known, 1e-300) / total, np.inf), kind="stable"
        )
    chain = np.concatenate([[0.0], np.cumsum(known[order])]), np.concatenate([[0.0], np.cumsum(drawn[order])])
    # Between two places, the greater number of draws and the lesser probability give a bound too.
    inside = np.minimum(np.interp(_PLACES[1:], *chain), total)
    least, most = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (least + most) / 2
        if _least_log_capital(inside, total, _PLACES[:-1] + middle) >= -np.log(alpha):
            most = middle
        else:
            least = middle
    return most


def _least_log_capital(inside: Vector, total: int, means: Vector) -> float:
    """Return the least capital against the hypothesis of any set.

    Args:
        inside: float64[s], the number of draws in each set.
        total: the number of all draws.
        means: float64[s], the least probability of each set by its hypothesis.
    """
    possible = means < 1  # a set's probability is at most 1, so the other hypotheses are false at once
    inside, means = inside[possible], means[possible]
    if not len(means):
        return float("inf")
    # The largest stake is 1/(1 - m); with it, one draw in A would lose all.
    stakes = _THETAS[:, None] / (1 - means)
    gains = inside * np.log1p(-stakes * (1 - means)) + (total - inside) * np.log1p(stakes * means)
    return float(log_means(gains).min())
