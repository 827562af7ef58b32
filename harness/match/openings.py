"""Opening positions from SGF files: the main line of each, checked on the referee's board."""

from dataclasses import dataclass
from pathlib import Path

from harness.cases.sgf import MOST_BYTES, Record, read_record
from harness.errors import NothingRunError, UsageError
from harness.match.board import BLACK, WHITE, Board, format_vertex
from harness.match.terms import OpeningPosition
from harness.regular_file import read_file
from reference_engine.vocabulary import Colour


@dataclass(frozen=True, slots=True)
class OpeningSet:
    """The opening positions that were found."""

    found: list[OpeningPosition]
    unusable: list[str]
    """A line for each file of a folder that cannot be used: its path and the reason."""
    other_sizes: int = 0
    """Number of files of a folder that are for other board sizes than the one asked for."""


def read_openings(path: Path, size: int | None = None, most_moves: int | None = None) -> OpeningSet:
    """Read one file, or every SGF file of a folder in the order of their names.

    Args:
        path: the file or the folder.
        size: the board size wanted; None for any.
        most_moves: the number of moves of each record that are played; None for all.

    Raises:
        UsageError: the file cannot be read or played, or no file of the folder can.
        NothingRunError: the folder holds no SGF file, or none for this board size.
    """
    if not path.is_dir():
        opening = _read(path, most_moves)
        if size not in (None, opening.size):
            raise UsageError(f"--openings {path}: its board is of size {opening.size}, and --size is {size}")
        return OpeningSet([opening], [])
    try:
        files = sorted(file for file in path.iterdir() if file.suffix.lower() == ".sgf")
    except OSError as error:
        raise UsageError(f"--openings {path}: {error.strerror}") from None
    if not files:
        raise NothingRunError(f"--openings {path}: there is no .sgf file in this folder")
    found: list[OpeningPosition] = []
    unusable: list[str] = []
    for file in files:
        try:
            found.append(_read(file, most_moves))
        except UsageError as error:
            unusable.append(str(error))
    if len(unusable) == len(files):
        raise UsageError(f"{unusable[0]}; no file of the {len(files)} in this folder can be used")
    wanted = [opening for opening in found if size in (None, opening.size)]
    if not wanted:
        sizes = ", ".join(map(str, sorted({opening.size for opening in found})))
        raise NothingRunError(f"--openings {path}: no board is of size {size}; there are {sizes}")
    return OpeningSet(wanted, unusable, len(found) - len(wanted))


def _read(path: Path, most_moves: int | None) -> OpeningPosition:
    try:
        return _opening(path, read_record(read_file(path, MOST_BYTES), most_moves))
    except OSError as error:
        raise UsageError(f"--openings {path}: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"--openings {path}: {error}") from None


def _opening(path: Path, record: Record) -> OpeningPosition:
    board = Board(record.size)
    stones: list[tuple[str, str]] = []
    moves: list[tuple[str, str]] = []
    last: Colour | None = None
    for kind, colour, move in record.steps:
        if kind == "put" and (moves or colour is None or move is None):
            raise UsageError(
                f"stones are set up after move {len(moves)}, or taken off, and GTP has no command for that; "
                "--opening-moves N plays no more than N moves of a record"
            )
        if colour is None:
            continue
        number = BLACK if colour is Colour.BLACK else WHITE
        vertex = "pass" if move is None else format_vertex(move)
        if kind == "put":
            if move is not None:
                board.put(number, move)
            stones.append((colour.letter, vertex))
            continue
        if move is not None and (illegal := board.play(number, move)) is not None:
            raise UsageError(f"move {len(moves) + 1}, {vertex}: {illegal}")
        moves.append((colour.letter, vertex))
        last = colour
    to_move = record.to_move or (last.other if last is not None else Colour.BLACK)
    name = path.stem.encode("utf-8", "backslashreplace").decode()
    return OpeningPosition(name, stones, moves, to_move.letter, record.size)
