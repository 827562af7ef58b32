"""What changed between two runs: words, sums, known failures and statuses."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
import pytest
from certificates import shipped

from harness.cases.level import LEVELS
from harness.comparison.drift import TOP_UP, Draws, GenmoveSums, shifts
from harness.comparison.regress import After, Before, compare_runs, kind_of
from harness.comparison.regression import DRIFTED, UNKNOWN, Regression
from harness.document import as_written, document_bytes
from harness.errors import EvidenceError, UsageError
from harness.judging.judge import judge
from harness.judging.verdict import Verdict
from harness.records.evidence import FILE_NAME, Broken, Evidence, encoder
from harness.runs.baseline import read_baseline
from harness.selftest.repeats import as_baseline, drawn_sums, run_once
from harness.word import Word, exit_status


@lru_cache(maxsize=1)
def run() -> After:
    """Return a short run of the engine, whose verdict the tests rewrite."""
    return run_once(*shipped(), 1, level="smoke", top_up=0)


def said(words: Mapping[str, str], verdict: str = "PASS") -> After:
    """Return the run with every requirement and case passed, but for those that say otherwise."""
    document = run().verdict
    requirements = [
        msgspec.structs.replace(
            r,
            verdict=words.get(r.id, "PASS"),
            checks=[msgspec.structs.replace(c, verdict=words.get(c.case, "PASS")) for c in r.checks],
        )
        for r in document.requirements
    ]
    changed = msgspec.structs.replace(document, requirements=requirements, verdict=verdict, reason="because")
    return After("now", changed, run().evidence)


def compared(then: After, now: After, known: Mapping[str, str] | None = None) -> Regression:
    """Hold one against the other, words alone."""
    suite, tables = shipped()
    return compare_runs(as_baseline(then), now, suite, tables, known or {}, 0.05)


def status(found: Regression) -> int:
    """Return the exit status."""
    return exit_status(Word(found.outcome))


@pytest.mark.parametrize(
    ("then", "now", "kind"),
    [
        ("PASS", "FAIL", "newly failing"),
        ("INCONCLUSIVE", "FAIL", "newly failing"),
        ("FAIL", "FAIL", "still failing"),
        ("FAIL", "PASS", "newly passing"),
        ("FAIL", "NON-STRICT", "newly passing"),
        ("PASS", "INCONCLUSIVE", "less evidence"),
        ("INCONCLUSIVE", "PASS", "more evidence"),
        ("PASS", "NON-STRICT", "changed"),
        ("", "PASS", "new"),
        ("", "FAIL", "newly failing"),
        ("PASS", "", "removed"),
        ("PASS", "PASS", ""),
    ],
)
def test_changes_have_their_names(then: str, now: str, kind: str) -> None:
    """Every pair of words is one kind of change."""
    assert kind_of(then, now) == kind


def test_nothing_changed_is_status_0() -> None:
    """The same words and the same sums: PASS, nothing to tell."""
    found = compared(said({}), said({}))

    assert (found.outcome, found.reasons, found.changes, status(found)) == ("PASS", [], [], 0)
    assert found.unchanged == {"PASS": 30}


def test_newly_failing_is_status_1() -> None:
    """A requirement that failed nowhere before is named."""
    found = compared(said({}), said({"R4": "FAIL"}, "FAIL"))

    assert status(found) == 1
    assert found.reasons == ["R4 is newly failing: " + found.changes[0].reason]


def test_still_failing_counts_unless_it_is_known() -> None:
    """A baseline that failed excuses nothing; a reason does."""
    old = said({"R4": "FAIL"}, "FAIL")

    assert status(compared(old, old)) == 1
    found = compared(old, old, {"R4": "since 2008"})
    assert status(found) == 0
    assert found.changes[0].known == "since 2008"


def test_a_known_case_excuses_its_requirement() -> None:
    """Where all that fails of a requirement is known, so is the requirement; not where more fails."""
    case, other = (c.case for c in next(r for r in run().verdict.requirements if r.id == "R4").checks[:2])
    known = {case: "later"}

    assert status(compared(said({}), said({"R4": "FAIL", case: "FAIL"}, "FAIL"), known)) == 0
    both = said({"R4": "FAIL", case: "FAIL", other: "FAIL"}, "FAIL")
    assert status(compared(said({}), both, known)) == 1


def test_a_known_failure_that_passes_is_an_error() -> None:
    """As xfail is strict; one that is INCONCLUSIVE is only told."""
    found = compared(said({"R4": "FAIL"}, "FAIL"), said({}), {"R4": "since 2008"})
    assert status(found) == 1
    assert "take it off the list" in found.reasons[0]

    told = compared(said({}), said({"R4": "INCONCLUSIVE"}, "INCONCLUSIVE"), {"R4": "since 2008"})
    assert (status(told), told.stale[0].is_error) == (3, False)


def test_a_fail_without_a_name_counts() -> None:
    """A certificate that fails as a whole is not excused by knowing a requirement that does not fail."""
    assert status(compared(said({}), said({}, "FAIL"))) == 1


@pytest.mark.parametrize("word", ["CRASH", "TIMEOUT", "START-FAILED"])
def test_a_bot_that_could_not_be_judged_is_status_4(word: str) -> None:
    """Whatever else changed."""
    assert status(compared(said({}), said({"R4": "FAIL"}, word))) == 4


def test_other_suites_are_told_apart() -> None:
    """What the new suite makes of the old evidence is not held against the bot."""
    old = said({"R4": "FAIL"}, "FAIL")
    before = Before("then", old.verdict, said({}).verdict, old.evidence)

    found = compare_runs(before, said({}), *shipped(), {}, 0.05)

    assert (status(found), found.changes) == (0, [])
    assert [(c.id, c.kind) for c in found.suite_changes] == [("R4", "newly passing")]


def test_an_unchanged_bot_does_not_drift() -> None:
    """Sums from the tables, each stopped where they look worst: twenty repeats, none of them drifted."""
    random, drifted = np.random.default_rng(5), 0
    suite, tables = shipped()
    for _ in range(20):
        then, now = (drawn_sums(suite, tables, random, TOP_UP) for _ in range(2))
        found = list(shifts(suite, tables, LEVELS["standard"], then, now, conforms=True))
        drifted += any(s.word == DRIFTED for s in found)

    assert drifted == 0


def _batches(random: np.random.Generator, mean: float, sd: float, count: int) -> Draws:
    lengths = random.normal(64 * mean, 8 * sd, count)
    wins = random.binomial(64, 0.45, count)
    return Draws(
        tuple(GenmoveSums(64, (float(a), float(b)), 0.0) for a, b in zip(lengths, wins, strict=True))
    )


@pytest.mark.parametrize("conforms", [True, False])
def test_a_tenth_of_a_deviation_is_drift(conforms: bool) -> None:
    """Ten bots whose playouts are longer by so much are all found, their spread known or estimated."""
    random, found = np.random.default_rng(6), 0
    suite, tables = shipped()
    for _ in range(10):
        then, now = (_batches(random, mean, 6.59, 210) for mean in (42.4, 42.4 + 0.659))
        measures = shifts(
            suite, tables, LEVELS["standard"], {"opening-5x5": then}, {"opening-5x5": now}, conforms=conforms
        )
        found += [(s.measure, s.word) for s in measures] == [("length", DRIFTED), ("score", "steady")]

    assert found == 10


def test_few_genmoves_of_a_wrong_bot_say_nothing() -> None:
    """Where the spread must be estimated and cannot be, nothing is said."""
    suite, tables = shipped()
    one = _batches(np.random.default_rng(7), 42.4, 6.59, 1)

    found = shifts(
        suite, tables, LEVELS["standard"], {"opening-5x5": one}, {"opening-5x5": one}, conforms=False
    )

    assert {s.word for s in found} == {UNKNOWN}


def _judge(_suite: object, evidence: Evidence) -> Verdict:
    return judge(*shipped(), evidence)


def test_a_baseline_is_a_folder_or_a_verdict(tmp_path: Path) -> None:
    """Both are read; without evidence that is said, and so is what lies beside the wrong verdict."""
    made = run()
    lines = [made.evidence.header, *made.evidence.units, made.evidence.footer]
    (tmp_path / FILE_NAME).write_bytes(b"".join(encoder.encode(line) + b"\n" for line in lines))
    (tmp_path / "verdict.json").write_bytes(document_bytes(made.verdict))
    suite = shipped()[0]

    whole = read_baseline(tmp_path, suite, _judge)
    alone = read_baseline(tmp_path / "verdict.json", suite, _judge)

    assert (whole.recorded, whole.again) == (as_written(made.verdict), made.verdict)
    assert (alone.evidence, alone.again) == (None, None)
    assert "without its evidence" in alone.why_not
    other = msgspec.structs.replace(made.verdict, evidence="0" * 16)
    (tmp_path / "verdict.json").write_bytes(document_bytes(other))
    with pytest.raises(EvidenceError, match="other evidence"):
        read_baseline(tmp_path, suite, _judge)
    with pytest.raises(UsageError, match="no baseline"):
        read_baseline(tmp_path / "nowhere", suite, _judge)


def test_a_verdict_alone_is_compared_by_its_estimates() -> None:
    """Means and playouts of the document are enough for drift, with wider intervals."""
    made = run()
    suite, tables = shipped()

    found = compare_runs(
        Before("then", made.verdict, None, None, "no evidence"), made, suite, tables, {}, 0.05
    )
    pairs = compare_runs(as_baseline(made), made, suite, tables, {}, 0.05)

    assert {s.word for s in found.shifts} <= {"steady", UNKNOWN}
    widths = {(s.case, s.measure): s.radius for s in found.shifts}
    assert all(s.radius < widths[s.case, s.measure] for s in pairs.shifts if s.word != UNKNOWN)


def test_a_bot_that_broke_while_it_was_timed_is_not_passed() -> None:
    """The word of the round is the outcome."""
    from harness.records.evidence import Round, SpeedTurn

    nothing = SpeedTurn(0, 0, None, 0.0, None, None)
    broken = Round(1, 9, "bot", nothing, nothing, Broken("CRASH", "bot: it died"))
    now = said({})
    now = After(now.folder, now.verdict, msgspec.structs.replace(now.evidence, rounds=[broken]))

    assert status(compared(said({}), now)) == 4
