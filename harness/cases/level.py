"""Levels: how much is asked of a bot before it may pass."""

from dataclasses import dataclass
from typing import Final

ALPHA: Final = 1e-4
"""Error of a false FAIL, over the whole certificate and every look at it."""
BETA: Final = 1e-3
"""Error of a false PASS, and of excluding a deviation the bot has."""


MOST_PLAYOUTS: Final = 100_000
"""The most playouts a genmove that refbot makes tables for, for a bot with a fixed number of playouts."""
SPARE_S: Final = 3600.0
"""What the time limit of a run allows beyond the forecast for a slow bot."""
_USUAL_PLAYOUTS: Final = 50


@dataclass(frozen=True, slots=True)
class Level:
    """One level of certification."""

    name: str
    about: str
    statistical_genmoves: int
    """Genmoves of each statistical case before anything is judged."""
    budget: int
    """Playouts after which the run ends INCONCLUSIVE."""
    may_pass: bool
    length: float = 1.0
    """Factor on every case's tolerance for the length."""
    score: float = 1.0
    """Factor on every case's tolerance for the score."""
    choice: float = 1.0
    """Factor on every case's tolerance for the distribution of chosen moves."""
    playouts: int | None = None
    """Playouts of every genmove, so that one process answers all; None for the number that each case says."""
    reflections: int = 0
    """Reflections in which each forced case is asked, beside the case itself: 7 at most."""
    slow_s: float = 0.0
    """Forecast for a bot of 100 playouts a second, in seconds: see ``refbot list --plan``."""

    def most_s(self, fixed_playouts: int | None, scale: float = 1.0) -> float:
        """Return the default time limit of a run, in seconds: an hour above the forecast for a slow bot."""
        return SPARE_S + self.slow_s * max(1.0, (fixed_playouts or 0) / _USUAL_PLAYOUTS) * max(1.0, scale)


DIAGNOSIS_BUDGET: Final = 30_000
"""Playouts spent at most after a conviction, to tell the leading explanations apart."""
DIAGNOSIS_ROUNDS: Final = 4

LEVELS: Final = {
    level.name: level
    for level in (
        Level(
            "check", "seconds; the protocol alone, without statistics", 0, 20_000, may_pass=False, playouts=31
        ),
        Level(
            "smoke", "seconds; finds gross errors, cannot pass a bot", 4, 20_000, may_pass=False, slow_s=60
        ),
        Level(
            "standard",
            "0.5 moves and 0.01 wins on the empty 9x9 board; the default",
            10,
            400_000,
            may_pass=True,
            reflections=3,
            slow_s=1_300,
        ),
        Level(
            "full",
            "0.1 moves and 0.003 wins",
            10,
            4_000_000,
            may_pass=True,
            reflections=7,
            slow_s=9_500,
            length=0.2,
            score=0.3,
            choice=0.4,
        ),
        Level(
            "reference",
            "0.05 moves and 0.0015 wins",
            10,
            16_000_000,
            may_pass=True,
            reflections=7,
            slow_s=42_000,
            length=0.1,
            score=0.15,
            choice=0.2,
        ),
    )
}
