"""Levels: how much is asked of a bot before it may pass."""

from dataclasses import dataclass
from typing import Final

ALPHA: Final = 1e-4
"""Error of a false FAIL, over the whole certificate and every look at it."""
BETA: Final = 1e-3
"""Error of a false PASS, and of excluding a deviation the bot has."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level of certification."""

    name: str
    about: str
    statistical_genmoves: int
    """Rounds of each statistical case before anything is judged."""
    budget: int
    """Playouts after which the run ends INCONCLUSIVE."""
    may_pass: bool


LEVELS: Final = {
    level.name: level
    for level in (
        Level("check", "seconds; the protocol alone, without statistics", 0, 20_000, may_pass=False),
        Level("smoke", "seconds; finds gross errors, cannot pass a bot", 4, 20_000, may_pass=False),
        Level("standard", "about 250,000 playouts; the default", 10, 400_000, may_pass=True),
    )
}
