"""Tells from all exact checks of a run together what no single one of them can tell.

A check is made for one rule, but a bot may fail it for another reason.  The checks of a run have positions
and numbers of playouts of many kinds.  What is wrong in all of one kind, and right in all others, shows
which figure, or which end of playouts, the bot gets wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final

from harness.cases.case import Case, Forced
from harness.judging.case_assessment import CaseAssessment
from harness.judging.finding import Finding
from harness.judging.referee import PASSED, moves_left
from harness.word import Word
from reference_engine.playout import only_course
from reference_engine.vocabulary import PASS, format_vertex

_UNREAD: Final = ("G5", "G6")
"""Requirements of which one is broken if the same legal plays are refused always: it may not read them."""
_PLAYS: Final = 3
"""How many different legal plays must be refused for that: one may be refused for its position."""
_OF_PASSES: Final = ("N1", "R3")
"""Requirements of which one is broken if playouts end too late or too early, or only seem to."""
_OF_FEW: Final = ("N1", "N4", "R2", "R3")
"""Requirements of which one is broken if a few playouts of hundreds seem to have another length."""
_FEW: Final = 0.01
"""Share of the forced moves that may be missing, or too many, for that."""
_OF_ONE: Final = ("N1", "N4")
"""Requirements of which one is broken if ref-nodes tells the moves of one playout, however many there are."""
_OF_COUNT: Final = ("N2", "N4")
"""Requirements of which one is broken if a score fits no number of wins, and lengths are wrong too."""
_OF_CONSTANT: Final = ("G11", "N2", "R5")
"""Requirements of which one is broken if ref-score is the same for lost and for won boards."""
OF_PASS: Final = ("R6", "R8", "R12")
"""Requirements of which one is broken if genmove passes although playouts play: it may have no data."""
_OF_LIMIT: Final = ("G9", "R3")
"""Requirements of which one is broken if playouts end after one move whatever it is, as they do at the limit:
the moves of earlier games may be counted."""
_LENGTHS: Final = 3
"""How many different forced lengths must be reported for the same wrong number of playouts before that number
is held to be wrong, rather than the count of moves."""
_ROUNDING: Final = 1e-6
_LEAST: Final = 2
"""A limit that is too low shows only if so many moves are left: one move is always tried (R3)."""


class End(Enum):
    """How a playout ends."""

    LIMIT = "limit"
    PASSES = "passes"
    """Two passes do not end it."""
    AFTER_ONE = "after one"
    """It ends before the second pass, or that pass is not counted."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """What all exact checks of a run show together."""

    wrong_end: End | None
    """The end of playouts that is wrong, if only this one is."""
    beyond_limit: frozenset[str]
    """Cases whose playouts the limit ends, and which are reported to go on beyond it."""
    numbers_shown: frozenset[float]
    """The numbers of playouts for which all forced lengths are reported; empty if they are not."""
    is_cut_short: bool
    """Whether every playout that the rules force to be longer is reported with one and the same length of two
    moves or more."""
    is_in_few_playouts: bool
    """Whether forced lengths are wrong by less than a hundredth, and nearly all of them are right."""
    is_limit_reached: bool
    """Whether every wrong length is one move, as if the limit had been reached."""
    are_moves_left_out: bool
    """Whether some playouts are reported shorter than one move."""
    are_words_refused: bool
    """Whether the same legal plays are refused in every position."""
    is_score_constant: bool
    """Whether lost and won playouts have the same score."""
    is_past_limit: bool
    """Whether lengths are wrong only where the limit was reached before the playout began."""
    is_of_count: bool
    """Whether forced playouts with the same numbers of moves and passes are always reported with the same
    length.  Then it is possible that only the count is wrong."""

    @property
    def is_number_off(self) -> bool:
        """Whether all forced lengths are reported for the same wrong number of playouts."""
        return bool(self.numbers_shown) and max(self.numbers_shown) > 1

    def is_without_playouts(self, playouts: int) -> bool:
        """Whether genmoves of one playout seem to have none: the bot always runs fewer than it declares."""
        return self.is_number_off and playouts == 1 and 0.0 in self.numbers_shown

    def candidates(
        self, finding: Finding, *, are_only_lengths_off: bool, are_lengths_off: bool
    ) -> tuple[str, ...]:
        """Return the requirements of which one is broken by a finding; empty if it names its own.

        Args:
            finding: of an exact check.
            are_only_lengths_off: whether lengths are wrong and everything else is right.
            are_lengths_off: whether any forced length is wrong.
        """
        if finding.quantity == "nodes":
            return self._behind_length(are_only_lengths_off)
        if self.is_score_constant and (finding.quantity == "score" or finding.requirement == "G11"):
            return _OF_CONSTANT
        if finding.quantity == "count" and are_lengths_off and not self.is_number_off:
            return _OF_COUNT
        return _UNREAD if finding.refused and self.are_words_refused else ()

    def _behind_length(self, are_only_lengths_off: bool) -> tuple[str, ...]:
        if self.wrong_end is End.PASSES:
            return _OF_PASSES
        if self.is_limit_reached:
            return _OF_LIMIT
        if self.is_cut_short or self.is_past_limit:
            return _OF_PASSES
        if self.is_in_few_playouts:
            return _OF_FEW
        if are_only_lengths_off and self.is_of_count:
            return ()
        if self.numbers_shown == {1.0}:
            return _OF_ONE
        is_early = self.wrong_end is End.AFTER_ONE or self.are_moves_left_out
        return _OF_PASSES if is_early and not self.numbers_shown else ()


def patterns_of(cases: Sequence[CaseAssessment]) -> Patterns:
    """Return what the exact checks of all cases show together."""
    lengths = [
        (_playouts_of(assessed), question.nodes, finding.times)
        for assessed in cases
        if isinstance(question := assessed.case.question, Forced)
        for finding in assessed.findings
        if assessed.genmoves
        and finding.word is Word.FAIL
        and finding.quantity == "nodes"
        and finding.times is not None
    ]
    return Patterns(
        _wrong_end(cases) if lengths else None,
        _beyond_limit(cases),
        _numbers_of_playouts(lengths),
        _is_cut_short(cases),
        bool(lengths) and all(abs(times / playouts - 1) < _FEW for playouts, _, times in lengths),
        _is_limit_reached(lengths),
        any(times * length < playouts for playouts, length, times in lengths),
        _are_words_refused(cases),
        _is_score_constant(cases),
        _is_past_limit(cases),
        _is_of_count(cases),
    )


def is_pass_with_points_left(finding: Finding) -> bool:
    """Whether genmove passed although a point could be played."""
    is_pass = finding.observed == "pass" or finding.observed.startswith(PASSED)
    return finding.requirement == "R8" and is_pass


def _numbers_of_playouts(lengths: Sequence[tuple[float, int, float]]) -> frozenset[float]:
    """Return the numbers of playouts for which forced lengths are reported, one for each number asked for.

    Args:
        lengths: playouts asked for, forced moves of each, and playouts that the figure stands for.
    """
    times = {(playouts, shown) for playouts, _, shown in lengths}
    is_one = len(times) == len({playouts for playouts, _ in times})
    # A bot that runs one playout too few runs none if it is to run one.
    is_whole = all(shown == int(shown) for _, shown in times) and any(shown >= 1 for _, shown in times)
    is_told = is_one and is_whole and len({length for _, length, _ in lengths}) >= _LENGTHS
    return frozenset(shown for _, shown in times) if is_told else frozenset()


def _wrong_end(cases: Iterable[CaseAssessment]) -> End | None:
    """Return the end that is wrong in every forced playout while the other one is right in each; else None.

    After passes the error must be as large everywhere.  A playout that is shorter there by more than one move
    can have many causes.
    """
    excess: dict[End, list[float]] = {End.LIMIT: [], End.PASSES: []}
    for assessed in cases:
        if isinstance(assessed.case.question, Forced) and assessed.genmoves:
            end = _end_of(assessed.case, assessed.case.question)
            if end is not None:
                excess[end].append(_excess(assessed, assessed.case.question))
    if not all(excess.values()):
        return None
    at_limit, after_passes = excess[End.LIMIT], excess[End.PASSES]
    is_same_way = min(at_limit) > 0 or max(at_limit) < 0
    if is_same_way and not any(after_passes):
        return End.LIMIT
    if any(at_limit) or len(set(after_passes)) > 1:
        return None
    return End.PASSES if after_passes[0] > 0 else End.AFTER_ONE if after_passes[0] == -1 else None


def _beyond_limit(cases: Iterable[CaseAssessment]) -> frozenset[str]:
    return frozenset(
        assessed.case.id
        for assessed in cases
        if isinstance(question := assessed.case.question, Forced) and assessed.genmoves
        if _end_of(assessed.case, question) is End.LIMIT and _excess(assessed, question) > 0
    )


def _end_of(case: Case, question: Forced) -> End | None:
    """Return how the playouts of a case end; None if a wrong limit need not show."""
    left = moves_left(case.file.size, len(case.plays))
    if left > question.nodes:
        return End.PASSES
    return End.LIMIT if left == question.nodes >= _LEAST else None


def _excess(assessed: CaseAssessment, question: Forced) -> float:
    """Return by how many moves a playout was longer than the rules force; 0 if it was not."""
    shown = (f.times for f in assessed.findings if f.quantity == "nodes" and f.times is not None)
    playouts = _playouts_of(assessed)
    return round((next(shown, playouts) / playouts - 1.0) * question.nodes, 6)


def _playouts_of(assessed: CaseAssessment) -> float:
    """Return the playouts of a genmove, which a bot may have fixed."""
    return assessed.playouts / assessed.genmoves


def _is_limit_reached(lengths: Sequence[tuple[float, int, float]]) -> bool:
    """Whether forced lengths of several kinds are all reported as one move; see ``_numbers_of_playouts``."""
    is_one = all(abs(times * length - playouts) < _ROUNDING for playouts, length, times in lengths)
    return is_one and len({length for _, length, _ in lengths}) >= _LENGTHS


def _is_cut_short(cases: Iterable[CaseAssessment]) -> bool:
    """Whether all forced lengths above one length are reported as that one, and those below as they are."""
    shown = {
        (question.nodes, question.nodes + _excess(assessed, question))
        for assessed in cases
        if isinstance(question := assessed.case.question, Forced) and assessed.genmoves
    }
    longest = max((length for _, length in shown), default=0.0)
    longer = {forced for forced, _ in shown if forced > longest}
    is_same = all(length == min(forced, longest) for forced, length in shown)
    return is_same and longest >= _LEAST and len(longer) >= _LENGTHS


def _is_past_limit(cases: Iterable[CaseAssessment]) -> bool:
    wrong = [
        assessed.case
        for assessed in cases
        if isinstance(assessed.case.question, Forced)
        and any(f.quantity == "nodes" and f.word is Word.FAIL for f in assessed.findings)
    ]
    return bool(wrong) and all(moves_left(case.file.size, len(case.plays)) < _LEAST for case in wrong)


def _is_of_count(cases: Iterable[CaseAssessment]) -> bool:
    """Whether the reported length depends only on the numbers of moves and passes of a forced playout."""
    shown: dict[tuple[int, int], set[float]] = {}
    for assessed in cases:
        case, question = assessed.case, assessed.case.question
        if not isinstance(question, Forced) or not assessed.genmoves:
            continue
        course = only_course(case.game.position, case.colour, len(case.plays))
        if course is not None:
            wrong = [finding for finding in assessed.findings if finding.quantity == "nodes"]
            is_read = not wrong or any(finding.times is not None for finding in wrong)
            key = (course.length, course.moves.count(PASS))
            shown.setdefault(key, set()).add(_excess(assessed, question) if is_read else -inf)
    return all(len(lengths) == 1 for lengths in shown.values())


def _are_words_refused(cases: Iterable[CaseAssessment]) -> bool:
    """Whether legal plays are refused, and none of them is accepted anywhere, whatever the position is.

    Of each case the first one counts: without its stone, later ones may be refused as a consequence.
    """
    refused, accepted = set[str](), set[str]()
    for assessed in cases:
        first = next((finding.refused for finding in assessed.findings if finding.refused), "")
        if first:
            refused.add(first)
        elif assessed.genmoves:
            accepted |= {f"play {colour} {format_vertex(move)}" for colour, move in assessed.case.plays}
    return len(refused) >= _PLAYS and refused.isdisjoint(accepted)


def _is_score_constant(cases: Iterable[CaseAssessment]) -> bool:
    """Whether the same score is shown where the rules force losses and where they force wins."""
    shown: dict[float, set[float]] = {0.0: set(), 1.0: set()}
    for assessed in cases:
        question = assessed.case.question
        is_read = not any(finding.quantity == "count" for finding in assessed.findings)
        if isinstance(question, Forced) and question.score in shown and assessed.genmoves and is_read:
            wrong = (finding.observed for finding in assessed.findings if finding.quantity == "score")
            shown[question.score].add(float(next(wrong, question.score)))
    return len(shown[0.0]) == 1 and shown[0.0] == shown[1.0]
