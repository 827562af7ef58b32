"""Anytime-valid intervals of means for comparisons: of one bot beside another, and without any table.

All hold at every look together, so that how much is asked may depend on what was seen, of any bot.
"""

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import Final

from harness.statistics.evalues import radius

_PRIOR: Final = 1.0
"""Batches' worth of doubt in ``student_radius``; the interval is narrowest, for its size, at about thirty."""

_FEW: Final = 40
"""Batches at which ``fraction_radius`` is narrowest for its size, however many there are in the end."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the half-width of its interval."""

    value: float
    radius: float

    @property
    def least(self) -> float:
        """Its lower end."""
        return self.value - self.radius

    @property
    def greatest(self) -> float:
        """Its upper end."""
        return self.value + self.radius

    def differs_from(self, other: "Interval") -> bool:
        """Whether the two have no point in common: a proof, with both intervals' errors, that they differ."""
        return self.least > other.greatest or other.least > self.greatest

    def is_within(self, tolerance: float, other: "Interval") -> bool:
        """Whether the two are shown to be no further apart than a tolerance."""
        return abs(self.value - other.value) + self.radius + other.radius <= tolerance


def reference_radius(sd: float, skewness: float, n: int, table: float, alpha: float, planned: int) -> float:
    """Return the half-width of a mean's interval where the distribution of one draw is known, but the mean.

    The normal mixture's boundary, and for the draws that are rare and far off (Bernstein) a third of the
    skewness times ln(1/alpha) standard deviations over n.

    Args:
        sd: standard deviation of one draw.
        skewness: of one draw, third central moment over sd cubed.
        n: draws so far.
        table: draws behind the reference value; infinite where it is exact.
        alpha: error allowed over all looks together.
        planned: number of draws at which the interval should be narrowest.
    """
    if n == 0:
        return inf
    return radius(sd, n, table, alpha, planned) + abs(skewness) * sd * log(1 / alpha) / (3 * n)


def fraction_radius(bound: float, batches: int, alpha: float) -> float:
    """Return the half-width of a mean of bounded draws' interval, whatever their mean is.

    Draws between 0 and 1 are spread no further than by 1/2 each, in the sense that matters here (Hoeffding),
    so that the mixture's boundary is exact and no table is needed.

    Args:
        bound: of the standard deviation of a batch's mean; 1/2 for single draws.
        batches: how many there are.
        alpha: error allowed over all looks together.
    """
    return radius(bound, batches, inf, alpha, _FEW)


def student_radius(sd: float, batches: int, alpha: float) -> float:
    """Return the half-width of a mean's interval from its batches; of them only normality is supposed.

    The t-test's mixture over effect sizes, scale left open (Lai 1976; Wang and Ramdas 2023); infinite while
    there are too few batches for the error asked for.

    Args:
        sd: standard deviation of the batches, n - 1 in its denominator.
        batches: how many there are.
        alpha: error allowed over all looks together.
    """
    if batches < 2:
        return inf
    weight = batches + _PRIOR
    share = 1 - exp((2 * log(alpha) + log(_PRIOR / weight)) / batches)
    room = batches - weight * share
    return sd * sqrt(weight * share * (batches - 1) / (batches * room)) if room > 0 else inf
