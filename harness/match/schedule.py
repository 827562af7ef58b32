"""The schedule of a match: the players and the opening of each game.

Each opening is played twice, with the colours swapped.  The number of a game determines its players and its
opening, so a match can be resumed from any set of games.
"""

from dataclasses import dataclass
from enum import StrEnum


class TournamentFormat(StrEnum):
    """The choice of the pairs of bots that play each other."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    """The first bot against each of the others."""


@dataclass(frozen=True, slots=True)
class Seating:
    """One game to be played."""

    number: int
    """From 1."""
    pairing: int
    """Place of the two bots in ``Schedule.pairings``."""
    pair: int
    """Number of the pair of games within the pairing, from 0."""
    black: int
    """Place of the bot that plays Black."""
    white: int
    is_swapped: bool
    """Whether the second bot of the pairing plays Black."""
    opening: int
    """Place of the opening; 0 if the match has none."""

    @property
    def places(self) -> dict[str, int]:
        """The places of the two bots, by colour letter."""
        return {"B": self.black, "W": self.white}


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a match, by rounds: in each round, every pairing has one pair of games."""

    bots: int
    form: TournamentFormat
    games: int
    """Number of games of each pairing; even."""
    openings: int = 1

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairs of bots that play each other, by their places."""
        if self.form is TournamentFormat.GAUNTLET:
            return [(0, other) for other in range(1, self.bots)]
        return [(a, b) for a in range(self.bots) for b in range(a + 1, self.bots)]

    @property
    def total(self) -> int:
        """Games of the whole match."""
        return self.games * len(self.pairings)

    def seating(self, number: int) -> Seating:
        """Return who plays whom in a game, by its number from 1."""
        pairings = self.pairings
        place, second = divmod(number - 1, 2)
        pair, pairing = divmod(place, len(pairings))
        first, other = pairings[pairing]
        black, white = (other, first) if second else (first, other)
        return Seating(number, pairing, pair, black, white, bool(second), pair % self.openings)
