"""Confidence sequences for the difference of two runs: how far two means may lie apart by chance.

Two runs each stop when they have seen enough, so an ordinary two-sample test would be wrong.  Draws of
the two are paired in their order; if nothing has changed, the sum of the differences is a random walk
without drift, and the normal mixture's boundary holds at every number of pairs at once (Howard et al.
2021, section 3.5).  So it holds at the number at which the shorter of the two happened to stop.  A
difference of two equally distributed draws has no skew, which is what the normal form is worst at.
"""

from dataclasses import dataclass
from math import inf, sqrt

import scipy  # its parts are loaded when they are first used

from harness.statistics.evalues import radius

PAIRED_METHOD = "paired in order; normal mixture, valid at every look (Howard et al. 2021)"
APART_METHOD = "both intervals added; normal mixture, valid at every look (Howard et al. 2021)"
LEAST_EVENTS = 4.0
"""Variance of a sum, in squared steps of its quantity, below which it is no normal one: too few events."""


@dataclass(frozen=True, slots=True)
class DrawDeviation:
    """The standard deviation of one draw, known or estimated."""

    sd: float
    freedom: float = inf
    """Degrees of freedom of the estimate; infinite where the standard deviation is known."""


def paired_radius(spread: DrawDeviation, pairs: int, alpha: float, planned: int) -> float:
    """Return how far the means of two samples of ``pairs`` draws lie apart at most, with error ``alpha``.

    Args:
        spread: the standard deviation of one draw, the same in both samples.
        pairs: draws of each that are compared.
        alpha: error allowed over all looks together.
        planned: number of pairs at which the radius should be narrowest.
    """
    return _widened(spread, radius(sqrt(2) * spread.sd, pairs, inf, alpha, planned), sqrt(2 / max(1, pairs)))


def apart_radius(spread: DrawDeviation, then: int, now: int, alpha: float, planned: int) -> float:
    """Return the same for samples of different sizes, of which only the means are known."""
    both = sum(radius(spread.sd, n, inf, alpha / 2, planned) for n in (then, now))
    return _widened(spread, both, sqrt(1 / max(1, then) + 1 / max(1, now)))


def detectable(spread: DrawDeviation, pairs: int, alpha: float, planned: int) -> float:
    """Return the smallest change that ``pairs`` draws of each sample show with probability 0.999."""
    power = float(scipy.stats.norm.isf(0.001)) * spread.sd * sqrt(2 / max(1, pairs))
    return paired_radius(spread, pairs, alpha, planned) + power


def is_countable(spread: DrawDeviation, draws: int) -> bool:
    """Whether so many draws hold enough events for their sum to be near a normal one."""
    return draws * spread.sd**2 >= LEAST_EVENTS


def _widened(spread: DrawDeviation, half: float, scale: float) -> float:
    """Widen a radius whose standard deviation was estimated: t in the place of z, at the same tail."""
    if inf in {spread.freedom, half} or spread.sd == 0:
        return half
    z = half / (spread.sd * scale)
    return half * float(scipy.stats.t.isf(scipy.stats.norm.sf(z), spread.freedom)) / z
