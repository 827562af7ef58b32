"""genmove by a value for every point: what the engines beyond the reference bot have in common.

Which points may be played, superko and ties are those of the reference bot (R4, R7, R8, R10, R11); what a
point is worth is each engine's own.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reference_engine.game import Game
from reference_engine.search import Answer, Report
from reference_engine.spec import SPEC, Spec
from reference_engine.vocabulary import PASS, Colour, Move, Point

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Valued:
    """What a search found out."""

    values: Values
    """float64[points] in board order, for the side to move; NaN where there are no data (R12)."""
    nodes: int
    """Moves executed in all playouts."""
    score: float
    """Fraction of the playouts won by the side to move."""


class Search(Protocol):
    """Finds values by playouts."""

    def __call__(self, root: Any, candidates: list[Point], playouts: int, seed: int, first: int) -> Valued:
        """Search.

        Args:
            root: ``playouts.Root``: the position, whose turn it is, komi.
            candidates: the points that may be chosen, superko aside.
            playouts: how many.
            seed: fixes the playouts, with their numbers.
            first: number of the first playout.
        """


class ValuedSearcher:
    """Makes genmoves for a ``Search``, as ``search.Searcher`` does for the reference bot.

    Args:
        search: makes the values.
        playouts: playouts of each genmove, at least 1.
        seed: fixes the whole sequence of genmoves; drawn from the system when absent.
        announce: told, a line each, when something has to be compiled first.
        spec: the rules.
    """

    def __init__(
        self,
        search: Search,
        playouts: int,
        seed: int | None = None,
        announce: Callable[[str], None] | None = None,
        spec: Spec = SPEC,
    ) -> None:
        self.playouts = playouts
        self.spec = spec
        self._search = search
        self._announce = announce
        self._seed = secrets.randbits(64) if seed is None else seed
        self._next = 0
        self._ties = np.random.default_rng(self._seed)

    def genmove(self, game: Game, colour: Colour) -> Answer:
        """Think for ``colour`` in the game's position; nothing is played."""
        from reference_engine import playouts as kernel  # noqa: PLC0415 - loads Numba

        if self._announce is not None:
            kernel.announce_compilation(self._announce)
            self._announce = None
        first, self._next = self._next, self._next + self.playouts
        root = kernel.Root(game.position, colour, len(game.moves), game.komi)
        candidates = kernel.playable(game.position, colour, self.spec)
        found = self._search(root, candidates, self.playouts, self._seed, first)
        move = self._best(game, colour, candidates, found.values)
        return Answer(move, resigns=False, report=Report(found.nodes, found.score, self.playouts))

    def _best(self, game: Game, colour: Colour, candidates: list[Point], values: Values) -> Move:
        """Return the candidate of the highest value that repeats no position; ties are broken evenly."""
        size = game.position.size
        worth = {p: float(values[p[0] * size + p[1]]) for p in candidates}
        seen = [p for p in candidates if not np.isnan(worth[p])]
        self._ties.shuffle(seen)
        for point in sorted(seen, key=lambda p: -worth[p]):
            if not game.repeats(colour, point):
                return point
        return PASS


def rates(visits: NDArray[np.int64], doubled_wins: NDArray[np.int64]) -> Values:
    """Return the rates of all-moves-as-first counts, NaN where there are none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(visits > 0, doubled_wins / (2.0 * visits), np.nan)
