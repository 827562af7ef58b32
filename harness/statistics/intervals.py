"""Anytime-valid intervals of means, for comparisons of bots with each other and without a table.

All hold at every look together.  So the amount asked may depend on the observations of any bot.
"""

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import Final

from harness.statistics.evalues import radius

_PRIOR: Final = 1.0
"""Prior weight in ``student_radius``, in batches; the interval is narrowest, for its size, at about 30."""

_FEW: Final = 40
"""Number of batches at which ``fraction_radius`` is narrowest for its size."""


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
        """Whether the two do not overlap: with both intervals' errors, this proves a difference."""
        return self.least > other.greatest or other.least > self.greatest

    def is_within(self, tolerance: float, other: "Interval") -> bool:
        """Whether the two means are shown to be no further apart than a tolerance."""
        return abs(self.value - other.value) + self.radius + other.radius <= tolerance


def reference_radius(sd: float, skewness: float, n: int, table: float, alpha: float, planned: int) -> float:
    """Return the half-width of a mean's interval; the distribution of one draw is known but for its mean.

    This is the boundary of the normal mixture.  For rare and large draws (Bernstein) it adds a third of the
    skewness times ln(1/alpha) standard deviations over n.

    Args:
        sd: the standard deviation of one draw.
        skewness: the skewness of one draw, third central moment over sd cubed.
        n: the number of draws so far.
        table: the number of draws behind the reference value; infinite if it is exact.
        alpha: the error over all looks together.
        planned: the number of draws at which the interval should be narrowest.
    """
    if n == 0:
        return inf
    return radius(sd, n, table, alpha, planned) + abs(skewness) * sd * log(1 / alpha) / (3 * n)


def fraction_radius(bound: float, batches: int, alpha: float) -> float:
    """Return the half-width of the interval of a mean of bounded draws, whatever their mean is.

    Draws between 0 and 1 are sub-Gaussian with parameter 1/2 (Hoeffding), so that the mixture's boundary is
    exact and no table is needed.

    Args:
        bound: an upper bound of the standard deviation of a batch's mean; 1/2 for single draws.
        batches: the number of batches.
        alpha: the error over all looks together.
    """
    return radius(bound, batches, inf, alpha, _FEW)


def student_radius(sd: float, batches: int, alpha: float) -> float:
    """Return the half-width of a mean's interval from its batches, which are only assumed to be normal.

    This is the t-test's mixture over effect sizes with an unknown scale (Lai 1976; Wang and Ramdas 2023).  It
    is infinite while there are too few batches for the error.

    Args:
        sd: the standard deviation of the batches, with n - 1 in its denominator.
        batches: the number of batches.
        alpha: the error over all looks together.
    """
    if batches < 2:
        return inf
    weight = batches + _PRIOR
    share = 1 - exp((2 * log(alpha) + log(_PRIOR / weight)) / batches)
    room = batches - weight * share
    return sd * sqrt(weight * share * (batches - 1) / (batches * room)) if room > 0 else inf
