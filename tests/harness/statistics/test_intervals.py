"""Intervals of comparisons: valid at every look, and no wider than they need be."""

from math import inf

import numpy as np
import pytest

from harness.statistics.intervals import Interval, fraction_radius, reference_radius, student_radius


def test_student_radius_holds_at_every_look() -> None:
    """Of 1,000 sequences of 120 normal batches no more than the error allowed ever leave their interval."""
    rng, alpha = np.random.default_rng(1), 0.1
    draws = rng.normal(3.0, 2.0, (1000, 120))
    left = np.zeros(1000, bool)
    for n in range(2, 121):
        half = np.array([student_radius(sd, n, alpha) for sd in draws[:, :n].std(axis=1, ddof=1)])
        left |= np.abs(draws[:, :n].mean(axis=1) - 3.0) > half

    assert 0.02 < left.mean() < alpha + 0.02


def test_fraction_radius_holds_at_every_look() -> None:
    """Coins of any kind stay inside, at every one of 3,000 looks."""
    rng, alpha = np.random.default_rng(2), 0.1
    n = np.arange(1, 3001)
    radii = np.array([fraction_radius(0.5, int(k), alpha) for k in n])
    for p in (0.5, 0.02):
        means = np.cumsum(rng.random((500, 3000)) < p, axis=1) / n

        assert (np.abs(means - p) > radii).any(axis=1).mean() < alpha + 0.03


def test_few_batches_tell_nothing() -> None:
    """With an error of 1e-5 it takes some twenty batches to say anything."""
    assert student_radius(1.0, 1, 1e-5) == inf
    assert student_radius(1.0, 10, 1e-5) == inf
    assert student_radius(1.0, 40, 1e-5) < 1.1


def test_rare_draws_widen_the_interval() -> None:
    """Draws of one in five hundred are not taken for a difference: Bernstein's term is there for them."""
    rng, alpha, p, n = np.random.default_rng(3), 1e-3, 0.002, 640
    sd, skewness = (p * (1 - p)) ** 0.5, (1 - 2 * p) / (p * (1 - p)) ** 0.5
    means = rng.binomial(n, p, 100_000) / n

    with_term = reference_radius(sd, skewness, n, inf, alpha, 1000)
    without = reference_radius(sd, 0.0, n, inf, alpha, 1000)

    assert (np.abs(means - p) > with_term).mean() < alpha
    assert with_term == pytest.approx(without + skewness * sd * np.log(1000) / 3 / n)


def test_nothing_drawn_nothing_known() -> None:
    """The interval of no draws has no end."""
    assert reference_radius(1.0, 0.0, 0, inf, 1e-3, 100) == inf


def test_differing_and_being_within() -> None:
    """Both ask the intervals, not the values."""
    a, b = Interval(1.0, 0.3), Interval(1.5, 0.1)

    assert a.differs_from(b)
    assert not a.differs_from(Interval(1.5, 0.3))
    assert a.is_within(0.9, b)
    assert not a.is_within(0.8, b)
