"""What bots say of the score, beside what the referee counts: shown, and never counted.

A bot may leave dead stones out, count territory, or be wrong.  Whose error it is cannot be told from here.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from harness.match.record import GameRecord, Result, Termination

NOT_ASKED: Final = "?"
"""In place of a score."""
_MOST_CHARS: Final = 60
_SCORE: Final = re.compile(r"([BW])\+([0-9]{1,5}(?:\.[0-9]{1,6})?)(?![0-9A-Z.])")
_DRAWS: Final = frozenset({"0", "0.0", "DRAW", "JIGO"})


def says_of(game: GameRecord) -> tuple[str, str]:
    """Return what Black and White answered to final_score: ``NOT_ASKED`` for none, or for an error."""
    says = dict.fromkeys("BW", NOT_ASKED)
    for said in game.said:
        if said.sent == "final_score" and not said.is_error:
            says[said.colour] = said.reply.strip()[:_MOST_CHARS]
    return says["B"], says["W"]


class ScoreDifference(StrEnum):
    """How a bot's score differs from the referee's."""

    WINNER = "another winner"
    MARGIN = "another margin"
    UNREADABLE = "no score"
    """The answer is none."""


def difference(said: str, result: Result) -> ScoreDifference | None:
    """Return how what a bot says of a scored game differs from the result; None if it does not."""
    margin = parse_score(said)
    if margin is None:
        return ScoreDifference.UNREADABLE
    counted = result.margin or 0.0
    if (margin > 0) - (margin < 0) != (counted > 0) - (counted < 0):
        return ScoreDifference.WINNER
    return None if abs(margin - counted) < 1e-6 else ScoreDifference.MARGIN


def parse_score(text: str) -> float | None:
    """Return Black's score minus White's from an answer such as ``B+3.5``; None if it is no such answer."""
    first = text.strip().upper()
    if first in _DRAWS:
        return 0.0
    found = _SCORE.match(first)
    if found is None:
        return None
    return float(found[2]) if found[1] == "B" else -float(found[2])


def differences(says: tuple[str, str], result: Result) -> Iterator[tuple[str, str, ScoreDifference]]:
    """Yield the colour, the answer and the difference of each bot whose score is not the referee's."""
    if result.how is not Termination.SCORE:
        return
    for colour, said in zip("BW", says, strict=True):
        if said != NOT_ASKED and (differs := difference(said, result)) is not None:
            yield colour, said, differs
