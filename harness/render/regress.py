"""A regression on a terminal: first the reasons against the bot, then everything that changed."""

from collections.abc import Iterator

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

FEW = 4
"""Number of reasons that stand before everything else on a page."""
_SHOWN = 3
"""Number of measures shown that did not drift."""
_MOST = 5
"""Number of changes, and of measures that drifted, that are shown."""
_LONGEST = 60
"""Greatest number of characters of a reason beside a case."""
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
    if r.reasons:
        head.add_row("", safe(r.reasons[0], 600))
    if len(r.reasons) > 1:
        more = len(r.reasons) - 1
        head.add_row(
            "", f"[dim]and {more} more {'reason' if more == 1 else 'reasons'}, below or on the page[/]"
        )
    parts: list[RenderableType] = [Panel(head, title="refbot regress")]
    if r.changes:
        parts += _changes("What changed", r.changes)
    if r.suite_changes:
        parts += _changes("What another suite or engine makes of the old evidence", r.suite_changes)
    same = ", ".join(f"{count} {name}" for name, count in r.unchanged.items())
    parts.append(Text(f"requirements unchanged: {same or 'none'}"))
    if r.shifts:
        parts.append(_shifts(r.shifts, r.alpha))
    if r.speeds:
        parts += _speeds(r)
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


def _changes(title: str, changes: list[Change]) -> Iterator[RenderableType]:
    """Yield what counts against the bot, or is known, row by row; and of everything else the names."""
    shown = [c for c in changes if c.counts or c.known]
    shown.sort(key=lambda c: (not c.counts, c.item != "requirement", c.kind))
    if shown:
        table = _table(title, "", "what", "then", "now", "")
        table.columns[0].overflow = "fold"
        for c in shown[:_MOST]:
            then, now = (word(text) if text else "-" for text in (c.then, c.now))
            why = f"known: {c.known}" if c.known else c.reason
            table.add_row(
                c.id, _styled(c.kind), then, now, safe(why, 100 if c.item == "requirement" else _LONGEST)
            )
        yield table
        if len(shown) > _MOST:
            yield Text(f"and {len(shown) - _MOST} more, on the page", "dim")
    else:
        yield Text(f"{title}: nothing that counts against the bot", "italic")
    others = [c for c in changes if not c.counts and not c.known]
    for kind in dict.fromkeys(c.kind for c in others):
        rules = [c.id for c in others if c.kind == kind and c.item == "requirement"]
        cases = [c.id for c in others if c.kind == kind and c.item != "requirement"]
        if len(cases) > _SHOWN:
            cases = [f"{len(cases)} cases"]
        yield Text(f"{kind}: {', '.join([*rules, *cases])}")


def _shifts(shifts: list[MeasureShift], alpha: float) -> RenderableType:
    title = f"Drift (an unchanged bot is called drifted once in {1 / alpha:,.0f} runs)"
    table = _table(title, "case", "measure", "", "then", "now", "change", "tolerances")
    for column in table.columns[3:]:
        column.justify, column.no_wrap = "right", True
    table.columns[0].overflow = "fold"
    known = sorted((s for s in shifts if s.word != UNKNOWN), key=lambda s: -abs(s.tolerances))
    drifted = [s for s in known if s.word == DRIFTED]
    steady = sorted((s for s in known if s.word != DRIFTED), key=lambda s: -abs(s.sigma))
    few = [] if drifted else steady[:_SHOWN]
    for s in [*drifted[:_MOST], *few]:
        numbers = (f"{s.then:.4f}", f"{s.now:.4f}", f"{s.change:+.4f}", f"{s.tolerances:+.2f}")
        table.add_row(s.case, s.measure, _styled(s.word), *numbers)
    left = {"drifted": len(drifted) - _MOST, "steady": len(steady) - len(few)}
    if more := [f"{count} {name}" for name, count in left.items() if count > 0]:
        table.caption = f"and {', '.join(more)} ones, on the page"
        table.caption_justify = "left"
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name)
    return table


def _speeds(r: Regression) -> Iterator[RenderableType]:
    title = f"Speed, as a multiple of the engine's (margin {100 * r.speed_margin:g} %)"
    table = _table(title, "by", "", "then", "now", "now/then")
    notes = []
    for s in r.speeds:
        by = "processor time" if s.measure == "cpu" else "the clock"
        ratios = (format_ratio(s.then), format_ratio(s.now), format_ratio(s.change))
        table.add_row(by, _styled(s.word), *ratios)
        if s.note:
            notes.append(Text(f"by {by}: {s.note}", "dim"))
    yield table
    yield from notes
