"""The search ``gobble``: Monte Carlo Go of 1993, by simulated annealing.

Bernd Bruegmann's program gives each move of a side the average final score, in points, of the games in
which the side played it, and lets both sides play their moves in the order of those values, shaken less
and less.  What the paper leaves open is chosen here, and each choice is a field of ``Gobble``.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import exp
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reference_engine.shapes import shapes_of
from reference_engine.spec import SPEC
from reference_engine.valued import Valued

if TYPE_CHECKING:
    from reference_engine.playouts import Root
    from reference_engine.vocabulary import Point

_MASK = (1 << 64) - 1


class Strategy(StrEnum):
    """How games are spent."""

    A = "a"
    """All on one annealing: a move is worth what the games were in which it was played, at any time."""
    B = "b"
    """An equal share on each candidate, played first, with an annealing of its own from there: a move is
    worth the mean of its games."""


@dataclass(frozen=True, slots=True)
class Gobble:
    """A ``Search`` by average score."""

    strategy: Strategy = Strategy.A
    hot: float = 5.0
    """The temperature T of the first game, in places of the order; a switch has probability exp(-1/T)."""
    cold: float = 0.25
    """That of the last; in between T falls by the same factor from game to game.  The paper gives none."""

    def __call__(
        self, root: "Root", candidates: list["Point"], playouts: int, seed: int, first: int
    ) -> Valued:
        """Return average scores in points."""
        return (self._all if self.strategy is Strategy.A else self._each)(
            root, candidates, playouts, seed, first
        )

    def _all(self, root: "Root", _candidates: list["Point"], playouts: int, seed: int, first: int) -> Valued:
        found = _annealed(root, self.schedule(playouts), seed, first, -1)
        side = int(root.colour) - 1
        hits = found.hits[side]
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where(hits > 0, found.sums[side] / hits, np.nan)
        return Valued(values, found.nodes, found.doubled_wins / (2 * playouts))

    def _each(self, root: "Root", candidates: list["Point"], playouts: int, seed: int, first: int) -> Valued:
        size = root.position.size
        values = np.full(size * size, np.nan)
        nodes = won = 0
        for place, (row, column) in enumerate(candidates):
            games = playouts * (place + 1) // len(candidates) - playouts * place // len(candidates)
            if games:
                at = row * size + column
                found = _annealed(root, self.schedule(games), seed, first, at)
                values[at] = found.points / games
                nodes, won, first = nodes + found.nodes, won + found.doubled_wins, first + games
        return Valued(values, nodes, won / (2 * playouts))

    def schedule(self, games: int) -> NDArray[np.float64]:
        """Return the probability of a switch in every game: float64[games]."""
        steps = np.linspace(0.0, 1.0, games) if games > 1 else np.zeros(1)
        temperatures = self.hot * (self.cold / self.hot) ** steps
        return np.asarray(np.exp(-1.0 / temperatures))


def temperature(pswap: float) -> float:
    """Return T of the paper's equation 4 for a probability of a switch."""
    return -1.0 / float(np.log(pswap))


def pswap(temperature: float) -> float:
    """Return the probability of a switch at a temperature: equation 4 the other way."""
    return exp(-1.0 / temperature)


@dataclass(frozen=True, slots=True)
class _Annealed:
    nodes: int
    doubled_wins: int
    points: float
    sums: NDArray[np.float64]
    hits: NDArray[np.int64]


def _annealed(root: "Root", schedule: NDArray[np.float64], seed: int, first: int, opening: int) -> _Annealed:
    from reference_engine.gobble_kernel import anneal  # noqa: PLC0415 - loads Numba
    from reference_engine.playouts import cells_of, index_of  # noqa: PLC0415

    position, area = root.position, root.position.size**2
    sums, hits = np.zeros((2, area)), np.zeros((2, area), np.int64)
    ban = position.ko
    ko = (index_of(position.size, ban.point), int(ban.colour)) if ban else (-1, 0)
    nodes, won, points = anneal(
        cells_of(position),
        position.size,
        int(root.colour),
        *ko,
        root.moves_played,
        float(root.komi),
        np.uint64(seed & _MASK),
        first,
        schedule,
        opening,
        shapes_of(SPEC),
        sums,
        hits,
        np.zeros((schedule.size, 0), np.int16),
    )
    return _Annealed(int(nodes), int(won), float(points), sums, hits)
