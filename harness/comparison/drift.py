"""Whether the sums of two runs differ more than those of one unchanged bot: per case and measure.

The reference tables do not enter, but for how much one playout varies: both runs may be off alike.
Every number is from evidence, or from the estimates of a verdict where that is all there is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from harness.cases.case import Case, Sample
from harness.cases.level import Level
from harness.cases.suite import Suite
from harness.comparison.regression import DRIFTED, STEADY, UNKNOWN, MeasureShift
from harness.document import ROUNDING
from harness.judging.exact import read_unit, score_digits
from harness.judging.sums import tolerances
from harness.judging.verdict import Estimate, Verdict
from harness.records.evidence import Evidence
from harness.statistics.two_runs import (
    APART_METHOD,
    PAIRED_METHOD,
    DrawDeviation,
    apart_radius,
    detectable,
    is_countable,
    paired_radius,
)
from harness.tables.tables import Tables

ALPHA: Final = 1e-3
"""Error of calling an unchanged bot drifted, over all measures of all cases together."""
TOP_UP: Final = 13_000
"""Playouts of each case in either run with which a change by a tenth of a standard deviation is seen with
probability 0.999 (docs/regress.md)."""
MEASURES: Final = (("length", "moves"), ("score", "wins"))
_LEAST_FREEDOM: Final = 4.0


@dataclass(frozen=True, slots=True)
class GenmoveSums:
    """What one genmove's playouts added up to."""

    playouts: int
    sums: tuple[float, float]
    """Moves and wins."""
    coarse: float
    """How far off the wins may be, as printed."""


@dataclass(frozen=True, slots=True)
class Draws:
    """What one run says of one case."""

    batches: tuple[GenmoveSums, ...]
    estimates: tuple[Estimate, ...] = ()
    """In their place, where there is no evidence."""


def draws_of(suite: Suite, evidence: Evidence) -> dict[str, Draws]:
    """Return the batches of every case of sums, in the order they were asked."""
    suite = suite.for_bot(evidence.header.bot.fixed_playouts)
    digits = score_digits(evidence.units)
    found: dict[str, list[GenmoveSums]] = {}
    for unit in evidence.units:
        case = suite.cases.get(unit.case)
        if case is None or not isinstance(case.question, Sample) or unit.broken is not None:
            continue
        read = read_unit(case, unit, digits).statistics
        if read.nodes is None or read.wins is None:
            continue
        least, greatest = read.wins
        batch = GenmoveSums(unit.playouts, (read.nodes, (least + greatest) / 4), (greatest - least) / 4)
        found.setdefault(case.id, []).append(batch)
    return {name: Draws(tuple(batches)) for name, batches in found.items()}


def draws_told(verdict: Verdict) -> dict[str, Draws]:
    """Return what a verdict document alone says of its cases."""
    checks = [c for r in verdict.requirements for c in r.checks if len(c.estimates) == len(MEASURES)]
    return {c.case: Draws((), tuple(c.estimates)) for c in checks if all(e.playouts for e in c.estimates)}


def shifts(
    suite: Suite,
    tables: Tables,
    level: Level,
    then: Mapping[str, Draws],
    now: Mapping[str, Draws],
    *,
    conforms: bool,
) -> Iterator[MeasureShift]:
    """Yield both measures of every case that was asked in both runs.

    Args:
        suite: as it is put to the bot now.
        tables: how much one playout varies by the specification.
        level: whose tolerances the changes are told in.
        then: the earlier run.
        now: the later run.
        conforms: whether both bots were shown to conform, so that their playouts vary as the table's do;
            otherwise their batches say how much.
    """
    cases = [case for case in suite.cases.values() if isinstance(case.question, Sample)]
    alpha = ALPHA / (len(MEASURES) * max(1, len(cases)))
    for case in cases:
        if case.id in then and case.id in now:
            pair = then[case.id], now[case.id]
            known = _known(case, tables) if conforms else None
            for place, allowed in enumerate(_allowed(case, level)):
                spread = known[place] if known else _estimated(pair, place)
                yield _shift(case, place, allowed, pair, spread, alpha)


def _allowed(case: Case, level: Level) -> tuple[float, float]:
    assert isinstance(case.question, Sample)  # noqa: S101 - chosen for it
    return tolerances(case.question, level)


def _known(case: Case, tables: Tables) -> tuple[DrawDeviation, DrawDeviation]:
    covariance = tables.histogram(case).covariance
    return DrawDeviation(sqrt(float(covariance[0, 0]))), DrawDeviation(sqrt(float(covariance[1, 1])))


def _estimated(pair: tuple[Draws, Draws], place: int) -> DrawDeviation:
    """Return the deviation of one playout as the batches of both runs show it, each about its own mean."""
    squares, freedom = 0.0, 0
    for draws in pair:
        mean = _mean(draws.batches, place)
        squares += sum((b.sums[place] - b.playouts * mean) ** 2 / b.playouts for b in draws.batches)
        freedom += max(0, len(draws.batches) - 1)
    return DrawDeviation(sqrt(squares / freedom) if freedom else 0.0, freedom)


def _mean(batches: Sequence[GenmoveSums], place: int) -> float:
    playouts = sum(b.playouts for b in batches)
    return sum(b.sums[place] for b in batches) / playouts if playouts else 0.0


def _shift(
    case: Case, place: int, allowed: float, pair: tuple[Draws, Draws], spread: DrawDeviation, alpha: float
) -> MeasureShift:
    measure, unit = MEASURES[place]
    pairs = _pairs(pair)
    if pairs:
        means = [_mean(draws.batches[:pairs], place) for draws in pair]
        sizes = [sum(b.playouts for b in draws.batches[:pairs]) for draws in pair]
        coarse = sum(_coarse(draws.batches[:pairs]) for draws in pair)
        radius = paired_radius(spread, sizes[0], alpha, TOP_UP)
    else:
        means = [_told(draws, place)[0] for draws in pair]
        sizes = [_told(draws, place)[1] for draws in pair]
        coarse = sum(_coarse(draws.batches) for draws in pair)
        radius = apart_radius(spread, sizes[0], sizes[1], alpha, TOP_UP)
        radius += sum(_rounded_off(draws, place) for draws in pair)
    radius += place * coarse
    least = min(sizes)
    error = spread.sd * sqrt(1 / sizes[0] + 1 / sizes[1])
    word = DRIFTED if abs(means[1] - means[0]) > radius else STEADY
    note = ""
    if spread.freedom < _LEAST_FREEDOM:
        word, note = UNKNOWN, "too few genmoves to know how much they vary"
    elif not is_countable(spread, least):
        word, note = UNKNOWN, "too rare to be compared with so few playouts"
    return MeasureShift(
        case=case.id,
        measure=measure,
        unit=unit,
        word=word,
        then=means[0],
        now=means[1],
        radius=radius,
        sigma=(means[1] - means[0]) / error if error else 0.0,
        tolerance=allowed,
        playouts=least,
        detectable=detectable(spread, least, alpha, TOP_UP),
        sd=spread.sd,
        method=PAIRED_METHOD if pairs else APART_METHOD,
        note=note,
    )


def _pairs(pair: tuple[Draws, Draws]) -> int:
    """Return how many batches can be paired in order: none where they are of different sizes."""
    then, now = (draws.batches for draws in pair)
    same = len({b.playouts for b in (*then, *now)}) == 1
    return min(len(then), len(now)) if same else 0


def _told(draws: Draws, place: int) -> tuple[float, int]:
    """Return a mean and the playouts behind it."""
    if draws.batches:
        return _mean(draws.batches, place), sum(b.playouts for b in draws.batches)
    return draws.estimates[place].value, draws.estimates[place].playouts


def _rounded_off(draws: Draws, place: int) -> float:
    """Return how far off a mean may be, as a verdict document rounds it; batches are not rounded."""
    return 0.0 if draws.batches else ROUNDING * abs(draws.estimates[place].value)


def _coarse(batches: Iterable[GenmoveSums]) -> float:
    """Return how far off a score may be, as its scores were printed."""
    kept = list(batches)
    return sum(b.coarse for b in kept) / sum(b.playouts for b in kept) if kept else 0.0
