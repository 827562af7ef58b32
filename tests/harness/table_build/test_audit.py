"""Second checks: right tables agree, at the error stated; doctored and impossible ones do not."""

from math import inf

import msgspec
import numpy as np
import pytest
from doctored import doctored
from tiny_suite import MOVES, SAMPLE, SIZES, case_of

from harness.cases.start import start_of
from harness.table_build.audit import (
    LEAST_EXPECTED,
    chi_square,
    cross_check_of_choice,
    cross_checks_of,
    wrong_bets,
)
from harness.table_build.build import build_sample
from harness.table_build.demand import ASKED, ReferenceRequest, make_choice, make_reference
from harness.table_build.sampler import Sampler
from harness.tables.cross_check import FAMILY_ERROR, CrossCheck, disagreements, level_of
from harness.tables.reference import Reference

CASE = case_of(SAMPLE)
WORKSHOP = Sampler(threads=2)
CHANCES = np.array([0.3, 0.2, 0.2, 0.1, 0.1, 0.05, 0.03, 0.01, 0.004, 0.003, 0.002, 0.001])


@pytest.fixture(scope="module")
def reference() -> Reference:
    """Return a sampled reference of the empty 3x3 board."""
    return make_reference(ReferenceRequest(start_of(CASE), (0.5,), 200_000, states=0), WORKSHOP, "test")


@pytest.fixture(scope="module")
def exact() -> Reference:
    """Return an exact reference of a position with few courses."""
    order = ReferenceRequest(start_of(case_of("size = 2\n" + SAMPLE.replace("size = 3", ""))), (0.5,), 50_000)
    found = make_reference(order, WORKSHOP, "test")
    assert found.exact is not None
    return found


@pytest.mark.parametrize("total", [3_000, 300_000, inf])
def test_the_test_keeps_its_error(total: float) -> None:
    """Between samples of one distribution, p-values are uniform: means within 5 standard errors, tails within
    6 (error below 1e-6 each).
    """
    rng = np.random.default_rng([20, 0 if total == inf else int(total)])
    runs, p_values = 4000, []
    for _ in range(runs):
        second = dict(enumerate(int(n) for n in rng.multinomial(3_000, CHANCES)))
        counts = CHANCES if total == inf else rng.multinomial(int(total), CHANCES)
        p_values.append(chi_square(dict(enumerate(float(n) for n in counts)), total, second)[0])
    found = np.array(p_values)
    assert abs(found.mean() - 0.5) < 5 * (1 / 12 / runs) ** 0.5
    for tail in (0.1, 0.01, 0.001):
        assert abs((found < tail).mean() - tail) < 6 * (tail / runs) ** 0.5


def test_groups_are_large_enough() -> None:
    """Cells in which little is expected are put together, the last ones with those before them."""
    mine = dict(enumerate(float(n) for n in CHANCES))
    _, groups = chi_square(mine, inf, {0: 1000})
    assert groups == 8
    assert chi_square({0: 1.0}, inf, {0: 50}) == (1.0, 1)
    assert chi_square({0: 5, 1: 5}, 10.0, {0: 2, 1: 3}) == (1.0, 1)
    assert LEAST_EXPECTED >= 5


def test_what_cannot_be() -> None:
    """One draw of what has no probability refutes an exact distribution."""
    assert chi_square({0: 1.0}, inf, {0: 10_000, 1: 1})[0] == 0.0
    assert chi_square({0: 10_000}, 10_000.0, {0: 10_000, 1: 1})[0] > 0.1


def test_right_tables_agree(reference: Reference, exact: Reference) -> None:
    """Sampled and exact references agree with the other kernel, and an exact one with its own sample."""
    checks = [o for r in (reference, exact) for o in cross_checks_of(r, 100_000, WORKSHOP)]
    assert [o.about for o in checks] == ["chains anew", "chains anew", "lockstep as packaged"]
    assert disagreements(checks) == []
    assert all(o.groups > 1 for o in checks)


def test_moved_mass_is_found(reference: Reference) -> None:
    """One playout in a hundred made two moves longer is found, in the cells and in the mean."""
    checks = cross_checks_of(doctored(reference), 200_000, WORKSHOP)
    assert len(disagreements(checks)) == 1
    assert checks[0].p_values["cells"] < 1e-12


def test_a_wrong_distribution_is_found(exact: Reference) -> None:
    """An exact distribution that is off by a hundredth is found, even by its own sample."""
    assert exact.exact is not None
    (first, *others) = exact.exact.chances
    chances = [(*first[:2], first[2] * 1.04), *others]
    wrong = msgspec.structs.replace(exact, exact=msgspec.structs.replace(exact.exact, chances=chances))
    assert {o.about for o in disagreements(cross_checks_of(wrong, 200_000, WORKSHOP))} >= {"chains anew"}


def test_chosen_moves() -> None:
    """A table of chosen moves agrees with the other kernel; one with moves exchanged does not."""
    case = case_of(MOVES)
    table = make_choice(case, 160_000, ASKED, WORKSHOP)
    assert disagreements([cross_check_of_choice(table, case, 80_000, WORKSHOP)]) == []
    counts = dict(table.counts)
    busiest, other = max(counts, key=lambda name: counts[name]), next(iter(counts))
    counts[busiest], counts[other] = counts[busiest] - 1000, counts[other] + 1000
    wrong = msgspec.structs.replace(table, counts=counts)
    assert len(disagreements([cross_check_of_choice(wrong, case, 80_000, WORKSHOP)])) == 1


def test_bets_follow_from_the_reference(reference: Reference) -> None:
    """Bets made with a reference follow from it, and not from a doctored one or at another komi."""
    table = build_sample(CASE, reference, SIZES.deviation, WORKSHOP)
    assert len(table.shifts) > 20
    assert wrong_bets(table, reference, 0.5) == []
    assert wrong_bets(table, doctored(reference), 0.5)
    assert wrong_bets(table, reference, 3.5)
    assert wrong_bets(msgspec.structs.replace(table, shifts={}), reference, 0.5) == []


def test_the_family() -> None:
    """All tests together err with the stated probability, by Bonferroni."""
    checks = [CrossCheck("a", "", 1, 2, {"cells": 1e-7, "length": 0.5, "margin": 0.5}, {})] * 4
    assert level_of(checks) == pytest.approx(FAMILY_ERROR / 12)
    assert disagreements(checks) == []
    worse = CrossCheck("b", "", 1, 2, {"cells": 1e-8}, {})
    assert disagreements([*checks, worse]) == [worse]
