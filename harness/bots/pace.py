"""How fast one process of a bot plays, seen from what it was asked and how long it took.  No clock here.

Playouts from an open board are the longest of its size, so only they are measured: a position with one
move left says nothing of the next.  From a small board to a larger one the time is taken to grow with the
square of the points, as for a program that looks at the whole board in every move.
"""

from dataclasses import dataclass, field

from harness.bots.limits import command_name

LEAST_SEEN = 2
"""Genmoves on open boards before the speed counts as known."""


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
        """Return the longest a command should take at this speed; None while that is not known.

        All commands before it must have been answered.  Smaller boards than the one measured are given as
        long as that one.
        """
        if not playouts or self._seen < LEAST_SEEN or command_name(line) != "genmove":
            return None
        slowest = (s * max(1.0, (self._size / size) ** 4) for size, s in self._slowest_s.items())
        return max(slowest) * playouts

    def answered(self, line: str, playouts: int, elapsed_s: float) -> None:
        """Take note of a command, or of several in one line, and of how long the answer took.

        The first genmove of a process may have been a compilation.
        """
        for part in line.split("\n"):
            words = [word for word in part.partition("#")[0].split() if not word.isdecimal()]
            match words:
                case ["boardsize", *_]:
                    self._resize(part)
                case ["clear_board"]:
                    self._stones = 0
                case ["play", *_]:
                    self._stones += 1
                case ["genmove", *_] if playouts:
                    self._measure(elapsed_s / playouts)

    def _measure(self, playout_s: float) -> None:
        self._asked += 1
        if self._stones <= self._size**2 // 4 and self._asked > 1:
            self._seen += 1
            self._slowest_s[self._size] = max(playout_s, self._slowest_s.get(self._size, 0.0))
        self._stones += 1

    def _resize(self, line: str) -> None:
        words = line.split()
        self._stones = 0
        if words[-1].isdecimal() and len(words[-1]) < 3:
            self._size = max(1, int(words[-1]))
