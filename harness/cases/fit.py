"""Fits a script to a board: which of the accepted sizes serves, and what its names of points mean there.

A script written for any board names points by words in braces: ``{size}``, ``{over}`` (one more),
``{corner}`` (the last column and row), ``{beyond}`` (the column after the last), ``{row3}`` (the third row
from the top), and pairs such as ``{low-high}``: a column and a row, ``first``, ``low``, ``mid``, ``high``,
``prev`` (the one before the last) or ``last``.  Low and high are the lines of handicap stones.
"""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

if TYPE_CHECKING:
    from harness.cases.case import CaseFile, Step

_T = TypeVar("_T")
_LETTERS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_NAME: Final = re.compile(r"\{([a-z]+(?:-[a-z]+)?|row\d+)\}")
_LARGE: Final = 13
"""Lines from which on handicap stones stand on the fourth line (GTP 2, section 4.1.1)."""


def best_size(file: "CaseFile", accepted: Collection[int]) -> int | None:
    """Return the accepted size that serves a script best; None if none does."""
    least, most = file.sizes or (file.size, file.size)
    odd = {"odd": (1,), "even": (0,)}.get(file.parity, (0, 1))
    fitting = [size for size in accepted if least <= size <= most and size % 2 in odd]
    if not fitting:
        return None
    if file.board != "usual":
        return min(fitting) if file.board == "least" else max(fitting)
    return min(fitting, key=lambda size: (abs(size - file.size), size))


def filled(file: "CaseFile") -> "CaseFile":
    """Return a script with its points written for its board."""
    names = {"size": str(file.size), "over": str(file.size + 1), "folder": "{folder}"}
    lines = _lines(file.size)
    names["corner"] = _vertex(file.size, file.size)
    names["beyond"] = f"{(_LETTERS + 'ZZ')[file.size]}1"

    def word(found: re.Match[str]) -> str:
        name = found[1]
        if name in names:
            return names[name]
        if name.startswith("row"):
            return str(file.size + 1 - int(name[3:]))
        column, _, row = name.partition("-")
        return _vertex(lines[column], lines[row]) if column in lines and row in lines else found[0]

    def fill(text: str) -> str:
        return _NAME.sub(word, text)

    def fill_step(step: "Step") -> "Step":
        points = None if step.points is None else [fill(point) for point in step.points]
        contains = [fill(part) for part in step.contains]
        return msgspec.structs.replace(
            step, send=fill(step.send), points=points, contains=contains, matches=fill(step.matches)
        )

    files = {name: fill(text) for name, text in file.files.items()}
    return msgspec.structs.replace(file, steps=[fill_step(step) for step in file.steps], files=files)


def stretched(drawing: str, size: int) -> str:
    """Return a drawing with its middle row and column repeated, or left out, until it has a size."""
    rows = [_repeated(line.split(), size) for line in drawing.strip().splitlines()]
    return "\n".join(" ".join(row) for row in _repeated(rows, size)) + "\n"


def _repeated(items: list[_T], number: int) -> list[_T]:
    items = list(items)
    while len(items) != number:
        middle = len(items) // 2
        if len(items) < number:
            items.insert(middle, items[middle])
        else:
            del items[middle]
    return items


def _lines(size: int) -> dict[str, int]:
    low = 4 if size >= _LARGE else 3
    return {
        "first": 1,
        "low": low,
        "mid": (size + 1) // 2,
        "high": size + 1 - low,
        "prev": size - 1,
        "last": size,
    }


def _vertex(column: int, row: int) -> str:
    return f"{_LETTERS[column - 1]}{row}"
