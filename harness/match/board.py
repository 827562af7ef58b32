"""The referee's board.  It shares no code with the engine, which may play in the games that it judges.

A board is a flat array of cells with a border, so that the neighbours of a cell are at fixed distances.  It
handles captures and area, and refuses occupied points, suicide and positional superko.  Players and passes
are the business of ``game``.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

Point = tuple[int, int]
"""Row and column, from 0; A1 is (0, 0)."""

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2
_BORDER: Final = 3
LETTERS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Illegal(StrEnum):
    """The reason why a move is illegal."""

    OCCUPIED = "the point is occupied"
    SUICIDE = "suicide"
    SUPERKO = "it repeats an earlier position (positional superko)"


class Board:
    """A board, with the earlier positions of its game (for superko)."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._width = size + 1
        self._cells = bytearray([_BORDER] * (self._width * (size + 2)))
        for row in range(size):
            start = (row + 1) * self._width
            self._cells[start : start + size] = bytes(size)
        self._around = (1, -1, self._width, -self._width)
        self._seen = {bytes(self._cells)}

    def at(self, point: Point) -> int:
        """Return the content of a point: empty, black or white."""
        return self._cells[self._index(point)]

    def stones(self) -> Iterator[tuple[Point, int]]:
        """Yield every stone with its colour."""
        for row in range(self.size):
            for column in range(self.size):
                if colour := self._cells[(row + 1) * self._width + column]:
                    yield (row, column), colour

    def put(self, colour: int, point: Point) -> None:
        """Put a stone of a handicap or an opening.  Nothing is captured; superko begins at this position."""
        self._cells[self._index(point)] = colour
        self._seen = {bytes(self._cells)}

    def play(self, colour: int, point: Point) -> Illegal | None:
        """Play a stone.  If that is illegal, return the reason and leave the board as it was."""
        cells, index = self._cells, self._index(point)
        if cells[index]:
            return Illegal.OCCUPIED
        cells[index] = colour
        enemy = 3 - colour
        taken: list[int] = []
        has_liberty = False
        for step in self._around:
            near = cells[index + step]
            if near == enemy:
                dead = self._dead_chain(index + step)
                for stone in dead:
                    cells[stone] = EMPTY
                taken += dead
            elif near == EMPTY:
                has_liberty = True
        if not taken and not has_liberty and self._dead_chain(index):
            cells[index] = EMPTY
            return Illegal.SUICIDE
        position = bytes(cells)
        if position in self._seen:
            cells[index] = EMPTY
            for stone in taken:
                cells[stone] = enemy
            return Illegal.SUPERKO
        self._seen.add(position)
        return None

    def chain(self, point: Point) -> frozenset[Point]:
        """Return the stones connected with the one on a point."""
        first = self._index(point)
        found, frontier, colour = {first}, [first], self._cells[first]
        while frontier:
            index = frontier.pop()
            for step in self._around:
                if self._cells[index + step] == colour and index + step not in found:
                    found.add(index + step)
                    frontier.append(index + step)
        return frozenset(self._point(index) for index in found)

    def area(self, dead: Iterable[Point] = ()) -> int:
        """Return Black's area minus White's, after the dead stones are taken off.

        A stone counts for its colour, and an empty region for the only colour that borders it.
        """
        cells = bytearray(self._cells)
        for point in dead:
            cells[self._index(point)] = EMPTY
        margin = cells.count(BLACK) - cells.count(WHITE)
        index = cells.find(EMPTY)
        while index >= 0:
            size, borders = self._fill(cells, index)
            margin += size if borders == {BLACK} else -size if borders == {WHITE} else 0
            index = cells.find(EMPTY, index)
        return margin

    def _fill(self, cells: bytearray, first: int) -> tuple[int, set[int]]:
        """Fill an empty region, and return its size and the colours that border it."""
        cells[first] = _BORDER
        size, frontier, borders = 0, [first], set[int]()
        while frontier:
            index = frontier.pop()
            size += 1
            for step in self._around:
                near = cells[index + step]
                if near == EMPTY:
                    cells[index + step] = _BORDER
                    frontier.append(index + step)
                elif near != _BORDER:
                    borders.add(near)
        return size, borders

    def _dead_chain(self, first: int) -> list[int]:
        """Return the chain on a cell if it has no liberty, otherwise an empty list."""
        cells, colour = self._cells, self._cells[first]
        found, place = [first], 0
        known = {first}
        while place < len(found):
            index = found[place]
            place += 1
            for step in self._around:
                near = cells[index + step]
                if near == EMPTY:
                    return []
                if near == colour and index + step not in known:
                    known.add(index + step)
                    found.append(index + step)
        return found

    def _index(self, point: Point) -> int:
        return (point[0] + 1) * self._width + point[1]

    def _point(self, index: int) -> Point:
        row, column = divmod(index, self._width)
        return row - 1, column


def parse_vertex(text: str, size: int) -> Point | None:
    """Read a vertex such as ``C4``, in upper or lower case; None if it is not a point of the board."""
    word = text.upper() if text.isascii() else ""
    column, digits = LETTERS.find(word[:1]) if word else -1, word[1:]
    if not 0 <= column < size or not digits.isdigit() or len(digits) > 3:
        return None
    row = int(digits) - 1
    return (row, column) if 0 <= row < size else None


def format_vertex(point: Point) -> str:
    """Return a point as GTP writes it."""
    return f"{LETTERS[point[1]]}{point[0] + 1}"
