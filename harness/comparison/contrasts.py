"""Contrasts of a bot's means that are zero for every conforming bot: checks that need no reference table.

Computed from the evidence alone.  Genmoves are put together in the order they were asked; of scores it
is known that they lie between 0 and 1, of lengths nothing but that a batch of them is about normal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, inf, sqrt
from statistics import fmean
from typing import Final

from harness.cases.contrast_rules import ContrastRule, ContrastRules
from harness.cases.level import ALPHA
from harness.cases.suite import Suite
from harness.judging.exact import read_unit, score_digits
from harness.judging.run_assessment import refusal
from harness.records.evidence import Evidence
from harness.statistics.intervals import Interval, fraction_radius, student_radius
from harness.word import Word

_NOTHING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class GenmoveMeans:
    """The statistics of one genmove, each divided by its number of playouts."""

    playouts: int
    length: float
    score: float
    coarse: float
    """Greatest error of the score, given the digits it was printed with."""


@dataclass(frozen=True, slots=True)
class ContrastResult:
    """The result of one check for one bot."""

    word: Word
    detail: str


def genmove_means(suite: Suite, evidence: Evidence) -> dict[str, list[GenmoveMeans]]:
    """Return the genmoves of every case that a contrast asks, without refused and unreadable ones."""
    every = {**suite.cases, **suite.compared_cases}
    cases = {name: every[name] for name in suite.contrasts.cases}
    found: dict[str, list[GenmoveMeans]] = {name: [] for name in cases}
    digits = score_digits([unit for unit in evidence.units if unit.broken is None])
    for unit in evidence.units:
        case = cases.get(unit.case)
        if case is None or unit.broken is not None or refusal(case, unit):
            continue
        statistics = read_unit(case, unit, digits).statistics
        if statistics.nodes is not None and statistics.wins is not None:
            n, (least, greatest) = unit.playouts, statistics.wins
            score, coarse = (least + greatest) / 4 / n, (greatest - least) / 4 / n
            found[case.id].append(GenmoveMeans(n, statistics.nodes / n, score, coarse))
    return found


def check_contrasts(
    rules: ContrastRules, batches: Mapping[str, Sequence[GenmoveMeans]], *, is_fixed: bool
) -> list[ContrastResult]:
    """Return how a bot does in every check, all of them together with error ``ALPHA``.

    Args:
        rules: the checks.
        batches: by case, in the order they were asked.
        is_fixed: whether the bot always runs the same number of playouts.
    """
    alpha = ALPHA / max(1, rules.contrasts)
    return [_check(rule, batches, alpha, is_fixed=is_fixed) for rule in rules]


def _check(
    rule: ContrastRule, batches: Mapping[str, Sequence[GenmoveMeans]], alpha: float, *, is_fixed: bool
) -> ContrastResult:
    if rule.needs_playouts and is_fixed:
        return ContrastResult(Word.NOT_APPLICABLE, "the bot runs a fixed number of playouts")
    asked = [contrast for contrast in rule.contrasts if all(batches.get(name) for name in contrast)]
    if not asked:
        return ContrastResult(Word.NOT_APPLICABLE, "not asked")
    results = [_contrast(rule, contrast, batches, alpha) for contrast in asked]
    for word in (Word.FAIL, Word.INCONCLUSIVE):
        if found := next((r for r in results if r.word is word), None):
            return found
    return results[-1]


def _contrast(
    rule: ContrastRule,
    contrast: Mapping[str, float],
    batches: Mapping[str, Sequence[GenmoveMeans]],
    alpha: float,
) -> ContrastResult:
    """Return how one contrast ends: genmoves of its cases are put together in the order they were asked."""
    rows = list(zip(*(_of_one_size(batches[name]) for name in contrast), strict=False))
    weights = list(contrast.values())
    if rule.measure == "win":
        total = _of_fractions(rows, weights, alpha)
    else:
        total = _of_lengths(rows, weights, alpha)
    detail = f"{_sides(rule, rows, weights)}, difference {total.value:+z.4f} +- {total.radius:.4f}"
    if total.radius == inf:
        return ContrastResult(Word.INCONCLUSIVE, f"{detail}: too few genmoves, or all alike")
    if abs(total.value) > total.radius:
        return ContrastResult(Word.FAIL, detail)
    if abs(total.value) + total.radius <= rule.tolerance:
        return ContrastResult(Word.PASS, detail)
    return ContrastResult(Word.INCONCLUSIVE, f"{detail}: not shown to be within {rule.tolerance:g}")


def _of_one_size(batches: Sequence[GenmoveMeans]) -> list[GenmoveMeans]:
    """Return the batches of the commonest size: others spread otherwise."""
    sizes = [batch.playouts for batch in batches]
    size = max(sorted(set(sizes)), key=sizes.count)
    return [batch for batch in batches if batch.playouts == size]


def _of_fractions(rows: Sequence[Sequence[GenmoveMeans]], weights: Sequence[float], alpha: float) -> Interval:
    # Not sum, which adds floats more exactly from Python 3.12 on: the detail would differ between Pythons.
    values = [fsum(w * batch.score for w, batch in zip(weights, row, strict=True)) for row in rows]
    spread = sqrt(sum(w * w / (4 * batch.playouts) for w, batch in zip(weights, rows[0], strict=True)))
    coarse = max(sum(abs(w) * batch.coarse for w, batch in zip(weights, row, strict=True)) for row in rows)
    return Interval(fmean(values), fraction_radius(spread, len(rows), alpha) + coarse)


def _of_lengths(rows: Sequence[Sequence[GenmoveMeans]], weights: Sequence[float], alpha: float) -> Interval:
    values = [fsum(w * batch.length for w, batch in zip(weights, row, strict=True)) for row in rows]
    mean = fmean(values)
    sd = sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
    # Batches that never vary are frozen random numbers, which say nothing of their mean.
    return Interval(mean, student_radius(sd, len(values), alpha) if sd > _NOTHING else inf)


def _sides(rule: ContrastRule, rows: Sequence[Sequence[GenmoveMeans]], weights: Sequence[float]) -> str:
    means = [
        fmean(batch.score if rule.measure == "win" else batch.length for batch in arm)
        for arm in zip(*rows, strict=True)
    ]
    pairs = list(zip(weights, means, strict=True))
    left, right = (sum(abs(w) * mean for w, mean in pairs if w * sign > 0) for sign in (1, -1))
    return f"{left:.4f} against {right:.4f}"
