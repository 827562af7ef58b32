"""Spread of batch sums: fair when draws are independent, paid when they are copies or stratified."""

from itertools import repeat

import numpy as np
import pytest
from certificates import shipped
from numpy.typing import NDArray

from harness.cases.case import Case, Sample
from harness.statistics.batches import _BETS, BatchSpread, SumDistribution
from harness.statistics.evalues import Histogram

VALUES = np.array([(length, win) for length in (4.0, 5, 6, 8, 13, 30) for win in (0.0, 0.5, 1.0)])
WEIGHTS = np.array([w * v for w in (0.2, 0.3, 0.25, 0.15, 0.08, 0.02) for v in (0.55, 0.05, 0.4)])
CORNERS = np.array([(1.0, 0.0), (75.0, 1.0)])
EXACT = Histogram(VALUES, WEIGHTS, CORNERS, 1e-12)
SIGMAS = 5.0
"""Standard errors allowed to a simulated mean: an error of 3e-7 for each comparison."""


Vector = NDArray[np.float64]


def batches(rng: np.random.Generator, draws: int, shape: tuple[int, ...]) -> tuple[Vector, Vector]:
    """Return sums over independent draws: float64[shape] of lengths, and of half wins."""
    counts = rng.multinomial(draws, WEIGHTS / WEIGHTS.sum(), shape)
    return counts @ VALUES[:, 0], 2 * counts @ VALUES[:, 1]


def known(halves: Vector) -> Vector:
    """Return the ranges of scores printed with all their digits."""
    return np.stack([halves, halves], axis=-1)


def one_quantity(steps: Vector, weights: Vector, error: float | None = 0.0) -> Histogram:
    """Return the distribution, or a table, of steps alone."""
    values = np.column_stack([steps, np.zeros(len(steps))])
    return Histogram(values, np.asarray(weights, dtype=float), values, error)


@pytest.mark.parametrize("draws", [1, 2, 8, 64])
@pytest.mark.parametrize("number", [1, 6])
def test_independent_batches_are_fair(draws: int, number: int) -> None:
    """The mean e-value of independent batches is at most 1, within five standard errors of 5,000 runs.

    With many batches the largest bets' e-values are too heavy-tailed for a mean to be seen in a simulation;
    that they are martingales follows from one and from six.
    """
    rng = np.random.default_rng([20261121, draws, number])
    spread = BatchSpread.of(EXACT, draws)
    lengths, halves = batches(rng, draws, (5_000, number))
    values = np.exp([spread.log_e(a, known(b)) for a, b in zip(lengths, halves, strict=True)])

    assert values.mean() <= 1 + SIGMAS * values.std() / np.sqrt(len(values))


# The table's error.


def convolved(steps: Vector, weights: Vector, draws: int) -> tuple[Vector, Vector]:
    """Return all sums of draws and their probabilities, one convolution after the other."""
    single = np.bincount((steps - steps.min()).astype(int), weights=weights / weights.sum())
    total = np.ones(1)
    for one in repeat(single, draws):
        total = np.convolve(total, one)
    return draws * steps.min() + np.arange(len(total)), total


def truth_of(sums: SumDistribution, support: Vector, chances: Vector) -> Vector:
    """Return E exp(bet * distance) under a true distribution of sums, by the distances of a table."""
    distances = np.minimum((support - sums.centre) ** 2 / sums.scale, 16.0)
    means: Vector = np.exp(np.outer(_BETS, distances)) @ chances
    return means


GEOMETRIC = np.arange(1.0, 60)
SHAPES = {
    "a fair coin, where the linear term vanishes": (np.array([0.0, 1]), np.array([1.0, 1])),
    "a symmetric triangle": (np.array([0.0, 1, 2]), np.array([1.0, 2, 1])),
    "skew, as playouts are": (np.array([4.0, 5, 6, 8, 13, 30]), np.array([0.2, 0.3, 0.25, 0.15, 0.08, 0.02])),
    "kurtosis 180": (np.array([9.0, 10, 60]), np.array([0.9945, 0.0, 0.0055])),
    "a tail of power 3": (4 + GEOMETRIC, GEOMETRIC**-3.0),
    "one thing but once in a thousand": (np.array([9.0, 10, 60]), np.array([0.998, 0.001, 0.001])),
}
RARE = {f"a jump that a table shows {n} times": n for n in (0.5, 3.0, 12.0, 40.0)}


def shape_of(name: str, size: int) -> tuple[Vector, Vector]:
    """Return steps and their probabilities; rare ones as rare as the table's size makes them worst."""
    if name in RARE:
        rare = RARE[name] / size
        return np.array([8.0, 9, 10, 60]), np.array([*(np.array([0.3, 0.4, 0.3]) * (1 - rare)), rare])
    steps, weights = SHAPES[name]
    return steps, weights / weights.sum()


@pytest.mark.parametrize("draws", [1, 8, 64, 1_000])
@pytest.mark.parametrize("size", [20_000, 4_000_000])
@pytest.mark.parametrize("name", [*SHAPES, *RARE])
def test_no_redrawn_table_is_unfair(name: str, size: int, draws: int) -> None:
    """Hardly any of 200 tables drawn from the truth makes a bet too cheap, be it of twenty draws for each of
    a batch or of millions.

    Four standard errors promise 3e-5 for each bet.  Were the nine bets of a table independent, three tables
    of 200 would come with a probability of 2e-5; they go together, so it is less.
    """
    steps, weights = shape_of(name, size)
    support, chances = convolved(steps, weights, draws)
    rng = np.random.default_rng([31, size, draws])
    unfair = 0
    for counts in rng.multinomial(size, weights, 200):
        table = SumDistribution.of(
            steps[counts > 0], one_quantity(steps[counts > 0], counts[counts > 0], None), draws
        )
        if table.varies:
            assert np.isfinite(table.log_mgf).all()
            unfair += bool((np.log(truth_of(table, support, chances)) > table.log_mgf).any())

    assert unfair <= 2


@pytest.mark.parametrize("draws", [1, 8, 64])
@pytest.mark.parametrize("name", ["skew, as playouts are", "kurtosis 180", "a tail of power 3"])
def test_standard_errors_are_those_of_tables(name: str, draws: int) -> None:
    """Over 1,500 tables of a million draws the truth lies one standard error from a table's expectation, as a
    root mean square: within a tenth, which is five standard errors of such a figure.
    """
    steps, weights = shape_of(name, 0)
    support, chances = convolved(steps, weights, draws)
    rng = np.random.default_rng([32, draws])
    gaps = []
    for counts in rng.multinomial(1_000_000, weights, 1_500):
        table = SumDistribution.of(
            steps[counts > 0], one_quantity(steps[counts > 0], counts[counts > 0], None), draws
        )
        expectation, error = table.expectation
        gaps.append((truth_of(table, support, chances) - expectation) / error)

    assert np.sqrt(np.mean(np.square(gaps), axis=0)) == pytest.approx(np.ones(len(_BETS)), abs=0.1)


SAMPLED = [
    case
    for case in shipped()[0].cases.values()
    if isinstance(case.question, Sample) and shipped()[1].histogram(case).error is None
]


@pytest.mark.parametrize("case", SAMPLED, ids=lambda case: case.id)
def test_shipped_tables_redrawn_stay_fair(case: Case) -> None:
    """Of 20 tables drawn from a shipped one, as large as it, none prices a bet below the shipped one's mean.

    Promised are 3e-5 for each of 9 bets on lengths and on wins: less than one table in 1,800.
    """
    one, draws = shipped()[1].histogram(case), case.file.playouts
    truth = BatchSpread.of(Histogram(one.values, one.counts, one.corners, 0.0), draws)
    rng = np.random.default_rng(33)
    unfair = []
    for counts in rng.multinomial(int(one.total), one.weights, 20):
        seen = counts > 0
        table = BatchSpread.of(Histogram(one.values[seen], counts[seen].astype(float), one.corners), draws)
        for mine, true in ((table.steps, truth.steps), (table.halves, truth.halves)):
            if mine.varies:
                support = true.first + np.arange(len(true.weights), dtype=float)
                unfair += [np.log(truth_of(mine, support, true.weights)) > mine.log_mgf]

    assert len(unfair) in (20, 40)
    assert not np.any(unfair)


def test_bounds_close_in_on_the_truth() -> None:
    """A bound is worth little if it is far: with 10^9 draws, all are within a hundredth of a nat of the price
    that is exact.
    """
    steps, weights = shape_of("skew, as playouts are", 0)
    exact = SumDistribution.of(steps, one_quantity(steps, weights), 64).log_mgf
    table = SumDistribution.of(steps, one_quantity(steps, np.rint(weights * 1e9), None), 64).log_mgf

    assert ((table - exact) > 0).all()
    assert ((table - exact) < 0.01).all()


def test_rounding_of_a_known_distribution_adds_up() -> None:
    """Where probabilities may be off by e, and are made to add up to 1, a batch of n may be off by 2 n e."""
    steps, weights = shape_of("skew, as playouts are", 0)
    plain = SumDistribution.of(steps, one_quantity(steps, weights), 500).log_mgf
    rounded = SumDistribution.of(steps, one_quantity(steps, weights, 1e-6), 500).log_mgf
    worst = weights * np.where(steps > 13, 1 + 1e-6, 1 - 1e-6)
    support, chances = convolved(steps, worst, 500)

    assert rounded - plain == pytest.approx(np.full(len(_BETS), 1e-3), rel=1e-3)
    sums = SumDistribution.of(steps, one_quantity(steps, weights), 500)
    assert (np.log(truth_of(sums, support, chances)) < rounded).all()


@pytest.mark.parametrize("draws", [2_000, 20_000])
def test_small_tables_say_little(draws: int) -> None:
    """A table of no more than ten draws for each of a batch leaves no bet anything to win."""
    steps, weights = shape_of("skew, as playouts are", 0)
    sums = SumDistribution.of(steps, one_quantity(steps, weights * 20_000, None), draws)

    assert (sums.log_mgf >= np.maximum(0.0, 16 * np.array(_BETS))).all()


@pytest.mark.parametrize("draws", [300, 1_000])
def test_far_sums_are_folded(draws: int) -> None:
    """Where sums could go much farther than any does, only the middle of the convolution is kept."""
    steps, weights = shape_of("a tail of power 3", 0)
    sums = SumDistribution.of(steps, one_quantity(steps, weights), draws)
    support, chances = convolved(steps, weights, draws)
    start = int(sums.first - support[0])

    assert len(sums.weights) < len(support)
    assert chances[start : start + len(sums.weights)] == pytest.approx(sums.weights, abs=1e-14)
    assert chances[start : start + len(sums.weights)].sum() == pytest.approx(1, abs=1e-12)


# Scores printed with few digits.


@pytest.mark.parametrize("draws", [8, 64])
def test_ranges_are_paid_no_more_than_the_truth(draws: int) -> None:
    """Whatever range holds the true sums, wide or narrow, the value is at most that of the sums."""
    rng = np.random.default_rng([34, draws])
    spread = BatchSpread.of(EXACT, draws)
    for width in (0, 1, 3, 10, 100):
        lengths, halves = batches(rng, draws, (300, 4))
        below, above = rng.integers(0, width + 1, (2, 300, 4))
        ranges = np.stack([halves - below, halves + above], axis=-1)
        found = [spread.log_e(a, b) for a, b in zip(lengths, ranges, strict=True)]
        whole = [spread.log_e(a, known(b)) for a, b in zip(lengths, halves, strict=True)]
        assert (np.array(found) <= np.array(whole) + 1e-12).all()
        assert width > 0 or found == whole


def test_coarse_scores_still_tell() -> None:
    """Copied playouts of one length are convicted by their wins, printed with two decimals."""
    rng = np.random.default_rng(35)
    coin = Histogram(np.array([(7.0, 0.0), (7.0, 1.0)]), np.array([0.5, 0.5]), CORNERS, 0.0)
    spread = BatchSpread.of(coin, 400)
    wins = 8 * rng.binomial(50, 0.5, 60)
    printed = np.round(wins / 400, 2)
    ranges = np.column_stack(
        [np.ceil((printed - 0.005) * 800 - 1e-9), np.floor((printed + 0.005) * 800 + 1e-9)]
    )

    assert (ranges[:, 0] <= 2 * wins).all()
    assert (2 * wins <= ranges[:, 1]).all()
    assert (ranges[:, 0] < ranges[:, 1]).any()
    assert spread.log_e(np.full(60, 2_800.0), ranges) > np.log(1e5)


# Power.


@pytest.mark.parametrize(
    ("name", "copies", "number"), [("twice", 2, 240), ("four times", 4, 58), ("frozen", 64, 12)]
)
def test_copied_draws_are_convicted(name: str, copies: int, number: int) -> None:
    """Draws that are copies of each other reach 10^5 within the batches that a chi-square test would need.

    The numbers are those of a chi-square test at 1e-5 with power 0.999 for variance ratios 2 and 4.
    """
    rng = np.random.default_rng([3, copies])
    spread = BatchSpread.of(EXACT, 64)
    lengths, halves = batches(rng, 64 // copies, (20, number))
    found = [spread.log_e(copies * a, known(copies * b)) for a, b in zip(lengths, halves, strict=True)]

    assert min(found) > np.log(1e5), name


def test_stratified_draws_are_convicted() -> None:
    """Batches that all come out near their expectation are as suspect as those that lie too far."""
    rng = np.random.default_rng(5)
    spread = BatchSpread.of(EXACT, 64)
    lengths, halves = batches(rng, 64, (260,))
    mean = [float(lengths.mean()), float(halves.mean())]
    close = [np.rint(m + (x - m) / 2) for m, x in zip(mean, (lengths, halves), strict=True)]

    assert spread.log_e(close[0], known(close[1])) > np.log(1e5)


def test_convolution_is_the_distribution_of_the_sum() -> None:
    """Two coins: 1/4, 1/2, 1/4; and the distance of either end is two standard deviations squared."""
    coin = Histogram(np.array([(3.0, 0.0), (4.0, 1.0)]), np.array([0.5, 0.5]), CORNERS, 0.0)
    sums = SumDistribution.of(coin.values[:, 0], coin, 2)

    assert sums.first == 6
    assert np.allclose(sums.weights, [0.25, 0.5, 0.25])
    assert np.allclose(sums.distance(np.array([6.0, 7.0, 8.0])), [2, 0, 2])


def test_what_never_varies_says_nothing() -> None:
    """Where every batch comes out the same there is no spread to judge."""
    constant = Histogram(np.array([(7.0, 1.0)]), np.array([1.0]), CORNERS, 0.0)

    assert BatchSpread.of(constant, 8).log_e(np.array([56.0, 56.0]), known(np.array([16.0, 16.0]))) == 0.0
