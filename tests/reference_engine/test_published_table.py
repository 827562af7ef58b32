"""The playouts against the table published in October 2008: a million from the empty 9x9 board.

Both sides are samples, so the variance of a difference is the sum of theirs.  Eleven comparisons are made
for each of two kernels, each two-sided at ALPHA = 1e-5: right kernels, compared with a right table, fail
any of them with probability below 2.2e-4.
"""

import tomllib
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from scipy.stats import norm

from reference_engine import playouts
from reference_engine.board import Position
from reference_engine.playouts import Counts, Kernel, Root
from reference_engine.vocabulary import Colour

SEED: Final = 20081013
PUBLISHED: Final = 1_000_000
"""Playouts of each published row."""
PLAYOUTS: Final = {Kernel.LOCKSTEP: 5_000_000, Kernel.CHAINS: 1_000_000}
ALPHA: Final = 1e-5
LIMIT: Final = {
    kernel: float(norm.isf(ALPHA / 2)) * sqrt(1 / PUBLISHED + 1 / count) for kernel, count in PLAYOUTS.items()
}
"""The largest acceptable difference, in deviations of one playout."""

FIGURES: Final = Path(__file__).parents[2] / "fixtures" / "published.toml"
ROWS: Final = [
    sample
    for sample in tomllib.loads(FIGURES.read_text("utf-8"))["samples"]
    if sample["playouts"] == PUBLISHED
]
LENGTHS: Final = {row["scores"][0][0]: row["length"] for row in ROWS if "length" in row}
"""Moves per playout, by the komi of the published run; komi does not touch them."""

SCORES: Final = {komi: score for row in ROWS for komi, score in row["scores"]}
"""Part of the playouts that Black, to move, won by komi, draws half."""

MARGINS: Final = np.arange(-81, 82)


@pytest.fixture(scope="module", params=Kernel)
def kernel(request: pytest.FixtureRequest) -> Kernel:
    """Return each kernel in turn."""
    return Kernel(request.param)


@pytest.fixture(scope="module")
def histogram(kernel: Kernel) -> Counts:
    """Return how often each length and margin came in one run: all komi rows from the same playouts."""
    table, root = playouts.histogram_for(9), Root(Position(9), Colour.BLACK)
    tally = playouts.run(root, PLAYOUTS[kernel], SEED, kernel=kernel, histogram=table)
    assert tally.nodes == int(np.arange(len(table)) @ table.sum(axis=1))
    return table


def mean_and_deviation(values: np.ndarray, counts: np.ndarray) -> tuple[float, float]:
    """Return mean and standard deviation of counted values."""
    mean = float(values @ counts / counts.sum())
    return mean, sqrt(float((values - mean) ** 2 @ counts / counts.sum()))


@pytest.mark.parametrize("komi", LENGTHS)
def test_moves_per_playout(histogram: Counts, kernel: Kernel, komi: float) -> None:
    """The mean length is that published for the komi; false failure 1 in 10**5."""
    mean, deviation = mean_and_deviation(np.arange(len(histogram)), histogram.sum(axis=1))
    assert deviation == pytest.approx(16.02, abs=0.1)
    assert abs(mean - LENGTHS[komi]) < LIMIT[kernel] * deviation


@pytest.mark.parametrize("komi", SCORES)
def test_score(histogram: Counts, kernel: Kernel, komi: float) -> None:
    """Black's score is that published for the komi; false failure 1 in 10**5."""
    worths = (np.sign(MARGINS - komi) + 1) / 2
    mean, deviation = mean_and_deviation(worths, histogram.sum(axis=0))
    assert deviation == pytest.approx(0.5, abs=0.02)
    assert abs(mean - SCORES[komi]) < LIMIT[kernel] * deviation


def test_every_margin_is_odd(histogram: Counts, kernel: Kernel) -> None:
    """Every finished 9x9 board belongs to somebody to the last point: no margin is even, none beyond 81."""
    assert histogram.sum() == PLAYOUTS[kernel] == histogram[:, MARGINS % 2 == 1].sum()


def test_every_row_is_compared() -> None:
    """The published table has five lengths and six scores; none went missing on the way here."""
    assert (len(LENGTHS), len(SCORES)) == (5, 6)


def test_no_playout_passes_the_cap(histogram: Counts) -> None:
    """No playout from the empty board is longer than 3 * 81 moves or too short to settle a board."""
    lengths = np.flatnonzero(histogram.sum(axis=1))
    assert lengths.max() <= 243
    assert lengths.min() > 40
