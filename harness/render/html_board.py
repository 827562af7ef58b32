"""The coordinates of boards in HTML pages: lines, stones, numbers and marks of a position.

The templates write the SVG from these coordinates.  Neighbouring points are ten units apart.
"""

from dataclasses import dataclass
from typing import Final

from harness.report.picture import Picture, in_words
from harness.report.shares import Shares
from reference_engine.vocabulary import COLUMNS, Colour, Point, format_vertex

_STEP: Final = 10
_EDGE: Final = 12
"""Distance from the border to the first line."""
_PIXELS: Final = 26
"""Pixels between two lines of a small board.  Larger boards are drawn smaller."""
_LEAST_PIXELS, _MOST_PIXELS = 150, 300
_LABELLED: Final = 0.005
"""Least share that has a number in a heat map."""
_HOSHI: Final = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}
_LETTER: Final = {Colour.BLACK: "b", Colour.WHITE: "w"}

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoardView:
    """One board in the units of its drawing."""

    title: str
    words: str
    width: int
    shown: int
    """Width and height in pixels."""
    grid: str
    hoshi: tuple[Place, ...]
    labels: tuple[tuple[float, float, str], ...]
    stones: tuple[tuple[float, float, str], ...]
    numbers: tuple[tuple[float, float, str, str | int], ...] = ()
    rings: tuple[tuple[float, float, str], ...] = ()
    bans: tuple[Place, ...] = ()
    wanted: tuple[Place, ...] = ()
    forbidden: tuple[Place, ...] = ()
    answers: tuple[Place, ...] = ()
    heat: tuple[tuple[float, float, float], ...] = ()


def board_view(picture: Picture, title: str) -> BoardView:
    """Return the view of a position with its marks."""
    at = _Places(picture.size)
    stones = picture.stones
    numbers = tuple(
        (*at.text(point), _LETTER[stones[point]], n) for point, n in sorted(picture.numbers.items())
    )
    ringed = [picture.last] if picture.last is not None and picture.last not in picture.numbers else []
    return BoardView(
        title,
        in_words(picture),
        at.width,
        at.shown,
        at.grid,
        at.hoshi,
        at.labels,
        at.stones(picture),
        numbers,
        tuple((*at.place(point), _LETTER[stones[point]]) for point in ringed),
        (at.place(picture.ban[0]),) if picture.ban else (),
        tuple(map(at.place, picture.wanted)),
        tuple(map(at.place, picture.forbidden)),
        (at.place(picture.answer),) if picture.answer is not None else (),
    )


def heat_view(picture: Picture, shares: Shares, darkest: float, title: str) -> BoardView:
    """Return the view of chosen moves over a position: the darker, the more frequent.

    Args:
        picture: the position.
        shares: the shares of the chosen moves.
        darkest: the share that is drawn darkest, the same for maps that are compared.
        title: the title of the map.
    """
    at = _Places(picture.size)
    order = sorted(shares.points.items(), key=lambda item: (-item[1], item[0]))
    heat = tuple((*at.place(p), round(0.08 + 0.87 * min(1.0, s / darkest), 3)) for p, s in order)
    numbers = tuple(
        (*at.text(point), "hot" if share > 0.45 * darkest else "cool", f"{100 * share:.0f}")
        for point, share in order
        if share >= _LABELLED
    )
    words = "; ".join(f"{format_vertex(point)} {100 * share:.1f}%" for point, share in order[:20])
    return BoardView(
        title,
        words,
        at.width,
        at.shown,
        at.grid,
        at.hoshi,
        at.labels,
        at.stones(picture),
        numbers,
        heat=heat,
    )


class _Places:
    """The coordinates of the points of a board."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.width = 2 * _EDGE + _STEP * (size - 1)
        self.shown = max(_LEAST_PIXELS, min(_MOST_PIXELS, _PIXELS * (size + 1)))
        far = _EDGE + _STEP * (size - 1)
        lines = [_EDGE + _STEP * i for i in range(size)]
        self.grid = "".join(f"M{_EDGE} {x}H{far}M{x} {_EDGE}V{far}" for x in lines)
        marks = _HOSHI.get(size, ())
        self.hoshi = tuple(self.place((row, column)) for row in marks for column in marks)
        self.labels = tuple(
            label
            for i, x in enumerate(lines)
            for label in (
                (x, self.width - 1.6, COLUMNS[i]),
                (3.2, self.width - x + 1.7, str(i + 1)),
            )
        )

    def place(self, point: Point) -> Place:
        """Return the middle of a point."""
        return _EDGE + _STEP * point[1], self.width - _EDGE - _STEP * point[0]

    def text(self, point: Point) -> Place:
        """Return the place of a number on a point: its baseline is below the middle."""
        x, y = self.place(point)
        return x, y + 1.7

    def stones(self, picture: Picture) -> tuple[tuple[float, float, str], ...]:
        """Return the places and colours of all stones."""
        return tuple((*self.place(p), _LETTER[colour]) for p, colour in sorted(picture.stones.items()))
