"""Opening positions from SGF files: the main line of each, checked on the referee's board."""

from pathlib import Path

from harness.cases.sgf import Record, read_record
from harness.errors import NothingRunError, UsageError
from harness.match.board import BLACK, WHITE, Board, format_vertex
from harness.match.terms import Opening
from harness.regular_file import MEBIBYTE, read_file
from reference_engine.vocabulary import Colour


def read_openings(path: Path, size: int) -> list[Opening]:
    """Read one file, or every ``.sgf`` file of a folder in the order of their names.

    Raises:
        UsageError: a file cannot be read, is for another board, or holds what cannot be played.
        NothingRunError: the folder holds no such file.
    """
    files = sorted(path.glob("*.sgf")) if path.is_dir() else [path]
    if not files:
        raise NothingRunError(f"--openings {path}: there is no .sgf file in this folder")
    return [_read(file, size) for file in files]


def _read(path: Path, size: int) -> Opening:
    try:
        record = read_record(read_file(path, 16 * MEBIBYTE).decode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(f"--openings {path}: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"--openings {path}: {error}") from None
    if record.size != size:
        raise UsageError(f"--openings {path}: its board is of size {record.size}, and the match's of {size}")
    return _opening(path, record)


def _opening(path: Path, record: Record) -> Opening:
    board = Board(record.size)
    stones: list[tuple[str, str]] = []
    moves: list[tuple[str, str]] = []
    last: Colour | None = None
    for kind, colour, move in record.steps:
        if kind == "put" and (moves or colour is None or move is None):
            raise UsageError(f"--openings {path}: stones are set up after a move, or taken off; GTP cannot")
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
            raise UsageError(f"--openings {path}: move {len(moves) + 1}, {vertex}: {illegal}")
        moves.append((colour.letter, vertex))
        last = colour
    to_move = record.to_move or (last.other if last is not None else Colour.BLACK)
    name = path.stem.encode("utf-8", "backslashreplace").decode()
    return Opening(name, stones, moves, to_move.letter)
