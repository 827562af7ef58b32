"""Every way to a PASS: the document itself bears it out."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import msgspec
import pytest
from adversaries import Innocent, Printer
from bare import bare
from certificates import shipped
from printers import PRINTED

from harness.bots.inprocess import starter
from harness.judging.judge import is_decided, judge
from harness.judging.run_assessment import RunAssessor, assess_run
from harness.judging.verdict import Verdict
from harness.records.evidence import Evidence
from harness.runs.run import Extras
from harness.selftest.trial import simulate
from harness.word import Word
from reference_engine.deviations import BY_NAME

SEED: Final = 6_000_001
BORNE_OUT: Final = (Word.PASS, Word.NON_STRICT, Word.NOT_APPLICABLE)
FORMS: Final = ("exponent",)


def assert_borne_out(verdict: Verdict) -> None:
    """A PASS leaves nothing open, and each part of the document says so."""
    assert verdict.verdict == Word.PASS, verdict.reason
    assert verdict.not_excluded == []
    assert [r.id for r in verdict.requirements if r.verdict not in BORNE_OUT] == []
    assert all(r.reason for r in verdict.requirements if r.verdict != Word.PASS)
    checks = [check for r in verdict.requirements for check in r.checks]
    assert [c.case for c in checks if c.verdict not in BORNE_OUT] == []
    assert all(c.reason for c in checks if c.verdict != Word.PASS)
    assert [c.case for c in checks for e in c.estimates if not e.is_inside] == []
    measured = {c.case for c in checks if c.kind == "statistical" and c.verdict != Word.NOT_APPLICABLE}
    assert {c.case for c in checks if c.estimates} == measured
    assert verdict.log10_e < 4
    assert {d.case for d in verdict.detectable} == measured
    assert all(d.shift for d in verdict.detectable)


@pytest.fixture(scope="module", name="passing")
def _passing() -> Mapping[str, Evidence]:
    suite, tables = shipped()
    bots = {"plain": Innocent(), **{form: Printer(form) for form in FORMS}}
    starts = {name: bot.starter(suite, tables) for name, bot in bots.items()}
    assert set(FORMS) <= set(PRINTED)
    found = {
        name: simulate(suite, tables, "standard", SEED, start, Extras()) for name, start in starts.items()
    }
    found["no undo"] = simulate(suite, tables, "standard", SEED, bare, Extras())
    return found


@pytest.mark.parametrize("way", ["plain", *FORMS, "no undo"])
def test_every_pass_is_borne_out(way: str, passing: Mapping[str, Evidence]) -> None:
    """However a bot comes to a PASS, its document leaves nothing open."""
    suite, tables = shipped()
    assert_borne_out(judge(suite, tables, passing[way]))


def test_less_than_a_pass_is_none(passing: Mapping[str, Evidence]) -> None:
    """Without the units of a case of either kind there is no PASS, and the document says what is missing."""
    suite, tables = shipped()
    evidence = passing["plain"]
    for case in ("opening-5x5", "even-rates-are-drawn", "ends-after-two-passes", "ids-come-back"):
        units = [unit for unit in evidence.units if unit.case != case]
        assessment = assess_run(suite, tables, msgspec.structs.replace(evidence, units=units))
        assert not is_decided(suite, assessment, "standard") or case not in assessment.cases
        verdict = judge(suite, tables, msgspec.structs.replace(evidence, units=units), assessment)
        assert verdict.verdict == Word.INCONCLUSIVE, case
        assert "not asked" in verdict.reason


def test_what_is_not_excluded_forbids_a_pass(passing: Mapping[str, Evidence]) -> None:
    """A deviation that is not excluded, even one that is hidden by another reading, is no PASS."""
    suite, tables = shipped()
    assessor = RunAssessor(suite, tables, passing["plain"].header)
    for unit in passing["plain"].units:
        assessor.add(unit)
    assessment = assessor.assessment()
    name = assessment.excluded[0]
    hidden = replace(assessment, excluded=assessment.excluded[1:], not_excluded=(name,), hidden=(name,))
    verdict = judge(suite, tables, passing["plain"], hidden)
    assert (verdict.verdict, name in verdict.reason) == (Word.INCONCLUSIVE, True)


def test_findings_of_a_case_that_is_set_aside_stand() -> None:
    """A bot of an accepted other reading that refuses a legal play in a case which this changes fails."""
    suite, tables = shipped()
    start = starter(BY_NAME["neighbour-scoring"].spec)
    evidence = simulate(suite, tables, "standard", SEED + 1, start, Extras())
    assessment = assess_run(suite, tables, evidence)
    aside = [
        name for name, reason in assessment.skipped.items() if "another" in reason or "open clause" in reason
    ]
    assert judge(suite, tables, evidence, assessment).verdict == Word.NON_STRICT
    place = next(i for i, unit in enumerate(evidence.units) if unit.case in aside)
    unit = evidence.units[place]
    exchanges = [
        (sent, "? illegal move\n\n") if sent.startswith("play") else (sent, raw)
        for sent, raw in unit.exchanges
    ]
    units = [
        *evidence.units[:place],
        msgspec.structs.replace(unit, exchanges=exchanges),
        *evidence.units[place + 1 :],
    ]
    assert judge(suite, tables, msgspec.structs.replace(evidence, units=units)).verdict == Word.FAIL
