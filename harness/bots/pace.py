"""The pace of one process of a bot, from what it was asked and how long that took.  Reads no clock.

Playouts from an open board are the longest of its size, so only they are measured: a position with one
move left says nothing of the next.  From a small board to a larger one the time is taken to grow with the
square of the points, as for a program that looks at the whole board in every move.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from harness.bots.limits import command_name

LEAST_SEEN = 2
"""Number of genmoves on open boards after which the speed counts as known."""


@dataclass(slots=True)
class Pace:
    """The speed of one process; told every command it has answered."""

    _size: int = 19
    _stones: int = 0
    _asked: int = 0
    _seen: int = 0
    _slowest_s: dict[int, float] = field(default_factory=dict)
    """Seconds of a playout, by the size of the board."""

    def expected_s(self, line: str, playouts: int) -> float | None:
        """Return the longest time a command should take at this speed; None while the speed is unknown.

        All commands before it must have been answered.  Smaller boards than the one measured are given as
        long as that one.
        """
        if not playouts or self._seen < LEAST_SEEN or command_name(line) != "genmove":
            return None
        slowest = (s * max(1.0, (self._size / size) ** 4) for size, s in self._slowest_s.items())
        return max(slowest) * playouts

    def answered(self, lines: Iterable[str], playouts: int, elapsed_s: float) -> None:
        """Record commands, and the time until all were answered.

        The first genmove of a process may have been a compilation.
        """
        for name, size in chain.from_iterable(map(_effects, lines)):
            if name == "play":
                self._stones += 1
            elif name == "genmove":
                if playouts:
                    self._measure(elapsed_s / playouts)
            else:
                self._stones = 0
                self._size = size or self._size

    def _measure(self, playout_s: float) -> None:
        self._asked += 1
        if self._stones <= self._size**2 // 4 and self._asked > 1:
            self._seen += 1
            self._slowest_s[self._size] = max(playout_s, self._slowest_s.get(self._size, 0.0))
        self._stones += 1


@lru_cache(maxsize=4096)
def _effects(line: str) -> tuple[tuple[str, int], ...]:
    """Return which commands of a line change the pace, or measure it; with boardsize the size, else 0."""
    found = []
    for part in line.split("\n"):
        words = [word for word in part.partition("#")[0].split() if not word.isdecimal()]
        match words:
            case ["boardsize", *_]:
                last = part.split()[-1]
                found.append((words[0], max(1, int(last)) if last.isdecimal() and len(last) < 3 else 0))
            case ["play" | "genmove", *_] | ["clear_board"]:
                found.append((words[0], 0))
    return tuple(found)
