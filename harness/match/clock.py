"""A player's clock: the time left, and whether a move was in time.  The caller measures the moves."""

from harness.match.terms import TimeControl


class Clock:
    """The time one player has left."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self.main_s = control.main_s
        self.period_s = control.byo_yomi_s
        self.stones = control.stones

    @property
    def left_s(self) -> float:
        """Seconds that the next move may take, without the allowance for lag."""
        if self.main_s > 0:
            return self.main_s + (self._control.byo_yomi_s if self._control.stones else 0.0)
        return self.period_s

    def command(self, colour: str) -> str:
        """Return the GTP command that tells the player the time left.

        The number of stones is 0 while main time runs.  GTP has whole seconds here: they are rounded down,
        but not to 0, which would mean that the time is up.
        """
        if self.main_s > 0:
            return f"time_left {colour} {_whole(self.main_s)} 0"
        return f"time_left {colour} {_whole(self.period_s)} {self.stones}"

    def spend(self, seconds: float) -> bool:
        """Subtract the time of a move; return False if the move took more than the time left."""
        seconds = max(0.0, seconds - self._control.lag_s)
        if seconds > self.left_s:
            self.main_s = self.period_s = 0.0
            return False
        if self.main_s > 0:
            self.main_s -= seconds
            if self.main_s > 0 or not self._control.stones:
                self.main_s = max(self.main_s, 0.0)
                return True
            seconds, self.main_s = -self.main_s, 0.0
        self.period_s -= seconds
        self.stones -= 1
        if self.stones <= 0:
            self.period_s, self.stones = self._control.byo_yomi_s, self._control.stones
        return True


def _whole(seconds: float) -> int:
    return max(1, int(seconds)) if seconds > 0 else 0
