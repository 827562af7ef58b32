"""A match as an HTML page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from harness.match.record import Ask
from harness.match.standings import standings
from harness.match.summary import PairingSummary, Summary
from harness.render import html_words
from harness.render.html_page import render_page
from harness.render.match import (
    answer_words,
    dispute_of,
    ends_of,
    percent,
    score_of,
    scores_of,
    terms_of,
)

_WIDTH: Final = 240
"""Width of a strip, in its units; it stands for 0 to 100 %."""
_FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "sign": html_words.sign,
    "tone": html_words.tone,
    "short": html_words.short,
    "number": html_words.number,
    "seconds": html_words.seconds,
    "percent": percent,
}


@dataclass(frozen=True, slots=True)
class Strip:
    """The coordinates of a pairing's strip: the share, both intervals, and the range that counts as even."""

    share: float
    wilson: tuple[float, float]
    anytime: tuple[float, float]
    even: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A row of the table of pairings."""

    met: PairingSummary
    ends: list[str]
    strip: Strip | None
    scores: list[str]
    """Lines on the differences between the bots' own scores and the referee's."""


def render_match_page(summary: Summary) -> str:
    """Return the page of a match."""
    names = [bot.name for bot in summary.bots]
    title = " - ".join(map(html_words.short, names)) if len(names) == 2 else f"{len(names)} bots"
    answer = answer_words(summary.test, summary.meetings[0]) if summary.test is not None else ""
    _, score = score_of(summary)
    margin = summary.test.terms.margin if summary.test and summary.test.terms.kind is Ask.EVEN else None
    return render_page(
        "match.jinja",
        _FILTERS,
        title=f"{title} - refbot match",
        refbot=summary.refbot,
        heading=title,
        summary=summary,
        answer=answer,
        score=score,
        terms=terms_of(summary),
        standings=standings(summary) if len(names) > 2 else [],
        rows=[PairingRow(m, ends_of(m), _strip(m, margin), list(scores_of(m))) for m in summary.meetings],
        disputes=[(one.game, dispute_of(one)) for one in summary.disputed],
    )


def _strip(met: PairingSummary, margin: float | None) -> Strip | None:
    if met.share is None:
        return None
    even = None if margin is None else (_WIDTH * (0.5 - margin), _WIDTH * 2 * margin)
    (least, most), (low, high) = met.wilson, met.anytime
    at = [round(_WIDTH * value, 2) for value in (met.share, least, most, low, high)]
    return Strip(at[0], (at[1], at[2]), (at[3], at[4]), even)
