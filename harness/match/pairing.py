"""The pairing of two bots: all of their games, and only those that repeat no earlier game, counted.

Neither count is right for all bots.  Games of bots with random numbers may coincide by chance; to leave
these out would take wins from the bot that wins by games it repeats.  A bot without random numbers plays the
same game again, and such a repeat is no new evidence.  ``duplicate`` says which games are the same.
"""

from collections import Counter
from dataclasses import dataclass, field

from harness.word import Word


@dataclass(slots=True)
class ColourScore:
    """Results of the first bot of a pairing with one colour."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, points: float) -> None:
        """Count a game."""
        self.won += points == 1.0
        self.drawn += points == 0.5
        self.lost += points == 0.0

    @property
    def games(self) -> int:
        """Number of games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """Wins, and half the draws."""
        return self.won + self.drawn / 2


@dataclass(slots=True)
class Count:
    """Results of some games, and the answer that they give by themselves."""

    black: ColourScore = field(default_factory=ColourScore)
    """The first bot's games as Black."""
    white: ColourScore = field(default_factory=ColourScore)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs of games that were worth 0, 1/2, 1, 3/2 and 2 points to the first bot."""
    word: Word = Word.INCONCLUSIVE
    """The answer to the question asked; once found it stays."""

    @property
    def games(self) -> int:
        """Number of games."""
        return self.black.games + self.white.games

    @property
    def points(self) -> float:
        """Points of the first bot."""
        return self.black.points + self.white.points


@dataclass(slots=True)
class Pairing:
    """The games between two bots, as results of the first."""

    first: int
    second: int
    every: Count = field(default_factory=Count)
    """All games that are results."""
    new: Count = field(default_factory=Count)
    """Those that repeat none before; its pairs are those of two such games."""
    hows: Counter[str] = field(default_factory=Counter)
    not_counted: int = 0
    """Void and unfinished games."""
    moves: int = 0
    played: int = 0

    @property
    def games(self) -> int:
        """Number of games that are results."""
        return self.every.games

    @property
    def points(self) -> float:
        """Points of the first bot."""
        return self.every.points

    @property
    def duplicates(self) -> int:
        """Games that repeat an earlier one."""
        return self.every.games - self.new.games

    @property
    def is_lopsided(self) -> bool:
        """Whether so many games were one another's duplicates that the rest says little."""
        return self.duplicates * 2 > self.played
