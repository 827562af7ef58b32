"""Positions from SGF files: the main line of the first game, as stones and moves.

sgfmill reads the format; here its main line becomes what a position needs (SZ, KM, PL, AB, AW, AE, B, W).
The main line is the first variation at every branch.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass, field

from sgfmill import sgf

from harness.errors import UsageError
from harness.number import decimal_number
from harness.regular_file import MEBIBYTE
from reference_engine.vocabulary import MAX_SIZE, MIN_SIZE, Colour, Move

_COLOURS = {"b": Colour.BLACK, "w": Colour.WHITE}
_SHOWN_CHARS = 40
_NO_SEMICOLON = re.compile(rb"\A([^(;]*\()(?=\s*[A-Za-z]+\s*\[)")
"""Matches the beginning of a record without a first semicolon, as the Nihon Ki-in writes them."""

MOST_BYTES = 4 * MEBIBYTE
"""Largest file that is read; a game has some thousand bytes, a dictionary of joseki a few million."""

Step = tuple[str, Colour | None, Move]
"""``put`` a stone (or take it off, without a colour) or ``play`` a move."""


@dataclass
class Record:
    """A game record's main line, or the beginning of it."""

    size: int = 19
    komi_text: str | None = None
    """As KM has it; None where there is none."""
    to_move: Colour | None = None
    """As the record has it, where it says so after the last move."""
    steps: list[Step] = field(default_factory=list)
    """In order."""

    def komi(self) -> float | None:
        """Return the record's komi, if it has one.

        Raises:
            UsageError: it is no number.
        """
        if not self.komi_text:
            return None
        komi = decimal_number(self.komi_text)
        if komi is None:
            raise UsageError(f"KM[{self.komi_text}] is no number of points")
        return komi


def read_record(data: bytes, most_moves: int | None = None) -> Record:
    """Read the main line of the first game.

    Args:
        data: the file.
        most_moves: how many moves of it are wanted; None for all. What stands behind them is not looked at.

    Raises:
        UsageError: the file is no SGF of Go, or a property cannot be read; the message names it.
    """
    try:
        # Points and numbers are ASCII in every encoding that SGF allows, and nothing else is looked at.
        game = sgf.Sgf_game.from_bytes(_plain(data), override_encoding="UTF-8")
    except ValueError as error:
        raise UsageError(f"it is no SGF that can be read: {error}") from None
    root, size = game.get_root(), game.get_size()
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise UsageError(f"SZ[{size}] is no size of a board between {MIN_SIZE} and {MAX_SIZE}")
    if (kind := _text(root, "GM")) not in (None, "", "1"):
        raise UsageError(f"GM[{kind}] is another game than Go, which has GM[1]")
    record = Record(size)
    moves = 0
    for node in game.get_main_sequence():
        names = [name for name in node.properties() if name in ("B", "W")]
        moves += len(names)
        if most_moves is not None and moves > most_moves:
            break
        record.komi_text = record.komi_text or _text(node, "KM")
        record.steps += _set_up(node)
        for name in names:  # the format allows one, but some programs write two passes so
            record.to_move = None
            record.steps.append(_move(node, name))
        if player := _text(node, "PL"):
            record.to_move = _COLOURS.get(player[:1].lower(), record.to_move)
    return record


def _plain(data: bytes) -> bytes:
    """Return a file with what some programs write otherwise than the format says put right."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode()
    return _NO_SEMICOLON.sub(rb"\1;", data, count=1)


def _set_up(node: "sgf.Tree_node") -> Iterator[Step]:
    if not node.has_setup_stones():
        return
    try:
        black, white, empty = node.get_setup_stones()
    except ValueError as error:
        names = [name for name in ("AB", "AW", "AE") if node.has_property(name)]
        why = f": {error}" if str(error) else ""
        raise UsageError(f"{' or '.join(names)} has a point that the board has not{why}") from None
    if both := black & white:
        row, column = min(both)
        raise UsageError(f"AB and AW put stones on the same point, column {column + 1} of row {row + 1}")
    for colour, points in ((Colour.BLACK, black), (Colour.WHITE, white), (None, empty)):
        yield from (("put", colour, point) for point in sorted(points))


def _move(node: "sgf.Tree_node", name: str) -> Step:
    try:
        return "play", _COLOURS[name.lower()], node.get(name)
    except ValueError:
        raise UsageError(f"{name}[{_text(node, name)}] is no point of the board") from None


def _text(node: "sgf.Tree_node", name: str) -> str | None:
    """Return the first value of a property as it stands; None where there is none."""
    if not node.has_property(name):
        return None
    return bytes(node.get_raw(name)).decode("ascii", "backslashreplace").strip()[:_SHOWN_CHARS]
