"""Who plays whom in which game: every opening twice, with the colours swapped.

The number of a game determines its players and its opening, so a match can be resumed from any set of games.
"""

from dataclasses import dataclass
from enum import StrEnum


class Format(StrEnum):
    """Which bots meet."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    """The first bot against each of the others."""


@dataclass(frozen=True, slots=True)
class Seating:
    """One game to be played."""

    number: int
    """From 1."""
    meeting: int
    """Place of the two bots in ``Schedule.meetings``."""
    pair: int
    """Number of the pair of games within the meeting, from 0."""
    black: int
    """Place of the bot."""
    white: int
    is_swapped: bool
    """Whether the second bot of the meeting plays Black."""
    opening: int
    """Place of the opening; 0 where there are none."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a match, by rounds: in each round, every meeting has one pair of games."""

    bots: int
    form: Format
    games: int
    """Of each meeting; even."""
    openings: int = 1

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """The bots that meet, by their places."""
        if self.form is Format.GAUNTLET:
            return [(0, other) for other in range(1, self.bots)]
        return [(a, b) for a in range(self.bots) for b in range(a + 1, self.bots)]

    @property
    def total(self) -> int:
        """Games of the whole match."""
        return self.games * len(self.meetings)

    def seating(self, number: int) -> Seating:
        """Return who plays whom in a game, by its number from 1."""
        meetings = self.meetings
        place, second = divmod(number - 1, 2)
        pair, meeting = divmod(place, len(meetings))
        first, other = meetings[meeting]
        black, white = (other, first) if second else (first, other)
        return Seating(number, meeting, pair, black, white, bool(second), pair % self.openings)
