"""Exact distributions against fractions worked out one by one, and the kernels against exact distributions.

The kernels are compared by the G-test of lengths and margins and by the data of every point.  Each test
of a family has Bonferroni's share of FAMILY, so right kernels fail any of a family with that probability.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import sqrt
from typing import TypeVar

import numpy as np
import pytest
from random_games import random_game
from scipy.stats import chi2, norm

from reference_engine import playouts
from reference_engine.board import Position
from reference_engine.distribution import Distribution, TooManyStatesError, distribution_of
from reference_engine.playout import move_cap, playable_points
from reference_engine.playouts import Kernel, Root
from reference_engine.vocabulary import PASS, Colour, Move, Point

K = TypeVar("K")

SEED = 20081013
FAMILY = 1e-6
SHORT = 200_000
"""Playouts of the comparisons in the fast tests."""
LONG = 10_000_000
"""Playouts of each comparison in the long test."""
RANDOM_ROOTS = 100
"""Random positions of the long test, beside the empty boards."""


def courses(
    position: Position, colour: Colour, left: int, moves: tuple[Move, ...] = ()
) -> Iterator[tuple[tuple[Move, ...], int, Fraction]]:
    """Yield every playout there is: its moves, its margin, its probability."""
    if left == 0 or moves[-2:] == (PASS, PASS):
        yield moves, position.area_margin(), Fraction(1)
        return
    options: list[Move] = list(playable_points(position, colour)) or [PASS]
    for move in options:
        after = position.after_pass() if move is None else position.after(colour, move)
        for course, margin, probability in courses(after, colour.other, left - 1, (*moves, move)):
            yield course, margin, probability / len(options)


def late_position(size: int, seed: int, left: int) -> tuple[Root, int]:
    """Return a random position whose playouts have ``left`` moves at most."""
    game = random_game(size, 2 * size * size, np.random.default_rng(seed))
    colour = game.moves[-1][0].other if game.moves else Colour.BLACK
    return Root(game.position, colour, move_cap(size) - left), left


LATE = [late_position(size, seed, left) for size, left in ((2, 8), (3, 5), (5, 3)) for seed in range(8)]


@pytest.mark.parametrize(("root", "left"), LATE)
def test_every_playout_counted_by_hand(root: Root, left: int) -> None:
    """Lengths, margins and first plays are those of all playouts added up as fractions, within the bound."""
    outcomes: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    firsts: dict[tuple[Point, int], Fraction] = defaultdict(Fraction)
    for moves, margin, probability in courses(root.position, root.colour, left):
        outcomes[len(moves), margin] += probability
        for point in {move for move in moves[::2] if move is not None}:
            if moves.index(point) % 2 == 0:
                firsts[point, margin] += probability
    assert sum(outcomes.values()) == 1

    found = distribution_of(root.position, root.colour, root.moves_played)

    assert found.error < 1e-10
    assert_close(found.outcomes, outcomes, found.error)
    flat = {(p, margin): x for p, by_margin in found.first_plays.items() for margin, x in by_margin.items()}
    assert_close(flat, firsts, found.error)


def assert_close(found: Mapping[K, float], exact: Mapping[K, Fraction], error: float) -> None:
    """Complain unless the probabilities agree within the relative error."""
    assert set(found) == set(exact)
    for key, probability in exact.items():
        assert abs(Fraction(found[key]) - probability) <= probability * Fraction(error)


def test_the_empty_2x2_board_in_fractions() -> None:
    """The whole distribution of the smallest board, carried forward in fractions, agrees within the bound."""
    outcomes: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    turns: dict[object, tuple[Position, Colour, int]] = {"root": (Position(2), Colour.BLACK, 0)}
    masses: Mapping[object, Fraction] = {"root": Fraction(1)}
    for ply in range(1, move_cap(2) + 1):
        later: dict[object, Fraction] = defaultdict(Fraction)
        reached: dict[object, tuple[Position, Colour, int]] = {}
        for key, probability in masses.items():
            position, colour, passes = turns[key]
            options: list[Move] = list(playable_points(position, colour)) or [PASS]
            for move in options:
                after = position.after_pass() if move is None else position.after(colour, move)
                in_a_row = passes + 1 if move is None else 0
                if in_a_row == 2 or ply == move_cap(2):
                    outcomes[ply, after.area_margin()] += probability / len(options)
                    continue
                name = (after.key(), after.ko, colour.other, in_a_row)
                reached[name] = (after, colour.other, in_a_row)
                later[name] += probability / len(options)
        turns, masses = reached, later

    found = distribution_of(Position(2), Colour.BLACK, first_plays=False)

    assert_close(found.outcomes, outcomes, found.error)


def test_too_many_states_are_refused() -> None:
    """A board too large for its limit ends in an error that says how many states were found."""
    with pytest.raises(TooManyStatesError) as caught:
        distribution_of(Position(4), Colour.BLACK, limit=5000)
    assert caught.value.args[0] > 5000


def comparisons(root: Root, exact: Distribution, kernel: Kernel, count: int) -> Iterator[tuple[str, float]]:
    """Yield the p-values of a kernel's playouts against an exact distribution."""
    size = root.position.size
    histogram = playouts.histogram_for(size)
    tally = playouts.run(root, count, SEED, kernel=kernel, histogram=histogram)
    seen = {
        (int(length), int(place) - size * size): int(histogram[length, place])
        for length, place in zip(*np.nonzero(histogram), strict=True)
    }
    assert set(seen) <= set(exact.outcomes), "an outcome of probability 0"
    expected = sorted(((p * count, seen.get(key, 0)) for key, p in exact.outcomes.items()), reverse=True)
    pools = [[0.0, 0]]
    for mass, times in expected:
        if pools[-1][0] >= 10:
            pools.append([0.0, 0])
        pools[-1][0] += mass
        pools[-1][1] += times
    if len(pools) > 1 and pools[-1][0] < 10:
        last = pools.pop()
        pools[-1] = [pools[-1][0] + last[0], pools[-1][1] + last[1]]
    if len(pools) > 1:
        statistic = sum((times - mass) ** 2 / mass for mass, times in pools)
        yield "lengths and margins", float(chi2.sf(statistic, len(pools) - 1))
    for point, (data, wins) in exact.data(root.komi, root.colour).items():
        index = playouts.index_of(size, point)
        for name, mean, seen_sum in (
            ("data", data, tally.visits[index]),
            ("wins", wins / 2, tally.wins[index] / 2),
        ):
            deviation = sqrt(max(mean * (1 - mean), 1e-12) * count)
            if mean * count >= 25 and (1 - mean) * count >= 25:
                yield f"{name} of {point}", float(2 * norm.sf(abs(seen_sum - mean * count) / deviation))
    for point in root.position.points():
        if point not in exact.first_plays:
            assert tally.visits[playouts.index_of(size, point)] == 0


def assert_likely(found: list[tuple[str, float]]) -> None:
    """Complain if the smallest p-value is below Bonferroni's share of FAMILY."""
    name, least = min(found, key=lambda pair: pair[1])
    assert least > FAMILY / len(found), f"{name}: p = {least:.3g} among {len(found)}"


@pytest.mark.parametrize("kernel", Kernel)
@pytest.mark.parametrize("size", [2, 3])
def test_kernels_on_the_empty_board(size: int, kernel: Kernel) -> None:
    """Lengths, margins and data of each point are distributed as they must be; false failure 1e-6."""
    root = Root(Position(size), Colour.BLACK, komi=0.5)
    exact = distribution_of(root.position, root.colour)

    assert_likely(list(comparisons(root, exact, kernel, SHORT)))


def random_root(number: int) -> Root:
    """Return a random position of 2x2 or 3x3, ko bans and the neighbourhood of the cap among them."""
    rng = np.random.default_rng((SEED, number))
    size = 2 if number % 10 == 0 else 3
    game = random_game(size, int(rng.integers(1, 2 * size * size)), rng, until_ko=bool(number % 3 == 0))
    colour = Colour(int(rng.integers(1, 3)))
    played = len(game.moves) if number % 4 else move_cap(size) - int(rng.integers(1, 12))
    return Root(game.position, colour, played, komi=0.5 * int(rng.integers(-18, 19)))


@pytest.mark.long
@pytest.mark.parametrize("kernel", Kernel)
def test_kernels_from_a_hundred_positions(kernel: Kernel) -> None:
    """From the empty boards and a hundred random ones, LONG playouts each; false failure 1e-6 in all."""
    roots = [Root(Position(n), colour, komi=0.5) for n in (2, 3) for colour in Colour]
    roots += [random_root(number) for number in range(RANDOM_ROOTS)]

    def compared(root: Root) -> list[tuple[str, float]]:
        exact = distribution_of(root.position, root.colour, root.moves_played)
        return list(comparisons(root, exact, kernel, LONG))

    with ThreadPoolExecutor() as pool:
        found = [pair for pairs in pool.map(compared, roots) for pair in pairs]
    print(f"{kernel}: {len(found)} comparisons, least p {min(p for _, p in found):.3g}")
    assert_likely(found)
