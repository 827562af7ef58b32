"""How large the reference tables are made."""

from typing import Final

import msgspec

from harness.level import LEVELS
from harness.start import Start

RATIO: Final = 100
"""How many times larger than any sample of a run its reference is, so that the reference's own error
hides at most a tenth of what the run could see."""
LEAST: Final = RATIO * max(level.budget for level in LEVELS.values())
"""Playouts of every table that is not exact: no run spends more than a level's budget on one case."""


class Sizes(msgspec.Struct, frozen=True):
    """Playouts behind the tables of a build."""

    position: int = LEAST
    """Of a position's reference, and of a table of chosen moves."""
    opening: int = max(LEAST, 100_000_000)
    """Of an empty board's reference."""
    maps: int = 4_000_000
    """Of a position whose distribution is exact: what is left to sample are its maps."""
    deviation: int = 200_000
    """Of each deviation, in every case about sums."""
    rivals: int = 60_000
    """Genmoves of each deviation, in every case about chosen moves."""
    states: int = 30_000
    """Different states up to which a distribution is computed instead of sampled: 3x3 has 23,757."""
    runs: int = 5
    """Runs of each exact case under each deviation."""

    def of(self, start: Start) -> int:
        """Return the playouts of a start's reference."""
        if any(sign in row for row in start.rows for sign in "XO"):
            return self.position
        return self.opening
