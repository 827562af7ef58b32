"""Chosen moves as shares: those of a bot, and those of the reference where it has a table of them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.cases.case import Case, Moves
from harness.judging.answers import parse_answer
from harness.judging.case_assessment import AskedUnit
from harness.tables.tables import OTHER, Tables
from reference_engine.vocabulary import Point


@dataclass(frozen=True, slots=True)
class Shares:
    """How often each point was chosen, of all genmoves."""

    genmoves: int
    points: Mapping[Point, float]
    beside: Mapping[str, float]
    """Answers that are no point: a pass, a resignation, moves that a small table counts together."""


def answers_of(asked: Iterable[AskedUnit]) -> Counter[str]:
    """Return what genmove answered, and how often."""
    return Counter(a.reading.move for a in asked if a.reading.move)


def shares_of(case: Case, answers: Mapping[str, int]) -> Shares:
    """Return the shares of a number of answers."""
    genmoves = sum(answers.values())
    points: dict[Point, float] = {}
    beside: dict[str, float] = {}
    for text, count in sorted(answers.items()):
        found = parse_answer(text, case.file.size)
        if isinstance(found, tuple):
            points[found] = points.get(found, 0.0) + count / genmoves
        else:
            name = text if text == OTHER else text.lower()
            beside[name] = beside.get(name, 0.0) + count / genmoves
    return Shares(genmoves, points, beside)


def reference_shares(case: Case, tables: Tables) -> Shares | None:
    """Return the reference's shares; None for a case without a table of chosen moves."""
    if not isinstance(case.question, Moves):
        return None
    answers: Counter[str] = Counter()
    for cell, count in tables.choice(case).counts.items():
        answers[cell.split()[0]] += count
    return shares_of(case, answers)
