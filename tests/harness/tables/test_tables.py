"""The shipped tables: complete, current, large enough, and their bets fair whatever sample they came from."""

from math import inf

import numpy as np
import pytest
from certificates import shipped

from harness.cases.case import Case, Moves
from harness.cases.level import LEVELS
from harness.cases.start import start_of
from harness.runs.forecast import forecast
from harness.statistics.evalues import Histogram
from harness.table_build.audit import chi_square
from harness.table_build.inventory import inventory
from harness.table_build.pass_rates import is_measured
from harness.tables.figures import lengths_of, odd_margins
from harness.tables.published import compare, load_published
from reference_engine.deviations import BY_NAME, CATALOGUE

SUITE, TABLES = shipped()
SAMPLES = [case for case in SUITE.cases.values() if case.file.sample is not None]
POSITIONS = list(
    {start_of(c): c for c in SUITE.cases.values() if c.needs_table and c.file.choices is None}.values()
)
CHOICES = [case for case in SUITE.cases.values() if case.file.choices is not None and case.needs_table]


def test_every_table_is_current() -> None:
    """Every case has what it needs, made from its position and question by the engine as it is."""
    faults = {entry.case: entry.state for entry in inventory(SUITE) if not entry.is_current}

    assert faults == {}


def test_every_deviation_was_measured_in_every_exact_case() -> None:
    """No deviation is missing from the table of exact cases."""
    for case in SUITE.cases.values():
        if not case.is_statistical and is_measured(case):
            assert set(BY_NAME) == set(TABLES.exact.passes[case.id])


def test_tables_hold_a_hundred_times_what_a_run_uses() -> None:
    """References are exact, or a hundred times larger than a standard certificate's whole budget; no level
    is expected to ask more of a case than a hundredth of its table.  Openings hold 10**8.
    """
    budget = LEVELS["standard"].budget
    for case in SUITE.cases.values():
        if case.needs_table and not isinstance(case.question, Moves):
            assert TABLES.reference(case).size >= 100 * budget
            if not case.game.position.stones:
                assert TABLES.reference(case).size >= 10**8
    for case in CHOICES:
        assert TABLES.choice(case).genmoves * TABLES.choice(case).playouts >= 100 * budget
    for level in LEVELS.values():
        for cost in forecast(SUITE, TABLES, level).cases:
            if (case := SUITE.cases[cost.name]).file.sample is not None:
                assert TABLES.reference(case).size >= 100 * cost.playouts


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: start_of(case).name)
def test_exact_and_sampled_agree(case: Case) -> None:
    """Where a reference is exact, its probabilities add up to 1 within their error, and the sample of its
    maps is one of theirs (error 1e-6 each).
    """
    reference = TABLES.reference(case)
    sampled = reference.sampled
    assert sum(n for _, _, n in sampled.counts) == sampled.playouts
    if reference.exact is None:
        return
    chances = {(length, margin): p for length, margin, p in reference.exact.chances}
    assert sum(chances.values()) == pytest.approx(1, abs=reference.exact.error + 1e-15 * len(chances))
    assert reference.exact.error < 1e-9
    p, groups = chi_square(chances, inf, {(length, margin): n for length, margin, n in sampled.counts})
    assert groups > 1
    assert p > 1e-6


def test_published_figures_are_met() -> None:
    """Every figure published of the empty 9x9 board is within 5 standard errors, both samples' together
    (error 1e-5 for all 18); its playouts are as long as any seen before, and end with odd margins only.
    """
    reference = TABLES.reference(SUITE.cases["opening-9x9"])
    found = compare(reference, load_published(SUITE.folder))
    assert len(found) == 19
    assert [c for c in found if c.z is not None and abs(c.z) > 5] == []
    assert 200 <= lengths_of(reference).greatest <= 243
    assert odd_margins(reference) == pytest.approx(1, abs=1e-12)


def test_all_tables_together_are_small() -> None:
    """What is shipped stays below a few megabytes."""
    assert sum(path.stat().st_size for path in (SUITE.folder / "tables").rglob("*.json")) < 3_000_000


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
            np.exp(truth.values @ bets.T - (shift := (truth.values @ bets.T).max(axis=0))).T @ truth.weights
        )
        + shift
    )
    violations = 0
    if np.isinf(truth.total):
        # Nothing was sampled: the bound is the mean itself, but for rounding.
        assert (truth.log_mgf(bets) >= log_truth - 1e-12).all()
        return
    for _ in range(20):
        counts = rng.multinomial(int(truth.total), truth.weights).astype(float)
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
