"""Confidence sequences for the difference of two runs: the greatest distance of two means by chance.

Each of the two runs stops when it has seen enough, so an ordinary two-sample test would be wrong.  The draws
of the two are paired in their order.  If nothing has changed, the sum of the differences is a random walk
without drift, and the normal mixture's boundary holds at every number of pairs at once (Howard et al. 2021,
section 3.5), including the number at which the shorter run stopped.  The difference of two equally
distributed draws has no skewness, which is the weakness of the normal form.
"""

from dataclasses import dataclass
from math import inf, sqrt

import scipy  # its parts are loaded when they are first used

from harness.statistics.evalues import radius

PAIRED_METHOD = "paired in order; normal mixture, valid at every look (Howard et al. 2021)"
APART_METHOD = "both intervals added; normal mixture, valid at every look (Howard et al. 2021)"
LEAST_EVENTS = 4.0
"""Variance of a sum, in squared steps of its quantity, below which it is not normal: too few events."""


@dataclass(frozen=True, slots=True)
class DrawDeviation:
    """The standard deviation of one draw, exact or estimated."""

    sd: float
    freedom: float = inf
    """Degrees of freedom of the estimate; infinite for an exact standard deviation."""


def paired_radius(spread: DrawDeviation, pairs: int, alpha: float, planned: int) -> float:
    """Return the greatest distance by chance of the means of two samples of ``pairs`` draws.

    Args:
        spread: the standard deviation of one draw, the same in both samples.
        pairs: the number of draws of each sample.
        alpha: the error over all looks together.
        planned: the number of pairs at which the radius should be narrowest.
    """
    return _widened(spread, radius(sqrt(2) * spread.sd, pairs, inf, alpha, planned), sqrt(2 / max(1, pairs)))


def apart_radius(spread: DrawDeviation, then: int, now: int, alpha: float, planned: int) -> float:
    """Return the same for samples of different sizes of which only the means are known."""
    both = sum(radius(spread.sd, n, inf, alpha / 2, planned) for n in (then, now))
    return _widened(spread, both, sqrt(1 / max(1, then) + 1 / max(1, now)))


def detectable(spread: DrawDeviation, pairs: int, alpha: float, planned: int) -> float:
    """Return the smallest change that ``pairs`` draws of each sample detect with probability 0.999."""
    power = float(scipy.stats.norm.isf(0.001)) * spread.sd * sqrt(2 / max(1, pairs))
    return paired_radius(spread, pairs, alpha, planned) + power


def is_countable(spread: DrawDeviation, draws: int) -> bool:
    """Whether this number of draws holds enough events for a sum that is nearly normal."""
    return draws * spread.sd**2 >= LEAST_EVENTS


def _widened(spread: DrawDeviation, half: float, scale: float) -> float:
    """Widen a radius whose standard deviation was estimated: t replaces z, at the same tail probability."""
    if inf in {spread.freedom, half} or spread.sd == 0:
        return half
    z = half / (spread.sd * scale)
    return half * float(scipy.stats.t.isf(scipy.stats.norm.sf(z), spread.freedom)) / z
