"""Outcomes of simulated certificates as Markdown tables: what came, and how often, with intervals."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from textwrap import shorten

from adversaries import Outcome

from harness.render.gfm import pipe_table
from harness.selftest.kill_matrix import Rate
from harness.word import Word

REASON_CHARS = 120
"""Of a verdict's reason, below a table."""
WORDS = (Word.PASS, Word.NON_STRICT, Word.INCONCLUSIVE, Word.FAIL)

Test = Callable[[Outcome], bool]


def show(outcomes: Sequence[Outcome], shares: Mapping[str, Test], is_wrong: Test) -> None:
    """Print a row for each kind of bot and one for all, then the first of each that came out wrongly.

    Args:
        outcomes: of certificates.
        shares: what is counted, by what it is called.
        is_wrong: whether a certificate is named below the table.
    """
    rows: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        rows.setdefault(outcome.order.row, []).append(outcome)
    if len(rows) > 1:
        rows["all"] = list(outcomes)
    counted = [name for share in shares for name in (share, "95% interval")]
    names = ("bots", "seeds", *WORDS, "other", *counted, "seconds of CPU, median")
    print("\n".join(pipe_table(names, [_cells(name, of, shares) for name, of in rows.items()])))
    wrong: dict[str, Outcome] = {}
    for outcome in filter(is_wrong, outcomes):
        wrong.setdefault(outcome.order.row, outcome)
    if wrong:
        print("\nThe first of each row, of those that came out wrongly:\n")
    for o in wrong.values():
        reason = shorten(o.reason, REASON_CHARS, placeholder=" ...")
        print(f"- seed {o.order.seed}, {o.order.bot.about}: {o.word}, {reason} (10^{o.log10_e:.1f})")
    print(flush=True)


def _cells(name: str, outcomes: Sequence[Outcome], shares: Mapping[str, Test]) -> tuple[str, ...]:
    came = Counter(outcome.word for outcome in outcomes)
    seeds = [outcome.order.seed for outcome in outcomes]
    counts = [came[word] for word in WORDS]
    rates = [Rate(sum(map(is_counted, outcomes)), len(outcomes)) for is_counted in shares.values()]
    return (
        name,
        f"{min(seeds)}-{max(seeds)}",
        *(f"{count}" for count in (*counts, len(outcomes) - sum(counts))),
        *(text for rate in rates for text in (f"{rate.count}/{rate.total}", _interval(rate))),
        f"{median(outcome.cpu_s for outcome in outcomes):.2f}",
    )


def _interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{low:.2%} to {high:.2%}"
