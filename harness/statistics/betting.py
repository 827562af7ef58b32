"""Confidence sequence of the mean of bounded draws, by betting (Waudby-Smith and Ramdas 2024, section 4).

The only assumptions are that the draws are bounded, and that each has the same mean given those before it.
They may be skewed, heavy-tailed or mixed.

Take draws x that never exceed ``high``, and suppose that their mean is m or more.  For any theta between 0
and 1, a gambler who stakes theta on "x is less than m" multiplies the capital by
1 + theta (m - x) / (high - m).  This factor is never negative and has a mean of at most 1, so the capital is
a non-negative supermartingale.  It reaches 1/alpha with probability at most alpha, over all looks together
(Ville 1939).  The upper limit of the mean is the least m that is refuted in this way; the lower limit follows
by changing signs.  The capital is averaged over a fixed list of theta, so that the order of the draws does
not matter.

The cost of such weak assumptions: a part of the draws that is never seen may lie at the bound.  After k draws
the limit stays about ln(1/alpha) (high - mean) / k above the mean, even if the draws vary little.
"""

from typing import Final

import numpy as np

from harness.statistics.evalues import Vector, log_means

_THETAS: Final = 0.02 * (0.98 / 0.02) ** (np.arange(12) / 11)
"""Stakes as fractions of the largest possible one.  Small stakes suit draws that vary much, large ones draws
that vary little."""
_STEPS: Final = 30
"""Number of bisections of a limit: to a part in 10^9 of the range."""


def log_capital(draws: Vector, m: float, high: Vector) -> float:
    """Return the log of the capital against the hypothesis that the mean of the draws is ``m`` or more.

    Args:
        draws: float64[k], none above its bound.
        m: the mean, less than every bound.
        high: float64[k], the upper bound of each draw.
    """
    gains = np.log1p(np.outer(_THETAS, (m - draws) / (high - m))).sum(axis=1)
    return float(log_means(gains))


def upper_limit(draws: Vector, high: Vector, alpha: float) -> float:
    """Return the least mean that the draws refute with error ``alpha``, at all looks together.

    Args:
        draws: float64[k]; a draw above its bound is replaced by the bound, so that the limit is that of the
            mean of the replaced draws.
        high: float64[k], the upper bound of each draw.
        alpha: the error.
    """
    if not len(draws):
        return float("inf")
    cut = np.minimum(draws, high)
    least, most = float(cut.min()), float(high.min())
    # Every factor grows with m, so the capital does too.
    for _ in range(_STEPS):
        middle = (least + most) / 2
        if middle >= most or log_capital(cut, middle, high) >= -np.log(alpha):
            most = middle
        else:
            least = middle
    return most


def lower_limit(draws: Vector, low: Vector, alpha: float) -> float:
    """Return the greatest mean that the draws refute from above; see ``upper_limit``."""
    return -upper_limit(-draws, -low, alpha)
