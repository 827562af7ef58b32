"""Ratios measured in rounds on a noisy machine: robust intervals of a ratio, and of its change.

Each round gives the log of a ratio.  A few rounds, in which the machine did other work, are far out on either
side.  So the estimate is a trimmed mean, with a t interval from the winsorized variance (Tukey and McLaughlin
1963).  Two sets of rounds are compared by Yuen's test (1974).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

import numpy as np
import scipy  # its statistics are loaded when they are first used, because most runs measure no speed

TRIM: Final = 0.2
"""Share of the rounds that is cut off at each end."""
LEAST_ROUNDS: Final = 4
"""Least number of rounds for an interval."""
_LEAST_SPREAD: Final = 1e-9
METHOD: Final = "trimmed mean (20 %) of the log ratios of the rounds, t interval of the winsorized variance"
"""A description of ``ratio_of`` in one line."""


@dataclass(frozen=True, slots=True)
class RatioInterval:
    """A ratio with its two-sided interval."""

    value: float
    low: float
    high: float


def ratio_of(logs: Sequence[float], confidence: float) -> RatioInterval | None:
    """Return the typical ratio of rounds; None for fewer than ``LEAST_ROUNDS``.

    Args:
        logs: the natural log of each round's ratio.
        confidence: the confidence of the interval, such as 0.98.
    """
    if len(logs) < LEAST_ROUNDS:
        return None
    values = np.asarray(logs, np.float64)
    middle = float(scipy.stats.trim_mean(values, TRIM))
    if float(np.ptp(values)) < _LEAST_SPREAD:
        return RatioInterval(exp(middle), exp(middle), exp(middle))
    low, high = scipy.stats.mstats.trimmed_mean_ci(values, (TRIM, TRIM), alpha=1 - confidence)
    return RatioInterval(exp(middle), exp(float(low)), exp(float(high)))


def change_of(then: Sequence[float], now: Sequence[float], confidence: float) -> RatioInterval | None:
    """Return the factor by which a ratio has changed; None if either has fewer than ``LEAST_ROUNDS``.

    Args:
        then: the natural logs of the ratios of the earlier rounds.
        now: the natural logs of the ratios of the later rounds.
        confidence: the confidence of the interval.
    """
    if min(len(then), len(now)) < LEAST_ROUNDS:
        return None
    a, b = np.asarray(now, np.float64), np.asarray(then, np.float64)
    middle = float(scipy.stats.trim_mean(a, TRIM) - scipy.stats.trim_mean(b, TRIM))
    if max(float(np.ptp(a)), float(np.ptp(b))) < _LEAST_SPREAD:
        return RatioInterval(exp(middle), exp(middle), exp(middle))
    found = scipy.stats.ttest_ind(a, b, equal_var=False, trim=TRIM).confidence_interval(confidence)
    return RatioInterval(exp(middle), exp(float(found.low)), exp(float(found.high)))
