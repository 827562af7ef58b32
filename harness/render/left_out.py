"""The results of leave-one-out: the rates, and a row for each deviation with a wrong result."""

from collections import Counter
from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.render.gfm import pipe_table
from harness.selftest.kill_matrix import DeviationTrials
from harness.selftest.left_out import LeftOut, is_in_order

_COLUMNS = ("", "deviation", "in order", "word", "named", "marked FAIL", "may be broken")
_HEAD = """\
# Leave-one-out

Made by `refbot selftest --leave-one-out --trials {trials} --seed {seed} --markdown`: certificates at level
{level} of every deviation, each judged as if nobody had listed it or its near twins (those that change a
clause which it changes), in bets and in explanations alike.

"""


def render_left_out(left: LeftOut) -> RenderableType:
    """Return the rates and the rows that were not in order."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in _COLUMNS:
        table.add_column(name)
    for row in left.wrong:
        table.add_row(*_cells(row))
    return Group(Text("\n".join(_rates(left))), *([table] if table.rows else []))


def markdown_left_out(left: LeftOut, trials: int, seed: int) -> str:
    """Return the same as a page of Markdown."""
    head = _HEAD.format(level=left.found.level, trials=trials, seed=seed)
    rates = "".join(f"- {line}\n" for line in _rates(left))
    rows = "".join(f"{line}\n" for line in pipe_table(_COLUMNS, [_cells(row) for row in left.wrong]))
    return f"{head}{rates}\nDeviations of which something was said wrongly, or too little:\n\n{rows}"


def _rates(left: LeftOut) -> list[str]:
    lines = []
    for name, rate in left.rates:
        low, high = rate.interval
        lines.append(f"{name}: {rate.count} of {rate.total} (95% interval {low:.1%} to {high:.1%})")
    return lines


def _cells(row: DeviationTrials) -> tuple[str, ...]:
    trials = row.trials
    return (
        row.requirement,
        row.deviation,
        f"{sum(map(is_in_order, trials))}/{len(trials)}",
        _counted(t.verdict for t in trials),
        _counted(t.requirement or "not known" for t in trials),
        _counted(" ".join(t.failed) for t in trials),
        _counted(" ".join(t.exercised) for t in trials),
    )


def _counted(values: Iterable[str]) -> str:
    return ", ".join(f"{name} ({count})" if name else "" for name, count in Counter(values).most_common())
