"""The compiled playouts against the oracle, move by move and in distribution."""

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from drawings import format_drawing, parse_drawing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_games import random_game
from scipy.stats import chisquare

from reference_engine import kernel, playouts
from reference_engine.board import Position
from reference_engine.playout import Course, is_eye, move_cap, play_out, playable_points
from reference_engine.playouts import Root, Tally
from reference_engine.spec import SPEC, Amaf
from reference_engine.vocabulary import PASS, Colour, Move, Point

SEED = 20081013
ALPHA = 1e-6
FIRST_MOVES = SPEC.changed(amaf=Amaf.FIRST_MOVE_ONLY)
REPLAYS = {2: 800, 3: 1000, 4: 800, 5: 700, 6: 350, 7: 200, 8: 100, 9: 70, 10: 30, 11: 16, 12: 12, 13: 8}
"""Playouts replayed on each size: the oracle is slow."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A random start and a playout from it, in numbers that shrink."""

    plies: int
    game_seed: int
    until_ko: bool
    swaps_colour: bool
    """Whether the side that just moved, and not the other, moves first in the playout."""
    before_cap: int | None
    """Moves left before the cap, instead of those the game leaves."""
    komi: float
    seed: int
    number: int

    def root(self, size: int) -> Root:
        """Return where the playout starts."""
        game = random_game(size, self.plies, np.random.default_rng(self.game_seed), until_ko=self.until_ko)
        last = game.moves[-1][0] if game.moves else Colour.WHITE
        played = len(game.moves) if self.before_cap is None else max(0, move_cap(size) - self.before_cap)
        colour = last if self.swaps_colour else last.other
        return Root(game.position, colour, played, self.komi)


def plans(size: int) -> st.SearchStrategy[Plan]:
    """Return the strategy of random starts on a size."""
    return st.builds(
        Plan,
        plies=st.integers(0, 2 * size * size),
        game_seed=st.integers(0, 2**32 - 1),
        until_ko=st.booleans(),
        swaps_colour=st.booleans(),
        before_cap=st.one_of(st.none(), st.none(), st.integers(-3, 12)),
        komi=st.integers(-2 * size * size, 2 * size * size).map(lambda doubled: doubled / 2),
        seed=st.integers(-(2**63), 2**64 - 1),
        number=st.integers(0, 2**40),
    )


def replayed(root: Root, moves: list[Move]) -> Course:
    """Play the moves through the oracle; complain of one that is not playable and of a wrong end."""
    left = iter(moves)
    made: list[Move] = []

    def choose(position: Position, colour: Colour, playable: list[Point]) -> Move:
        move = next(left, "nothing")
        allowed = playable or [PASS]
        assert move in allowed, f"move {len(made) + 1}, {colour}: {move}\n{format_drawing(position)}"
        assert move != "nothing"
        made.append(move)
        return move

    course = play_out(root.position, root.colour, root.moves_played, choose)
    assert list(course.moves) == moves
    return course


def first_plays(moves: list[Move]) -> set[Point]:
    """Return the points that the side to move played before anybody else did (R6)."""
    mine, seen = set(), set()
    for ply, move in enumerate(moves):
        if move is not PASS and move not in seen:
            seen.add(move)
            if ply % 2 == 0:
                mine.add(move)
    return mine


def doubled_worth(margin: int, komi: float, colour: Colour) -> int:
    """Return twice the worth of a playout to the colour."""
    score = margin - komi if colour is Colour.BLACK else komi - margin
    return 2 if score > 0 else 0 if score < 0 else 1


def points_of(size: int, cells: playouts.Tallies) -> dict[Point, int]:
    """Return a tally by point, zeros left out."""
    return {playouts.point_of(size, int(cell)): int(cells[cell]) for cell in np.flatnonzero(cells)}


def assert_tally(tally: Tally, root: Root, course: Course, komi: float) -> None:
    """Complain unless the tally of one playout is that of its course."""
    size, moves = root.position.size, list(course.moves)
    worth = doubled_worth(course.margin, komi, root.colour)
    assert (course.length, worth) == (tally.nodes, tally.doubled_wins)
    mine = first_plays(moves)
    assert dict.fromkeys(mine, 1) == points_of(size, tally.visits)
    assert {point: worth for point in mine if worth} == points_of(size, tally.wins)


def check_replay(size: int, plan: Plan) -> Counter[str]:
    """Replay one playout and compare all the kernel says of it; return what kind of playout it was."""
    root = plan.root(size)
    moves, tally = playouts.course(root, plan.seed, plan.number)
    course = replayed(root, moves)
    assert_tally(tally, root, course, root.komi)
    histogram = playouts.histogram_for(size)
    for komi in (course.margin - 0.5, course.margin, course.margin + 0.5):
        other = Root(root.position, root.colour, root.moves_played, komi)
        again = playouts.run(other, 1, plan.seed, plan.number, histogram=histogram)
        assert_tally(again, root, course, komi)
    assert [[course.length, course.margin + size * size]] == np.argwhere(histogram).tolist()
    assert int(histogram.max()) == 3
    return Counter(
        {
            "ko for the mover": root.position.ko is not None and root.position.ko.colour is root.colour,
            "ko for the other": root.position.ko is not None and root.position.ko.colour is not root.colour,
            "black": root.colour is Colour.BLACK,
            "white": root.colour is Colour.WHITE,
            "capped": moves[-2:] != [PASS, PASS],
            "one move": len(moves) == 1,
            "passes inside": PASS in moves[:-2],
        }
    )


@pytest.mark.parametrize(("size", "count"), REPLAYS.items())
def test_every_playout_is_one_of_the_oracle(size: int, count: int) -> None:
    """Moves, end, length, margin, worth and tallies are those of the oracle; chance never fails the test."""
    seen: Counter[str] = Counter()

    @settings(
        max_examples=count, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(plan=plans(size))
    def check(plan: Plan) -> None:
        seen.update(check_replay(size, plan))

    check()
    if size <= 5:
        kinds = {name for name, times in seen.items() if times}
        assert kinds == set(seen) - ({"ko for the mover", "ko for the other"} if size == 2 else set())


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 9, 13, 19, 25])
def test_playable_points_are_those_of_the_oracle(size: int) -> None:
    """Eyes and suicides are the oracle's in random games, ko aside; chance never fails the test."""
    rng = np.random.default_rng(SEED)
    for plies in np.linspace(0, 2 * size * size, 3 if size > 9 else 40).astype(int):
        position = random_game(size, int(plies), rng).position
        for colour in Colour:
            expected = [
                point
                for point in position.empty_points()
                if not position.is_suicide(colour, point) and not is_eye(position, colour, point)
            ]
            assert expected == playouts.playable(position, colour), format_drawing(position)


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("margin", [-81, -1, 0, 1, 7, 81])
@pytest.mark.parametrize("komi", [-7.5, -1.0, 0.0, 0.5, 7.0, 7.5, 81.0])
def test_the_worth_of_a_playout(margin: int, komi: float, colour: Colour) -> None:
    """A win is worth two, a draw one, a loss nothing, seen by the side to move."""
    assert doubled_worth(margin, komi, colour) == kernel.doubled_result(
        margin, komi, int(colour), playouts.codes_of(SPEC)
    )


def spread(size: int, visits: playouts.Tallies, position: Position, colour: Colour) -> list[int]:
    """Return the counts of the playable points; complain of a count anywhere else."""
    playable = playable_points(position, colour)
    found = points_of(size, visits)
    assert set(found) <= set(playable)
    return [found.get(point, 0) for point in playable]


STARTS = {
    "empty board": ("......... " * 9, Colour.BLACK),
    "eyes, suicides and captures": (
        """
        .X.XO.O..
        XXXXOOOO.
        ..OXXXXO.
        .OOOOXOOO
        ..X.OXXX.
        .X.XOOXXX
        ..X..OX.X
        ...O.OOXX
        ..O.O.O.X
        """,
        Colour.WHITE,
    ),
}


@pytest.mark.parametrize(("drawing", "colour"), STARTS.values(), ids=STARTS.keys())
def test_first_moves_are_uniform(drawing: str, colour: Colour) -> None:
    """Each playable point begins as many playouts as any other: chi-square, false failure 1 in 10**6."""
    position = parse_drawing(drawing)
    root = Root(position, colour, move_cap(9))
    tally = playouts.run(root, 1_000_000, SEED, spec=FIRST_MOVES)
    assert tally.nodes == 1_000_000
    counts = spread(9, tally.visits, position, colour)
    assert sum(counts) == 1_000_000
    assert chisquare(counts).pvalue > ALPHA


def test_first_moves_of_whole_playouts_are_uniform() -> None:
    """Nothing a playout does changes the first move of the next: chi-square, false failure 1 in 10**6."""
    tally = playouts.run(Root(Position(5), Colour.BLACK), 200_000, SEED, spec=FIRST_MOVES)
    counts = spread(5, tally.visits, Position(5), Colour.BLACK)
    assert sum(counts) == 200_000
    assert chisquare(counts).pvalue > ALPHA


def test_a_ko_ban_holds_for_the_first_move() -> None:
    """A ko ban holds for its colour only, other first moves are uniform: chi-squares, false failure 1e-6."""
    position = parse_drawing(".XO. XO.O .XO. ....").after(Colour.BLACK, (2, 2))
    for colour, banned in ((Colour.WHITE, True), (Colour.BLACK, False)):
        tally = playouts.run(Root(position, colour, move_cap(4)), 100_000, SEED, spec=FIRST_MOVES)
        assert banned == (tally.visits[playouts.cell_of(4, (2, 1))] == 0)
        assert chisquare(spread(4, tally.visits, position, colour)).pvalue > ALPHA / 2


Results = dict[tuple[int, int], float]


def exact_results(root: Root) -> Results:
    """Return the probability of every (length, margin) of a playout, by the oracle's rules."""

    @cache
    def results(position: Position, colour: Colour, played: int, has_passed: bool) -> Results:
        playable = playable_points(position, colour)
        found: Counter[tuple[int, int]] = Counter()
        for move in playable or [PASS]:
            after = position.after_pass() if move is PASS else position.after(colour, move)
            if played + 1 >= move_cap(position.size) or (move is PASS and has_passed):
                rest = {(0, after.area_margin()): 1.0}
            else:
                rest = results(Hashed.of(after), colour.other, played + 1, move is PASS)
            for (length, margin), chance in rest.items():
                found[length + 1, margin] += chance / max(1, len(playable))
        return dict(found)

    return results(Hashed.of(root.position), root.colour, root.moves_played, False)  # noqa: FBT003


class Hashed(Position):
    """A position that may be a key."""

    __slots__ = ()

    @classmethod
    def of(cls, position: Position) -> "Hashed":
        """Return the same position, hashable."""
        return cls(position.size, position.stones, position.ko)

    def __hash__(self) -> int:
        return hash((self.key(), self.ko))


LOTTERIES = {
    "smallest board": Root(Position(2), Colour.BLACK),
    "smallest board, White, near the cap": Root(Position(2), Colour.WHITE, 6),
    "last six moves of 3x3": Root(parse_drawing("XO. OXX ..."), Colour.WHITE, move_cap(3) - 6),
    "ko": Root(
        parse_drawing(".XO. XO.O .XO. XXOO").after(Colour.BLACK, (2, 2)), Colour.WHITE, move_cap(4) - 5
    ),
}


@pytest.mark.parametrize("root", LOTTERIES.values(), ids=LOTTERIES.keys())
def test_lengths_and_margins_have_their_exact_probabilities(root: Root) -> None:
    """Joint counts of length and margin fit the exact ones: chi-square, false failure 1 in 10**6."""
    size, n = root.position.size, 1_000_000
    histogram = playouts.histogram_for(size)
    playouts.run(root, n, SEED, histogram=histogram)
    exact = exact_results(root)
    assert sum(exact.values()) == pytest.approx(1.0)
    found = {(int(length), int(place) - size * size) for length, place in np.argwhere(histogram)}
    assert found <= set(exact)
    common = {result: n * chance for result, chance in exact.items() if n * chance >= 20}
    observed = [int(histogram[length, margin + size * size]) for length, margin in common]
    expected = list(common.values())
    if n - sum(expected) > 20:  # the rare ones together
        observed.append(n - sum(observed))
        expected.append(n - sum(expected))
    assert len(expected) > 1
    observed_total, expected_total = sum(observed), sum(expected)
    assert chisquare(observed, np.array(expected) * observed_total / expected_total).pvalue > ALPHA
