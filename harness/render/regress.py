"""A regression on a terminal: first the reasons against the bot, then everything that changed."""

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from harness.comparison.regression import (
    DRIFTED,
    NEWLY_FAILING,
    SLOWER,
    STILL_FAILING,
    UNKNOWN,
    Change,
    MeasureShift,
    Regression,
)
from harness.render.bench import format_ratio, render_rates
from harness.render.terminal import safe, word

_SHOWN = 5
"""Number of measures shown that did not drift."""
_STYLES = {NEWLY_FAILING: "bold red", STILL_FAILING: "red", DRIFTED: "bold red", SLOWER: "bold red"}


def render_regression(regression: Regression) -> RenderableType:
    """Return the whole regression."""
    r = regression
    head = Table.grid(padding=(0, 2))
    head.add_row(
        "baseline", f"{word(r.then.verdict)}  {safe(r.then.bot)}, level {r.then.level}, {safe(r.then.folder)}"
    )
    head.add_row("now", f"{word(r.now.verdict)}  {safe(r.now.bot)}, level {r.now.level}")
    head.add_row("outcome", word(r.outcome))
    for reason in r.reasons:
        head.add_row("", safe(reason, 600))
    parts: list[RenderableType] = [Panel(head, title="refbot regress")]
    if r.changes:
        parts.append(_changes("What changed", r.changes))
    if r.suite_changes:
        parts.append(_changes("What another suite or engine makes of the old evidence", r.suite_changes))
    same = ", ".join(f"{count} {name}" for name, count in r.unchanged.items())
    parts.append(Text(f"requirements unchanged: {same or 'none'}"))
    if r.shifts:
        parts.append(_shifts(r.shifts, r.alpha))
    if r.speeds:
        parts.append(_speeds(r))
    if r.rates is not None:
        parts.append(render_rates(r.rates))
    parts += [
        Text(f"known failure {s.id}: {s.now} in this run, neither shown nor refuted")
        for s in r.stale
        if not s.is_error
    ]
    parts += [Text.from_markup(f"note: {safe(note, 600)}") for note in r.notes]
    parts.append(
        Text.from_markup(f"evidence and verdict.json, the next baseline, in [bold]{escape(r.now.folder)}[/]")
    )
    return Group(*parts)


def _styled(text: str) -> str:
    return f"[{_STYLES[text]}]{text}[/]" if text in _STYLES else text


def _changes(title: str, changes: list[Change]) -> RenderableType:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("", "what", "then", "now", ""):
        table.add_column(name)
    for c in sorted(changes, key=lambda c: (not c.counts, c.item != "requirement", c.kind)):
        why = f"known: {c.known}" if c.known else c.reason
        then, now = (word(text) if text else "-" for text in (c.then, c.now))
        table.add_row(c.id, _styled(c.kind), then, now, safe(why, 100))
    return table


def _shifts(shifts: list[MeasureShift], alpha: float) -> RenderableType:
    title = f"Drift (an unchanged bot is called drifted once in {1 / alpha:,.0f} runs)"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("case", "measure", "", "then", "now", "change", "within", "sigma", "tolerances", "playouts"):
        table.add_column(name, justify="left" if name in ("case", "measure", "") else "right")
    known = [s for s in shifts if s.word != UNKNOWN]
    drifted = [s for s in known if s.word == DRIFTED]
    steady = sorted((s for s in known if s.word != DRIFTED), key=lambda s: -abs(s.sigma))
    for s in [*drifted, *steady[:_SHOWN]]:
        table.add_row(
            s.case,
            s.measure,
            _styled(s.word),
            f"{s.then:.4f}",
            f"{s.now:.4f}",
            f"{s.change:+.4f}",
            f"{s.radius:.4f}",
            f"{s.sigma:+.1f}",
            f"{s.tolerances:+.2f}",
            f"{s.playouts:,}",
        )
    if len(steady) > _SHOWN:
        table.caption = f"and {len(steady) - _SHOWN} steadier ones, in --json"
        table.caption_justify = "left"
    return table


def _speeds(r: Regression) -> RenderableType:
    title = f"Speed, as a multiple of the engine's (margin {100 * r.speed_margin:g} %)"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("by", "", "then", "now", "now/then", ""):
        table.add_column(name)
    for s in r.speeds:
        by = "processor time" if s.measure == "cpu" else "the clock"
        table.add_row(
            by, _styled(s.word), format_ratio(s.then), format_ratio(s.now), format_ratio(s.change), s.note
        )
    return table
