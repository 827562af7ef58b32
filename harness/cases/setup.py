"""A position given on the command line: an empty board and moves, or a game record."""

from math import isfinite
from pathlib import Path
from typing import Final

from harness.cases.sgf import MOST_BYTES, read_record
from harness.cases.start import Start
from harness.errors import UsageError
from harness.regular_file import read_file
from reference_engine.board import Position
from reference_engine.vocabulary import (
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    Colour,
    Move,
    format_vertex,
    parse_colour,
    parse_vertex,
)

KOMI: Final = 7.5
MOST_PLAYOUTS: Final = 10**12


def parse_playouts(text: str) -> int:
    """Turn ``1000000``, ``1_000_000``, ``1,000,000`` or ``1e6`` into a number of playouts.

    Raises:
        UsageError: it is no whole number of playouts, or not a reasonable one.
    """
    try:
        plain = text.replace("_", "").replace(",", "") if text.isascii() else ""
        number = int(plain) if plain.isdigit() else float(plain)
    except ValueError:
        number = 0
    if not 1 <= number <= MOST_PLAYOUTS or number != int(number):
        raise UsageError(f"--playouts {text!r}: give a whole number from 1 to 1e12, such as 1e6")
    return int(number)


def parse_position(
    size: str | None, komi: str | None, moves: str, colour: str, sgf: Path | None
) -> tuple[Start, float]:
    """Return the start and the komi that the options of a command describe.

    Raises:
        UsageError: an option cannot be read, a move is not possible, or options contradict each other.
    """
    wanted = _colour(colour) if colour else None
    if sgf is not None:
        if size is not None or moves:
            raise UsageError("--sgf brings its own board and moves; leave --size and --moves out")
        return _from_sgf(sgf, wanted, None if komi is None else parse_komi(komi))
    if size is None:
        raise UsageError("which board? Give --size N, --sgf FILE or the name of a case")
    number = _size(size)
    found, mover, count = Position(number), Colour.BLACK, 0
    for word in moves.split():
        found = _after(found, mover, _vertex(word, number), count + 1)
        mover, count = mover.other, count + 1
    return Start.of(found, wanted or mover, count), KOMI if komi is None else parse_komi(komi)


def _from_sgf(path: Path, wanted: Colour | None, komi: float | None) -> tuple[Start, float]:
    try:
        record = read_record(read_file(path, MOST_BYTES))
    except OSError as error:
        raise UsageError(f"--sgf {path}: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"--sgf {path}: {error}") from None
    found, mover, count = Position(record.size), Colour.BLACK, 0
    for kind, colour, move in record.steps:
        if kind == "play" and colour is not None:
            count += 1
            found = _after(found, colour, move, count)
            mover = colour.other
        elif move is not None:
            stones = {p: c for p, c in found.stones.items() if p != move}
            found = Position(record.size, {**stones, move: colour} if colour else stones)
    if any(not found.chain(point)[1] for point in found.stones):
        raise UsageError(f"--sgf {path}: a chain of the position has no liberty")
    start = Start.of(found, wanted or record.to_move or mover, count)
    try:
        recorded = record.komi() if komi is None else komi
    except UsageError as error:
        raise UsageError(f"--sgf {path}: {error}; --komi gives another") from None
    return start, KOMI if recorded is None else recorded


def _after(position: Position, colour: Colour, move: Move, number: int) -> Position:
    if move is PASS or move is None:
        return position.after_pass()
    if move in position.stones or position.is_suicide(colour, move) or position.is_ko(colour, move):
        raise UsageError(f"move {number}, {colour} {format_vertex(move)}, is not possible here")
    return position.after(colour, move)


def _size(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not MIN_SIZE <= int(text) <= MAX_SIZE:
        raise UsageError(f"--size {text!r}: boards have {MIN_SIZE} to {MAX_SIZE} lines")
    return int(text)


def parse_komi(text: str) -> float:
    """Turn a komi into a number.

    Raises:
        UsageError: it is none.
    """
    try:
        komi = float(text)
    except ValueError:
        komi = float("nan")
    if not isfinite(komi):
        raise UsageError(f"--komi {text!r} is no number of points")
    return komi


def _colour(text: str) -> Colour:
    try:
        return parse_colour(text)
    except ValueError as error:
        raise UsageError(f"--colour: {error}") from None


def _vertex(text: str, size: int) -> Move:
    try:
        return parse_vertex(text, size)
    except ValueError as error:
        raise UsageError(f"--moves: {error}") from None
