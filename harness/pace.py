"""How fast one process of a bot plays, seen from what it was asked and how long it took.  No clock here.

Playouts from an open board are the longest of its size, so only they are measured: a position with one
move left says nothing of the next.  From a small board to a larger one the time is taken to grow with the
square of the points, as for a program that looks at the whole board in every move.
"""

from dataclasses import dataclass, field

LEAST_SEEN = 2
"""Genmoves on open boards before the speed counts as known."""


@dataclass(slots=True)
class Pace:
    """The speed of one process; told every command, and how long a genmove took."""

    _size: int = 19
    _stones: int = 0
    _playouts: int = 0
    """Of the genmove under way; 0 while there is none."""
    _asked: int = 0
    _seen: int = 0
    _slowest_s: dict[int, float] = field(default_factory=dict)
    """Seconds of a playout, by the size of the board."""

    def ask(self, line: str, playouts: int) -> None:
        """Take note of a command, or of several in one line, that is being sent."""
        self._playouts = 0
        for part in line.split("\n"):
            words = [word for word in part.partition("#")[0].split() if not word.isdecimal()]
            match words:
                case ["boardsize", *_]:
                    self._resize(part)
                case ["clear_board"]:
                    self._stones = 0
                case ["play", *_]:
                    self._stones += 1
                case ["genmove", *_]:
                    self._playouts = playouts

    def answer(self, elapsed_s: float) -> None:
        """Take note that the last command was answered; the first genmove may have been a compilation."""
        if not self._playouts:
            return
        self._asked += 1
        is_open = self._stones <= self._size**2 // 4
        if is_open and self._asked > 1:
            self._seen += 1
            seconds = elapsed_s / self._playouts
            self._slowest_s[self._size] = max(seconds, self._slowest_s.get(self._size, 0.0))
        self._stones += 1
        self._playouts = 0

    @property
    def expected_s(self) -> float | None:
        """The longest the genmove under way should take at this speed; None while that is not known.

        Smaller boards than the one measured are given as long as that one.
        """
        if not self._playouts or self._seen < LEAST_SEEN:
            return None
        slowest = (s * max(1.0, (self._size / size) ** 4) for size, s in self._slowest_s.items())
        return max(slowest) * self._playouts

    def _resize(self, line: str) -> None:
        words = line.split()
        self._stones = 0
        if words[-1].isdecimal() and len(words[-1]) < 3:
            self._size = max(1, int(words[-1]))
