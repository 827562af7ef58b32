"""genmove: playouts, the move chosen from them, and the statistics the private commands report."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from reference_engine.game import Game
from reference_engine.spec import SPEC, Nodes, Passes, PlayoutsRun, Randomness, Spec
from reference_engine.vocabulary import PASS, Colour, Move, Point

_FIXED_SEED = 20081013


@dataclass(frozen=True, slots=True)
class Report:
    """The statistics of one genmove (N1, N2, N4)."""

    nodes: int = 0
    score: float = 0.0
    playouts: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """A genmove's move, or a resignation, with its statistics."""

    move: Move
    resigns: bool
    report: Report


class Thinker(Protocol):
    """Makes genmoves."""

    playouts: int
    """Of each genmove."""

    def genmove(self, game: Game, colour: Colour) -> Answer:
        """Think for ``colour`` in the game's position; nothing is played."""


class Searcher:
    """Makes genmoves; holds nothing between them but the place in its stream of random numbers.

    Args:
        playouts: playouts of each genmove, at least 1.
        seed: fixes the whole sequence of genmoves; drawn from the system when absent.
        spec: the rules.
        announce: told, a line each, when a kernel has to be compiled first.
    """

    def __init__(
        self,
        playouts: int,
        seed: int | None = None,
        spec: Spec = SPEC,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        self.playouts = playouts
        self.spec = spec
        self._announce = announce
        self._seed = secrets.randbits(64) if seed is None else seed
        if spec.randomness in (Randomness.FIXED_PER_PROCESS, Randomness.FIXED_PER_GENMOVE):
            self._seed = _FIXED_SEED
        self._next = 0

    def genmove(self, game: Game, colour: Colour) -> Answer:
        """Think for ``colour`` in the game's position; nothing is played."""
        # Loads and compiles the kernel: seconds on a cold machine, so not before it is needed.
        from reference_engine import playouts as kernel  # noqa: PLC0415

        if self._announce is not None:
            kernel.announce_compilation(self._announce)
            self._announce = None
        spec, position = self.spec, game.position
        root = kernel.Root(position, colour, len(game.moves), game.komi)
        count = {
            PlayoutsRun.DECLARED: self.playouts,
            PlayoutsRun.HALF: max(1, self.playouts // 2),
            PlayoutsRun.ONE_MORE: self.playouts + 1,
        }[spec.playouts_run]
        if spec.randomness is Randomness.SEEDED_BY_SECOND:
            self._seed, self._next = int(time.time()), 0
        first = 0 if spec.randomness is Randomness.FIXED_PER_GENMOVE else self._next
        self._next = first + count
        tally = kernel.run(root, count, self._seed, first, spec=spec)
        move, resigns = PASS, False
        candidates = [] if self._passes_back(game) else kernel.playable(position, colour, spec)
        while candidates:
            move, resigns = kernel.best(tally, position.size, candidates, self._seed + first, spec)
            if move is None or not game.repeats(colour, move):
                break
            candidates.remove(move)
            move = PASS
        if move is PASS and not resigns and spec.passes is Passes.NEVER:
            move = self._any_legal(game, colour)
        score = kernel.reported_score(tally, position.size, move, spec)
        nodes = tally.nodes
        if spec.nodes is Nodes.MEAN:
            nodes //= count
        elif spec.nodes is Nodes.LAST_PLAYOUT:
            nodes = kernel.run(root, 1, self._seed, first + count - 1, spec=spec).nodes
        return Answer(move, resigns, Report(nodes, score, self.playouts))

    def _passes_back(self, game: Game) -> bool:
        last = game.moves[-1][1] if game.moves else (0, 0)
        return self.spec.passes is Passes.AFTER_OPPONENT and last is PASS

    @staticmethod
    def _any_legal(game: Game, colour: Colour) -> Move:
        legal: list[Point] = [p for p in game.position.empty_points() if game.allows(colour, p)]
        return legal[0] if legal else PASS


def root_candidates(game: Game, colour: Colour) -> list[Point]:
    """Return the points a genmove may choose: legal, no own eye, no superko (R4, R8, R10, R11)."""
    from reference_engine import playouts as kernel  # noqa: PLC0415 - loads Numba

    return [p for p in kernel.playable(game.position, colour, game.spec) if not game.repeats(colour, p)]
