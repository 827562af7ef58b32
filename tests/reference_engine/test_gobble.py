"""Gobble's orders, its law of shifts, and its games beside a slow program for the same."""

from collections import Counter

import numpy as np
import pytest
from random_games import random_game
from scipy import stats

from reference_engine import gobble_kernel, playouts
from reference_engine.board import Position
from reference_engine.gobble import Gobble, Strategy, pswap, temperature
from reference_engine.playout import playable_points
from reference_engine.playouts import Root
from reference_engine.records import ENDED, PASSED
from reference_engine.shapes import shapes_of
from reference_engine.spec import SPEC
from reference_engine.streams import seed_stream
from reference_engine.vocabulary import Colour, Move

SEED = 1993
ALPHA = 1e-6
"""Of each chi-square test below; a true law fails one of them once in so many seeds."""


def drops(p: float, place: int, times: int, length: int = 40) -> Counter[int]:
    """Return how far the move in a place of the order fell in one sweep."""
    rng = np.zeros(4, np.uint64)
    seed_stream(rng, np.uint64(SEED), place)
    found: Counter[int] = Counter()
    for _ in range(times):
        order = np.arange(length)
        gobble_kernel.sweep(rng, order, p)
        found[int(np.flatnonzero(order == place)[0]) - place] += 1
    return found


def p_value(found: Counter[int], law: dict[int, float], times: int) -> float:
    """Return the chi-square p-value of counts against a law; cells below five are put together."""
    observed, expected = [], []
    rest_seen, rest = times, float(times)
    for shift, chance in law.items():
        if chance * times >= 5:
            observed.append(found[shift])
            expected.append(chance * times)
            rest_seen -= found[shift]
            rest -= chance * times
    if rest >= 1e-9:
        observed.append(rest_seen)
        expected.append(rest)
    return float(stats.chisquare(observed, expected).pvalue)


@pytest.mark.parametrize("p", [0.2, 0.5, 0.8])
def test_the_best_move_falls_at_least_n_places_with_probability_p_to_the_n(p: float) -> None:
    """Equation 3 of the paper, as the chance of at least n places: then n exactly has (1 - p) p**n."""
    times = 50_000
    found = drops(p, 0, times)

    assert p_value(found, {n: (1 - p) * p**n for n in range(38)}, times) > ALPHA
    at_least = {n: sum(found[m] for m in found if m >= n) / times for n in (1, 2, 3)}
    for n, share in at_least.items():
        assert abs(share - p**n) < 5 * (p**n * (1 - p**n) / times) ** 0.5


@pytest.mark.parametrize("p", [0.2, 0.5, 0.8])
def test_a_move_inside_the_order_may_also_be_passed_by(p: float) -> None:
    """One carried past it moves it up a place, with probability p; else it falls as the best does."""
    times = 50_000
    law = {-1: p} | {n: (1 - p) * (1 - p) * p**n for n in range(20)}

    # The second of the order: the first is carried past it with probability p exactly.
    assert p_value(drops(p, 1, times), law, times) > ALPHA


def test_another_law_is_refuted() -> None:
    """The test above would notice p**n taken for the chance of n places exactly, and p off by 0.02."""
    found = drops(0.5, 0, 50_000)

    for p in (0.48, 0.52):
        assert p_value(found, {n: (1 - p) * p**n for n in range(38)}, 50_000) < ALPHA
    exact = {n: 0.5**n for n in range(1, 38)}
    assert abs(found[1] - exact[1] * 50_000) > 5 * (50_000 * 0.25) ** 0.5


def test_temperature_and_probability_are_each_others_inverse() -> None:
    """Equation 4."""
    for p in (0.01, 0.5, 0.99):
        assert pswap(temperature(p)) == pytest.approx(p)
    schedule = Gobble(hot=5.0, cold=0.25).schedule(100)
    assert schedule[0] == pytest.approx(pswap(5.0))
    assert schedule[-1] == pytest.approx(pswap(0.25))
    assert np.all(np.diff(schedule) < 0)


def slow_game(position: Position, colour: Colour, played: int, orders: dict[Colour, list[int]]) -> list[Move]:
    """Return the game that two orders lead to, by the oracle."""
    size, moves, passes = position.size, [], 0
    while True:
        playable = set(playable_points(position, colour))
        choices = [divmod(index, size) for index in orders[colour] if divmod(index, size) in playable]
        move = choices[0] if choices else None
        moves.append(move)
        passes = passes + 1 if move is None else 0
        position = position.after_pass() if move is None else position.after(colour, move)
        if passes == 2 or len(moves) >= max(1, gobble_kernel.CAP * size * size - played):
            return moves
        colour = colour.other


@pytest.mark.parametrize("size", [3, 5, 9])
def test_games_are_those_of_the_orders(size: int) -> None:
    """Without shaking, sides play their values from the best down; held against the oracle, move by move."""
    rng = np.random.default_rng(SEED)
    area, finished = size * size, 0
    for number in range(25):
        game = random_game(size, int(rng.integers(0, area)), rng)
        position, played = game.position, len(game.moves)
        colour = Colour.BLACK if number % 2 else Colour.WHITE
        values = np.stack([rng.permutation(area), rng.permutation(area)]).astype(float)
        sums, hits = values.copy(), np.ones((2, area), np.int64)
        moves = np.full((1, 3 * area + 2), ENDED, np.int16)
        ban = position.ko
        ko = (playouts.index_of(size, ban.point), int(ban.colour)) if ban else (-1, 0)
        nodes, won, points = gobble_kernel.anneal(
            playouts.cells_of(position), size, int(colour), *ko, played, 0.5, np.uint64(number), 0,
            np.zeros(1), -1, shapes_of(SPEC), sums, hits, moves,
        )  # fmt: skip
        orders = {Colour(side + 1): [int(i) for i in np.argsort(-values[side])] for side in range(2)}
        expected = slow_game(position, colour, played, orders)
        found = [
            None if index == PASSED else divmod(int(index), size)
            for index in moves[0, : int(np.argmax(moves[0] == ENDED))]
        ]
        assert found == expected
        mover, final = colour, position
        mine: dict[Colour, set[Move]] = {Colour.BLACK: set(), Colour.WHITE: set()}
        for move in expected:
            final = final.after_pass() if move is None else final.after(mover, move)
            mine[mover].add(move)
            mover = mover.other
        score = final.area_margin() - 0.5
        own = score if colour is Colour.BLACK else -score
        assert (nodes, won, points) == (len(expected), 2 * (own > 0), own)
        for side in Colour:
            for index in range(area):
                has = divmod(index, size) in mine[side]
                assert hits[int(side) - 1, index] == 1 + has
                worth = (score if side is Colour.BLACK else -score) * has
                assert sums[int(side) - 1, index] == values[int(side) - 1, index] + worth
        finished += expected[-2:] == [None, None]
    assert finished > 0


@pytest.mark.parametrize("strategy", Strategy)
def test_all_games_are_spent(strategy: Strategy) -> None:
    """Whatever the strategy, the number of games is the one declared, and values stand at candidates."""
    root = Root(Position(5), Colour.BLACK, 0, 0.5)
    candidates = playouts.playable(root.position, Colour.BLACK)
    found = Gobble(strategy)(root, candidates, 260, 7, 0)
    again = Gobble(strategy)(root, candidates, 260, 7, 0)

    assert found.nodes == again.nodes
    assert np.isfinite(found.values).sum() == 25
    assert 0 < found.score < 1
    assert (found.score * 520) % 1 == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("strategy", Strategy)
def test_the_centre_is_the_best_opening_on_a_small_board(strategy: Strategy) -> None:
    """It learns: on 5x5 the middle is the best first move; 20,000 games, seed fixed.

    Strategy A shows it by a tenth of a point only, for nearly every point is played in nearly every game.
    """
    root = Root(Position(5), Colour.BLACK, 0, 0.5)
    candidates = playouts.playable(root.position, Colour.BLACK)
    found = Gobble(strategy)(root, candidates, 20_000, SEED, 0)

    assert int(np.argmax(found.values)) == 12
    assert found.values[12] > found.values[0] + (0.01 if strategy is Strategy.A else 10)
