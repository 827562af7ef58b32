"""Cross-checks of tables: statistical tests of a table against an independent sample by the other kernel.

A table and a sample agree if neither a chi-square test over all pairs of length and margin (or of move and
wins), nor a test of the means, tells them apart.  Groups of cells are so large that the chi-square
approximation is good even far in the tail, where the limit is (see ``cross_check``).
"""

from collections.abc import Mapping
from math import erfc, inf, isinf, sqrt
from typing import Any, Final

import msgspec
import numpy as np
from scipy.special import gammaincc

from harness.cases.case import Case
from harness.table_build.demand import CHECK
from harness.table_build.sampler import Sampler
from harness.table_build.sampling import (
    Plan,
    genmove_plan_of,
    other_kernel,
    sample_genmoves,
    sample_playouts,
    seed_of,
)
from harness.tables.cross_check import CrossCheck
from harness.tables.figures import Moments, lengths_of, margins_of
from harness.tables.reference import Reference
from harness.tables.tables import ChoiceTable, SampleTable, histogram_of
from reference_engine.playouts import Kernel

LEAST_EXPECTED: Final = 20.0
"""Draws expected in a group of cells; with the usual 5, the test errs too often at p = 1e-8."""
_SAME: Final = 1e-9


def cross_checks_of(reference: Reference, playouts: int, sampler: Sampler) -> list[CrossCheck]:
    """Compare a position's reference with a second sample; an exact one also with its own sample."""
    start, first = reference.start, Kernel(reference.sampled.kernel)
    kernel = other_kernel(first, start.size)
    plan = Plan(start, (0.0,), kernel, seed_of(CHECK, start.digest, playouts))
    sampled = sample_playouts(plan, playouts, sampler, start.name)
    second = msgspec.structs.replace(reference, sampled=sampled, exact=None)
    others = [(f"{kernel} anew", second)]
    if reference.exact:
        own = msgspec.structs.replace(reference, exact=None)
        others.append((f"{first} as packaged", own))
    return [_cross_check(start.name, about, reference, other) for about, other in others]


def cross_check_of_choice(table: ChoiceTable, case: Case, playouts: int, sampler: Sampler) -> CrossCheck:
    """Compare a table of chosen moves with a second sample of genmoves."""
    genmoves = max(1, playouts // table.playouts)
    kernel = other_kernel(Kernel(table.kernel), case.file.size)
    plan = genmove_plan_of(case, CHECK, genmoves, kernel=kernel)
    chosen = sample_genmoves(plan, genmoves, sampler, case.id)
    p, groups = chi_square(table.counts, table.genmoves, chosen.counts)
    return CrossCheck(case.id, f"{kernel} anew", genmoves * table.playouts, groups, {"cells": p}, {})


def _cross_check(name: str, about: str, reference: Reference, second: Reference) -> CrossCheck:
    sampled = second.sampled
    mine = {(length, margin): weight for length, margin, weight in reference.outcomes}
    total = reference.size
    if not isinf(total):
        mine = {cell: share * total for cell, share in mine.items()}
    p, groups = chi_square(mine, total, {(length, margin): n for length, margin, n in sampled.counts})
    zs = {
        "length": _z(lengths_of(reference), lengths_of(second)),
        "margin": _z(margins_of(reference), margins_of(second)),
    }
    tails = {quantity: erfc(abs(z) / sqrt(2)) for quantity, z in zs.items()}
    return CrossCheck(name, about, sampled.playouts, groups, {"cells": p, **tails}, zs)


def _z(mine: Moments, second: Moments) -> float:
    difference, error = second.mean - mine.mean, sqrt(mine.error**2 + second.error**2)
    if error > 0:
        return difference / error
    return 0.0 if abs(difference) < _SAME else inf


def chi_square(mine: Mapping[Any, float], total: float, second: Mapping[Any, int]) -> tuple[float, int]:
    """Test whether two samples have the same distribution.

    Args:
        mine: the count of each cell in the first sample, or its probability.
        total: the size of the first sample; infinite if ``mine`` holds probabilities.
        second: the count of each cell in the second sample.

    Returns:
        (the probability of a difference at least as large, the number of groups of cells compared).
    """
    cells = sorted({*mine, *second})
    a = np.array([mine.get(cell, 0) for cell in cells], np.float64)
    b = np.array([second.get(cell, 0) for cell in cells], np.float64)
    n = float(b.sum())
    if isinf(total) and b[a == 0].any():
        return 0.0, len(cells)
    expected = a * n if isinf(total) else (a + b) * n / (total + n)
    group = _groups(expected)
    mine_in, second_in, expected_in = (
        np.bincount(group, weights).astype(np.float64) for weights in (a, b, expected)
    )
    if isinf(total):
        terms = (second_in - expected_in) ** 2 / expected_in
    else:
        ratio = sqrt(n / total)
        terms = (ratio * mine_in - second_in / ratio) ** 2 / (mine_in + second_in)
    freedom = len(terms) - 1
    return (float(gammaincc(freedom / 2, terms.sum() / 2)) if freedom else 1.0), len(terms)


def _groups(expected: np.ndarray) -> np.ndarray:
    """Return int64[cells], the group of each cell: neighbours are joined until enough draws are expected."""
    group, place, gathered = np.zeros(len(expected), np.int64), 0, 0.0
    for cell, weight in enumerate(expected):
        group[cell] = place
        gathered += weight
        if gathered >= LEAST_EXPECTED:
            place, gathered = place + 1, 0.0
    # The cells left over at the end are too few for a group of their own.
    group[group == place] = max(0, place - 1)
    return group


def wrong_bets(table: SampleTable, reference: Reference, komi: float) -> list[str]:
    """Return the deviations whose bets against the specification do not follow from the reference."""
    null = histogram_of(reference, komi)
    bets = {name: shift.convict for name, shift in table.shifts.items() if shift.convict}
    if not bets:
        return []
    bounds = null.log_mgf(np.array([bet.tilt for bet in bets.values()]))
    return [
        name
        for (name, bet), bound in zip(bets.items(), bounds, strict=True)
        if abs(bet.log_mgf - bound) > _SAME * max(1.0, abs(bound))
    ]
