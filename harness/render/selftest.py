"""The kill matrix: a line for each deviation and a summary, or a Markdown page; and the progress display."""

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from harness.render.gfm import pipe_table
from harness.render.live import Live
from harness.render.matrix import price
from harness.selftest.kill_matrix import (
    CERTIFIED,
    CONVICTED,
    NAMED,
    DeviationTrials,
    Rate,
    Selftest,
    quantile,
)
from harness.selftest.ztest import ZTest
from harness.word import Word

_COLUMNS = ("", "deviation", "right", "rule", "itself", "median", "99%", "z-test", "convicted first by")
_HEAD = """\
# The kill matrix

Made by `make selftest`: simulated certificates at level {level} with every deviation of the catalogue, and
with none. Every playout, every command and every judgement is that of a real run; only the pipe is missing.

- *right*: trials that ended with the right word (FAIL; NON-STRICT for what the text leaves open).
- *rule*: convictions whose first suspect breaks the right requirement; *itself*: is the deviation itself.
- *median*, *99%*: playouts until the evidence sufficed for a FAIL, small boards counted as they are. A run
  goes on a little, to name the rule.
- *z-test*: playouts a test of a fixed size on the empty 9x9 board needs at the same error rates
  ([matrix.md](matrix.md)).

"""


def render_selftest(found: Selftest, prices: Mapping[str, ZTest | None]) -> RenderableType:
    """Return the table of deviations and the results of the conforming trials."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in _COLUMNS:
        left = name in ("", "deviation", "convicted first by")
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    for row in found.rows:
        if row.deviation:
            table.add_row(*_cells(row, prices))
    summary = Panel(Text("\n".join(summary_of(found))), title=f"Level {found.level}", title_align="left")
    complaints = Text("\n".join(found.complaints), style="bold red")
    shown = [table] if table.rows else []
    return Group(*shown, summary, *([complaints] if found.complaints else []))


def markdown(found: Selftest, prices: Mapping[str, ZTest | None]) -> str:
    """Return the kill matrix as a page."""
    lines = pipe_table(_COLUMNS, [_cells(row, prices) for row in found.rows if row.deviation])
    summary = "".join(f"- {line}\n" for line in summary_of(found))
    complaints = "".join(f"- **{line}**\n" for line in found.complaints)
    table = "\n".join(lines) + "\n"
    fairness = "".join(f"{line}\n" for line in _fairness(found))
    return _HEAD.format(level=found.level) + summary + complaints + "\n" + table + fairness


def summary_of(found: Selftest) -> Iterator[str]:
    """Yield lines on the results of all trials together."""
    if row := found.conforming:
        failed = Rate(row.words.get(Word.FAIL, 0), len(row.trials))
        undecided = Rate(row.words.get(Word.INCONCLUSIVE, 0), len(row.trials))
        playouts = row.to_verdict
        yield f"conforming engine: {len(row.trials):,} certificates; " + ", ".join(
            f"{count:,} {word}" for word, count in sorted(row.words.items())
        )
        yield (
            f"false FAIL: {_rate(failed)}; INCONCLUSIVE: {_rate(undecided)} "
            + (
                f"(promised: at least {CERTIFIED:.0%} PASS)"
                if found.promises
                else "(this level passes no bot)"
            )
        )
        yield (
            f"playouts to the verdict: median {quantile(playouts, 0.5):,}, "
            f"99% {quantile(playouts, 0.99):,}, most {playouts[-1]:,}"
        )
        values = list(found.fairness())
        if len(row.trials) > 1 and values:
            worst = max(values, key=lambda f: f.z)
            final = [f for f in values if f.name == "certificate"][-1]
            yield (
                f"mean of the certificate's e-value at the end {final.mean:.3f} +- {final.error:.3f}; of "
                f"{len(values):,} means (every e-value at every look) the one furthest above 1: "
                f"{worst.mean:.3f} +- {worst.error:.3f} ({worst.name}, look {worst.look})"
            )
    if rows := found.deviations:
        right = Rate(sum(r.right.count for r in rows), sum(r.right.total for r in rows))
        named = Rate(sum(r.named.count for r in rows), sum(r.named.total for r in rows))
        convicted, rightly = (
            (f" (promised {CONVICTED:.0%})", f" (promised {NAMED:.0%})") if found.promises else ("", "")
        )
        yield (
            f"{len(rows)} deviations, {right.total:,} certificates: convicted {right.count:,}"
            f"{convicted}, the right rule first {named.count:,} of {named.total:,}{rightly}"
        )
        if medians := found.to_conviction:
            yield (
                f"playouts to conviction, median of a deviation: median over the catalogue "
                f"{quantile(medians, 0.5):,}, largest {medians[-1]:,}"
            )
    if rows := found.tolerated:
        right = Rate(sum(r.right.count for r in rows), sum(r.right.total for r in rows))
        yield f"{len(rows)} tolerated readings: NON-STRICT in {right.count} of {right.total}"


def _fairness(found: Selftest) -> Iterator[str]:
    values = [f for f in found.fairness() if f.name == "certificate"]
    if not values:
        return
    yield "\n## The certificate's e-value over conforming trials\n"
    rows = [(f"{f.look}", f"{f.mean:.4f}", f"{f.error:.4f}", f"{f.largest:.3g}") for f in values]
    yield from pipe_table(("look", "mean", "standard error", "largest"), rows)


def _cells(row: DeviationTrials, prices: Mapping[str, ZTest | None]) -> tuple[str, ...]:
    medians = [quantile(row.to_conviction, share) for share in (0.5, 0.99)]
    return (
        row.requirement,
        row.deviation,
        _share(row.right),
        _share(row.named) if row.named.total else "",
        _share(row.identified) if row.identified.total else "",
        *("" if m is None else f"{m:,}" for m in medians),
        price(prices[row.deviation]),
        row.convicted_by,
    )


def _share(rate: Rate) -> str:
    return f"{rate.count}/{rate.total}"


def _rate(rate: Rate) -> str:
    low, high = rate.interval
    return f"{rate.count} of {rate.total:,} (95% interval {low:.2%} to {high:.2%})"


class Counter(Live):
    """The progress display of trials."""

    def see(self, done: int, total: int) -> None:
        """Show the number of trials done."""
        self.show(f"{done:,} of {total:,} simulated certificates", done, total)
