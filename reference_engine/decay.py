"""The search ``decay``: all moves as first, but later ones count less.

Michael Williams, computer-go, 27 October 2008: a move at index i of a playout that runs from s to e
weighs 1 - (i - s) / (e - s), in its hits and in its wins.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reference_engine.valued import Valued

if TYPE_CHECKING:
    from reference_engine.playouts import Root
    from reference_engine.vocabulary import Point


@dataclass(frozen=True, slots=True)
class Decay:
    """A ``Search`` by weighted win rate."""

    repeats: bool = False
    """Whether every play of the side to move counts, not only the first on a point by either side.

    The author's "NoDup" left the look at earlier plays out; the specification has it (R6)."""

    def __call__(
        self,
        root: "Root",
        candidates: list["Point"],  # noqa: ARG002 - of Search
        playouts: int,
        seed: int,
        first: int,
    ) -> Valued:
        """Return weighted rates."""
        from reference_engine.decay_count import weigh  # noqa: PLC0415 - loads Numba
        from reference_engine.playouts import Kernel, batch_of, record  # noqa: PLC0415

        size = root.position.size
        hits, wins = np.zeros(size * size), np.zeros(size * size)
        nodes, won = 0, 0
        for start in range(0, playouts, batch_of(size)):
            some = min(batch_of(size), playouts - start)
            # This kernel keeps lists of moves at no cost; for the other they are many times the work.
            records = record(root, some, seed, first + start, kernel=Kernel.CHAINS, moves=True)
            more_nodes, more_won = weigh(
                records, int(root.colour), float(root.komi), self.repeats, hits, wins
            )
            nodes += more_nodes
            won += more_won
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where(hits > 0, wins / hits, np.nan)
        return Valued(values, nodes, won / (2 * playouts))
