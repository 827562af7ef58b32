"""The results of two bots against each other, counted twice: all games, and only the new ones.

A game is new if it repeats no earlier game (``duplicate``).  No single count is right for all bots.  Games
of bots with random numbers may coincide by chance, and leaving these out would take wins from a bot that
often wins in the same way.  A bot without random numbers plays the same game again, and such a repeat is no
new evidence.
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
    """Results of some of the games, and the answer that these games alone give."""

    black: ColourScore = field(default_factory=ColourScore)
    """The first bot's games as Black."""
    white: ColourScore = field(default_factory=ColourScore)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Numbers of pairs of games that gave the first bot 0, 1/2, 1, 3/2 and 2 points."""
    word: Word = Word.INCONCLUSIVE
    """The answer to the question of the match; once found it stays."""

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
    """Place of the first bot among the bots of the match."""
    second: int
    every: Count = field(default_factory=Count)
    """All games with a result."""
    new: Count = field(default_factory=Count)
    """Games with a result that repeat no earlier game, and the pairs of two such games."""
    hows: Counter[str] = field(default_factory=Counter)
    """Number of games by how they ended."""
    not_counted: int = 0
    """Number of void and unfinished games."""
    moves: int = 0
    """Number of moves in the games with a result."""
    played: int = 0
    """Number of games played, void and unfinished ones included."""

    @property
    def games(self) -> int:
        """Number of games with a result."""
        return self.every.games

    @property
    def points(self) -> float:
        """Points of the first bot."""
        return self.every.points

    @property
    def duplicates(self) -> int:
        """Number of games that repeat an earlier one."""
        return self.every.games - self.new.games

    @property
    def is_lopsided(self) -> bool:
        """Whether more than half of the games repeat an earlier one, so that the rest says little."""
        return self.duplicates * 2 > self.played
