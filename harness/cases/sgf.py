"""Positions from SGF files: the main line of the first game, as stones and moves.

Reads what a position needs (SZ, KM, PL, AB, AW, AE, B, W) and skips the rest.  The main line is the
first variation at every branch, so it ends where the first variation ends: at the first ``)``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from harness.errors import UsageError
from harness.number import decimal_number, whole_number
from reference_engine.vocabulary import MAX_SIZE, MIN_SIZE, PASS, Colour, Move, Point

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:\\.|[^\\\]])*)\])", re.DOTALL)
_COLOURS = {"B": Colour.BLACK, "W": Colour.WHITE}


@dataclass
class Record:
    """A game record's main line."""

    size: int = 19
    komi: float | None = None
    to_move: Colour | None = None
    """As the record has it, where it says so after the last move."""
    steps: list[tuple[str, Colour | None, Move]] = field(default_factory=list)
    """``put`` a stone (or take it off, without a colour) or ``play`` a move, in order."""


def read_record(text: str) -> Record:
    """Read the main line of the first game.

    Raises:
        UsageError: the text is no SGF, or a property cannot be read; the message names it.
    """
    record = Record()
    for name, values in _properties(text):
        if name == "SZ":
            record.size = _size(values[0])
        elif name == "KM":
            record.komi = _komi(values[0])
        elif name == "PL":
            record.to_move = _COLOURS.get(values[0][:1].upper())
        elif name in ("AB", "AW", "AE"):
            colour = _COLOURS.get(name[1])
            points = [p for value in values for p in _points(value, record.size)]
            record.steps += [("put", colour, point) for point in points]
        elif name in _COLOURS:
            record.to_move = None
            record.steps.append(("play", _COLOURS[name], _move(values[0], record.size)))
    return record


def _properties(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the properties of the main line with their values."""
    begin = text.find("(")
    place, name, values, nodes = begin, "", list[str](), 0
    while begin >= 0 and (match := _TOKEN.match(text, place)):
        place = match.end()
        sign, word, value = match.groups()
        if value is not None:
            values.append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
            continue
        if name and values:
            yield name, values
        # Lower-case letters of a name were decoration in old versions of the format.
        name, values = "".join(c for c in word or "" if c.isupper()), []
        nodes += sign == ";"
        if sign == ")":
            break
    else:
        raise UsageError("this is no SGF: it does not end, or does not begin, as a game does")
    if not nodes:
        raise UsageError("this is no SGF: there is no node in it")


def _size(value: str) -> int:
    size = whole_number(value.strip())
    if size is None or not MIN_SIZE <= size <= MAX_SIZE:
        raise UsageError(f"SZ[{value[:20]}] is no size of a board between {MIN_SIZE} and {MAX_SIZE}")
    return size


def _komi(value: str) -> float:
    komi = decimal_number(value.strip())
    if komi is None:
        raise UsageError(f"KM[{value[:20]}] is no number of points")
    return komi


def _move(value: str, size: int) -> Move:
    if not value.strip() or (value == "tt" and size <= 19):
        return PASS
    return _point(value, size)


def _points(value: str, size: int) -> Iterator[Point]:
    """Yield one point, or the points of a rectangle given by two corners."""
    first, _, second = value.partition(":")
    (top, left), (bottom, right) = _point(first, size), _point(second or first, size)
    for row in range(min(top, bottom), max(top, bottom) + 1):
        for column in range(min(left, right), max(left, right) + 1):
            yield row, column


def _point(value: str, size: int) -> Point:
    text = value.strip()
    column, row = (ord(c) - ord("a") for c in text) if len(text) == 2 else (-1, -1)
    if not (0 <= column < size and 0 <= row < size):
        raise UsageError(f"[{value[:20]}] is no point of a board of size {size}")
    return size - 1 - row, column
