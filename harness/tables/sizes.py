"""How large the reference tables are made."""

from typing import Final

import msgspec

from harness.cases.start import Start

RATIO: Final = 100
"""How many times larger than any sample of a run its reference is, so that the reference's own error
hides at most a tenth of what the run could see."""
FITTED_RATIO: Final = 10
"""The same for tables of chosen moves that are made on demand.  They are small, and their error is a third of
what such a sample could see; intervals and bets allow for it."""
LEAST: Final = RATIO * 400_000
"""Playouts of every table that is not exact.  No run asks a case for more than a part in ``RATIO`` of its
table, which is far more than any level needs, but on the empty 9x9 board."""
DEEP_SIZE: Final = 9
"""Board size of the case that the levels are defined by."""


class Sizes(msgspec.Struct, frozen=True):
    """Playouts behind the tables of a build."""

    position: int = LEAST
    """Playouts of a position's reference, and of a table of chosen moves."""
    opening: int = 100_000_000
    """Playouts of an empty board's reference."""
    deep: int = 1_000_000_000
    """Playouts of the empty 9x9 board's reference, whose tolerances decide what a level costs."""
    maps: int = 4_000_000
    """Playouts of a position whose distribution is exact: only its maps are sampled."""
    deviation: int = 200_000
    """Playouts of each deviation, in every case about sums."""
    rivals: int = 60_000
    """Genmoves of each deviation, in every case about chosen moves."""
    states: int = 30_000
    """Different states up to which a distribution is computed instead of sampled: 3x3 has 23,757."""
    runs: int = 12
    """Runs of each case's exact checks under each deviation."""

    def of(self, start: Start) -> int:
        """Return the playouts of a start's reference."""
        if any(sign in row for row in start.rows for sign in "XO"):
            return self.position
        return self.deep if start.size == DEEP_SIZE else self.opening
