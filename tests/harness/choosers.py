"""Ways of choosing the move wrongly that are in no catalogue: what the tester knows of them is nothing.

Their playouts are the engine's own, and so is all that is reported of them; only the move of the game comes
about otherwise.  Each docstring is the mistake as its author would have made it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from offsets import Place
from unlisted import Conforming, EarlyPlaysOnly, OwnCredits, RandomMoveNowAndThen, starter

from harness.bots.processes import Starter
from harness.cases.case import Case
from harness.cases.suite import Suite
from harness.tables.tables import Tables
from reference_engine.playouts import Tally, index_of
from reference_engine.records import Records
from reference_engine.vocabulary import Colour, Move, Point, parse_vertex


class ByWorth(Conforming):
    """Plays the candidate of the greatest worth, in Python; with the rate for the worth, the rule itself."""

    def worth(self, wins: float, visits: int) -> float:
        """Return what a candidate with data is worth; equal quotients are even, to the last digit."""
        return wins / visits

    def settle(self, even: list[Point]) -> Point:
        """Choose among the even best, which are in board order."""
        return even[int(self.rng.integers(len(even)))]

    def choose(self, tally: Tally, candidates: list[Point], size: int, first: int) -> Move:
        """Choose the move."""
        worths = {}
        for point in candidates:
            index = index_of(size, point)
            if visits := int(tally.visits[index]):
                worths[point] = self.worth(int(tally.wins[index]) / 2, visits)
        if not worths:
            return super().choose(tally, candidates, size, first)
        best = max(worths.values())
        return self.settle([point for point, value in worths.items() if value == best])


class TiesByCoin(ByWorth):
    """A coin is thrown whenever a candidate is even with the best so far, so that the last one comes most."""

    def settle(self, even: list[Point]) -> Point:
        """Let each next one take the place with probability one half."""
        best = even[0]
        for point in even[1:]:
            best = point if self.rng.random() < 0.5 else best
        return best


class TiesOfThree(ByWorth):
    """Even moves are kept in a list with room for three, and one of the list is drawn."""

    def settle(self, even: list[Point]) -> Point:
        """Draw among the first three."""
        return super().settle(even[:3])


class TiesFirstAsWhite(ByWorth):
    """White keeps the first of even moves; only the code for Black was changed to draw one."""

    def settle(self, even: list[Point]) -> Point:
        """Draw as Black only."""
        return even[0] if self.root.colour is Colour.WHITE else super().settle(even)


class TiesLastAsBlack(ByWorth):
    """Black takes the last of even moves, by ``>=`` in its copy of the loop; White draws one."""

    def settle(self, even: list[Point]) -> Point:
        """Draw as White only."""
        return even[-1] if self.root.colour is Colour.BLACK else super().settle(even)


class TiesTowardsCentre(ByWorth):
    """Of even moves the one nearest the centre is played, as looks natural."""

    def settle(self, even: list[Point]) -> Point:
        """Draw among the nearest."""
        middle = (self.root.position.size - 1) / 2
        away = [(row - middle) ** 2 + (column - middle) ** 2 for row, column in even]
        return super().settle([p for p, d in zip(even, away, strict=True) if d == min(away)])


class LaplacePrior(ByWorth):
    """Rates are smoothed by Laplace's rule, (wins + 1) / (visits + 2)."""

    def worth(self, wins: float, visits: int) -> float:
        """Return the smoothed rate."""
        return (wins + 1) / (visits + 2)


class HalfAWinPrior(ByWorth):
    """Every move begins with half a win in one playout, so that nothing is divided by zero."""

    def worth(self, wins: float, visits: int) -> float:
        """Return the smoothed rate."""
        return (2 * wins + 1) / (2 * visits + 2)


class BonusForFewVisits(ByWorth):
    """The UCB1 formula is left in: moves with little data get a bonus."""

    def worth(self, wins: float, visits: int) -> float:
        """Return the rate and a bonus."""
        return wins / visits + sqrt(log(self.playouts) / visits)


class LowerBound(ByWorth):
    """Moves are compared by a lower confidence bound of their rates, as is done for the final move."""

    def worth(self, wins: float, visits: int) -> float:
        """Return the rate less a standard error, that of an even move."""
        return wins / visits - 0.5 / sqrt(visits)


class WholeNumbers(ByWorth):
    """Wins are divided by visits as whole numbers: 1 for a move that always won, 0 for every other."""

    def worth(self, wins: float, visits: int) -> float:
        """Return the quotient without its fraction."""
        return wins // visits


class Tenths(ByWorth):
    """Rates are kept as whole tenths, the rest is cut off."""

    def worth(self, wins: float, visits: int) -> float:
        """Return the rate in tenths."""
        return 10 * wins // visits


class WinsLessLosses(ByWorth):
    """The number of wins less the number of losses is compared, not their rate."""

    def worth(self, wins: float, visits: int) -> float:
        """Return wins less losses."""
        return 2 * wins - visits


class TwoVisitsAtLeast(ByWorth):
    """Moves seen in a single playout are not trusted, unless there are no others."""

    def worth(self, wins: float, visits: int) -> float:
        """Return the rate; that of a single visit is behind all others."""
        return wins / visits - (visits < 2) * 2


class SecondBestNowAndThen(ByWorth):
    """One genmove in ten plays the second best move, for variety."""

    def choose(self, tally: Tally, candidates: list[Point], size: int, first: int) -> Move:
        """Choose the move; now and then without the best."""
        best = super().choose(tally, candidates, size, first)
        others = [p for p in candidates if p != best and tally.visits[index_of(size, p)]]
        if others and self.rng.random() < 0.1:
            return super().choose(tally, others, size, first)
        return best


class RandomMoveInTwenty(RandomMoveNowAndThen):
    """One genmove in twenty plays any legal move, for exploration."""

    share = 0.05


class RandomMoveInHundred(RandomMoveNowAndThen):
    """One genmove in a hundred plays any legal move."""

    share = 0.01


class EarlyPlaysOfTwenty(EarlyPlaysOnly):
    """All-moves-as-first looks at the first twenty moves of a playout: the array is no longer."""

    depth = 20


class EarlyPlaysOfTen(EarlyPlaysOnly):
    """All-moves-as-first looks five own moves deep, so at the first ten moves of a playout."""

    depth = 10


class LastPlayCounts(OwnCredits):
    """A later play on a point overwrites who played there first."""

    def credits(self, records: Records) -> NDArray[np.uint16]:
        """Return 1 for every point that the side to move played last."""
        playouts, area = records.credits.shape
        own = np.zeros((playouts, area + 2), np.uint16)
        rows = np.arange(playouts)
        for number in range(int(records.lengths.max())):
            # Passes and what follows the end are numbered from behind: the last two columns.
            own[rows, records.moves[:, number]] = number % 2 == 0
        return own[:, :area]


class FirstMoveTwice(OwnCredits):
    """The first move of a playout counts as the move tried, and once more as one of all moves."""

    def credits(self, records: Records) -> NDArray[np.uint16]:
        """Return the credits, with one more for the first move."""
        playouts, area = records.credits.shape
        found = np.zeros((playouts, area + 2), np.uint16)
        found[:, :area] = records.credits
        found[np.arange(playouts), records.moves[:, 0]] += 1
        return found[:, :area]


CHOOSERS: Final[Mapping[str, type[Conforming]]] = {
    "ties by a coin": TiesByCoin,
    "ties among the first three": TiesOfThree,
    "ties to the first as White": TiesFirstAsWhite,
    "ties to the last as Black": TiesLastAsBlack,
    "ties towards the centre": TiesTowardsCentre,
    "Laplace's prior": LaplacePrior,
    "half a win in one": HalfAWinPrior,
    "bonus for few visits": BonusForFewVisits,
    "lower bound": LowerBound,
    "whole numbers": WholeNumbers,
    "rates in tenths": Tenths,
    "wins less losses": WinsLessLosses,
    "two visits at least": TwoVisitsAtLeast,
    "second best in ten": SecondBestNowAndThen,
    "random move in twenty": RandomMoveInTwenty,
    "random move in a hundred": RandomMoveInHundred,
    "AMAF of twenty moves": EarlyPlaysOfTwenty,
    "AMAF of ten moves": EarlyPlaysOfTen,
    "last play counts": LastPlayCounts,
    "first move twice": FirstMoveTwice,
}
"""Every one of them, by what it does."""


@dataclass(frozen=True, slots=True)
class Displaced:
    """A bot whose chosen moves are off in one case by a known distance: a name that can be sent elsewhere.

    Now and then it plays one certain move, whatever it has found.
    """

    case: str
    distance: float
    """In total variation: of the moves, and of moves and wins together."""
    favourite: bool = True
    """Whether that move is the one chosen most often anyway, or the one chosen least."""

    @property
    def about(self) -> str:
        """The bot in words."""
        return f"{self.case} moves {self.distance:.3g}, {'favourite' if self.favourite else 'outsider'}"

    def fits(self, case: Case, tables: Tables) -> bool:
        """Whether there is a move that can be played so much too often."""
        return self.share(case, tables)[1] <= 1

    def share(self, case: Case, tables: Tables) -> tuple[Move, float]:
        """Return the move, and the share of the genmoves that play it."""
        chances = move_chances(case, tables)
        vertex = (max if self.favourite else min)(sorted(chances), key=chances.__getitem__)
        return parse_vertex(vertex, case.file.size), self.distance / (1 - chances[vertex])

    def starter(self, suite: Suite, tables: Tables) -> Starter:
        """Return a way of starting its "processes"."""
        case = suite.cases[self.case]
        place, (move, share) = Place.of(case), self.share(case, tables)
        return starter(lambda playouts, seed: OneMoveMore(playouts, seed, place, move, share))


class OneMoveMore(Conforming):
    """Conforms but in one place, where it plays one certain move in a share of the genmoves."""

    def __init__(self, playouts: int, seed: int, place: Place, move: Move, share: float) -> None:
        super().__init__(playouts, seed)
        self._place, self._move, self._share = place, move, share

    def choose(self, tally: Tally, candidates: list[Point], size: int, first: int) -> Move:
        """Choose the move."""
        is_here = self.playouts == self._place.playouts and self.root == self._place.root
        if is_here and self.rng.random() < self._share:
            return self._move
        return super().choose(tally, candidates, size, first)


@dataclass(frozen=True)
class MoreOfTheSecond:
    """A bot that in one case plays the second likeliest move too often, by a known distance."""

    case: str
    distance: float
    """In total variation."""

    @property
    def about(self) -> str:
        """The bot in words."""
        return f"{self.case} the second move more often by {self.distance:.3g}"

    def starter(self, suite: Suite, tables: Tables) -> Starter:
        """Return a way of starting its "processes"."""
        case = suite.cases[self.case]
        chances = move_chances(case, tables)
        # Of equal chances the first by name, as in the certificate's own claim.
        second = sorted(sorted(chances), key=chances.__getitem__, reverse=True)[1]
        share, place = self.distance / (1 - chances[second]), Place.of(case)
        move = parse_vertex(second, case.file.size)
        return starter(lambda playouts, seed: OneMoveMore(playouts, seed, place, move, share))


def move_chances(case: Case, tables: Tables) -> dict[str, float]:
    """Return how likely each move is in a case of chosen moves, by the reference; as GTP writes moves."""
    table, counts = tables.choice(case), Counter[str]()
    for cell, count in table.counts.items():
        counts[cell.partition(" ")[0]] += count
    return {move: count / table.genmoves for move, count in counts.items()}
