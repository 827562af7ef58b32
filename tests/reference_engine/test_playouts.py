"""The friendly side of the kernels: runs, parts of runs, courses, histograms, points."""

import numpy as np
import pytest
from random_games import random_game

from reference_engine import playouts
from reference_engine.board import Position
from reference_engine.playouts import Kernel, Root
from reference_engine.vocabulary import Colour

SEED = 20081013


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_a_run_can_be_made_in_parts(size: int) -> None:
    """Playouts 0-99 and 100-199 add up to playouts 0-199, whatever the histogram and trace arguments."""
    root = Root(Position(size), Colour.BLACK, komi=7.5)
    whole = playouts.run(root, 200, SEED, histogram=playouts.histogram_for(size))
    parts = playouts.run(root, 100, SEED), playouts.run(root, 100, SEED, 100)
    assert whole.nodes == sum(part.nodes for part in parts)
    assert whole.doubled_wins == sum(part.doubled_wins for part in parts)
    assert np.array_equal(whole.visits, parts[0].visits + parts[1].visits)
    assert np.array_equal(whole.wins, parts[0].wins + parts[1].wins)
    assert parts[0].nodes != parts[1].nodes


def test_a_run_adds_up_its_courses() -> None:
    """The tally of a run is the sum of the tallies of its playouts, each got by number."""
    root = Root(Position(6), Colour.WHITE, komi=0.5)
    whole = playouts.run(root, 50, SEED, 7)
    singles = [playouts.course(root, SEED, number)[1] for number in range(7, 57)]
    assert whole.nodes == sum(single.nodes for single in singles)
    assert whole.doubled_wins == sum(single.doubled_wins for single in singles)
    assert np.array_equal(whole.visits, sum(single.visits for single in singles))
    assert np.array_equal(whole.wins, sum(single.wins for single in singles))


def test_a_histogram_counts_every_playout() -> None:
    """Rows and columns of the histogram give back the playouts, their moves and their wins at any komi."""
    histogram = playouts.histogram_for(7)
    margins = np.arange(-49, 50)
    tally = playouts.run(Root(Position(7), Colour.BLACK, komi=9.0), 2000, SEED, histogram=histogram)
    assert histogram.sum() == 2000
    assert int(np.arange(len(histogram)) @ histogram.sum(axis=1)) == tally.nodes
    by_margin = histogram.sum(axis=0)
    assert int(2 * by_margin[margins > 9].sum() + by_margin[margins == 9].sum()) == tally.doubled_wins


def test_komi_changes_no_move() -> None:
    """The same playout at another komi has the same moves."""
    position = Position(9)
    assert (
        playouts.course(Root(position, Colour.BLACK, komi=-3.0), SEED, 5)[0]
        == playouts.course(Root(position, Colour.BLACK, komi=80.5), SEED, 5)[0]
    )


def test_playouts_differ() -> None:
    """Numbers and seeds, neighbours too, give playouts of their own."""
    root = Root(Position(9), Colour.BLACK)
    courses = [playouts.course(root, seed, number)[0] for seed in (-1, 0, 1, 2**63) for number in range(100)]
    assert len({tuple(moves) for moves in courses}) == 400


@pytest.mark.parametrize("size", [2, 9, 25])
def test_points_are_numbered_in_board_order(size: int) -> None:
    """Every point has a number of its own, from which it comes back, and the cells hold its stone."""
    position = random_game(size, size * size, np.random.default_rng(SEED)).position
    cells = playouts.cells_of(position)
    assert [playouts.index_of(size, point) for point in position.points()] == list(range(size * size))
    for index, content in enumerate(cells):
        assert content == position.stones.get(playouts.point_of(size, index), 0)


@pytest.mark.parametrize("kernel", Kernel)
def test_owners_add_up_to_the_margins(kernel: Kernel) -> None:
    """Points counted for Black less those for White are the sum of all margins."""
    root = Root(Position(6), Colour.BLACK)
    histogram = playouts.histogram_for(6)
    tally = playouts.run(root, 500, SEED, kernel=kernel, owners=True, histogram=histogram)
    margins = int(histogram.sum(axis=0) @ np.arange(-36, 37))
    assert int(tally.owned[0].sum() - tally.owned[1].sum()) == margins
    assert (tally.owned.sum(axis=0) <= 500).all()


def test_tallies_add() -> None:
    """The sum of two tallies is that of all their playouts."""
    root = Root(Position(5), Colour.WHITE, komi=2.5)
    whole, first, second = (
        playouts.run(root, n, SEED, start, owners=True) for n, start in ((90, 0), (50, 0), (40, 50))
    )
    total = first + second
    assert (total.playouts, total.nodes, total.doubled_wins) == (90, whole.nodes, whole.doubled_wins)
    for mine, theirs in ((total.visits, whole.visits), (total.wins, whole.wins), (total.owned, whole.owned)):
        assert np.array_equal(mine, theirs)
