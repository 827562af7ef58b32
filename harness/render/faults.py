"""The results of the fault bots: a line each, and the differences from what was expected."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.bots.wire import printable
from harness.selftest.faults import FaultOutcome


def complaints(outcomes: Sequence[FaultOutcome], left: Sequence[int], files: Sequence[str] = ()) -> list[str]:
    """Return a line for every result that is not as expected."""
    lines = [
        f"{o.name}: expected {o.expected}, found {printable(o.found)}" for o in outcomes if not o.is_right
    ]
    lines += [f"{o.name}: its secret stands in {', '.join(o.told)}" for o in outcomes if o.told]
    if left:
        lines.append(f"processes left running: {', '.join(map(str, left))}")
    if files:
        lines.append(f"left in the temporary folder: {', '.join(files)}")
    return lines


def render_outcome(outcome: FaultOutcome) -> str:
    """Return one line about a fault bot, for the progress display."""
    sign = "right" if outcome.is_right else "WRONG"
    return f"{sign}  {outcome.name}: {printable(outcome.found)} after {outcome.elapsed_s:.1f} s"


def render_faults(
    outcomes: Sequence[FaultOutcome], left: Sequence[int], files: Sequence[str] = ()
) -> RenderableType:
    """Return a table: the fault, the expected and the actual word, the cause, and the time it took."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("fault", "expected", "found", "cause"):
        table.add_column(name, no_wrap=True, overflow="ellipsis")
    table.add_column("s", justify="right", no_wrap=True)
    for o in outcomes:
        style = "" if o.is_right else "bold red"
        cells = (o.name, o.expected, printable(o.found), printable(o.cause, 90), f"{o.elapsed_s:.1f}")
        table.add_row(*(Text(cell, style) for cell in cells))
    wrong = complaints(outcomes, left, files)
    right = sum(o.is_right for o in outcomes)
    summary = Text(
        f"{right} of {len(outcomes)} right; {len(left)} processes left running, {len(files)} files"
    )
    return Group(table, summary, *([Text("\n".join(wrong), style="bold red")] if wrong else []))
