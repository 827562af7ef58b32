"""Cross-checks of tables: an independent sample by the other kernel, and tests that hold them together.

A table and a sample agree when neither a chi-square test over all pairs of length and margin (or of move
and wins) nor the means tell them apart.  Groups of cells are large enough for the chi-square
approximation to hold far out, where the limit is (see ``cross_check``).
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
"""Draws expected in a group of cells; with the usual 5, the test convicts too often at p = 1e-8."""
_SAME: Final = 1e-9


def cross_checks_of(reference: Reference, playouts: int, sampler: Sampler) -> list[CrossCheck]:
    """Hold a position's reference against a second sample; an exact one against its own sample as well."""
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
    """Hold a table of chosen moves against a second sample of genmoves."""
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
    """Test whether two samples are of one distribution.

    Args:
        mine: how often each cell came in the first sample; or its probability.
        total: size of the first sample; infinite where ``mine`` holds probabilities.
        second: how often each cell came in the second sample.

    Returns:
        (the probability of a difference as large, groups of cells that were compared).
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
    """Return int64[cells], the group of each: neighbours together until enough is expected of them."""
    group, place, gathered = np.zeros(len(expected), np.int64), 0, 0.0
    for cell, weight in enumerate(expected):
        group[cell] = place
        gathered += weight
        if gathered >= LEAST_EXPECTED:
            place, gathered = place + 1, 0.0
    # What is left over at the end is too little for a group of its own.
    group[group == place] = max(0, place - 1)
    return group


def wrong_bets(table: SampleTable, reference: Reference, komi: float) -> list[str]:
    """Return the deviations whose bet against the specification does not follow from the reference."""
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
