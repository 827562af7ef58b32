"""Tells from forced lengths alone which end of a playout is wrong: that by the limit, or that by passes.

Every forced playout ends in one of these two ways, and a position is of one kind only.  So if all lengths of
one kind are wrong and all of the other kind are right, it is this end that the bot treats wrongly, whatever
rule a position was made for.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from harness.cases.case import Case, Forced
from harness.judging.case_assessment import CaseAssessment
from harness.judging.referee import moves_left

_LEAST: Final = 2
"""A limit that is too low shows only if so many moves are left: one move is always tried (R3)."""


class End(Enum):
    """How a playout ends."""

    LIMIT = "limit"
    PASSES = "passes"
    """Two passes do not end it."""
    AFTER_ONE = "after one"
    """It ends before the second pass, or that pass is not counted."""


def wrong_end(cases: Iterable[CaseAssessment]) -> End | None:
    """Return the end that is wrong in every forced playout while the other one is right in each; else None.

    After passes the error must be as large everywhere.  A playout that is shorter there by more than one move
    can have many causes.
    """
    excess: dict[End, list[float]] = {End.LIMIT: [], End.PASSES: []}
    for weighed in cases:
        if isinstance(weighed.case.question, Forced) and weighed.genmoves:
            end = _end_of(weighed.case, weighed.case.question)
            if end is not None:
                excess[end].append(_excess(weighed, weighed.case.question))
    if not all(excess.values()):
        return None
    at_limit, after_passes = excess[End.LIMIT], excess[End.PASSES]
    is_same_way = min(at_limit) > 0 or max(at_limit) < 0
    if is_same_way and not any(after_passes):
        return End.LIMIT
    if any(at_limit) or len(set(after_passes)) > 1:
        return None
    return End.PASSES if after_passes[0] > 0 else End.AFTER_ONE if after_passes[0] == -1 else None


def _end_of(case: Case, question: Forced) -> End | None:
    """Return how the playouts of a case end; None if a wrong limit need not show."""
    left = moves_left(case.file.size, len(case.plays))
    if left > question.nodes:
        return End.PASSES
    return End.LIMIT if left == question.nodes >= _LEAST else None


def _excess(weighed: CaseAssessment, question: Forced) -> float:
    """Return by how many moves a playout was longer than the rules force; 0 if it was not."""
    shown = (f.times for f in weighed.findings if f.quantity == "nodes" and f.times)
    playouts = weighed.playouts / weighed.genmoves
    return round((next(shown, playouts) / playouts - 1.0) * question.nodes, 6)
