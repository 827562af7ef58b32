"""Bots that conform everywhere but in one case of sums, where a mean is off by a known amount.

The engine's own playouts are drawn, and what is reported of them is changed.  How a mean comes to be off is
the *shape*: the intervals and bets see the same mean in each, and quite different spreads.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import floor
from typing import Final, Protocol, Self

import numpy as np
from scipy.optimize import brentq
from unlisted import Conforming, starter

from harness.bots.processes import Starter
from harness.cases.case import Case, Sample
from harness.cases.level import LEVELS
from harness.cases.suite import Suite
from harness.judging.detectable import shifted
from harness.judging.sums import tolerances
from harness.statistics.evalues import Histogram, Vector
from harness.tables.reference import worth
from harness.tables.tables import Tables
from reference_engine import playouts as kernel
from reference_engine.playout import move_cap
from reference_engine.playouts import Root, Tally

LENGTH, WIN = 0, 1
"""Columns of draws: moves of a playout, and what it is worth for the side to move."""
QUANTITIES: Final = {"length": LENGTH, "score": WIN}
"""The columns by the names that verdicts have for them."""
BURST: Final = 0.1
"""Share of genmoves that carry the whole excess, where that many can."""


class Change(Protocol):
    """Makes the draws of one genmove wrong."""

    def apply(self, rng: np.random.Generator, draws: Vector) -> Vector:
        """Return what is reported of draws (float64[n, 2]: length, win)."""

    def mean(self, null: Histogram) -> Vector:
        """Return the mean of a reported draw (float64[2]) where draws are those of a histogram."""


@dataclass(frozen=True)
class Longer:
    """Every playout is longer by ``moves`` on average: by whole moves, the rest by a coin; within limits."""

    moves: float
    least: float
    most: float

    def apply(self, rng: np.random.Generator, draws: Vector) -> Vector:
        """Return the draws with other lengths."""
        whole = floor(self.moves)
        more = whole + (rng.random(len(draws)) < self.moves - whole)
        return np.column_stack([np.clip(draws[:, LENGTH] + more, self.least, self.most), draws[:, WIN]])

    def mean(self, null: Histogram) -> Vector:
        """Return the mean of a reported draw."""
        whole, lengths = floor(self.moves), null.values[:, LENGTH]
        part = self.moves - whole
        fewer, more = (null.weights @ np.clip(lengths + k, self.least, self.most) for k in (whole, whole + 1))
        return np.array([(1 - part) * fewer + part * more, null.mean[WIN]])


@dataclass(frozen=True)
class Replaced:
    """A share of the playouts report one value whatever they did."""

    share: float
    place: int
    value: float

    def apply(self, rng: np.random.Generator, draws: Vector) -> Vector:
        """Return the draws, some with another value."""
        found = draws.copy()
        found[rng.random(len(draws)) < self.share, self.place] = self.value
        return found

    def mean(self, null: Histogram) -> Vector:
        """Return the mean of a reported draw."""
        mean = null.mean.copy()
        mean[self.place] += self.share * (self.value - mean[self.place])
        return mean


@dataclass(frozen=True)
class Seldom:
    """A share of the genmoves is changed, the others are as they should be."""

    share: float
    change: Change

    def apply(self, rng: np.random.Generator, draws: Vector) -> Vector:
        """Return the draws, changed or not."""
        return self.change.apply(rng, draws) if rng.random() < self.share else draws

    def mean(self, null: Histogram) -> Vector:
        """Return the mean of a reported draw."""
        changed: Vector = self.share * self.change.mean(null) + (1 - self.share) * null.mean
        return changed


@dataclass(frozen=True)
class Drawn:
    """Playouts are drawn from a table instead of played.

    Attributes:
        values: float64[k, 2], what can be drawn.
        weights: float64[k], how likely.
    """

    values: Vector
    weights: Vector

    def apply(self, rng: np.random.Generator, draws: Vector) -> Vector:
        """Return as many new draws."""
        found: Vector = np.repeat(self.values, rng.multinomial(len(draws), self.weights), axis=0)
        return found

    def mean(self, null: Histogram) -> Vector:  # noqa: ARG002 - that of its own table
        """Return the mean of a reported draw."""
        mean: Vector = self.weights @ self.values
        return mean


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a reported length may be."""

    least: float
    most: float

    @classmethod
    def of(cls, case: Case) -> Self:
        """Return the limits of a case's playouts: the two passes that end one, and what the cap leaves."""
        most = max(1, move_cap(case.file.size) - len(case.plays))
        return cls(float(min(2, most)), float(most))

    def end(self, place: int, shift: float) -> float:
        """Return the extreme value of a quantity in the direction of a shift."""
        if place == WIN:
            return float(shift > 0)
        return self.most if shift > 0 else self.least


def every(null: Histogram, place: int, shift: float, bounds: Bounds) -> Change:
    """Return the change of every playout a little: a move more by a coin, a lost one won by a coin."""
    end, mean = bounds.end(place, shift), float(null.mean[place])
    if place == WIN:
        return Replaced(shift / (end - mean), WIN, end)

    def gap(moves: float) -> float:
        return float(Longer(moves, bounds.least, bounds.most).mean(null)[LENGTH]) - mean - shift

    reach = bounds.most - bounds.least
    moves = brentq(gap, -reach, reach, xtol=1e-12, rtol=1e-14)
    return Longer(float(moves), bounds.least, bounds.most)


def cap(null: Histogram, place: int, shift: float, bounds: Bounds) -> Change:
    """Return the change of rare playouts: they run to the cap, or stop at once; of wins they are all won."""
    end = bounds.end(place, shift)
    return Replaced(shift / (end - float(null.mean[place])), place, end)


def genmove(null: Histogram, place: int, shift: float, bounds: Bounds) -> Change:
    """Return the change of one genmove in ten, which carries the whole shift, or of as many as it takes."""
    fewest = rarest(null, place, shift, bounds)
    if fewest.share >= BURST:
        return fewest
    return Seldom(BURST, every(null, place, shift / BURST, bounds))


def rarest(null: Histogram, place: int, shift: float, bounds: Bounds) -> Seldom:
    """Return the change of as few genmoves as can carry the shift: all their playouts run to the cap."""
    end = bounds.end(place, shift)
    return Seldom(shift / (end - float(null.mean[place])), Replaced(1.0, place, end))


def tilt(null: Histogram, place: int, shift: float, _bounds: Bounds) -> Change:
    """Draw from the reference tilted exponentially: the distribution that a certificate's own claims speak
    of.
    """
    one = shifted(null, place, shift)
    return Drawn(one.values, one.weights)


SHAPES: Final[Mapping[str, Callable[[Histogram, int, float, Bounds], Change]]] = {
    "every": every,
    "cap": cap,
    "genmove": genmove,
    "rarest": rarest,
    "tilt": tilt,
}
"""How a mean can come to be off.  Of wins, which are 0 or 1, ``every`` and ``cap`` are one and the same."""
STUDIED: Final = ("every", "cap", "genmove")
"""Those in which a mean just outside its tolerance is tried if nobody says otherwise.  ``rarest`` is left
out: where the cap is far away, the few genmoves of a certificate seldom hold a wrong one at all.
"""


@dataclass(frozen=True, slots=True)
class Offset:
    """A bot that is off in one case: a name for its starter that can be sent to another process."""

    case: str
    quantity: str
    """length or score."""
    shift: float
    """Of the mean of a playout, in moves or in wins."""
    shape: str

    @property
    def about(self) -> str:
        """The bot in words."""
        unit = "moves" if self.quantity == "length" else "wins"
        return f"{self.case} {self.quantity} {self.shift:+.4g} {unit}, {self.shape}"

    def change(self, suite: Suite, tables: Tables) -> Change:
        """Return what it does to the draws of its case."""
        case = suite.cases[self.case]
        shape = SHAPES[self.shape]
        return shape(tables.histogram(case), QUANTITIES[self.quantity], self.shift, Bounds.of(case))

    def starter(self, suite: Suite, tables: Tables) -> Starter:
        """Return a way of starting its "processes"."""
        place, change = Place.of(suite.cases[self.case]), self.change(suite, tables)
        return starter(lambda playouts, seed: OffInOneCase(playouts, seed, place, change))


@dataclass(frozen=True)
class Place:
    """A case as a bot sees it."""

    root: Root
    playouts: int

    @classmethod
    def of(cls, case: Case) -> Self:
        """Return where a case's genmoves begin."""
        root = Root(case.game.position, case.colour, len(case.plays), case.file.komi)
        return cls(root, case.file.playouts)


class OffInOneCase(Conforming):
    """Conforms but in one place, where what is reported of the playouts is changed."""

    def __init__(self, playouts: int, seed: int, place: Place, change: Change) -> None:
        super().__init__(playouts, seed)
        self._place, self._change = place, change

    def think(self, root: Root, first: int) -> Tally:
        """Run the playouts of a genmove; in the one place, report others."""
        if self.playouts != self._place.playouts or root != self._place.root:
            return super().think(root, first)
        tally, draws = self._draw(root, first)
        nodes, wins = self._change.apply(self.rng, draws).sum(axis=0)
        return replace(tally, nodes=round(nodes), doubled_wins=round(2 * wins))

    def _draw(self, root: Root, first: int) -> tuple[Tally, Vector]:
        """Run playouts; return them with the length and the worth of each, in no order."""
        histogram = kernel.histogram_for(root.position.size)
        tally = kernel.run(root, self.playouts, self._seed, first, histogram=histogram)
        lengths, margins = np.nonzero(histogram)
        area = root.position.size**2
        wins = [worth(int(margin) - area, root.komi, root.colour) for margin in margins]
        rows = np.column_stack([lengths, np.array(wins)])
        return tally, np.repeat(rows, histogram[lengths, margins], axis=0)


def fits(case: Case, null: Histogram, offset: Offset) -> bool:
    """Whether a mean can be off by that much: whether playouts reach as far."""
    place = QUANTITIES[offset.quantity]
    end = Bounds.of(case).end(place, offset.shift)
    return offset.shift != 0 and abs(offset.shift) < abs(end - float(null.mean[place]))


def offsets(suite: Suite, tables: Tables, level: str, shape: str, times: float) -> Iterator[Offset]:
    """Yield every bot of a shape whose mean can be off by so many tolerances of a level.

    Rare playouts that change wins are left out, for ``every`` is the same there.
    """
    for case in suite.cases.values():
        if not isinstance(case.question, Sample):
            continue
        for quantity, tolerance in zip(QUANTITIES, tolerances(case.question, LEVELS[level]), strict=True):
            for shift in (times * tolerance, -times * tolerance):
                offset = Offset(case.id, quantity, shift, shape)
                is_double = shape == "cap" and quantity == "score"
                if not is_double and fits(case, tables.histogram(case), offset):
                    yield offset
