# ruff: noqa: ARG005, PLW0108 - Numba compiles these functions, and wants both arguments
"""Vectors of games: every operation against plain integers, lane by lane."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reference_engine import bitboard, lanes
from reference_engine.bitboard import MOST, PITCH, ROWS_A_WORD
from reference_engine.compiled import compiled
from reference_engine.lanes import WIDTH, WORDS, load, plane, store

Words = NDArray[np.uint32]
ALL = 0xFFFFFFFF


def random_words(rows: int, seed: int) -> Words:
    """Return words with few, half and most bits set, and the extremes."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 2**32, (3, rows, WIDTH), dtype=np.uint32)
    few, many = words[0] & words[1] & words[2], words[0] | words[1] | words[2]
    mixed = np.where(rng.random((rows, WIDTH)) < 0.5, few, many)
    mixed[:, :2] = (0, ALL)
    return np.where(rng.random((rows, WIDTH)) < 0.5, words[0], mixed)


def binary(operation: Callable[[Any, Any], Any]) -> Callable[[Words, Words], Words]:
    """Return a compiled function that applies an operation of two words lane by lane."""

    @compiled
    def apply(state: Any) -> None:
        store(state, 2, operation(load(state, 0), load(state, 1)))

    def run(a: Words, b: Words) -> Words:
        state = np.stack([a, b, b])
        apply(state)
        return state[2]

    return run


BINARY: dict[str, tuple[Any, Callable[[int, int], int]]] = {
    "and": (compiled(lambda a, b: a & b), lambda a, b: a & b),
    "or": (compiled(lambda a, b: a | b), lambda a, b: a | b),
    "xor": (compiled(lambda a, b: a ^ b), lambda a, b: a ^ b),
    "add": (compiled(lambda a, b: a + b), lambda a, b: (a + b) & ALL),
    "sub": (compiled(lambda a, b: a - b), lambda a, b: (a - b) & ALL),
    "mul": (compiled(lambda a, b: a * b), lambda a, b: (a * b) & ALL),
    "invert": (compiled(lambda a, b: ~a), lambda a, b: ~a & ALL),
    "shift by a constant": (compiled(lambda a, b: (a << 7) >> 3), lambda a, b: ((a << 7) & ALL) >> 3),
    "shift by a word": (compiled(lambda a, b: a >> (b & 31)), lambda a, b: a >> (b & 31)),
    "less": (compiled(lambda a, b: lanes.less(a, b)), lambda a, b: ALL if a < b else 0),
    "equal": (compiled(lambda a, b: lanes.equal(a & 1, b & 1)), lambda a, b: ALL if not (a ^ b) & 1 else 0),
    "count": (compiled(lambda a, b: lanes.count_bits(a)), lambda a, b: a.bit_count()),
    "rotate": (compiled(lambda a, b: lanes.rotate_left(a, 11)), lambda a, b: ((a << 11) | (a >> 21)) & ALL),
    "high product": (compiled(lambda a, b: lanes.high_product(a, b)), lambda a, b: (a * b) >> 32),
}


@pytest.mark.parametrize("name", BINARY)
def test_operations_work_lane_by_lane(name: str) -> None:
    """Each operation gives in every lane what plain integers give."""
    operation, expected = BINARY[name]
    run = binary(operation)

    for seed in range(50):
        a, b = random_words(2, seed)

        assert run(a, b).tolist() == [expected(int(x), int(y)) for x, y in zip(a, b, strict=True)]


def test_any_set_sees_one_bit_of_one_lane() -> None:
    """A single bit anywhere counts, and only bits count."""

    @compiled
    def sees(state: Any) -> bool:
        return lanes.any_set(load(state, 0))

    state = np.zeros((1, WIDTH), np.uint32)
    assert not sees(state)
    for lane in range(WIDTH):
        for bit in (0, 17, 31):
            state[:] = 0
            state[0, lane] = np.uint32(1 << bit)
            assert sees(state)


Set = frozenset[tuple[int, int]]
POINTS = [(row, column) for row in range(MOST) for column in range(MOST)]


def words_of(points: Set) -> list[int]:
    """Return a set of points as a plane's three words."""
    words = [0] * WORDS
    for row, column in points:
        words[row // ROWS_A_WORD] |= 1 << (row % ROWS_A_WORD * PITCH + column)
    return words


def points_in(words: list[int]) -> Set:
    """Return the real points among a plane's bits."""
    return frozenset(
        (r, c) for r, c in POINTS if words[r // ROWS_A_WORD] >> (r % ROWS_A_WORD * PITCH + c) & 1
    )


def moved(points: Set, rows: int, columns: int) -> Set:
    """Return the set moved, what leaves the board lost."""
    return frozenset((r + rows, c + columns) for r, c in points if (r + rows, c + columns) in set(POINTS))


SHIFTS: dict[str, tuple[Any, Callable[[Set], Set]]] = {
    "up": (bitboard.up, lambda s: moved(s, 1, 0)),
    "down": (bitboard.down, lambda s: moved(s, -1, 0)),
    "right": (bitboard.right, lambda s: moved(s, 0, 1)),
    "left": (bitboard.left, lambda s: moved(s, 0, -1)),
    "around": (
        bitboard.around,
        lambda s: moved(s, 1, 0) | moved(s, -1, 0) | moved(s, 0, 1) | moved(s, 0, -1),
    ),
    "up and right": (compiled(lambda p: bitboard.up(bitboard.right(p))), lambda s: moved(s, 1, 1)),
    "down and left": (compiled(lambda p: bitboard.down(bitboard.left(p))), lambda s: moved(s, -1, -1)),
}


@pytest.mark.parametrize("name", SHIFTS)
def test_shifts_do_not_cross_the_edge(name: str) -> None:
    """Sets move as sets of points do; nothing comes back in on another row, column or word."""
    shift, expected = SHIFTS[name]

    @compiled
    def apply(state: Any) -> None:
        moved = shift(plane(load(state, 0), load(state, 1), load(state, 2)))
        store(state, 0, lanes.low_word(moved))
        store(state, 1, lanes.middle_word(moved))
        store(state, 2, lanes.high_word(moved))

    rng = np.random.default_rng(5)
    for density in (0.02, 0.2, 0.5, 0.9, 1.0):
        sets = [frozenset(p for p in POINTS if rng.random() < density) for _ in range(WIDTH)]
        state = np.array([words_of(points) for points in sets], np.uint32).T.copy()

        apply(state)

        for lane, points in enumerate(sets):
            assert points_in([int(word) for word in state[:, lane]]) == expected(points)


def test_the_nth_point_is_found() -> None:
    """Every member of a set comes out at its own number, and nothing beyond the last."""

    @compiled
    def pick(state: Any) -> None:
        found = bitboard.nth_point(plane(load(state, 0), load(state, 1), load(state, 2)), load(state, 3))
        store(state, 0, lanes.low_word(found))
        store(state, 1, lanes.middle_word(found))
        store(state, 2, lanes.high_word(found))

    rng = np.random.default_rng(6)
    for density in (0.0, 0.05, 0.5, 1.0):
        points = frozenset(p for p in POINTS if rng.random() < density)
        ordered = sorted(points)
        for start in range(0, len(ordered) + WIDTH, WIDTH):
            numbers = range(start, start + WIDTH)
            state = np.array([[*words_of(points), n] for n in numbers], np.uint32).T.copy()

            pick(state)

            for lane, n in enumerate(numbers):
                found = points_in([int(word) for word in state[:3, lane]])
                assert found == (frozenset([ordered[n]]) if n < len(ordered) else frozenset())
