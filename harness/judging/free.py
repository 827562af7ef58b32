"""Checks of one bot that need no table: means that have to add up to nothing, whatever they are.

Computed from the evidence alone.  A win fraction has the interval of any fraction, a length the interval of
its batches; a contrast has theirs together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import fmean, stdev

from harness.cases.free import FreeRule, FreeRules
from harness.cases.level import ALPHA
from harness.cases.suite import Suite
from harness.judging.exact import read_unit, score_digits
from harness.judging.weights import refusal
from harness.records.evidence import Evidence
from harness.statistics.intervals import Interval, fraction_radius, student_radius
from harness.word import Word


@dataclass(frozen=True, slots=True)
class Batch:
    """What one genmove's statistics came to, a playout."""

    playouts: int
    length: float
    win: float
    coarse: float
    """By how much the win fraction may be off, for the digits it was printed with."""


@dataclass(frozen=True, slots=True)
class FreeResult:
    """How one check ended for one bot."""

    word: Word
    detail: str


def free_batches(suite: Suite, evidence: Evidence) -> dict[str, list[Batch]]:
    """Return the batches of every case that a free check asks; refused and unreadable ones left out."""
    every = {**suite.cases, **suite.compared_cases}
    cases = {name: every[name] for name in suite.free.cases}
    found: dict[str, list[Batch]] = {name: [] for name in cases}
    digits = score_digits([unit for unit in evidence.units if unit.broken is None])
    for unit in evidence.units:
        case = cases.get(unit.case)
        if case is None or unit.broken is not None or refusal(case, unit):
            continue
        statistics = read_unit(case, unit, digits).statistics
        if statistics.nodes is not None and statistics.wins is not None:
            n, (least, greatest) = unit.playouts, statistics.wins
            win, coarse = (least + greatest) / 4 / n, (greatest - least) / 4 / n
            found[case.id].append(Batch(n, statistics.nodes / n, win, coarse))
    return found


def check_free(
    rules: FreeRules, batches: Mapping[str, Sequence[Batch]], *, is_fixed: bool
) -> list[FreeResult]:
    """Return how a bot does in every check, all of them together with error ``ALPHA``.

    Args:
        rules: the checks.
        batches: by case.
        is_fixed: whether the bot always runs the same number of playouts.
    """
    arms = {(rule.measure, name) for rule in rules for name in rule.cases}
    alpha = ALPHA / max(1, len(arms))
    return [_check(rule, batches, alpha, is_fixed=is_fixed) for rule in rules]


def _check(
    rule: FreeRule, batches: Mapping[str, Sequence[Batch]], alpha: float, *, is_fixed: bool
) -> FreeResult:
    if rule.needs_playouts and is_fixed:
        return FreeResult(Word.NOT_APPLICABLE, "the bot runs a fixed number of playouts")
    asked = [contrast for contrast in rule.contrasts if all(batches.get(name) for name in contrast)]
    if not asked:
        return FreeResult(Word.NOT_APPLICABLE, "not asked")
    results = [_contrast(rule, contrast, batches, alpha) for contrast in asked]
    for word in (Word.FAIL, Word.INCONCLUSIVE):
        if found := next((r for r in results if r.word is word), None):
            return found
    return results[-1]


def _contrast(
    rule: FreeRule, contrast: Mapping[str, float], batches: Mapping[str, Sequence[Batch]], alpha: float
) -> FreeResult:
    arms = {name: interval_of(rule.measure, batches[name], alpha) for name in contrast}
    total = Interval(
        sum(weight * arms[name].value for name, weight in contrast.items()),
        sum(abs(weight) * arms[name].radius for name, weight in contrast.items()),
    )
    detail = " against ".join(_side(contrast, arms, sign) for sign in (1, -1))
    if total.radius == inf:
        return FreeResult(Word.INCONCLUSIVE, f"{detail}; too few genmoves, or all alike")
    if abs(total.value) > total.radius:
        return FreeResult(Word.FAIL, detail)
    if abs(total.value) + total.radius <= rule.tolerance:
        return FreeResult(Word.PASS, detail)
    return FreeResult(Word.INCONCLUSIVE, f"{detail}; not within {rule.tolerance:g}")


def interval_of(measure: str, batches: Sequence[Batch], alpha: float) -> Interval:
    """Return the mean of a measure over batches, with its interval; unbounded where it cannot be told."""
    playouts = sum(batch.playouts for batch in batches)
    if measure == "win":
        value = sum(batch.win * batch.playouts for batch in batches) / playouts
        return Interval(value, fraction_radius(playouts, alpha) + max(batch.coarse for batch in batches))
    # Batches of another size spread otherwise: only those of the commonest size are used.
    sizes = [batch.playouts for batch in batches]
    size = max(sorted(set(sizes)), key=sizes.count)
    values = [batch.length for batch in batches if batch.playouts == size]
    sd = stdev(values) if len(values) > 1 else 0.0
    # Batches that never vary are frozen random numbers, which say nothing of their mean.
    return Interval(fmean(values), student_radius(sd, len(values), alpha) if sd > 0 else inf)


def _side(contrast: Mapping[str, float], arms: Mapping[str, Interval], sign: int) -> str:
    chosen = {name: abs(weight) for name, weight in contrast.items() if weight * sign > 0}
    value = sum(weight * arms[name].value for name, weight in chosen.items())
    error = sum(weight * arms[name].radius for name, weight in chosen.items())
    return f"{value:.4f} +- {error:.4f}"
