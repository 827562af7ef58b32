"""Confidence sequence of the mean of bounded draws, by betting (Waudby-Smith and Ramdas 2024, section 4).

Knows nothing of Go.  Nothing is assumed of the draws but their bounds and that each has the same mean given
those before it: they may be skewed, heavy-tailed or mixed.

Take draws x that never exceed ``high``, and suppose their mean is m or more.  For any theta between 0 and 1 a
gambler who stakes theta on "x is less than m" multiplies his capital by 1 + theta (m - x) / (high - m).  That
factor is never negative and has a mean of at most 1, so the capital is a non-negative supermartingale; it
reaches 1/alpha with probability at most alpha, over all looks together (Ville 1939).  The upper limit of the
mean is the least m that is refuted so, and with signs changed the lower limit is found the same way.  The
mean over a fixed list of theta is taken, so that the order of the draws does not matter.

The price of assuming so little: a part of the draws that is never seen may lie at the bound.  After k draws
the limit stays about ln(1/alpha) (high - mean) / k above the mean, however little the draws vary.
"""

from typing import Final

import numpy as np

from harness.statistics.evalues import Vector, log_means

_THETAS: Final = 0.02 * (0.98 / 0.02) ** (np.arange(12) / 11)
"""Stakes as parts of the largest possible: small ones suit draws that vary much, large ones draws that do
not."""
_STEPS: Final = 30
"""Bisections of a limit: to a part in 10^9 of the range."""


def log_capital(draws: Vector, m: float, high: Vector) -> float:
    """Return the log of the capital against the hypothesis that the mean of the draws is ``m`` or more.

    Args:
        draws: float64[k], none of them above its bound.
        m: less than every bound.
        high: float64[k], the upper bound of each draw.
    """
    gains = np.log1p(np.outer(_THETAS, (m - draws) / (high - m))).sum(axis=1)
    return float(log_means(gains))


def upper_limit(draws: Vector, high: Vector, alpha: float) -> float:
    """Return the least mean that the draws refute with error ``alpha``, at all looks together.

    Args:
        draws: float64[k]; what exceeds its bound is cut off there, so that the limit is one of the mean of
            draws cut off.
        high: float64[k], the upper bound of each draw.
        alpha: error.
    """
    if not len(draws):
        return float("inf")
    cut = np.minimum(draws, high)
    least, most = float(cut.min()), float(high.min())
    # The capital grows with m: every factor does.
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
