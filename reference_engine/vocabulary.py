"""Colours, points and vertices: the words everything else is said in.

A *point* is ``(row, column)``, both from 0, row 0 at the bottom and column 0 at the left, so that
A1 is ``(0, 0)``.  A *move* is a point or ``PASS``.  A *vertex* is the text form of a move; its
letters skip I.  This module knows nothing of rules.
"""

from enum import IntEnum
from typing import Final, TypeAlias

MIN_SIZE: Final = 2
MAX_SIZE: Final = 25
"""The column letters of GTP end at 25."""

COLUMNS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

Point: TypeAlias = tuple[int, int]
Move: TypeAlias = Point | None
PASS: Final[Move] = None


class Colour(IntEnum):
    """The two players; the numbers are those on the kernel's board."""

    BLACK = 1
    WHITE = 2

    @property
    def other(self) -> "Colour":
        """The opponent's colour."""
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK

    @property
    def letter(self) -> str:
        """``B`` or ``W``."""
        return "BW"[self - 1]

    def __str__(self) -> str:
        """Return the name as GTP writes it."""
        return self.name.lower()


def parse_colour(text: str) -> Colour:
    """Turn ``b``, ``black``, ``w`` or ``white`` in any case into a colour.

    Raises:
        ValueError: the text is none of these.
    """
    match text.lower() if text.isascii() else "":
        case "b" | "black":
            return Colour.BLACK
        case "w" | "white":
            return Colour.WHITE
    raise ValueError(f"not a colour: {text!r}")


def parse_vertex(text: str, size: int) -> Move:
    """Turn a vertex such as ``C4`` or ``pass``, in any case, into a move on a board of ``size``.

    Raises:
        ValueError: the text is no vertex, or off the board.
    """
    word = text.upper() if text.isascii() else ""
    if word == "PASS":
        return PASS
    column, digits = COLUMNS.find(word[:1]), word[1:]
    if column < 0 or not word or not digits.isascii() or not digits.isdigit():
        raise ValueError(f"not a vertex: {text!r}")
    row = int(digits) - 1
    if not (0 <= row < size and column < size):
        raise ValueError(f"not on a board of size {size}: {text!r}")
    return row, column


def format_vertex(move: Move) -> str:
    """Turn a move into its vertex, ``pass`` for a pass."""
    if move is None:
        return "pass"
    row, column = move
    return f"{COLUMNS[column]}{row + 1}"
