"""Reference tables as text: the list, one table with its maps, and the comparison with a second sample."""

from collections.abc import Iterable, Iterator, Sequence
from math import isinf

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from harness.table_build.inventory import Entry, wins_of_choice
from harness.tables.cross_check import FAMILY_ERROR, CrossCheck, disagreements, level_of
from harness.tables.figures import (
    KOMIS,
    Moments,
    Share,
    lengths_of,
    margins_of,
    odd_margins,
    owners_of,
    quantiles_of,
    visits_of,
    wins_of,
    worths_of,
)
from harness.tables.published import PublishedComparison
from harness.tables.reference import Reference, komi_name
from harness.tables.tables import ChoiceTable, SampleTable
from reference_engine.vocabulary import COLUMNS

_SHOWS = 0.3
"""Least distance, in standard deviations per playout, of a deviation that is said to show in sums."""
_FIGURES = 4
"""Least number of columns of a number in a map."""


def render_list(entries: Iterable[Entry]) -> RenderableType:
    """Return the list of tables, with the main figures and the state of each."""
    table = _table("case", "position", "playouts >", "kernel", "moves >", "won >", "kB >", "digest", "state")
    table.columns[-1].no_wrap = False
    for entry in entries:
        length, wins = entry.length, entry.wins
        table.add_row(
            entry.case,
            entry.position,
            entry.size,
            entry.kernel,
            f"{length.mean:.4f} +- {length.error:.4f}" if length else "",
            f"{wins.value:.5f} +- {wins.error:.5f}" if wins else "",
            f"{entry.bytes / 1000:,.0f}" if entry.bytes else "",
            entry.digest[:8],
            escape(entry.state),
        )
    return table


def render_reference(
    reference: Reference, title: str, komi: float, state: str = "", bets: SampleTable | None = None
) -> RenderableType:
    """Return everything about one reference.

    Args:
        reference: the reference to be shown.
        title: its title.
        komi: the komi of the case or of the command line; it is marked among the others.
        state: whether the reference is current, if that applies.
        bets: the table of the case, for the deviations that show in it.
    """
    lengths, margins = lengths_of(reference), margins_of(reference)
    sampled, exact = reference.sampled, reference.exact
    head = Table.grid(padding=(0, 2))
    head.add_row("position", f"{reference.start.about}  ({reference.start.name})")
    if exact:
        head.add_row("exact", f"{exact.states:,} states, relative error below {exact.error:.1g}")
    made = f"{sampled.playouts:,} playouts, kernel {sampled.kernel}, seed {sampled.seed}"
    head.add_row("maps from" if exact else "sample", made)
    head.add_row("engine", f"{reference.engine}{f', {state}' if state else ''}")
    spread = f"sd {lengths.sd:.4f}, skewness {lengths.skewness:.3f}, {lengths.least} to {lengths.greatest}"
    head.add_row("length", f"{_mean(lengths)} moves, {spread}")
    shown = ", ".join(f"{100 * part:g}%: {length}" for part, length in quantiles_of(reference).items())
    head.add_row("quantiles", shown)
    head.add_row("margin", f"Black by {_mean(margins)}, sd {margins.sd:.4f}, {_parity(reference)}")
    parts: list[RenderableType] = [Text(title, style="bold"), head, Text(), _wins(reference, komi)]
    for title_of_map, values in _maps(reference, komi):
        parts += [Text(f"\n{title_of_map}\n"), Text(draw_map(reference.start.size, values))]
    if bets is not None and bets.shifts:
        showing = sorted(name for name, shift in bets.shifts.items() if shift.distance >= _SHOWS)
        parts.append(Text(f"\ndeviations that show: {', '.join(showing) or 'none'}"))
    return Group(*parts)


def render_choice(table: ChoiceTable, title: str, state: str) -> RenderableType:
    """Return everything about one table of chosen moves."""
    head = Table.grid(padding=(0, 2))
    head.add_row("sample", f"{table.genmoves:,} genmoves of {table.playouts} playouts, kernel {table.kernel}")
    head.add_row("seed", f"{table.seed}")
    head.add_row("engine", f"{table.engine}, {state}")
    head.add_row("won", f"{_share(wins_of_choice(table))} of the playouts by the side to move")
    moves: dict[str, tuple[int, float]] = {}
    for name, count in table.counts.items():
        vertex, wins = name.split()
        chosen, won = moves.get(vertex, (0, 0.0))
        moves[vertex] = (chosen + count, won + count * int(wins) / 2 / table.playouts)
    rows = _table("move", "chosen >", "won when chosen >")
    for vertex, (count, won) in sorted(moves.items(), key=lambda item: -item[1][0]):
        part = count / table.genmoves
        share = Share(part, (part * (1 - part)) ** 0.5, table.genmoves)
        rows.add_row(vertex, _share(share), f"{won / count:.4f}")
    showing = ", ".join(sorted(table.deviations)) or "none"
    return Group(Text(title, style="bold"), head, Text(), rows, Text(f"\ndeviations that show: {showing}"))


def render_comparison(comparisons: Sequence[PublishedComparison]) -> RenderableType:
    """Return published figures and ours side by side."""
    table = _table("published by", "playouts >", "figure", "theirs >", "ours >", "z >")
    for c in comparisons:
        size = "exact" if isinf(c.playouts) else f"{c.playouts:,.0f}"
        figures = (f"{c.theirs:.6f}".rstrip("0").rstrip("."), f"{c.ours:.6f}".rstrip("0").rstrip("."))
        table.add_row(escape(c.source), size, c.quantity, *figures, "" if c.z is None else f"{c.z:+.2f}")
    zs = [abs(c.z) for c in comparisons if c.z is not None]
    last = f"largest of {len(zs)} differences: {max(zs):.2f} standard errors"
    return Group(Text("\nagreement with known figures; z is in standard errors"), table, Text(last))


def render_cross_checks(checks: Sequence[CrossCheck], faults: Sequence[str]) -> RenderableType:
    """Return the results of the comparison with second samples, and the faults of the files."""
    wrong = disagreements(checks)
    table = _table("table", "against", "playouts >", "groups >", "p cells >", "z length >", "z margin >", "")
    for o in checks:
        zs = [f"{o.figures[q]:+.2f}" if q in o.figures else "" for q in ("length", "margin")]
        word = "[bold red]DISAGREES[/]" if o in wrong else "agrees"
        table.add_row(
            o.name, o.about, f"{o.playouts:,}", f"{o.groups:,}", f"{o.p_values['cells']:.3g}", *zs, word
        )
    tests = sum(len(check.p_values) for check in checks)
    lines = [
        f"{tests} tests, each at {level_of(checks):.2g}; an error in {1 / FAMILY_ERROR:,.0f} checks",
        f"{len(checks) - len(wrong)} agree, {len(wrong)} disagree; {len(faults)} faults of the files",
        *faults,
    ]
    return Group(table, Text("\n".join(lines)))


def draw_map(size: int, values: Sequence[str]) -> str:
    """Return a board with a short text on every point; the values are in board order, A1 first."""
    width = max(_FIGURES, *map(len, values)) + 1
    letters = "   " + "".join(f"{COLUMNS[column]:>{width}}" for column in range(size))
    lines = [letters]
    for row in reversed(range(size)):
        cells = "".join(f"{value:>{width}}" for value in values[row * size : (row + 1) * size])
        lines.append(f"{row + 1:>3}{cells}")
    return "\n".join([*lines, letters])


def _maps(reference: Reference, komi: float) -> Iterator[tuple[str, list[str]]]:
    """Yield maps of the board: a title, and a short text for every point."""
    mover = reference.start.to_move
    visits = [f"{value:.2f}" for value in visits_of(reference)]
    yield f"playouts in which {mover} is the first to play the point, as a fraction", visits
    worths = ["" if value is None else f"{100 * value:.1f}" for value in worths_of(reference, komi)]
    if worths:
        yield f"of these, won by {mover} at komi {komi_name(komi)}, in percent", worths
    owners = [_signed(b - w) for b, w in owners_of(reference)]
    yield "owner at the end: Black's part of the playouts less White's, in percent", owners


def _wins(reference: Reference, komi: float) -> RenderableType:
    table = _table("komi >", "won by the side to move", "")
    for value in sorted({*KOMIS, float(komi)}):
        mark = "<- this komi" if value == komi else ""
        table.add_row(komi_name(value), _share(wins_of(reference, value)), mark)
    return table


def _parity(reference: Reference) -> str:
    odd = odd_margins(reference)
    return "every margin odd" if odd > 1 - 1e-12 else f"{100 * odd:.4f}% of the margins odd"


def _mean(moments: Moments) -> str:
    return f"{moments.mean:.5f} +- {moments.error:.5f}"


def _share(share: Share) -> str:
    return f"{share.value:.6f} +- {share.error:.6f}"


def _signed(value: float) -> str:
    return f"{round(100 * value):+d}" if round(100 * value) else "0"


def _table(*names: str) -> Table:
    """Return a plain table; columns whose name ends in ``>`` are aligned to the right."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        right = name.endswith(">")
        table.add_column(name.rstrip("> "), justify="right" if right else "left", no_wrap=True)
    return table
