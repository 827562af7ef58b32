"""Judges one genmove by its answer and its figures, together, from any position.

Where every outcome of a playout can be enumerated (``outcomes``), length, score and answer must be those of
one of them, or of a sum of them; elsewhere the figures have bounds.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from harness.judging.answers import GenmoveStatistics, parse_answer, parse_nodes, parse_wins
from harness.judging.finding import Finding, Quantity
from harness.judging.outcomes import Outcome, half_wins_of, outcome_of_draw, outcomes_of
from harness.judging.referee import candidates, moves_left
from harness.judging.simulated import FARTHEST, LEAST, log_e_of_answer, means_of, standard_error
from harness.word import Word
from reference_engine.game import Game
from reference_engine.playout import move_cap
from reference_engine.vocabulary import Colour, format_vertex


@dataclass(frozen=True, slots=True)
class Genmove:
    """A genmove and what was said of it.

    Attributes:
        game: before it.
        colour: the side that was to move.
        answer: what came, in upper case.
        nodes: what ref-nodes answered; empty if it was not asked yet.
        score: what ref-score answered.
    """

    game: Game
    colour: Colour
    answer: str
    nodes: str = ""
    score: str = ""


def judge_genmove(genmove: Genmove, case: str, playouts: int, digits: tuple[int, int]) -> Finding | None:
    """Return the first thing that is wrong with what was said of a genmove, if anything is.

    Args:
        genmove: its answer is one that the rules allow.
        case: the case's id, for findings.
        playouts: that it ran.
        digits: how finely the bot prints scores, see ``parse_wins``.
    """
    nodes = parse_nodes(case, genmove.nodes) if genmove.nodes else None
    if isinstance(nodes, Finding):
        return nodes
    draws = float(genmove.game.komi).is_integer()
    wins = parse_wins(case, genmove.score, playouts, draws=draws, digits=digits) if genmove.score else None
    if isinstance(wins, Finding):
        return wins
    return next(iter(_Check(genmove, case, playouts, GenmoveStatistics(nodes, wins))), None)


_POINTS: Final = ("R2", "R4", "R10")
_LENGTH: Final = (*_POINTS, "R3", "N1")
_LIMIT: Final = ("R3", "N1", "N4")
_SCORE: Final = ("R5", "N2")
CHOICE: Final = ("R6", "R7", "R12")
"""Requirements of which at least one is broken if figures or answers are wrong."""
_LEAST_AREA: Final = 49
"""Points of a board on which playouts seldom reach the limit."""


class _Check:
    """Yields what is wrong with one genmove, the most basic first."""

    def __init__(self, genmove: Genmove, case: str, playouts: int, shown: GenmoveStatistics) -> None:
        self._genmove = genmove
        self._game = genmove.game
        self._case = case
        self._n = playouts
        self._shown = shown
        self._left = moves_left(self._game.position.size, len(self._game.moves))

    @property
    def _of_ko(self) -> tuple[str, ...]:
        """The requirement that may also be broken where a ko ban holds: playouts may ignore the ban."""
        ban = self._game.position.ko
        return ("R2",) if ban is not None and ban.colour is self._genmove.colour else ()

    @cached_property
    def _outcomes(self) -> frozenset[Outcome] | None:
        return outcomes_of(self._game, self._genmove.colour)

    def __iter__(self) -> Iterator[Finding]:
        if self._is_one_draw():
            return
        if self._shown.nodes is not None and self._shown.nodes > self._left * self._n:
            yield self._beyond_limit(self._shown.nodes)
        elif self._outcomes is None:
            yield from self._out_of_bounds()
            yield from self._unlikely()
        else:
            yield from self._impossible(self._outcomes)

    def _finding(
        self, candidates: tuple[str, ...], expected: str, observed: str, quantity: Quantity
    ) -> Finding:
        return Finding(
            candidates[0],
            self._case,
            Word.FAIL,
            expected,
            observed,
            quantity=quantity,
            candidates=candidates if len(candidates) > 1 else (),
        )

    def _is_one_draw(self) -> bool:
        """Whether the answer, drawn in the only playout, explains the figures.

        This is the usual case, and it saves the enumeration of every other draw, which takes long on large
        boards.
        """
        answer = parse_answer(self._genmove.answer, self._game.position.size)
        if self._n > 1 or self._left > 1 or not isinstance(answer, tuple):
            return False
        outcome = outcome_of_draw(self._game, self._genmove.colour, answer)
        wins = self._shown.wins or (0, 2)
        return (
            outcome is not None and self._shown.nodes in (None, 1) and wins[0] <= outcome.half_wins <= wins[1]
        )

    def _beyond_limit(self, nodes: int) -> Finding:
        left = f"{self._left} move{'s are' if self._left > 1 else ' is'} left before the limit of 3*N*N"
        expected = f"ref-nodes is at most {self._left * self._n}: {left}"
        finding = self._finding(_LIMIT, expected, str(nodes), "nodes")
        is_lenient = nodes <= move_cap(self._game.position.size) * self._n
        return replace(finding, word=Word.NON_STRICT) if is_lenient else finding

    def _out_of_bounds(self) -> Iterator[Finding]:
        """Yield figures that no playouts have at all."""
        least = min(2, self._left) * self._n
        if self._shown.nodes is not None and self._shown.nodes < least:
            expected = f"ref-nodes is at least {least}, passes counted"
            yield self._finding(_LENGTH, expected, str(self._shown.nodes), "nodes")
        if self._shown.wins is not None:
            area = self._game.position.size**2
            worst, best = (
                half_wins_of(margin, self._game.komi, self._genmove.colour) for margin in (-area, area)
            )
            if not (worst * self._n <= self._shown.wins[1] and self._shown.wins[0] <= best * self._n):
                yield self._other_score(range(worst, best + 1))

    def _unlikely(self) -> Iterator[Finding]:
        """Yield figures and answers of many playouts that are far from those of the engine."""
        position, n = self._game.position, self._n
        area = position.size**2
        if n < LEAST or area < _LEAST_AREA or len(self._game.moves) > area:
            return  # elsewhere a bot that counts the limit from the playout's start has other means
        means = means_of(self._game, self._genmove.colour)
        mean, spread = means.length
        nodes, wins = self._shown.nodes, self._shown.wins
        if nodes is not None and abs(nodes / n - mean) > FARTHEST * standard_error(spread, n):
            expected = f"ref-nodes is about {mean * n:,.0f}, as the engine's playouts are long from here"
            yield self._finding((*_LENGTH, "N4"), expected, str(nodes), "nodes")
            return
        mean, spread = means.wins
        room = FARTHEST * standard_error(spread, n)
        if wins is not None and not wins[0] / (2 * n) - room < mean < wins[1] / (2 * n) + room:
            expected = f"ref-score is about {mean:.3f}, as the engine's playouts end from here"
            yield self._finding((*_SCORE, *_POINTS, "R3"), expected, f"{wins[0] / (2 * n):.6g}", "score")

    def _other_score(self, half_wins: range | set[int]) -> Finding:
        assert self._shown.wins is not None  # noqa: S101 - the callers have looked
        wins = [f"{each / 2:g}" for each in sorted(half_wins)]
        between = " or ".join(wins) if self._n == 1 or len(wins) == 1 else f"{wins[0]} to {wins[-1]}"
        observed = f"{self._shown.wins[0] / (2 * self._n):.6g}"
        expected = f"ref-score is {between}: no playout from here ends otherwise"
        behind = (*_SCORE, *self._of_ko) if self._left == 1 or self._outcomes is None else (*_SCORE, *_POINTS)
        return self._finding(behind, expected, observed, "score")

    def _impossible(self, outcomes: frozenset[Outcome]) -> Iterator[Finding]:
        """Yield what no playouts with these outcomes give."""
        nodes, wins = self._shown.nodes, self._shown.wins
        lengths = sorted({o.length for o in outcomes})
        least, most = lengths[0] * self._n, lengths[-1] * self._n
        if nodes is not None and (nodes not in lengths if self._n == 1 else not least <= nodes <= most):
            those = " or ".join(map(str, lengths)) if self._n == 1 else f"{least} to {most}"
            expected = f"ref-nodes is {those if least < most else most}"
            yield self._finding(_LIMIT if self._left == 1 else _LENGTH, expected, str(nodes), "nodes")
            return
        is_cut = any(o.length == self._left for o in outcomes)
        if wins is None or nodes is None or (is_cut and self._n > 1 and self._left > 1):
            return  # a bot that counts the limit from the playout's start has other outcomes, which may mix
        finding = self._other_outcome(outcomes, lambda o: o.half_wins)
        if finding is None:
            return
        is_lenient = self._other_outcome(outcomes, lambda o: o.lenient_half_wins) is None
        yield (
            replace(finding, requirement="R5", candidates=(), word=Word.NON_STRICT) if is_lenient else finding
        )

    def _other_outcome(
        self, outcomes: frozenset[Outcome], half_wins: Callable[[Outcome], int]
    ) -> Finding | None:
        """Return a finding if score and answer are those of none of the outcomes, or of no sum of them."""
        if possible := self._possible(outcomes, half_wins):
            return self._other_answer(possible, half_wins)
        of_length = [o for o in outcomes if self._n > 1 or self._shown.nodes == o.length]
        return self._other_score({half_wins(o) for o in of_length})

    def _possible(
        self, outcomes: frozenset[Outcome], half_wins: Callable[[Outcome], int]
    ) -> frozenset[Outcome]:
        """Return the outcomes that the figures leave possible; none if together they cannot give these."""
        assert self._shown.wins is not None  # noqa: S101 - the callers have looked
        least, most = self._shown.wins
        if self._n == 1:
            of_length = (o for o in outcomes if o.length == self._shown.nodes)
            return frozenset(o for o in of_length if least <= half_wins(o) <= most)
        sums = [half_wins(o) * self._n for o in outcomes]
        return outcomes if min(sums) <= most and least <= max(sums) else frozenset()

    def _other_answer(
        self, possible: frozenset[Outcome], half_wins: Callable[[Outcome], int]
    ) -> Finding | None:
        """Return a finding if the answer follows from none of the outcomes that are possible."""
        assert self._shown.wins is not None  # noqa: S101 - the caller has looked
        answer = parse_answer(self._genmove.answer, self._game.position.size)
        free = frozenset(candidates(self._game, self._genmove.colour))
        said = self._genmove.answer.lower() if answer == "pass" else self._genmove.answer
        if self._n == 1:
            # Where no move with data may be played, any other may, and a pass.
            choices = [o.credited & free for o in possible]
            if not all(choice and answer not in choice for choice in choices):
                return None
            named = sorted({format_vertex(point) for choice in choices for point in choice})
            expected = f"genmove answers {' or '.join(named)}, for which alone the playout is data"
            # A playout that draws the banned point has data for no point that may be played.
            return self._finding((*CHOICE, *self._of_ko), expected, said, "choice")
        drawn = frozenset[object]().union(*(o.credited for o in possible))
        if self._left > 1 or not drawn or not drawn <= free:
            return None
        # All that is drawn is data, and each point always gets the same result.
        mine = [half_wins(o) for o in possible if answer in o.credited]
        if mine and mine[0] * self._n >= self._shown.wins[0]:
            return None
        expected = (
            "genmove answers a move with the best rate" if mine else "genmove answers a point with data"
        )
        return self._finding(CHOICE, expected, said, "choice")


def log_e_of_choice(genmove: Genmove, playouts: int, number: int) -> tuple[float, ...] | None:
    """Return log e-values against the answer having been chosen by the rules; None if nothing is known.

    Args:
        genmove: its answer is one that the rules allow.
        playouts: that it ran.
        number: of the genmove in its dialogue.
    """
    game, area = genmove.game, genmove.game.position.size**2
    answer = parse_answer(genmove.answer, game.position.size)
    if not isinstance(answer, tuple) or len(game.moves) > area:
        return None  # near the limit a bot that counts it from the playout's start chooses otherwise
    return log_e_of_answer(game, genmove.colour, answer, playouts, number)
