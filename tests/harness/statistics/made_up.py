"""A distribution of playouts and one of moves, made up, with tables sampled from them."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from harness.statistics.evalues import Histogram, Tilt

Vector = NDArray[np.float64]

LENGTHS = np.array([4.0, 5, 6, 7, 8, 10, 13, 17, 22, 30])
LENGTH_WEIGHTS = np.array([4.0, 8, 12, 14, 12, 8, 6, 3, 1.5, 0.5])
VALUES = np.array([(length, win) for length in LENGTHS for win in (0.0, 1.0)])
CHANCES = np.array(
    [
        weight * (0.6 if win else 0.4) * (1 + (0.05 if win else -0.05) * place)
        for place, weight in enumerate(LENGTH_WEIGHTS)
        for win in (0, 1)
    ]
)
CHANCES /= CHANCES.sum()
"""A skew joint distribution of length and win, correlated as playouts are."""
CORNERS = np.array([(1.0, 0.0), (1.0, 1.0), (75.0, 0.0), (75.0, 1.0)])
"""What is possible at all lies far outside of what is likely, as on a real board."""
MEAN = CHANCES @ VALUES
LIMITS = np.array([15.0, 30.0])

MOVES = {
    "A1 3": 0.35,
    "A1 4": 0.25,
    "B2 3": 0.2,
    "B2 4": 0.12,
    "C3 5": 0.07,
    "PASS 0": 0.0099,
    "C1 1": 0.0001,
}
OTHER_MOVES = {"A1 3": 0.30, "A1 4": 0.22, "B2 3": 0.25, "B2 4": 0.14, "C3 5": 0.05, "PASS 0": 0.04}
SIGMAS = 5.0
"""Standard errors allowed to a simulated mean: an error rate of 3e-7 for each comparison."""


def table(rng: np.random.Generator, size: int, chances: Vector = CHANCES) -> Histogram:
    """Sample a reference table."""
    counts = rng.multinomial(size, chances)
    seen = counts > 0
    return Histogram(VALUES[seen], counts[seen].astype(float), CORNERS)


def exact(chances: Vector = CHANCES) -> Histogram:
    """Return a table so large that its bound is the truth, for what is computed from the truth."""
    return Histogram(VALUES, chances * 1e15, CORNERS)


def true_log_mgf(tilt: Vector) -> float:
    """Return ln E exp(t.x)."""
    return float(np.log(CHANCES @ np.exp(VALUES @ tilt)))


def shifted(by: float) -> Vector:
    """Return chances under which playouts are longer and lost more often."""
    chances = CHANCES * np.exp(by * (VALUES[:, 0] - MEAN[0]) / 4 - by * VALUES[:, 1])
    result: Vector = chances / chances.sum()
    return result


def sums(rng: np.random.Generator, n: int, runs: int, chances: Vector = CHANCES) -> Vector:
    """Sample the sums of ``n`` draws, ``runs`` times."""
    totals: Vector = rng.multinomial(n, chances, size=runs) @ VALUES
    return totals


def assert_fair(logs: list[float]) -> None:
    """Accept a mean of e-values that is at most 1 within its simulation error."""
    values = np.exp(np.array(logs))
    error = SIGMAS * values.std() / sqrt(len(values)) + 1e-9
    assert values.mean() <= 1 + error


def bound(tilt: tuple[float, ...], null: Histogram) -> Tilt:
    """Turn a tilt into a bet against a sampled table."""
    return Tilt(tilt, float(null.log_mgf(np.array([tilt]))[0]), 0.0)
