"""Spread of batch sums: fair when draws are independent, paid when they are copies or stratified."""

import numpy as np
import pytest

from harness.statistics.batches import Spread, Sums
from harness.statistics.evalues import Histogram

VALUES = np.array([(length, win) for length in (4.0, 5, 6, 8, 13, 30) for win in (0.0, 0.5, 1.0)])
WEIGHTS = np.array([w * v for w in (0.2, 0.3, 0.25, 0.15, 0.08, 0.02) for v in (0.55, 0.05, 0.4)])
CORNERS = np.array([(1.0, 0.0), (75.0, 1.0)])
EXACT = Histogram(VALUES, WEIGHTS, CORNERS, 1e-12)
SIGMAS = 5.0
"""Standard errors allowed to a simulated mean: an error of 3e-7 for each comparison."""


def batches(rng: np.random.Generator, draws: int, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return sums over independent draws: float64[shape] of lengths, and of half wins."""
    counts = rng.multinomial(draws, WEIGHTS / WEIGHTS.sum(), shape)
    return counts @ VALUES[:, 0], 2 * counts @ VALUES[:, 1]


@pytest.mark.parametrize("draws", [1, 2, 8, 64])
@pytest.mark.parametrize("number", [1, 6])
def test_independent_batches_are_fair(draws: int, number: int) -> None:
    """The mean e-value of independent batches is at most 1, within five standard errors of 5,000 runs.

    With many batches the largest bets' e-values are too heavy-tailed for a mean to be seen in a simulation;
    that they are martingales follows from one and from six.
    """
    rng = np.random.default_rng([20261121, draws, number])
    spread = Spread.of(EXACT, draws)
    lengths, halves = batches(rng, draws, (5_000, number))
    values = np.exp([spread.log_e(a, b) for a, b in zip(lengths, halves, strict=True)])

    assert values.mean() <= 1 + SIGMAS * values.std() / np.sqrt(len(values))


def test_a_redrawn_table_is_fair_too() -> None:
    """With tables of 20,000 draws in place of the truth the bound still holds: 100 tables, none unfair."""
    rng = np.random.default_rng(7)
    truth = Spread.of(EXACT, 16)
    unfair = 0
    for _ in range(100):
        counts = rng.multinomial(20_000, WEIGHTS / WEIGHTS.sum()).astype(float)
        seen = counts > 0
        table = Spread.of(Histogram(VALUES[seen], counts[seen], CORNERS), 16)
        sums = truth.steps.first + np.arange(len(truth.steps.weights), dtype=float)
        for place, bet in enumerate((0.45, 0.3, 0.2, 0.1, 0.05, -0.1, -0.3, -0.8, -2.0)):
            true = np.log(truth.steps.weights @ np.exp(bet * table.steps.distance(sums)))
            unfair += true > table.steps.log_mgf[place]

    assert unfair == 0


@pytest.mark.parametrize(
    ("name", "copies", "number"), [("twice", 2, 240), ("four times", 4, 58), ("frozen", 64, 12)]
)
def test_copied_draws_are_convicted(name: str, copies: int, number: int) -> None:
    """Draws that are copies of each other reach 10^5 within the batches that a chi-square test would need.

    The numbers are those of a chi-square test at 1e-5 with power 0.999 for variance ratios 2 and 4.
    """
    rng = np.random.default_rng([3, copies])
    spread = Spread.of(EXACT, 64)
    lengths, halves = batches(rng, 64 // copies, (20, number))
    found = [spread.log_e(copies * a, copies * b) for a, b in zip(lengths, halves, strict=True)]

    assert min(found) > np.log(1e5), name


def test_stratified_draws_are_convicted() -> None:
    """Batches that all come out near their expectation are as suspect as those that lie too far."""
    rng = np.random.default_rng(5)
    spread = Spread.of(EXACT, 64)
    lengths, halves = batches(rng, 64, (260,))
    mean = [float(lengths.mean()), float(halves.mean())]
    close = [np.rint(m + (x - m) / 2) for m, x in zip(mean, (lengths, halves), strict=True)]

    assert spread.log_e(close[0], close[1]) > np.log(1e5)


def test_convolution_is_the_distribution_of_the_sum() -> None:
    """Two coins: 1/4, 1/2, 1/4; and the distance of either end is two standard deviations squared."""
    coin = Histogram(np.array([(3.0, 0.0), (4.0, 1.0)]), np.array([0.5, 0.5]), CORNERS, 0.0)
    sums = Sums.of(coin.values[:, 0], coin, 2)

    assert sums.first == 6
    assert np.allclose(sums.weights, [0.25, 0.5, 0.25])
    assert np.allclose(sums.distance(np.array([6.0, 7.0, 8.0])), [2, 0, 2])


def test_what_never_varies_says_nothing() -> None:
    """Where every batch comes out the same there is no spread to judge."""
    constant = Histogram(np.array([(7.0, 1.0)]), np.array([1.0]), CORNERS, 0.0)

    assert Spread.of(constant, 8).log_e(np.array([56.0, 56.0]), np.array([16.0, 16.0])) == 0.0


def test_coarse_wins_are_left_out() -> None:
    """A bot that prints too few digits is judged by its lengths alone."""
    spread = Spread.of(EXACT, 8)
    steps = np.array([60.0, 44.0, 80.0])

    assert spread.log_e(steps, None) == pytest.approx(spread.steps.log_e(steps))
