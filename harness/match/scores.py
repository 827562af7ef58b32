"""The scores that bots claim, compared with the referee's.  They are shown, and do not change the result.

A bot may leave out dead stones, count territory, or be wrong.  The referee cannot tell which it is.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from harness.match.record import GameRecord, Result, Termination

NOT_ASKED: Final = "?"
"""In place of a score that was not asked for."""
_MOST_CHARS: Final = 60
_SCORE: Final = re.compile(r"([BW])\+([0-9]{1,5}(?:\.[0-9]{1,6})?)(?![0-9A-Z.])")
_DRAWS: Final = frozenset({"0", "0.0", "DRAW", "JIGO"})


def claimed_scores(game: GameRecord) -> tuple[str, str]:
    """Return Black's and White's answers to final_score; ``NOT_ASKED`` for no answer or an error."""
    scores = dict.fromkeys("BW", NOT_ASKED)
    for exchange in game.said:
        if exchange.sent == "final_score" and not exchange.is_error:
            scores[exchange.colour] = exchange.reply.strip()[:_MOST_CHARS]
    return scores["B"], scores["W"]


class ScoreDifference(StrEnum):
    """The way in which a bot's score differs from the referee's."""

    WINNER = "another winner"
    MARGIN = "another margin"
    UNREADABLE = "no score"
    """The answer is not a score."""


def difference(claimed: str, result: Result) -> ScoreDifference | None:
    """Return how a claimed score differs from the result of a scored game; None if it does not."""
    margin = parse_score(claimed)
    if margin is None:
        return ScoreDifference.UNREADABLE
    counted = result.margin or 0.0
    if (margin > 0) - (margin < 0) != (counted > 0) - (counted < 0):
        return ScoreDifference.WINNER
    return None if abs(margin - counted) < 1e-6 else ScoreDifference.MARGIN


def parse_score(text: str) -> float | None:
    """Return Black's score minus White's from an answer such as ``B+3.5``; None for any other answer."""
    first = text.strip().upper()
    if first in _DRAWS:
        return 0.0
    found = _SCORE.match(first)
    if found is None:
        return None
    return float(found[2]) if found[1] == "B" else -float(found[2])


def differences(scores: tuple[str, str], result: Result) -> Iterator[tuple[str, str, ScoreDifference]]:
    """Yield the colour, the answer and the difference of each bot whose score is not the referee's."""
    if result.how is not Termination.SCORE:
        return
    for colour, claimed in zip("BW", scores, strict=True):
        if claimed != NOT_ASKED and (kind := difference(claimed, result)) is not None:
            yield colour, claimed, kind
