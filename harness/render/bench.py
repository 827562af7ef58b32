"""Speeds compared with the engine's, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from harness.comparison.rates import Rates, Ratio
from harness.render.terminal import safe


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One bot's row of the table."""

    name: str
    rates: Rates | None
    why_not: str
    """The reason why the speed was not measured; empty if it was."""
    folder: str


def render_bench(rows: Sequence[BenchRow]) -> RenderableType:
    """Return a table with a row for every bot, and a note on how to read it."""
    measured = [row for row in rows if row.rates is not None]
    table = Table(title=_title(measured), title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in (
        "bot",
        "playouts/s",
        "moves/s",
        "x engine, clock",
        "x engine, CPU",
        "cores",
        "memory",
        "rounds",
    ):
        table.add_column(name, justify="left" if name == "bot" else "right")
    for row in rows:
        if row.rates is None:
            table.add_row(safe(row.name), "[red]not measured[/]")
        else:
            table.add_row(safe(row.name), *_cells(row.rates))
    parts: list[RenderableType] = [table] if measured else []
    for row in rows:
        if row.why_not:
            parts.append(Text.from_markup(f"{safe(row.name)}: {safe(row.why_not, 600)}"))
        if row.rates is not None and row.rates.broken:
            parts.append(Text.from_markup(f"{safe(row.name)}: {safe(row.rates.broken, 600)}"))
    if measured:
        parts.append(Text(_how_to_read([row.rates for row in measured if row.rates])))
    parts += [Text.from_markup(f"evidence in [bold]{escape(row.folder)}[/]") for row in rows]
    return Group(*parts)


def render_rates(rates: Rates) -> RenderableType:
    """Return one line about the speed of a run."""
    cells = _cells(rates)
    return Text(
        f"speed: {cells[0]} playouts/s; {cells[2]} of the engine's by the clock, {cells[3]} by "
        f"processor time ({rates.rounds} rounds); memory {cells[5]}"
    )


def speed_of(row: BenchRow) -> str:
    """Return one bot's speed in a few words, or the reason why it was not measured."""
    if row.rates is None:
        return row.why_not
    cells = _cells(row.rates)
    return f"{cells[0]} playouts/s, {cells[2] or 'not measured as a multiple'} of the engine's"


def format_ratio(ratio: Ratio) -> str:
    """Return a ratio with its interval."""
    return f"{ratio.value:.3g} ({ratio.low:.3g} to {ratio.high:.3g})"


def _title(rows: Sequence[BenchRow]) -> str:
    asked = sorted({(row.rates.size, row.rates.playouts) for row in rows if row.rates is not None})
    return "; ".join(f"{n:,} playouts a genmove, empty {size}x{size} board" for size, n in asked)


def _cells(rates: Rates) -> list[str]:
    return [
        f"{rates.playouts_per_s:,.0f}",
        "" if rates.moves_per_s is None else f"{rates.moves_per_s:,.0f}",
        "" if rates.wall is None else format_ratio(rates.wall),
        "" if rates.cpu is None else format_ratio(rates.cpu),
        "" if rates.cores is None else f"{rates.cores:.2f}",
        "" if rates.peak_bytes is None else f"{rates.peak_bytes / 1e6:.1f} MB",
        f"{rates.rounds}",
    ]


def _how_to_read(rates: Sequence[Rates]) -> str:
    engine = rates[0]
    memory = "" if engine.engine_peak_bytes is None else f", {engine.engine_peak_bytes / 1e6:.0f} MB"
    lines = [
        f"engine: {engine.engine_playouts_per_s:,.0f} playouts/s{memory}, on one core",
        "x engine: speed as a multiple of the engine's in the same rounds, with its 98 % interval",
    ]
    if not all(r.wall and r.wall.is_calm for r in rates):
        lines.append(
            "other programs kept the machine busy: go by processor time, or measure again when it is calm"
        )
    return "\n".join(lines)
