"""Bets that single draws are uneven: that a playout prefers some of the points that it may draw.

One move before the limit a playout is one draw, and a genmove of one playout answers it.  So its answers are
draws, each with the same probability for every playable point (R2).  Sets of points that a faulty program may
favour or neglect are known before each draw: parts of its list, edges, contact with stones, what was drawn
before.  For each set A that holds a share p of the points, and each weight w, the bet pays w / (1 - p + w p)
if the draw is in A and 1 / (1 - p + w p) if it is not.  Its mean is 1 if draws are even, so the product over
draws is an e-value, and so is the mean over all sets and weights.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from harness.statistics.evalues import log_means
from reference_engine.board import Position, neighbours
from reference_engine.vocabulary import Colour, Point

_Flags = npt.NDArray[np.bool_]
_WEIGHTS: Final = np.array([0.0, 0.5, 2.0, 4.0])
"""How much more often than others the points of a set are bet on being drawn."""
_PARTS: Final = 8
"""Parts into which an order of the points is divided."""
_LENGTHS: Final = (127, 128, 255, 256)
"""Points after which a list may end, or an index overflow."""
_HALF_PARTS: Final = 2 * _PARTS
_BEFORE: Final = "at points drawn before"
_LAST: Final = "at the point drawn last"
_ORDERS: Final[tuple[tuple[str, Callable[[Point], tuple[int, int]]], ...]] = (
    ("by rows from A1", lambda p: (p[0], p[1])),
    ("by rows from the top", lambda p: (-p[0], p[1])),
    ("by columns from A1", lambda p: (p[1], p[0])),
    ("by columns from the top", lambda p: (p[1], -p[0])),
)


class DrawBets:
    """Bets on the draws of one bot so far."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        """Sets that are bet on, the same ones in each draw."""
        self._log_e = np.zeros((1, len(_WEIGHTS)))
        self._seen = np.zeros(1)
        self._expected = np.zeros(1)
        self._count = 0
        self._before: list[Point] = []
        """Points drawn from the same points before."""
        self._points: tuple[Point, ...] = ()

    def add(self, position: Position, colour: Colour, points: Sequence[Point], drawn: Point) -> None:
        """Take one draw.

        Args:
            position: where ``colour`` is to move.
            colour: whose draw it is.
            points: those that may be drawn, ``drawn`` among them.
            drawn: the one that was.
        """
        if (now := tuple(points)) != self._points:
            self._points, self._before = now, []
        known = set(self._before)
        sets = {
            **_sets(position.size, position.key(), colour, now),
            _BEFORE: [point in known for point in points],
            _LAST: [point in self._before[-1:] for point in points],
        }
        self._names, flags = tuple(sets), np.array([*sets.values()], bool)
        self._before.append(drawn)
        is_in, share = flags[:, points.index(drawn)], flags.mean(axis=1)
        mean = 1 - share[:, None] + share[:, None] * _WEIGHTS
        with np.errstate(divide="ignore"):
            paid = np.where(is_in[:, None], np.log(_WEIGHTS), 0.0) - np.log(np.where(mean > 0, mean, 1.0))
        # A set with all points or none says nothing.
        self._log_e = self._log_e + np.where(((share > 0) & (share < 1))[:, None], paid, 0.0)
        self._seen = self._seen + is_in
        self._expected = self._expected + share
        self._count += 1

    @property
    def log_e(self) -> float:
        """Log e-value against all draws having been even."""
        return float(log_means(self._log_e.reshape(-1)))

    @property
    def is_of_earlier(self) -> bool:
        """Whether draws depend on earlier ones more than on anything else."""
        return self._names[self._most] in (_BEFORE, _LAST)

    @property
    def _most(self) -> int:
        return int(self._log_e.max(axis=1).argmax())

    def sentence(self) -> str:
        """Return what is most uneven."""
        seen, expected = round(self._seen[self._most]), self._expected[self._most]
        return (
            f"{seen} of {self._count} draws are {self._names[self._most]}, where {expected:.1f} are expected"
        )


@lru_cache(maxsize=256)
def _sets(
    size: int, stones: frozenset[tuple[Point, Colour]], colour: Colour, points: tuple[Point, ...]
) -> dict[str, Sequence[bool] | _Flags]:
    """Return which points are in which set, by its name in words, where earlier draws have no part in it."""
    count = len(points)
    sets: dict[str, Sequence[bool] | _Flags] = {}
    for place, (order, key) in enumerate(_ORDERS):
        ranks = np.empty(count, int)
        ranks[sorted(range(count), key=lambda number: key(points[number]))] = np.arange(count)
        for length in _LENGTHS:
            sets[f"after the first {length} points {order}"] = ranks >= length
        sets[f"the first point {order}"] = ranks == 0
        sets[f"the last point {order}"] = ranks == count - 1
        if place % 2 == 1:
            continue  # nearly the order before it, read from its other end
        parts = ranks * _HALF_PARTS // count
        for part in range(1, _PARTS):
            sets[f"in the last {_PARTS - part} of {_PARTS} parts {order}"] = parts >= 2 * part
        for part in range(_HALF_PARTS - 1):
            name = f"in the parts {part + 1} and {part + 2} of {_HALF_PARTS} {order}"
            sets[name] = (parts == part) | (parts == part + 1)
        sets[f"at every second point {order}"] = ranks % 2 == 1
    board = dict(stones)
    beside = [{board[near] for near in neighbours(size, point) if near in board} for point in points]
    sets["on the edge"] = [min(point) == 0 or max(point) == size - 1 for point in points]
    sets["beside a stone"] = [bool(colours) for colours in beside]
    sets["beside an own stone"] = [colour in colours for colours in beside]
    sets["beside an enemy stone"] = [colour.other in colours for colours in beside]
    return sets
