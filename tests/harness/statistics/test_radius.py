"""The radius of an interval: it holds at every look, and is no wider than it has to be."""

from math import exp, inf, log, sqrt

import numpy as np
import pytest
from made_up import MEAN, SIGMAS, exact, sums
from scipy.optimize import brentq, minimize_scalar

from harness.statistics.evalues import TABLE_Z, radius


def test_radius_covers_at_every_look() -> None:
    """The interval holds the true mean at every one of 1000 looks in at least 1 - alpha of the walks, the
    reference being itself a sample (error 3e-7).
    """
    rng = np.random.default_rng(16)
    alpha, looks, walks, behind = 0.05, 1000, 3000, 200_000
    n = np.arange(1, looks + 1)
    half = np.array([radius(1.0, int(k), behind, alpha, 300) for k in n])
    missed = 0
    for _ in range(walks // 100):
        means = np.cumsum(rng.standard_normal((100, looks)), axis=1) / n
        reference = rng.standard_normal((100, 1)) / sqrt(behind)
        missed += int((np.abs(means - reference) > half).any(axis=1).sum())
    assert missed <= alpha * walks + SIGMAS * sqrt(alpha * (1 - alpha) * walks)


def test_radius_covers_skew_quantities() -> None:
    """Lengths of playouts are skew, and the interval of their mean still keeps its error from 50 playouts on
    (error 3e-7).
    """
    rng = np.random.default_rng(17)
    alpha, walks = 0.01, 2000
    sd = float(np.sqrt(exact().covariance[0, 0]))
    n = 8 * np.arange(7, 200)
    half = np.array([radius(sd, int(k), 1e9, alpha, 800) for k in n])
    missed = 0
    for _ in range(walks // 100):
        totals = np.cumsum(sums(rng, 8, 100 * 200)[:, 0].reshape(100, 200), axis=1)[:, 6:199]
        missed += int((np.abs(totals / n - MEAN[0]) > half).any(axis=1).sum())
    assert missed <= alpha * walks + SIGMAS * sqrt(alpha * (1 - alpha) * walks)


@pytest.mark.parametrize("alpha", [0.05, 5e-4, 1e-6])
@pytest.mark.parametrize("planned", [100, 1_000_000])
def test_radius_is_tuned(alpha: float, planned: int) -> None:
    """At the planned number of draws no other tuning of the normal mixture's boundary, solved from the
    mixture itself, is narrower.
    """

    def half(log_rho: float) -> float:
        rho = exp(log_rho)

        def mixture(x: float) -> float:
            return 0.5 * log(rho / (rho + planned)) + x * x / (2 * (rho + planned)) - log(1 / alpha)

        return float(brentq(mixture, 0, 1e4 * sqrt(planned))) / planned

    found = minimize_scalar(half, bounds=(log(planned / 1e3), log(planned)), method="bounded")
    assert pytest.approx(found.fun, rel=1e-6) == radius(1.0, planned, inf, alpha, planned)


def test_radius_follows_its_arguments() -> None:
    """The radius scales with the standard deviation, falls with more draws, and holds the table's error."""
    assert inf == radius(1.0, 0, 1e6, 0.01, 100)
    assert pytest.approx(3 * radius(1.0, 50, 1e6, 0.01, 100)) == radius(3.0, 50, 1e6, 0.01, 100)
    assert radius(1.0, 400, 1e6, 0.01, 100) < radius(1.0, 100, 1e6, 0.01, 100)
    difference = radius(1.0, 50, 10_000, 0.01, 100) - radius(1.0, 50, inf, 0.01, 100)
    assert pytest.approx(TABLE_Z / 100) == difference
    assert radius(0.0, 50, 1e6, 0.01, 100) == 0.0
