"""Boards as drawings: ``X`` Black, ``O`` White, ``.`` empty, top row first, rows split by white space."""

from types import MappingProxyType

from reference_engine.board import Position
from reference_engine.vocabulary import Colour, Point, parse_vertex

_STONES = {"X": Colour.BLACK, "O": Colour.WHITE}


def parse_drawing(text: str) -> Position:
    """Turn a drawing into a position without a ko ban."""
    rows = text.split()[::-1]
    stones = {
        (row, column): _STONES[glyph]
        for row, line in enumerate(rows)
        for column, glyph in enumerate(line)
        if glyph != "."
    }
    if any(len(line) != len(rows) for line in rows):
        raise ValueError(f"not square: {text!r}")
    return Position(len(rows), MappingProxyType(stones))


def format_drawing(position: Position) -> str:
    """Turn a position into its drawing, one row per line."""
    glyphs = {None: ".", Colour.BLACK: "X", Colour.WHITE: "O"}
    return "\n".join(
        "".join(glyphs[position.stones.get((row, column))] for column in range(position.size))
        for row in reversed(range(position.size))
    )


def parse_points(text: str) -> set[Point]:
    """Turn vertices split by white space into points of the largest board."""
    return {move for move in (parse_vertex(word, 25) for word in text.split()) if move is not None}
