"""The chains kernel: its table of shapes, the sums it keeps, and what machines and batches make of it.

That its playouts are the oracle's, and have the oracle's shares, is shown by ``replay`` and ``draws``.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import reduce
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawings import format_drawing
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import random_game
from replay import READINGS
from scipy.stats import chi2

from reference_engine import chain_board, chain_kernel, lockstep, playouts, reading
from reference_engine.board import Position, neighbours
from reference_engine.chain_board import CELLS, CODE, EMPTY, HEAD, LINK, SIZE, STONES, WEIGHTS
from reference_engine.compiled import compiled
from reference_engine.playouts import Kernel, Root
from reference_engine.records import Records
from reference_engine.shapes import shapes_of
from reference_engine.spec import SPEC, Amaf, Spec
from reference_engine.streams import below, seed_stream
from reference_engine.vocabulary import MAX_SIZE, MIN_SIZE, PASS, Colour, Point

SEED = 20081013
ALPHA = 1e-6

# In the order of a code's masks.
BESIDE = ((-1, 0), (0, -1), (0, 1), (1, 0))
ACROSS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def code_of(position: Position, point: Point) -> int:
    """Return what stands around a point, as ``shapes`` describes it, from the oracle's position."""

    def bits(steps: tuple[tuple[int, int], ...], colour: Colour) -> int:
        there = [(point[0] + row, point[1] + column) for row, column in steps]
        inside = [all(0 <= x < position.size for x in p) for p in there]
        return sum(1 << i for i, p in enumerate(there) if not inside[i] or position.stones.get(p) is colour)

    planes = [bits(steps, colour) for steps in (ACROSS, BESIDE) for colour in Colour]
    return sum(plane << 4 * i for i, plane in enumerate(planes))


def surroundings(point: Point) -> Iterator[Position]:
    """Yield every way to surround a point of a 3x3 board."""
    near = [
        p for p in Position(3).points() if p != point and max(abs(p[0] - point[0]), abs(p[1] - point[1])) == 1
    ]
    for stones in product((None, *Colour), repeat=len(near)):
        yield Position(3, {p: stone for p, stone in zip(near, stones, strict=True) if stone})


EYES = {
    name: spec
    for name, spec in READINGS.items()
    if spec == SPEC or any(getattr(spec, f) != getattr(SPEC, f) for f in dir(spec) if "eye" in f)
}


@pytest.mark.parametrize("name", EYES)
def test_shapes_say_what_the_oracle_says(name: str) -> None:
    """Every surrounding of a point inside, on each edge and in each corner is judged as by the oracle."""
    spec, seen = EYES[name], set()
    shapes = shapes_of(spec)
    for point in Position(3).points():
        for position in surroundings(point):
            code = code_of(position, point)
            seen.add(code)
            for colour in Colour:
                expected = reading.is_left_alone(position, colour, point, spec)
                scene = f"{point}, {colour}\n{format_drawing(position)}"
                assert expected == bool(shapes[code] & colour), scene
    assert len(seen) == 3**8 + 4 * 3**5 + 4 * 3**3


def test_a_table_is_made_once_and_cannot_be_changed() -> None:
    """Who asks again gets the same array, and it is read-only."""
    assert shapes_of(SPEC) is shapes_of(SPEC.changed())
    assert not shapes_of(SPEC).flags.writeable


@given(
    cells=st.lists(st.integers(0, CELLS - 1), min_size=1, max_size=834),
    same=st.booleans(),
    place=st.integers(0, 833),
)
def test_only_a_chain_with_one_liberty_is_a_multiple_of_its_weight(
    cells: list[int], same: bool, place: int
) -> None:
    """The word of up to 834 pseudo-liberties is count times a cell's weight where all are that cell only."""
    cell = cells[place % len(cells)]
    liberties = [cell] * len(cells) if same else cells
    word = sum(int(WEIGHTS[liberty]) for liberty in liberties)
    assert word < 2**64
    assert word & int(chain_board.COUNT) == len(liberties)
    is_multiple = word == len(liberties) * int(WEIGHTS[cell])
    assert is_multiple == (set(liberties) == {cell})


class Board:
    """The kernel's board on its own, filled from a position."""

    def __init__(self, position: Position) -> None:
        self.size = position.size
        self.b, self.libs = np.zeros(SIZE, np.uint16), np.zeros(CELLS, np.uint64)
        self.empties = int(_set_up(playouts.cells_of(position), self.size, self.b, self.libs))

    def play(self, colour: Colour, point: Point) -> None:
        """Put a stone down."""
        cell, first, end = self.cell(point), int(EMPTY), int(EMPTY) + self.empties
        i = int(np.argmax(self.b[first:end] == cell))
        self.empties = int(_place(self.b, self.libs, self.empties, i, int(colour)))

    def cell(self, point: Point) -> int:
        """Return the cell of a point."""
        return (point[0] + 1) * chain_board.ROW + point[1] + 1

    def field(self, region: np.uint64, point: Point) -> int:
        """Return a field of a point's cell."""
        return int(self.b[int(region) + self.cell(point)])

    def word(self, stones: frozenset[Point], empty: set[Point]) -> int:
        """Return what the sum over the pseudo-liberties of some points must be."""
        beside = (p for stone in stones for p in neighbours(self.size, stone) if p in empty)
        return sum(int(WEIGHTS[self.cell(p)]) for p in beside)

    def ring(self, point: Point) -> list[int]:
        """Return the cells linked to a point's, beginning with it."""
        cells = [self.cell(point)]
        while (after := int(self.b[int(LINK) + cells[-1]])) != cells[0]:
            assert len(cells) < self.size**2, "a ring that does not close"
            cells.append(after)
        return cells

    def assert_is(self, position: Position) -> None:
        """Complain unless every number on the board is what the oracle's position makes it."""
        empty = set(position.empty_points())
        listed = self.b[int(EMPTY) : int(EMPTY) + self.empties].tolist()
        assert sorted(listed) == sorted(self.cell(p) for p in empty)
        for point in position.points():
            assert self.field(CODE, point) == code_of(position, point), format_drawing(position)
            chain = position.chain(point)[0] if point in position.stones else frozenset({point})
            head = self.field(HEAD, point)
            cells = {self.cell(p) for p in chain}
            assert head in cells
            assert len({self.field(HEAD, p) for p in chain}) == 1
            assert sorted(self.ring(point)) == sorted(cells)
            assert self.b[int(STONES) + head] == len(chain)
            assert self.libs[head] == self.word(chain, empty)


@compiled
def _set_up(board: Any, size: Any, b: Any, libs: Any) -> Any:
    return chain_board.set_up(board, size, b, libs)


@compiled
def _place(b: Any, libs: Any, empties: Any, i: Any, colour: Any) -> Any:
    i, colour = np.uint64(i), np.uint64(colour)
    contact = chain_board.touch(b, libs, np.uint64(b[EMPTY + i]), colour)
    return chain_board.place(b, libs, np.uint64(empties), i, colour, contact)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 9, 13, 19, 25])
def test_a_board_is_set_up_from_any_position(size: int) -> None:
    """Chains, sums, codes and lists of positions of random games are the oracle's."""
    rng = np.random.default_rng(SEED)
    for plies in np.linspace(0, min(2 * size * size, 400), 20 if size < 9 else 3).astype(int):
        position = random_game(size, int(plies), rng).position
        Board(position).assert_is(position)


@pytest.mark.parametrize(("size", "games"), [(2, 20), (3, 30), (4, 20), (5, 12), (9, 3), (13, 1)])
def test_every_move_leaves_the_sums_right(size: int, games: int) -> None:
    """After each move of a playout the board is the one the oracle has, sum for sum; captures happen."""
    captured = 0
    for number in range(games):
        position = random_game(size, number % (size * size), np.random.default_rng(number)).position
        colour = Colour(1 + number % 2)
        records = playouts.record(Root(position, colour), 1, SEED, number, kernel=Kernel.CHAINS, moves=True)
        board = Board(position)
        for move in playouts.moves_of(size, records, 0):
            if move is not PASS:
                after = position.after(colour, move)
                captured += len(position.stones) + 1 - len(after.stones)
                position = after
                board.play(colour, move)
                board.assert_is(position)
            colour = colour.other
    assert captured > 5


@pytest.mark.parametrize("name", ["specification", "suicide-several", "suicide-before-capture"])
def test_playable_points_are_those_of_the_oracle(name: str) -> None:
    """Eyes and suicides of random positions are the oracle's, ko aside."""
    rng, spec = np.random.default_rng(SEED), READINGS[name]
    for size in (2, 3, 5, 9, 19):
        for plies in np.linspace(0, 2 * size * size if size < 19 else 300, 30 if size < 9 else 3).astype(int):
            position = random_game(size, int(plies), rng).position
            position = Position(size, position.stones)
            for colour in Colour:
                expected = reading.first_turn(position, colour, 0, spec).playable()
                assert playouts.playable(position, colour, spec) == list(expected), format_drawing(position)


@compiled
def _drawn(seed: Any, bounds: Any, drawn: Any) -> None:
    words = np.zeros(4, np.uint64)
    seed_stream(words, seed, 0)
    rng = (words[0], words[1], words[2], words[3])
    for i in range(bounds.size):
        drawn[i, 0] = below(words, bounds[i])
        drawn[i, 1], rng = chain_kernel._draw(rng, bounds[i], None)


def test_draws_are_those_of_the_streams() -> None:
    """The generator in registers draws what the one in memory does, rare second draws included."""
    small = np.arange(100_000, dtype=np.uint64) % np.uint64(625) + np.uint64(1)
    large = np.full(1000, 3 << 30, np.uint64)  # a quarter of these is drawn again
    bounds = np.concatenate((small, large, small))
    drawn = np.zeros((bounds.size, 2), np.uint64)
    _drawn(np.uint64(SEED), bounds, drawn)
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert (drawn[:, 0] < bounds).all()


def record(size: int, count: int, first: int = 0, spec: Spec = SPEC) -> Records:
    """Record playouts of the chains kernel from the empty board, everything kept."""
    root = Root(Position(size), Colour.BLACK)
    return playouts.record(root, count, SEED, first, spec=spec, kernel=Kernel.CHAINS, owners=True, moves=True)


def digest_of(records: Records) -> str:
    """Return a digest of all that was recorded."""
    digest = hashlib.sha256()
    for array in records:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("name", ["specification", "superko-in-playouts", "list-scan"])
@pytest.mark.parametrize("size", [2, 5, 9])
def test_a_playout_depends_on_its_number_alone(size: int, name: str) -> None:
    """One batch, several and single playouts give the same rows: a playout leaves nothing to the next."""
    spec, cuts = READINGS[name], [0, 1, 2, 9, 30]
    whole = record(size, cuts[-1], spec=spec)
    for start, end in pairwise(cuts):
        part = record(size, end - start, start, spec)
        for all_rows, some_rows in zip(whole, part, strict=True):
            assert np.array_equal(all_rows[start:end], some_rows)


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_every_size_plays(size: int) -> None:
    """Records agree with each other on boards of every size."""
    records = record(size, 3)
    for row in range(3):
        moves = playouts.moves_of(size, records, row)
        assert len(moves) == records.lengths[row]
        assert moves.count(PASS) == records.passes[row]
        owners = np.bincount(records.owners[row], minlength=3)
        assert owners[1] - owners[2] == records.margins[row]
        assert records.credits[row].max() <= 1
        first = {}
        for ply, move in enumerate(moves):
            first.setdefault(move, ply % 2)
        credited = {move for move, side in first.items() if side == 0 and move is not PASS}
        assert {playouts.point_of(size, int(i)) for i in np.flatnonzero(records.credits[row])} == credited


def test_repeated_plays_count_every_time() -> None:
    """Where every play is data, a point may count more than once, and plays of the root's side add up."""
    records = record(4, 200, spec=SPEC.changed(amaf=Amaf.EVERY_PLAY))
    assert records.credits.max() > 1
    for row in range(200):
        own = playouts.moves_of(4, records, row)[::2]
        assert records.credits[row].sum() == len(own) - own.count(PASS)


Table = NDArray[np.int64]


def table(size: int, count: int, spec: Spec, kernel: Kernel) -> Table:
    """Count playouts from the empty board by length and margin."""
    histogram = playouts.histogram_for(size, spec)
    root = Root(Position(size), Colour.BLACK)
    playouts.run(root, count, SEED, spec=spec, kernel=kernel, histogram=histogram)
    return histogram


def difference(one: Table, other: Table) -> tuple[float, int]:
    """Return the statistic of a chi-square test of two samples of one size, and its degrees of freedom."""
    both = (one + other).ravel()
    kept, less = both >= 20, (one - other).ravel()
    squares = less[kept] ** 2 / both[kept]
    rest = both[~kept].sum()
    extra = less[~kept].sum() ** 2 / rest if rest else 0.0
    return float(squares.sum() + extra), int(kept.sum() + bool(rest)) - 1


COMMON = {
    name: spec
    for name, spec in READINGS.items()
    if lockstep.knows(spec) and spec.amaf is Amaf.FIRST_BY_EITHER
}


def test_two_kernels_agree_in_distribution() -> None:
    """Lengths and margins are those of the other kernel, by every reading it knows; false failure 1 in 10**6.

    The two share no code but the rules' numbers, and use different random numbers.
    """
    fits = [
        difference(*(table(size, 10_000, spec, kernel) for kernel in Kernel))
        for spec in COMMON.values()
        for size in (3, 6)
    ]
    statistic, freedom = reduce(lambda a, b: (a[0] + b[0], a[1] + b[1]), fits)
    assert freedom > 1000
    assert chi2.sf(statistic, freedom) > ALPHA / 2
    assert min(chi2.sf(*fit) for fit in fits if fit[1]) * len(fits) > ALPHA / 2


@settings(max_examples=30, deadline=None)
@given(size=st.integers(MIN_SIZE, 7), plies=st.integers(0, 60), seed=st.integers(0, 2**64 - 1))
def test_only_the_low_bits_of_a_seed_count(size: int, plies: int, seed: int) -> None:
    """Any integer is a seed, and the same seed gives the same playouts from the same position."""
    root = Root(random_game(size, plies, np.random.default_rng(plies)).position, Colour.WHITE, plies)
    one, other = (
        playouts.record(root, 2, seed + offset, kernel=Kernel.CHAINS, moves=True) for offset in (0, 2**64)
    )
    assert digest_of(one) == digest_of(other)


PROGRAM = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_chains import digest_of, record
from replay import READINGS
print(*(digest_of(record(size, 50, spec=READINGS[name]))
        for size in (3, 9) for name in ("specification", "no-cap")))
"""


@pytest.mark.slow
def test_the_machine_changes_nothing(tmp_path: Path) -> None:
    """The same playouts come out on a processor without wide vectors, compiled without a cache."""
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **plain},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [
        digest_of(record(size, 50, spec=READINGS[name]))
        for size in (3, 9)
        for name in ("specification", "no-cap")
    ]
    assert done.stdout.split() == here
