"""The runs of one bot over time, on a terminal and as a page."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup
from rich.console import Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from harness.bots.wire import printable
from harness.comparison.trend import Point, Trend
from harness.judging.verdict import Estimate
from harness.render import html_words
from harness.render.bench import format_ratio
from harness.render.html_charts import Mark, draw_trend
from harness.render.html_page import render_page
from harness.render.terminal import word

_FEW: Final = 2
"""Number of changes of a run that its row names."""


def answer_of(trend: Trend) -> str:
    """Return the number of changes, and the last one."""
    if not trend.changed:
        return f"{len(trend.points)} runs, nothing changed"
    last = trend.points[trend.changed[-1]]
    return (
        f"{len(trend.points)} runs, {len(trend.changed)} with a change; the last on "
        f"{html_words.moment(last.started)}: {last.changes[0]}"
    )


def render_trend(trend: Trend) -> RenderableType:
    """Return a table with a row for each run, and a line for each at which something changed."""
    table = Table(box=None, padding=(0, 2, 0, 0), title=f"Means of {trend.case}", title_justify="left")
    for name in ("when", "verdict", "length", "score", "speed, x engine"):
        justify: JustifyMethod = "left" if name in ("when", "verdict") else "right"
        table.add_column(name, justify=justify, no_wrap=True)
    for point in trend.points:
        table.add_row(
            html_words.moment(point.started)[:16],
            word(point.verdict),
            _mean(point.length),
            _mean(point.score),
            "-" if point.speed is None else f"{point.speed.value:.3g}",
        )
    changes = [
        Text(f"{html_words.moment(p.started)[:16]}  {printable(_few_changes(p), 300)}")
        for p in trend.points
        if p.changes
    ]
    return Group(table, *changes)


def render_trend_page(trend: Trend, refbot: str) -> str:
    """Return the page: the changes, then the course of each measure, then every run."""
    charts = [(title, chart, _describe_chart(trend, marks)) for title, marks, chart in _charts(trend)]
    words = ("sign", "tone", "short", "moment")
    last = trend.points[-1]
    return render_page(
        "trend.jinja",
        {name: getattr(html_words, name) for name in words} | {"mean": _mean, "few_changes": _few_changes},
        title=f"{last.bot} over {len(trend.points)} runs - refbot",
        refbot=refbot,
        trend=trend,
        last=last,
        answer=answer_of(trend),
        charts=charts,
        speeds=[_speed(point) for point in trend.points],
    )


def _charts(trend: Trend) -> list[tuple[str, list[Mark | None], Markup]]:
    """Return the title, the marks and the chart of length, score and speed, if any run has them."""
    found = []
    for title, name in (("Mean length", "length"), ("Score", "score")):
        estimates: list[Estimate | None] = [getattr(point, name) for point in trend.points]
        known = next((e for e in estimates if e is not None), None)
        if known is not None:
            marks = [
                None if e is None else Mark(e.value, e.value - e.radius, e.value + e.radius)
                for e in estimates
            ]
            band = (known.reference - known.tolerance, known.reference, known.reference + known.tolerance)
            found.append((title, marks, draw_trend(marks, trend.changed, known.unit, band, title)))
    speeds = [point.speed for point in trend.points]
    if any(speeds):
        marks = [None if s is None else Mark(s.value, s.low, s.high) for s in speeds]
        drawn = draw_trend(marks, trend.changed, "times the engine's speed", None, "Speed")
        found.append(("Speed", marks, drawn))
    return found


def _describe_chart(trend: Trend, marks: Sequence[Mark | None]) -> str:
    """Return a sentence on a chart."""
    known = [mark for mark in marks if mark is not None]
    low, high = max(m.low for m in known), min(m.high for m in known)
    alike = "all intervals have a value in common" if low <= high else "some intervals lie apart"
    missing = f"; {len(trend.points) - len(known)} runs have none" if len(known) < len(trend.points) else ""
    return f"{len(known)} runs; {alike}{missing}."


def _few_changes(point: Point) -> str:
    """Return the first changes, and the number of others."""
    more = [f"{len(point.changes) - _FEW} more"] if len(point.changes) > _FEW else []
    return "; ".join([*point.changes[:_FEW], *more])


def _mean(estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    value, radius = (html_words.figure(number, estimate) for number in (estimate.value, estimate.radius))
    return f"{value} +- {radius}"


def _speed(point: Point) -> str:
    return "-" if point.speed is None else format_ratio(point.speed)
