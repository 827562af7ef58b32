"""Verdicts keep what they claim against bots made to break it: short, seeded versions of `make verdicts`.

Seeds are fixed; the error rate that each test states is that of seeds drawn anew.
"""

from collections.abc import Iterable

import pytest
from adversaries import Chooser, Order, Outcome, Printer, ask, claims, numbered
from certificates import shipped
from choosers import CHOOSERS
from offsets import STUDIED, offsets
from printers import PRINTED

from harness.cases.level import BETA
from harness.selftest.kill_matrix import Rate
from harness.word import Word

SEED = 4_000_001
COARSE = ("1 decimal", "2 decimals", "per cent as %g", "cut to 1 decimal", "cut to 2 decimals")
"""Forms that leave several counts of wins open."""
SEEN = 0.95
"""Share of the wrong ways of choosing that is to be convicted."""
PLAIN = (
    "ties by a coin",
    "ties among the first three",
    "ties to the first as White",
    "ties towards the centre",
)
"""Ways of choosing that are off by a third and more in one case."""


def certified(orders: Iterable[Order]) -> list[Outcome]:
    """Make certificates one after another."""
    return [ask(order) for order in orders]


@pytest.mark.parametrize("form", [COARSE[0], *(pytest.param(f, marks=pytest.mark.slow) for f in COARSE[1:])])
def test_an_innocent_bot_that_prints_few_digits_is_not_convicted(form: str) -> None:
    """One certificate; a FAIL has error 1e-4."""
    outcome = ask(Order("", Printer(form), "standard", SEED))

    assert outcome.word != Word.FAIL, outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize("form", PRINTED)
def test_no_form_of_the_score_convicts(form: str) -> None:
    """Ten certificates; a single FAIL of them has error 1e-3."""
    outcomes = certified(numbered([(form, [Printer(form)])], 10, "standard", SEED + 100))

    assert [o.reason for o in outcomes if o.word == Word.FAIL] == []


@pytest.mark.slow
def test_a_mean_out_of_tolerance_does_not_pass() -> None:
    """Six certificates of bots whose mean is 1.02 tolerances off, all of it from one genmove in ten.

    A PASS of any has error 6e-3.
    """
    suite, tables = shipped()
    bots = list(offsets(suite, tables, "standard", "genmove", 1.02))
    outcomes = certified(numbered([("", bots)], 6, "standard", SEED))

    assert [o.order.bot.about for o in outcomes if o.is_passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("shape", STUDIED)
def test_a_mean_just_out_of_tolerance_passes_as_rarely_as_said(shape: str) -> None:
    """Sixty certificates off by 1.02 tolerances, every case by turns: PASS and NON-STRICT come no more often
    than with probability 1e-3 each.

    Three of sixty are complained of; with that probability they come once in 30,000 times.
    """
    suite, tables = shipped()
    bots = list(offsets(suite, tables, "standard", shape, 1.02))
    outcomes = certified(numbered([(shape, bots)], 60, "standard", SEED + 200))
    passed = [o.order.bot.about for o in outcomes if o.is_passed]

    assert not Rate(len(outcomes) - len(passed), len(outcomes)).is_below(1 - BETA), passed


@pytest.mark.parametrize("name", [*PLAIN[:2], *(pytest.param(n, marks=pytest.mark.slow) for n in PLAIN[2:])])
def test_a_plainly_wrong_way_of_breaking_ties_is_convicted(name: str) -> None:
    """One certificate.  An event that comes a third too often is told by 300 genmoves with error 1e-7
    (Hoeffding): a miss is a case that was not asked so often, or a bet without power.
    """
    outcome = ask(Order("", Chooser(name), "standard", SEED))

    assert outcome.word == Word.FAIL


@pytest.mark.slow
def test_ways_of_choosing_that_nobody_listed_are_convicted() -> None:
    """Three certificates of each: fewer than 95% FAIL in all are complained of with error 1e-3."""
    rows = [(name, [Chooser(name)]) for name in CHOOSERS]
    outcomes = certified(numbered(rows, 3, "standard", SEED + 400))
    missed = [o.order.row for o in outcomes if o.word != Word.FAIL]

    assert not Rate(len(outcomes) - len(missed), len(outcomes)).is_below(SEEN), missed


@pytest.mark.slow
def test_what_a_certificate_could_have_seen_it_sees() -> None:
    """Bots off by what two certificates would have convicted are convicted as often (error 1e-3)."""
    made = [claim for seed in (SEED + 600, SEED + 601) for claim in claims("standard", seed, 2)]
    rate = Rate(sum(claim.is_convicted for claim in made), len(made))
    promised = made[0].found.probability

    assert not rate.is_below(promised), [c.found for c in made if not c.is_convicted]
    # Nor is the shift much larger than it had to be: all of them would be convicted.
    assert rate.count < rate.total


def test_no_claim_is_of_a_shift_of_nothing() -> None:
    """Every measure of every statistical case has its claim, and none is a shift of nothing."""
    suite, _ = shipped()
    made = [claim.found for claim in claims("standard", SEED + 700, 1)]
    assert all(found.shift for found in made)
    statistical = {c.id for c in suite.cases.values() if c.is_statistical and not c.file.only_fixed}
    assert {found.case for found in made} == statistical
