"""The shipped tables: complete, current, large enough, and their bets fair whatever sample they came from."""

import numpy as np
import pytest
from certificates import shipped

from harness.build import exact_digest
from harness.case import Case, Moves
from harness.evalues import Histogram
from harness.level import LEVELS
from harness.tables import root_digest
from reference_engine.deviations import BY_NAME, CATALOGUE
from reference_engine.digest import source_digest

SUITE, TABLES = shipped()
SAMPLES = [case for case in SUITE.cases.values() if case.file.sample is not None]
CHOICES = [case for case in SUITE.cases.values() if case.file.choices is not None]


@pytest.mark.parametrize("case", [*SAMPLES, *CHOICES], ids=lambda case: case.id)
def test_table_is_of_this_position_and_engine(case: Case) -> None:
    """Every statistical case has a table, made from its position by the engine as it is."""
    table = TABLES.choice(case) if isinstance(case.question, Moves) else TABLES.sample(case)

    assert (root_digest(case), source_digest()) == (table.root, table.engine)


def test_table_of_exact_cases_is_current() -> None:
    """How deviations fare in exact cases was measured with these cases and this engine."""
    assert (exact_digest(SUITE), source_digest()) == (TABLES.exact.suite, TABLES.exact.engine)


def test_every_deviation_was_measured_in_every_exact_case() -> None:
    """No deviation is missing from the table of exact cases."""
    for case in SUITE.cases.values():
        if not case.is_statistical:
            assert set(BY_NAME) == set(TABLES.exact.passes[case.id])


def test_opening_table_holds_a_hundred_times_what_a_run_uses() -> None:
    """The reference is at least 100 times larger than the largest sample of it a run may take."""
    table = TABLES.sample(SUITE.cases["opening-9x9"])

    assert table.playouts >= 100 * 120_000
    assert all(TABLES.sample(case).playouts >= 1_000_000 for case in SAMPLES)
    assert LEVELS["standard"].budget <= 400_000


@pytest.mark.parametrize("case", SAMPLES, ids=lambda case: case.id)
def test_bets_stay_fair_whatever_sample_the_table_is(case: Case) -> None:
    """Redrawing the table never lowers the bound of a bet below the truth, at four standard errors.

    Truth is the shipped table; 20 tables of the same size are drawn from it, and for every deviation's bet
    the bound from the redrawn table is held against the true mean.  One violation is expected in about
    30,000 comparisons; over all cases there are about 7,000, of which two may fail.
    """
    truth = TABLES.histogram(case)
    tilts = [s.convict.tilt for s in TABLES.sample(case).shifts.values() if s.convict is not None]
    rng = np.random.default_rng(20081013)
    bets = np.array(tilts)
    log_truth = (
        np.log(
            np.exp(truth.values @ bets.T - (shift := (truth.values @ bets.T).max(axis=0))).T
            @ (truth.counts / truth.total)
        )
        + shift
    )
    violations = 0
    for _ in range(20):
        counts = rng.multinomial(int(truth.total), truth.counts / truth.total).astype(float)
        seen = counts > 0
        redrawn = Histogram(truth.values[seen], counts[seen], truth.corners)
        violations += int((redrawn.log_mgf(bets) < log_truth).sum())

    assert violations <= 2


@pytest.mark.parametrize("name", sorted(d.name for d in CATALOGUE if not d.tolerated))
def test_every_deviation_shows_somewhere(name: str) -> None:
    """For every deviation there is an exact case it never passed, or a bet against it."""
    exact = any(rates[name][0] == 0 for rates in TABLES.exact.passes.values())
    samples = any(
        name in (shifts := TABLES.sample(case).shifts) and shifts[name].exclude is not None
        for case in SAMPLES
    )
    choices = any(name in TABLES.choice(case).deviations for case in CHOICES)

    assert exact or samples or choices
