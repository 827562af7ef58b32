"""Recognition of repeated games: the same size, stones and moves, under any symmetry of the board."""

import hashlib
from collections.abc import Iterable
from functools import cache

from harness.cases.reflection import image_of
from harness.match.board import parse_vertex
from harness.match.record import GameRecord
from harness.match.terms import OpeningPosition

_DIGEST_BYTES = 12
_PASS = 625

_Place = tuple[str, int]
"""A colour letter and the index of a point."""


def digest_of(game: GameRecord, opening: OpeningPosition, size: int) -> bytes:
    """Return a digest of the board size, the opening and the moves, equal for symmetric games.

    The players are left out: the caller decides which games may be duplicates of each other.
    """
    stones = [(colour, _index(vertex, size)) for colour, vertex in sorted(opening.stones)]
    moves = [(colour, _index(vertex, size)) for colour, vertex in opening.moves]
    moves += [(move.colour, _index(move.vertex, size)) for move in game.moves]
    forms = (_form(size, table, stones, moves) for table in symmetries(size))
    return hashlib.blake2b(min(forms), digest_size=_DIGEST_BYTES).digest()


@cache
def symmetries(size: int) -> tuple[tuple[int, ...], ...]:
    """Return eight tables, one for each rotation and reflection: the image of each point, and of a pass."""
    points = [divmod(index, size) for index in range(size * size)]
    ways = []
    for number in range(8):
        images = (image_of(point, size, number) for point in points)
        table = [row * size + column for row, column in images]
        ways.append((*table, *[_PASS] * (_PASS + 1 - size * size)))
    return tuple(ways)


def _form(size: int, table: tuple[int, ...], stones: Iterable[_Place], moves: Iterable[_Place]) -> bytes:
    first = sorted((colour, table[index]) for colour, index in stones)
    played = [(colour, table[index]) for colour, index in moves]
    parts = (f"{colour}{index}" for colour, index in [*first, ("|", size), *played])
    return ",".join(parts).encode()


@cache
def _index(vertex: str, size: int) -> int:
    point = parse_vertex(vertex, size)
    return _PASS if point is None else point[0] * size + point[1]
