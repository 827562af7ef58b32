"""Checks without tables: they hold for whoever conforms, and convict hardly ever an innocent."""

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec
import numpy as np
import pytest
from certificates import shipped
from comparisons import LOOKS, batches_of, draw_sums

from harness.bots.driver import ask_case
from harness.bots.inprocess import InProcess
from harness.cases.case import Case
from harness.cases.level import ALPHA
from harness.comparison import contrasts
from harness.comparison.contrasts import GenmoveMeans, check_contrasts
from harness.judging.exact import read_unit, score_digits
from harness.statistics.evalues import Histogram
from harness.word import Word
from reference_engine.deviations import BY_NAME
from reference_engine.playouts import Root, histogram_for, run
from reference_engine.spec import SPEC

RULES = shipped()[0].contrasts
PLAYOUTS = 100_000


def case_of(name: str) -> Case:
    """Return a case by its id, of certificates or of comparisons."""
    suite, _ = shipped()
    return {**suite.cases, **suite.compared_cases}[name]


@lru_cache(maxsize=1)
def distributions() -> Mapping[str, Histogram]:
    """Return length and win fraction of every case of a free check, as the engine plays them now."""
    found = {}
    for name in RULES.cases:
        case = case_of(name)
        size, table = case.file.size, histogram_for(case.file.size)
        run(Root(case.game.position, case.colour, len(case.plays)), PLAYOUTS, 11, histogram=table)
        lengths, margins = np.nonzero(table)
        lead = margins - size * size - case.file.komi
        wins = (np.sign(lead if str(case.colour) == "black" else -lead) + 1) / 2
        values = np.stack([lengths, wins], axis=1).astype(np.float64)
        found[name] = Histogram(values, table[lengths, margins].astype(np.float64), values[:1])
    return found


@pytest.mark.parametrize("rule", list(RULES), ids=lambda rule: rule.name)
def test_contrasts_are_nothing_for_the_engine(rule: contrasts.ContrastRule) -> None:
    """Each holds to within four and a half standard errors of 100,000 playouts a case."""
    place = 0 if rule.measure == "length" else 1
    for contrast in rule.contrasts:
        parts = [(weight, distributions()[name]) for name, weight in contrast.items()]
        error = sum(w**2 * h.covariance[place, place] / PLAYOUTS for w, h in parts) ** 0.5

        assert abs(sum(w * h.mean[place] for w, h in parts)) < 4.5 * error
        assert error < rule.tolerance / 20


def innocent(rng: np.random.Generator) -> dict[str, list[GenmoveMeans]]:
    """Return eighty genmoves of every case by a bot that conforms."""
    found = {}
    for name, histogram in distributions().items():
        playouts = case_of(name).file.playouts
        found[name] = batches_of(draw_sums(rng, histogram, playouts, LOOKS[-1]), playouts)
    return found


def convictions(bots: int, seed: int) -> int:
    """Return how many of so many innocent bots fail a check at any look."""
    rng, failed = np.random.default_rng(seed), 0
    for _ in range(bots):
        batches = innocent(rng)
        looks = ({name: rows[:look] for name, rows in batches.items()} for look in LOOKS)
        failed += any(
            result.word is Word.FAIL
            for look in looks
            for result in check_contrasts(RULES, look, is_fixed=False)
        )
    return failed


def test_innocent_bots_are_not_convicted() -> None:
    """None of a hundred."""
    assert convictions(100, seed=1) == 0


def test_no_more_are_convicted_than_the_error_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an error far too large some are, and no more than it says."""
    monkeypatch.setattr(contrasts, "ALPHA", 0.9)

    assert convictions(100, seed=2) < 90


@pytest.mark.slow
def test_measured_error_rate() -> None:
    """The figure of docs/statistics.md."""
    failed = convictions(5000, seed=3)
    sys.stderr.write(f"\n{failed} of 5000 innocent bots convicted\n")

    assert failed <= max(2, 5000 * ALPHA * 4)


def test_innocent_bots_pass() -> None:
    """Forty genmoves of each case suffice for a PASS of all checks."""
    batches = {name: rows[:40] for name, rows in innocent(np.random.default_rng(4)).items()}

    words = [result.word for result in check_contrasts(RULES, batches, is_fixed=False)]

    assert set(words) == {Word.PASS}


def asked(deviation: str, names: tuple[str, ...]) -> dict[str, list[GenmoveMeans]]:
    """Return forty genmoves of cases by the engine with a deviation."""
    spec = BY_NAME[deviation].spec if deviation else SPEC
    found: dict[str, list[GenmoveMeans]] = {}
    for number, name in enumerate(names):
        case = case_of(name)
        process = InProcess(case.file.playouts, 100 + number, spec)
        knows: Callable[[str], bool] = ("ref-nodes", "ref-score").__contains__
        units = [ask_case(process, case, case.file.playouts, 1, knows) for _ in range(40)]
        digits = score_digits(units)
        found[name] = []
        for unit in units:
            statistics = read_unit(case, unit, digits).statistics
            if statistics.nodes is not None and statistics.wins is not None:
                n = unit.playouts
                found[name].append(GenmoveMeans(n, statistics.nodes / n, sum(statistics.wins) / 4 / n, 0.0))
    return found


@pytest.mark.parametrize(
    ("deviation", "rule"),
    [
        ("draws-lost", "komi 7 is the mean of 6.5 and 7.5"),
        ("draws-won", "komi 7 is the mean of 6.5 and 7.5"),
        ("score-for-black", "colours swapped: same win fraction"),
        ("eye-black-only", "colours swapped: same length"),
        ("list-scan", "board turned by a quarter: same win fraction"),
        ("board-scan", "board turned by a quarter: same win fraction"),
        ("nodes-per-playout", "twice the playouts, twice the nodes"),
    ],
)
def test_deviations_fail_the_check_made_for_them(deviation: str, rule: str) -> None:
    """A bot that breaks one of them is convicted without a table."""
    wanted = next(entry for entry in RULES if entry.name == rule)

    results = check_contrasts(RULES, asked(deviation, wanted.cases), is_fixed=False)

    assert next(r for r, entry in zip(results, RULES, strict=True) if entry is wanted).word is Word.FAIL


def test_a_komi_that_is_not_taken_as_it_is_given_shows() -> None:
    """A bot that plays a komi of 5.5 as 4.5 wins the games of margin 5 there, and not at komi 6."""
    process = InProcess(64, 7)
    case = case_of("komi-5-and-a-half-decides")
    wrong = Case(case.id, msgspec.structs.replace(case.file, komi=4.5))
    units = [ask_case(process, wrong, 64, 1, ("ref-nodes", "ref-score").__contains__) for _ in range(40)]
    batches = innocent(np.random.default_rng(7))
    read = [read_unit(wrong, unit, score_digits(units)).statistics for unit in units]
    batches[case.id] = [GenmoveMeans(64, 0.0, sum(r.wins or (0, 0)) / 4 / 64, 0.0) for r in read]

    results = check_contrasts(RULES, {name: rows[:40] for name, rows in batches.items()}, is_fixed=False)

    assert [r.word for r in results] == [Word.FAIL] + [Word.PASS] * 6


def test_what_was_not_asked_does_not_apply() -> None:
    """No evidence, no word; and a fixed number of playouts cannot be doubled."""
    batches = innocent(np.random.default_rng(5))

    assert {r.word for r in check_contrasts(RULES, {}, is_fixed=False)} == {Word.NOT_APPLICABLE}
    words = dict(zip([r.name for r in RULES], check_contrasts(RULES, batches, is_fixed=True), strict=True))
    assert words["twice the playouts, twice the nodes"].word is Word.NOT_APPLICABLE


def test_frozen_random_numbers_convict_nobody_here() -> None:
    """Genmoves that never vary say nothing of a mean of lengths."""
    frozen = {name: rows[:1] * 40 for name, rows in innocent(np.random.default_rng(6)).items()}

    words = {
        r.word
        for r, rule in zip(check_contrasts(RULES, frozen, is_fixed=False), RULES, strict=True)
        if rule.measure == "length"
    }

    assert words == {Word.INCONCLUSIVE}
