"""Whether a bot became slower: its speed as a multiple of the engine's, in one run and in the next."""

from typing import Final

from harness.comparison.rates import (
    CONFIDENCE,
    CPU,
    LEAST_CALM,
    MEASURES,
    WALL,
    calm,
    logs_of,
    playouts_of,
    ratio_from,
)
from harness.comparison.regression import FASTER, OPEN, SAME, SLOWER, UNJUDGED_SPEED, SpeedChange
from harness.records.evidence import Evidence
from harness.statistics.ratios import change_of, ratio_of

MARGIN: Final = 0.05
"""Share of the speed that may be lost before it is told as a loss."""


def compare_speeds(
    then: Evidence | None, now: Evidence, margin: float
) -> tuple[list[SpeedChange], list[str]]:
    """Return the change by processor time and by the clock, and what could not be compared and why.

    A bot is slower when the whole interval of the change lies beyond the margin.
    """
    rounds = [[r for r in (e.rounds if e else []) if r.broken is None] for e in (then, now)]
    if not rounds[1]:
        return [], ["the speed was not measured in this run: nothing is known of it"]
    if not rounds[0]:
        return [], ["the baseline has no record of its speed, so nothing is known of how it changed"]
    assert then is not None  # noqa: S101 - it has rounds
    asked = [(r[0].size, playouts_of(r)) for r in rounds]
    if asked[0] != asked[1]:
        told = [f"{n:,} playouts a genmove on {size}x{size}" for size, n in asked]
        return [], [f"the speeds are of different questions: {told[0]} then, {told[1]} now"]
    if then.header.engine != now.header.engine:
        return [], ["the engine is another one than then, so speeds beside it cannot be compared"]
    found, notes = [], []
    for measure in MEASURES:
        chosen = [calm(r, measure) for r in rounds]
        is_calm = min(map(len, chosen)) >= LEAST_CALM
        logs = [logs_of(r, measure) for r in (chosen if is_calm else rounds)]
        change = change_of(logs[0], logs[1], CONFIDENCE)
        parts = [
            ratio_from(interval, len(each), is_calm=is_calm)
            for interval, each in (
                (ratio_of(logs[0], CONFIDENCE), logs[0]),
                (ratio_of(logs[1], CONFIDENCE), logs[1]),
                (change, min(logs, key=len)),
            )
        ]
        if change is None or parts[0] is None or parts[1] is None or parts[2] is None:
            notes.append(f"too few rounds to compare the speed by {_NAMES[measure]}")
            continue
        word, note = _word(change.low, change.high, margin), ""
        if not is_calm:
            when = " and ".join(
                f"{len(c)} calm rounds of {len(r)} {name}"
                for c, r, name in zip(chosen, rounds, ("then", "now"), strict=True)
            )
            word, note = UNJUDGED_SPEED, f"the machine was too busy: {when}"
        found.append(SpeedChange(measure, word, parts[0], parts[1], parts[2], note))
    return found, notes


_NAMES: Final = {CPU: "processor time", WALL: "the clock"}


def _word(low: float, high: float, margin: float) -> str:
    if high < 1 - margin:
        return SLOWER
    if low > 1 / (1 - margin):
        return FASTER
    return SAME if low >= 1 - margin and high <= 1 / (1 - margin) else OPEN
