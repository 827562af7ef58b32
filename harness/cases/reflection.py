"""Reflections of cases: the same position, turned or mirrored.  A bot may make a mistake at one edge only.

Of a board's eight symmetries one leaves it as it is; the other seven are numbered from 1.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from zlib import crc32

import msgspec

from harness.cases.case import Case, CaseFile, Forced
from reference_engine.vocabulary import Point, format_vertex, parse_vertex

_NUMBER: Final = 7
"""Symmetries of the board, without the one that leaves it as it is."""
_MARK: Final = "-reflected-"
_VERTEX: Final = re.compile(r"\b[A-HJ-Z]\d{1,2}\b")


def reflections_of(cases: Mapping[str, Case], count: int) -> dict[str, Case]:
    """Return reflections of the forced cases, by their ids.

    A reflection that looks like its case is left out.  Which ones come first differs from case to case, so
    that all cases together show every reflection.

    Args:
        cases: of a suite; reflections among them are not reflected again.
        count: number of reflections of each case.
    """
    found = {}
    for name, case in cases.items():
        if isinstance(case.question, Forced) and original_of(name) == name:
            first = crc32(name.encode()) % _NUMBER
            for step in range(count):
                reflection = _reflected(case, (first + step) % _NUMBER + 1)
                if reflection.plays != case.plays:
                    found[reflection.id] = reflection
    return found


def original_of(name: str) -> str:
    """Return the id of the case that a case is a reflection of, or its own."""
    return name.partition(_MARK)[0]


@lru_cache(maxsize=1024)
def _reflected(case: Case, number: int) -> Case:
    """Return a forced case in one of its reflections; every look at a run asks for the same ones again."""
    file, forced = case.file, case.file.forced
    assert forced is not None  # noqa: S101 - the caller chose by the question
    turned = msgspec.structs.replace(
        file,
        about=_in_text(file.about, file.size, number),
        setup=_in_drawing(file, file.setup, number),
        moves=_in_text(file.moves, file.size, number),
        position=_in_drawing(file, file.position, number),
        forced=msgspec.structs.replace(
            forced, answers=[_in_text(answer, file.size, number) for answer in forced.answers]
        ),
    )
    return Case(f"{case.id}{_MARK}{number}", turned, is_fitted=case.is_fitted)


def image_of(point: Point, size: int, number: int) -> Point:
    """Return where a point lies in a reflection; number 0 leaves the board as it is."""
    row, column = point
    row = size - 1 - row if number & 1 else row
    column = size - 1 - column if number & 2 else column
    return (column, row) if number & 4 else (row, column)


def _in_text(text: str, size: int, number: int) -> str:
    """Return a text with every vertex of the board in it replaced by its image."""

    def replaced(found: re.Match[str]) -> str:
        try:
            point = parse_vertex(found[0], size)
        except ValueError:
            return found[0]
        return found[0] if point is None else format_vertex(image_of(point, size, number))

    return _VERTEX.sub(replaced, text)


def _in_drawing(file: CaseFile, drawing: str, number: int) -> str:
    """Return a drawing, whose rows are from the top, with each sign at its image."""
    if not drawing:
        return drawing
    size = file.size
    rows = [line.split() for line in drawing.strip().split("\n")][::-1]
    signs = {
        image_of((row, column), size, number): rows[row][column]
        for row in range(size)
        for column in range(size)
    }
    lines = (" ".join(signs[row, column] for column in range(size)) for row in reversed(range(size)))
    return "\n".join(lines) + "\n"
