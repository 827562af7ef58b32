"""Ratios of rounds: robust, and as wide as they claim."""

import numpy as np
import pytest

from harness.statistics.ratios import change_of, ratio_of


def test_the_ratio_is_that_of_the_rounds() -> None:
    """Rounds that all show a half show a half, without a width."""
    found = ratio_of([np.log(0.5)] * 6, 0.98)

    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.5, 0.5))


def test_a_few_wild_rounds_move_it_little() -> None:
    """Two rounds of sixteen that are off by a factor of five change the ratio by less than 5 %."""
    calm = list(np.random.default_rng(1).normal(0, 0.02, 14))

    found = ratio_of([*calm, 1.6, -1.6], 0.98)

    assert found is not None
    assert found.value == pytest.approx(1, abs=0.05)


def test_too_few_rounds_say_nothing() -> None:
    """Three rounds have no interval, and no change either."""
    assert ratio_of([0.0] * 3, 0.98) is None
    assert change_of([0.0] * 3, [0.0] * 9, 0.98) is None


def test_intervals_hold_what_they_claim() -> None:
    """Of 2,000 intervals of no change about 2 % leave out 1, as they may."""
    random = np.random.default_rng(2)
    missed = 0
    for _ in range(2000):
        then, now = random.normal(0.3, 0.05, 12), random.normal(0.3, 0.08, 16)
        found = change_of(list(then), list(now), 0.98)
        assert found is not None
        missed += not found.low <= 1 <= found.high

    # Binomial(2000, 0.02): 40 +- 6.3.
    assert 15 <= missed <= 66
