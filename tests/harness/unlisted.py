"""Bots with one mistake that nobody listed: what the tester knows of them is nothing.

The embedded engine's genmove taken apart, so that one step can be done wrongly.  Each bot keeps to the
specification but for the step it overrides, most of them only now and then: what comes out is near the
reference, or near a mistake of the catalogue, and is neither.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from harness.bots.inprocess import InProcess
from harness.bots.processes import Starter
from reference_engine import playouts as kernel
from reference_engine.board import Position
from reference_engine.game import Game
from reference_engine.playouts import Root, Tally
from reference_engine.records import Records
from reference_engine.search import Answer, Report, Searcher, root_candidates
from reference_engine.server import Server
from reference_engine.spec import SPEC, Ko, Komi, Scoring, Spec
from reference_engine.tally import count
from reference_engine.vocabulary import PASS, Colour, Move, Point


class Conforming(Searcher):
    """The engine's genmove in steps, each of them right."""

    def __init__(self, playouts: int, seed: int) -> None:
        super().__init__(playouts, seed)
        self.rng = np.random.default_rng(seed)
        """Says when the mistake is made."""
        self.genmoves = 0
        """So far in this process, this one included."""
        self.root = Root(Position(0), Colour.BLACK)
        """Where the genmove under way thinks."""
        self._candidates: tuple[Game | None, Colour, list[Point]] = (None, Colour.BLACK, [])

    def genmove(self, game: Game, colour: Colour) -> Answer:
        """Think step by step."""
        self.genmoves += 1
        first, self._next = self._next, self._next + self.playouts
        self.root = Root(game.position, colour, len(game.moves), game.komi)
        tally = self.think(self.root, first)
        candidates, size = self._candidates_of(game, colour), game.position.size
        move = self.choose(tally, candidates, size, first) if candidates else PASS
        return Answer(move, resigns=False, report=self.report(tally))

    def _candidates_of(self, game: Game, colour: Colour) -> list[Point]:
        """Return the points to choose from; those of the last genmove are kept, for cases are repeated."""
        if self._candidates[0] is not game or self._candidates[1] is not colour:
            self._candidates = game, colour, root_candidates(game, colour)
        return self._candidates[2]

    def think(self, root: Root, first: int) -> Tally:
        """Run the playouts of a genmove."""
        return self.run(root, self.playouts, first)

    def run(self, root: Root, playouts: int, first: int, spec: Spec = SPEC) -> Tally:
        """Run playouts, if any are asked for."""
        return kernel.run(root, playouts, self._seed, first, spec=spec)

    def choose(self, tally: Tally, candidates: list[Point], size: int, first: int) -> Move:
        """Choose the move."""
        return kernel.best(tally, size, candidates, self._seed + first)[0]

    def report(self, tally: Tally) -> Report:
        """Say what ref-nodes and ref-score will print."""
        return Report(tally.nodes, tally.doubled_wins / (2 * tally.playouts), self.playouts)


class _SomePlayouts(Conforming):
    """Each playout goes by another spec with a small probability."""

    share: ClassVar[float]
    spec_of_some: ClassVar[Spec]

    def think(self, root: Root, first: int) -> Tally:
        """Run the playouts of a genmove, wrongly."""
        some = int(self.rng.binomial(self.playouts, self.share))
        tallies = [
            self.run(root, n, first + start, spec)
            for n, start, spec in ((some, 0, self.spec_of_some), (self.playouts - some, some, SPEC))
            if n
        ]
        return sum(tallies[1:], tallies[0])


class KoNowAndThen(_SomePlayouts):
    """One playout in a hundred has no ko rule."""

    share, spec_of_some = 0.01, SPEC.changed(ko=Ko.NONE)


class StonesNowAndThen(_SomePlayouts):
    """One playout in twenty is scored by stones only."""

    share, spec_of_some = 0.05, SPEC.changed(scoring=Scoring.STONES)


class KomiNowAndThen(_SomePlayouts):
    """One playout in thirty leaves komi out."""

    share, spec_of_some = 1 / 30, SPEC.changed(komi=Komi.IGNORED)


class OnePassNowAndThen(_SomePlayouts):
    """One playout in fifty ends at its first pass."""

    share, spec_of_some = 0.02, SPEC.changed(ending_passes=1)


class RandomMoveNowAndThen(Conforming):
    """One genmove in fifty plays any legal move, in place of the best."""

    share: ClassVar[float] = 0.02

    def choose(self, tally: Tally, candidates: list[Point], size: int, first: int) -> Move:
        """Choose the move; wrongly now and then."""
        if self.rng.random() < self.share:
            return candidates[int(self.rng.integers(len(candidates)))]
        return super().choose(tally, candidates, size, first)


class PassNowAndThen(Conforming):
    """One genmove in two hundred passes though there are moves."""

    def choose(self, tally: Tally, candidates: list[Point], size: int, first: int) -> Move:
        """Choose the move; wrongly now and then."""
        return PASS if self.rng.random() < 0.005 else super().choose(tally, candidates, size, first)


class BlindColumn(Conforming):
    """The last column is never looked at when the move is chosen."""

    def choose(self, tally: Tally, candidates: list[Point], size: int, first: int) -> Move:
        """Choose the move among some of the candidates."""
        seen = [point for point in candidates if point[1] < size - 1]
        return super().choose(tally, seen, size, first) if seen else PASS


class HalfAPointForWhite(Conforming):
    """Komi is half a point more when White is to move."""

    def think(self, root: Root, first: int) -> Tally:
        """Run the playouts of a genmove, wrongly."""
        more = 0.5 if root.colour is Colour.WHITE else 0.0
        return super().think(replace(root, komi=root.komi + more), first)


class OwnCredits(Conforming):
    """Says by itself which points a playout is data for (R6)."""

    def credits(self, records: Records) -> NDArray[np.uint16]:
        """Return how often each point counts in each playout: uint16[n, points], as ``Records`` has it."""
        return records.credits

    def think(self, root: Root, first: int) -> Tally:
        """Run the playouts of a genmove and add them up by the bot's own credits."""
        records = kernel.record(root, self.playouts, self._seed, first, moves=True)
        records = records._replace(credits=self.credits(records))
        visits, wins = np.zeros((2, root.position.size**2), np.int64)
        nothing, komi = np.zeros((2, 0), np.int64), float(root.komi)
        rules = kernel.rules_of(SPEC)
        nodes, won = count(
            records, int(root.colour), komi, rules, visits, wins, nothing, np.zeros((0, 0), np.int64)
        )
        return Tally(self.playouts, nodes, won, visits, wins, nothing)


class EarlyPlaysOnly(OwnCredits):
    """All-moves-as-first looks at the first thirty moves of a playout and no further."""

    depth: ClassVar[int] = 30

    def credits(self, records: Records) -> NDArray[np.uint16]:
        """Return the credits of points that were played early enough."""
        playouts, area = records.credits.shape
        early = np.zeros((playouts, area + 2), np.uint16)
        # Passes and what follows the end are numbered from behind: the last two columns.
        np.put_along_axis(early, records.moves[:, : self.depth].astype(np.int64), 1, axis=1)
        return records.credits * early[:, :area]


class SomeTwice(Conforming):
    """A quarter of the playouts of a genmove are run twice, so that half of them are copies of another."""

    def think(self, root: Root, first: int) -> Tally:
        """Run the playouts of a genmove, wrongly."""
        twice = self.playouts // 4
        tally = self.run(root, self.playouts - twice, first)
        if twice:
            tally += self.run(root, twice, first)
        return tally


class OldNodes(Conforming):
    """Every twentieth genmove reports the nodes of the one before."""

    last = 0

    def report(self, tally: Tally) -> Report:
        """Say what ref-nodes will print, wrongly now and then."""
        report = super().report(tally)
        before, self.last = self.last, report.nodes
        return replace(report, nodes=before) if self.genmoves % 20 == 0 else report


class OutOfTime(Conforming):
    """One genmove in thirty stops after half of its playouts."""

    def think(self, root: Root, first: int) -> Tally:
        """Run the playouts of a genmove, wrongly."""
        stops = self.rng.random() < 1 / 30
        return self.run(root, max(1, self.playouts // 2) if stops else self.playouts, first)


def printing(form: Callable[[float], str]) -> type[Server]:
    """Return a server that prints ref-score in a form of its own."""

    class Printing(Server):
        def _do_ref_score(self, _words: list[str]) -> str:
            return form(self._report.score)

    return Printing


def _to_a_twentieth(score: float) -> str:
    """Print the nearest twentieth, with two decimals."""
    return f"{round(20 * score) / 20:.2f}"


class Unlisted(InProcess):
    """One "process" of an unlisted bot; ``server`` sets positions up as the engine's own does."""

    def __init__(self, searcher: Searcher, server: type[Server] = Server) -> None:
        super().__init__(searcher.playouts)
        self._server = server(searcher)


def starter(bot: Callable[[int, int], Searcher], server: type[Server] = Server) -> Starter:
    """Return a way of starting "processes" of an unlisted bot in this one."""
    return lambda _bot, playouts, seed: Unlisted(bot(playouts, seed), server)


UNLISTED: Final[Mapping[str, Starter]] = {
    "random move now and then": starter(RandomMoveNowAndThen),
    "pass now and then": starter(PassNowAndThen),
    "blind column": starter(BlindColumn),
    "no ko now and then": starter(KoNowAndThen),
    "stones only now and then": starter(StonesNowAndThen),
    "komi left out now and then": starter(KomiNowAndThen),
    "one pass ends now and then": starter(OnePassNowAndThen),
    "half a point for White": starter(HalfAPointForWhite),
    "AMAF of thirty moves": starter(EarlyPlaysOnly),
    "some playouts twice": starter(SomeTwice),
    "old nodes now and then": starter(OldNodes),
    "out of time now and then": starter(OutOfTime),
    "score to a twentieth": starter(Conforming, printing(_to_a_twentieth)),
}
"""Every unlisted bot, by what it does."""
