"""The report of runs as an HTML page."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from markupsafe import Markup

from harness.cases.case import Case
from harness.comparison.bot_comparison import BotComparison, Quantity
from harness.e_value import format_e_value
from harness.render import html_words
from harness.render.check import split_exchanges
from harness.render.comparison import answer_of, apart, reason_of
from harness.render.html_board import BoardView, board_view, heat_view
from harness.render.html_charts import draw_lengths, draw_path, draw_quantity
from harness.render.html_page import render_page
from harness.render.limits import shift_text
from harness.render.suspects import diagnosis_title, probability_text
from harness.report.lenient_reading import reading_of
from harness.report.picture import Picture
from harness.report.run_report import CaseReport, RunReport
from harness.report.shares import Shares
from harness.word import Word, gravest

MOST_FULL: Final = 4
"""Largest number of runs for which a page holds every check."""
_LAST: Final = 8
"""Number of earlier commands, or of bots, that are named."""


def render_html(run_reports: Sequence[RunReport], comparison: BotComparison | None) -> str:
    """Return the page of one run or of several.

    Args:
        run_reports: the reports of one or more runs.
        comparison: the comparison of the same bots, if they were compared.
    """
    first = run_reports[0].verdict
    title = f"{first.bot.name}: {first.verdict}" if len(run_reports) == 1 else f"{len(run_reports)} runs"
    return render_page(
        "report.jinja",
        _filters(),
        run_reports=run_reports,
        comparison=comparison,
        title=f"{title} - refbot",
        refbot=first.refbot,
        is_full=len(run_reports) <= MOST_FULL,
        most_full=MOST_FULL,
    )


def _filters() -> dict[str, Callable[..., Any]]:
    filters: dict[str, Callable[..., Any]] = {
        name: value
        for name, value in vars(html_words).items()
        if getattr(value, "__module__", "") == html_words.__name__ and not name.startswith("_")
    }
    return filters | {
        "board": _board,
        "diagnosis_title": diagnosis_title,
        "probability_text": probability_text,
        "heat": _heat,
        "split_exchanges": lambda exchanges: split_exchanges(list(exchanges)),
        "power": _power,
        "e_value": format_e_value,
        "shift": shift_text,
        "join_lines": lambda text: " ".join(text.split()),
        "last_lines": _last_lines,
        "path_chart": lambda c: draw_path(c.path, c.conviction, c.case.id),
        "lengths_chart": lambda c: draw_lengths(c.lengths),
        "run_chart": lambda x: draw_path(x.path, html_words.limit(x.verdict), "whole run"),
        "quantity_chart": draw_quantity,
        "rounded": lambda value, q: html_words.rounded(value, q.tolerance),
        "headline": _headline,
        "apart": apart,
        "reason_of": reason_of,
        "answer_of": answer_of,
        "whole_word": lambda c: gravest(map(Word, c.verdicts)),
        "reading": lambda x: reading_of(x.verdict, x.requirements, {k: c.case for k, c in x.cases.items()}),
        "seen": _describe_strip,
        "differs": _differs,
        "differing": _differing,
    }


def _power(exponent: float) -> Markup:
    return Markup("<sup>{}</sup>").format(f"{exponent:.4g}" if abs(exponent) >= 10 else f"{exponent:.3g}")


def _last_lines(before: Sequence[tuple[str, str]]) -> str:
    shown = ", ".join(" ".join(sent.split()) for sent, _ in before[-_LAST:])
    return f"... {shown}" if len(before) > _LAST else shown


def _board(picture: Picture, case: Case | None = None) -> BoardView:
    return board_view(picture, html_words.title_of(case, picture))


def _heat(c: CaseReport, shares: Shares, name: str) -> BoardView:
    assert c.picture is not None  # noqa: S101 - a case of chosen moves has a position
    both = [share for each in (c.chosen, c.reference) if each for share in each.points.values()]
    return heat_view(c.picture, shares, max(both, default=1.0), f"Moves chosen by {name} in {c.case.id}")


def _differs(q: Quantity) -> bool:
    return any(group not in (None, 0) for group in q.classes)


def _headline(c: BotComparison) -> str:
    """Return the heading of a comparison: the bots that stand apart, or the number of bots."""
    if places := apart(c):
        names = [html_words.short(c.bots[place]) for place in places[:_LAST]]
        if len(places) > _LAST:
            names.append(f"{len(places) - _LAST} more")
        shown = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        return f"{shown} {'stands' if len(names) == 1 else 'stand'} apart among {len(c.bots)} bots"
    if c.reference_class is not None and len(c.classes) == 1 and not c.undecided:
        return f"{len(c.bots)} bots, all like the reference"
    return f"{len(c.bots)} bots"


def _describe_strip(q: Quantity, bots: Sequence[str]) -> str:
    """Return a sentence on the chart of one measure."""
    known = sum(group is not None for group in q.classes)
    if _differs(q):
        return f"{_differing(q, bots)}: outside the green, or apart from the bots inside."
    if known < len(bots):
        return f"{known} of {len(bots)} bots are like the reference; for the others it is undecided."
    return "Every bot agrees with the reference."


def _differing(q: Quantity, bots: Sequence[str]) -> str:
    groups = zip(bots, q.classes, strict=True)
    odd = [html_words.short(name) for name, group in groups if group not in (None, 0)]
    if len(odd) > _LAST:
        return f"{len(odd)} differ"
    if not odd and (undecided := sum(group is None for group in q.classes)):
        return f"{undecided} undecided"
    return f"{', '.join(odd)} {'differs' if len(odd) == 1 else 'differ'}" if odd else "all agree"
