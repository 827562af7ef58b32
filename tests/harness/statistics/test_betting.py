"""Limits of means by betting: their error, on draws made to mislead them."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from harness.statistics.betting import log_capital, lower_limit, upper_limit

ALPHA = 0.05
LOOKS = (10, 40, 100, 200)
RUNS = 1500
ENOUGH = -np.log(ALPHA)


def rare_and_far(rng: np.random.Generator, size: int) -> np.ndarray:
    """One draw in a hundred at the bound, all others at 0.2."""
    return np.where(rng.random(size) < 0.01, 1.0, 0.2)


def rare_and_low(rng: np.random.Generator, size: int) -> np.ndarray:
    """One draw in fifty at the lower bound."""
    return np.where(rng.random(size) < 0.02, 0.0, 0.7)


def skewed(rng: np.random.Generator, size: int) -> np.ndarray:
    """A heavy tail, cut off at the bound."""
    return np.minimum(0.05 * rng.pareto(1.2, size), 1.0)


def mixed(rng: np.random.Generator, size: int) -> np.ndarray:
    """Draws of two kinds that do not overlap."""
    return np.where(rng.random(size) < 0.3, rng.uniform(0.8, 0.9, size), rng.uniform(0.1, 0.2, size))


@pytest.mark.parametrize("draw", [rare_and_far, rare_and_low, skewed, mixed], ids=lambda d: d.__name__)
def test_limits_miss_the_mean_no_more_often_than_promised(
    draw: Callable[[np.random.Generator, int], np.ndarray],
) -> None:
    """Over four looks together either limit misses in at most a twentieth of all runs.

    More misses than this test allows come once in a thousand times if the promise is just kept.
    """
    rng, high, low = np.random.default_rng(20081013), np.ones(LOOKS[-1]), np.zeros(LOOKS[-1])
    mean = float(draw(np.random.default_rng(1), 4_000_000).mean())
    too_low = too_high = 0
    for _ in range(RUNS):
        draws = draw(rng, LOOKS[-1])
        # A limit lies beyond the mean where the capital against the mean is enough.
        too_low += any(log_capital(draws[:k], mean, high[:k]) >= ENOUGH for k in LOOKS)
        too_low += any(log_capital(draws[:k], mean, high[:k]) >= ENOUGH for k in LOOKS)
        too_high += any(log_capital(-draws[:k], -mean, -low[:k]) >= ENOUGH for k in LOOKS)
    allowed = binom.ppf(0.999, RUNS, ALPHA)
    assert too_low <= allowed
    assert too_high <= allowed


def test_an_interval_of_the_draws_own_spread_would_miss() -> None:
    """Of the first adversary, four standard errors of the draws themselves miss the mean in a third."""
    rng, missed = np.random.default_rng(7), 0
    for _ in range(300):
        draws = rare_and_far(rng, 100)
        missed += abs(draws.mean() - 0.208) > 4 * draws.std() / 10
    assert missed > 60


def test_the_limit_is_where_the_capital_is_enough() -> None:
    """At the limit the capital against a mean as large is 1/alpha; beyond, more."""
    draws, high = np.array([0.1, 0.4, 0.2, 0.2, 0.3] * 8), np.ones(40)
    limit = upper_limit(draws, high, 0.01)
    assert log_capital(draws, limit, high) == pytest.approx(-np.log(0.01), abs=1e-6)
    assert log_capital(draws, limit + 0.01, high) > -np.log(0.01)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_order_does_not_matter(values: list[float], random: object) -> None:
    """The draws may come in any order."""
    draws = np.array(values)
    shuffled = draws.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    ones = np.ones(len(draws))
    assert upper_limit(draws, ones, 0.01) == pytest.approx(upper_limit(shuffled, ones, 0.01), abs=1e-8)


def test_nothing_seen_says_nothing() -> None:
    """Without a draw there is no limit."""
    assert upper_limit(np.array([]), np.array([]), 0.01) == float("inf")
    assert lower_limit(np.array([]), np.array([]), 0.01) == -float("inf")


def test_what_never_varies_still_may_be_rare() -> None:
    """A hundred equal draws leave room for about ln(1/alpha) in a hundred at the bound."""
    limit = upper_limit(np.zeros(100), np.ones(100), 0.001)
    assert 0.069 < limit < 0.095
