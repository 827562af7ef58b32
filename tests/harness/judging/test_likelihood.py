"""What explains sums and chosen moves: ratios to the specification, and how far apart two are."""

import numpy as np
import pytest
from certificates import shipped

from harness.judging.likelihood import _unlisted_sums, divergence
from reference_engine.deviations import CATALOGUE


@pytest.mark.parametrize("case", ["opening-9x9", "uniform-among-scattered-points", "best-rate-is-played"])
def test_divergence_tells_what_differs(case: str) -> None:
    """It is nothing between equals, never negative, and plain for some deviation."""
    suite, tables = shipped()
    asked = suite.cases[case]
    names = [d.name for d in CATALOGUE]
    values = {n: divergence(asked, (n,), (), asked.file.playouts, tables) for n in names}

    assert all(abs(divergence(asked, (n,), (n,), asked.file.playouts, tables)) < 1e-9 for n in names)
    assert min(values.values()) > -1e-9
    assert max(values.values()) > 1


def test_an_unlisted_fit_does_not_pay_for_nothing() -> None:
    """Fitting mean and covariance to batches of the reference gains nothing on average.

    Over 400 samples of 10 batches the mean gain is below zero by more than five standard errors, so a
    conforming case seldom speaks for an unlisted deviation.
    """
    rng = np.random.default_rng(11)
    covariance = np.array([[9.0, 0.4], [0.4, 0.25]])
    n, flat = np.full(10, 64), np.array([9.0, 0.4, 0.25])
    gains = []
    for _ in range(400):
        sums = rng.multivariate_normal(64 * np.array([40.0, 0.5]), 64 * covariance, size=10)
        gap = sums - 64 * np.array([40.0, 0.5])
        whitened = np.einsum("bi,ij,bj->b", gap, np.linalg.inv(64 * covariance), gap)
        null = -0.5 * float((whitened + np.linalg.slogdet(64 * covariance)[1]).sum())
        gains.append(_unlisted_sums(sums, n, flat) - null)

    assert np.mean(gains) + 5 * np.std(gains) / 20 < 0
