"""The forecast of the cost of a certificate: stages and times, and the most expensive cases."""

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.runs.forecast import Cost, Forecast

SPEEDS: Final = (100.0, 1_000.0, 10_000.0, 100_000.0)
"""Playouts per second on the empty 9x9 board, from a slow script to a fast program."""
_SHOWN = 6
"""Number of the most expensive cases that are shown."""
_NOTE = (
    "Of a conforming bot with average luck. A playout is taken to last as long as its board has points; "
    "starting the bot and sending it moves come on top."
)


def render_plan(forecasts: Sequence[Forecast], speeds: Sequence[float] | None = None) -> RenderableType:
    """Return the stages of each level with their times, and the most expensive cases of the last level."""
    rates = tuple(speeds or SPEEDS)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("level", "stage"):
        table.add_column(name)
    for name in ("cases", "genmoves", "playouts", *(f"at {rate:,.0f}/s" for rate in rates)):
        table.add_column(name, justify="right")
    for f in forecasts:
        for place, stage in enumerate(f.stages):
            table.add_row(f"[bold]{f.level}[/]" if place == 0 else "", *_row(stage, rates))
        table.add_row("", *(f"[bold]{cell}[/]" for cell in _row(f.total, rates)))
        table.add_row("", f"[dim]{_end(f)}[/]")
    return Group(table, _largest(forecasts[-1], rates), Text(_NOTE, style="dim"))


def _row(cost: Cost, rates: Sequence[float]) -> list[str]:
    figures = [f"{cost.cases:,}", f"{cost.genmoves:,}", f"{cost.playouts:,}"]
    return [cost.name, *figures, *(_time(cost.seconds(rate)) for rate in rates)]


def _end(forecast: Forecast) -> str:
    if forecast.passes:
        return f"PASS expected after {forecast.rounds} further rounds"
    if forecast.level == "smoke":
        return "cannot pass a bot"
    left = [*forecast.wide, *forecast.not_excluded]
    return f"no PASS expected: {len(left)} left open, {', '.join(left[:4])}"


def _largest(forecast: Forecast, rates: Sequence[float]) -> RenderableType:
    title = f"Level {forecast.level}: cases that take most"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("case", "genmoves", "playouts", "share", f"at {rates[0]:,.0f}/s"):
        table.add_column(name, justify="left" if name == "case" else "right")
    for cost in forecast.cases[:_SHOWN]:
        share = f"{100 * cost.work / forecast.total.work:.0f} %" if forecast.total.work else ""
        row = (f"{cost.genmoves:,}", f"{cost.playouts:,}", share, _time(cost.seconds(rates[0])))
        table.add_row(cost.name, *row)
    return table


def _time(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5_400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
