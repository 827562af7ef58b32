"""What items come to, from verdicts made by hand."""

from dataclasses import replace

import pytest

from harness.cases.suite import Suite, load_suite
from harness.judging.verdict import SCHEMA, Check, RequirementVerdict, Verdict
from harness.plugin.outcome import ItemOutcome, Outcomes, SessionRun
from harness.plugin.parts import KNOWN, MAIN, plan_runs
from harness.records.evidence import BotRef, Broken, Evidence, Footer, Header, SuiteRef, Unit
from harness.word import Word

COMMENTS, BLANKS, KO = "comments-are-cut-off", "blank-lines-get-no-answer", "superko-ko-retake"
SAMPLE = "opening-9x9"
BOT = BotRef("bot", "./bot")
REF = SuiteRef("1", "d")


@pytest.fixture(scope="module")
def suite() -> Suite:
    """The shipped suite."""
    return load_suite()


def ran(
    suite: Suite,
    cases: list[str] | None = None,
    words: dict[str, str] | None = None,
    *,
    whole: str = "PASS",
    units: list[Unit] | None = None,
) -> SessionRun:
    """Return a run of some cases, all of them passed but those whose words are given.

    Requirements are called by their id; what they are not told, they are by their cases.
    """
    words = words or {}
    asked = list(suite.cases) if cases is None else cases
    requirements = []
    for name in suite.requirements:
        checks = [
            Check(
                c.id,
                words.get(c.id, "PASS") if c.id in asked else "INCONCLUSIVE",
                "exact",
                8,
                1,
                f"why {c.id}",
            )
            for c in suite.cases.values()
            if c.requirement == name
        ]
        found = {check.verdict for check in checks}
        word = next((w for w in ("FAIL", "INCONCLUSIVE", "PASS") if w in found), "PASS")
        requirements.append(RequirementVerdict(name, words.get(name, word), f"because of {name}", checks))
    values = {
        "schema": SCHEMA, "refbot": "0", "command": "certify", "level": "standard", "suite": REF,
        "engine": "e", "bot": BOT, "verdict": whole, "reason": f"it is {whole}", "requirements": requirements,
        "broken": "", "shown_by": "", "exercised": [], "diagnosis": [],
        "unlisted": 0.0, "confident": False, "excluded": [], "not_excluded": [], "detectable": [],
        "log10_e": 0.0, "playouts": 1, "genmoves": 1, "elapsed_s": 1.0, "alpha": 1e-4, "beta": 1e-3,
        "evidence": "digest",
    }  # fmt: skip
    verdict = Verdict(**values)
    header = Header(SCHEMA, "certify", "0", "e", REF, "standard", BOT, "now", "here", sorted(asked))
    evidence = Evidence(header, units or [], Footer(len(units or []), 1.0, "complete"))
    return SessionRun(verdict, evidence, tuple(asked))


def outcomes(suite: Suite, runs: dict[str, SessionRun], known: dict[str, str] | None = None) -> Outcomes:
    """Return the outcomes of a session."""
    return Outcomes(suite, known or {}, runs)


def apart(
    suite: Suite, known: dict[str, str], words: dict[str, str], main: dict[str, str] | None = None
) -> Outcomes:
    """Return the outcomes of a session whose known failures were asked apart."""
    parts = plan_runs(suite, suite.cases, known)
    runs = {p.name: ran(suite, list(p.cases), (main or {}) if p.name == MAIN else words) for p in parts}
    return outcomes(suite, runs, known)


def test_known_failures_are_asked_apart(suite: Suite) -> None:
    """Exact ones together, statistical ones each alone, so that no conviction ends another's evidence."""
    parts = plan_runs(suite, suite.cases, {COMMENTS: "a", BLANKS: "b", SAMPLE: "c"})

    assert [part.name for part in parts] == [MAIN, KNOWN, SAMPLE]
    assert parts[1].cases == tuple(name for name in suite.cases if name in {COMMENTS, BLANKS})
    assert sorted(name for part in parts for name in part.cases) == sorted(suite.cases)


def test_a_known_requirement_takes_its_cases_along(suite: Suite) -> None:
    """All cases of it, and of the wanted ones only."""
    parts = plan_runs(suite, [COMMENTS, KO], {"G3": "no time"})

    assert [(part.name, part.cases) for part in parts] == [(MAIN, (KO,)), (KNOWN, (COMMENTS,))]


def test_a_conforming_bot(suite: Suite) -> None:
    """Everything passes."""
    found = outcomes(suite, {MAIN: ran(suite)})

    assert found.case(KO).word is found.requirement("R11").word is found.certificate().word is Word.PASS


def test_a_known_case_is_held_against_nobody(suite: Suite) -> None:
    """Its requirement and the whole fail with it, as is known; nothing else does."""
    found = apart(suite, {COMMENTS: "no time"}, {COMMENTS: "FAIL"})

    assert found.case(COMMENTS) == ItemOutcome(Word.FAIL, f"why {COMMENTS}", "no time", must_fail=True)
    assert (found.requirement("G3").word, bool(found.requirement("G3").known)) == (Word.FAIL, True)
    assert (found.certificate().word, bool(found.certificate().known)) == (Word.FAIL, True)
    assert found.requirement("G4").word is Word.PASS


def test_a_known_failure_hides_no_other(suite: Suite) -> None:
    """A second failed case of the requirement is nobody's knowledge, nor is the whole then."""
    found = apart(suite, {COMMENTS: "no time"}, {COMMENTS: "FAIL"}, {BLANKS: "FAIL"})

    for outcome in (found.case(BLANKS), found.requirement("G3"), found.certificate()):
        assert (outcome.word, outcome.known) == (Word.FAIL, "")


def test_a_known_failure_hides_no_open_question(suite: Suite) -> None:
    """Where another requirement is undecided, so is the whole."""
    found = apart(suite, {COMMENTS: "no time"}, {COMMENTS: "FAIL"}, {"R7": "INCONCLUSIVE"})

    assert found.requirement("R7").word is found.certificate().word is Word.INCONCLUSIVE


def test_an_entry_that_no_longer_fails(suite: Suite) -> None:
    """Its case passes and must not; the requirement cannot be told until the entry is gone."""
    found = apart(suite, {COMMENTS: "no time"}, {})

    assert (found.case(COMMENTS).word, found.case(COMMENTS).must_fail) == (Word.PASS, True)
    assert found.requirement("G3").word is found.certificate().word is Word.INCONCLUSIVE
    assert COMMENTS in found.requirement("G3").reason


def test_a_known_requirement(suite: Suite) -> None:
    """Its cases may fail and need not; it must."""
    found = apart(suite, {"G3": "no time"}, {COMMENTS: "FAIL"})

    assert found.case(COMMENTS) == ItemOutcome(Word.FAIL, f"why {COMMENTS}", "no time")
    assert (found.case(BLANKS).word, found.case(BLANKS).must_fail) == (Word.PASS, False)
    assert (found.requirement("G3").word, found.requirement("G3").must_fail) == (Word.FAIL, True)
    assert (found.certificate().word, bool(found.certificate().known)) == (Word.FAIL, True)


def test_a_conviction_without_a_failed_case_of_its_own(suite: Suite) -> None:
    """What the diagnosis blames is broken, and known only if somebody says so."""
    run = ran(suite, words={KO: "FAIL", "R2": "FAIL", "R11": "INCONCLUSIVE"}, whole="FAIL")

    assert outcomes(suite, {MAIN: run}).requirement("R2") == ItemOutcome(Word.FAIL, "because of R2")
    assert outcomes(suite, {MAIN: run}).requirement("R11").ended_by == f"R11::{KO}"
    known = apart(suite, {KO: "k"}, {KO: "FAIL", "R2": "FAIL"})
    assert (known.requirement("R2").word, known.requirement("R2").known) == (Word.FAIL, "")
    assert known.certificate().known == ""


def test_a_case_left_undecided_by_a_conviction_says_whose(suite: Suite) -> None:
    """Another case of the same run failed; where none did, nothing excuses it."""
    convicted = ran(suite, words={KO: "FAIL", SAMPLE: "INCONCLUSIVE"}, whole="FAIL")
    thin = ran(suite, words={SAMPLE: "INCONCLUSIVE"}, whole="INCONCLUSIVE")

    assert outcomes(suite, {MAIN: convicted}).case(SAMPLE).ended_by == f"R11::{KO}"
    assert outcomes(suite, {MAIN: thin}).case(SAMPLE).ended_by == ""


def test_a_bot_that_died(suite: Suite) -> None:
    """What was asked before keeps its word; the case it died in and all after it were not judged."""
    broken = Broken("CRASH", "bot: ended by SIGSEGV")
    unit = Unit(BLANKS, 1, 8, [], 0.1, broken=broken)
    words = dict.fromkeys(suite.cases, "INCONCLUSIVE") | {COMMENTS: "PASS", BLANKS: "PASS"}
    found = outcomes(suite, {MAIN: ran(suite, words=words, whole="CRASH", units=[unit])})

    assert found.case(COMMENTS).word is Word.PASS
    assert found.case(BLANKS) == ItemOutcome(Word.CRASH, broken.sentence)
    assert found.case(KO) == ItemOutcome(Word.CRASH, f"not asked; {broken.sentence}")
    assert found.requirement("R11").word is found.certificate().word is Word.CRASH


def test_a_bot_that_refused_everything(suite: Suite) -> None:
    """Not judged, although no answer was missing."""
    words = dict.fromkeys(suite.cases, "INCONCLUSIVE")
    found = outcomes(suite, {MAIN: ran(suite, words=words, whole="REFUSED")})

    assert found.case(KO).word is found.requirement("R11").word is found.certificate().word is Word.REFUSED


def test_a_known_failure_of_a_bot_that_died_is_not_judged(suite: Suite) -> None:
    """A crash is no known failure."""
    found = apart(suite, {COMMENTS: "no time"}, {COMMENTS: "INCONCLUSIVE"})
    unit = Unit(COMMENTS, 1, 8, [], 0.1, broken=Broken("TIMEOUT", "bot: no answer"))
    evidence = found.runs[KNOWN].evidence
    hung = replace(found.runs[KNOWN], evidence=Evidence(evidence.header, [unit], evidence.footer))
    found = outcomes(suite, {**found.runs, KNOWN: hung}, dict(found.known))

    assert found.case(COMMENTS).word is found.requirement("G3").word is Word.TIMEOUT
