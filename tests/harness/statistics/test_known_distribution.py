"""Bets against a distribution that is known, not sampled."""

from math import inf, log

import numpy as np
import pytest
from made_up import (
    CHANCES,
    CORNERS,
    LIMITS,
    VALUES,
    assert_fair,
    shifted,
    sums,
    table,
    true_log_mgf,
)

from harness.statistics.evalues import Histogram, Mixture, best_tilt


def known(error: float = 1e-13) -> Histogram:
    """Return the distribution itself, with the rounding of its probabilities."""
    return Histogram(VALUES, CHANCES, CORNERS, error)


def test_a_known_distribution_has_no_slack() -> None:
    """Where the distribution is known the bound of psi is psi itself, by no more than its rounding, however
    far a bet reaches.
    """
    tilts = np.array([(0.0, 0.0), (0.1, -0.5), (-2.0, 3.0), (15.0, 30.0), (-15.0, -30.0)])
    truth = np.array([true_log_mgf(t - 0.0) if abs(t).max() < 5 else np.nan for t in tilts])
    bounds = known().log_mgf(tilts)
    assert known().total == inf
    assert np.all(bounds[:3] >= truth[:3])
    assert np.all(np.isfinite(bounds))
    assert np.allclose(bounds[:3], truth[:3], rtol=0, atol=1e-11)
    assert np.all(known(1e-3).log_mgf(tilts) > bounds)


def test_a_known_distribution_is_bet_on_fairly() -> None:
    """Bets against a known distribution earn nothing on average, known or unknown (error 3e-7 each)."""
    rng = np.random.default_rng(21)
    mixture, bet = Mixture.against(known()), best_tilt(known(), shifted(0.2) @ VALUES, LIMITS)
    for n in (1, 64):
        totals = sums(rng, n, 5000)
        assert_fair([mixture.log_e([total], n) for total in totals])
        assert_fair([bet.log_e(total, n) for total in totals])


def test_a_known_distribution_is_worth_more_than_a_sample() -> None:
    """The best bet against a known distribution gains at least what one against any sample of it gains."""
    rng, mean = np.random.default_rng(22), shifted(0.1) @ VALUES
    sampled = best_tilt(table(rng, 10_000), mean, LIMITS)
    assert best_tilt(known(), mean, LIMITS).rate > sampled.rate > 0


def test_what_is_known_to_be_impossible() -> None:
    """Where only one outcome is possible, any other is evidence without limit; that one is none."""
    null = Histogram(np.array([(9.0, 0.0)]), np.array([1.0]), CORNERS, 1e-15)
    mixture = Mixture.against(null)
    assert mixture.log_e([np.array([72.0, 0.0])], 8) <= 0.0
    assert mixture.log_e([np.array([73.0, 0.0])], 8) > mixture.log_e([np.array([72.0, 0.0])], 8)
    assert mixture.log_e([np.array([14.0 * 8, 0.0])], 8) >= log(1e4)
    assert mixture.log_e([np.array([72.0, 8.0])], 8) >= log(1e4)


def test_known_moments() -> None:
    """Mean and covariance follow from the probabilities, rounded or not."""
    null = Histogram(np.array([(2.0, 0.0), (4.0, 1.0)]), np.array([0.75, 0.25]) * (1 - 1e-15), CORNERS, 1e-14)
    assert null.mean == pytest.approx([2.5, 0.25])
    assert null.covariance == pytest.approx(np.array([[0.75, 0.375], [0.375, 0.1875]]))
    assert null.weights.sum() == pytest.approx(1.0)
