"""The judge: words follow from evidence alone, whatever its order, and a conforming bot never fails."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tiny_run import SHOWN, ask, judged
from tiny_suite import EYE, SAMPLE, SCRIPT, case_of, limit_catalogue, make_suite

from harness.cases.level import ALPHA
from harness.cases.suite import Suite
from harness.document import as_written, document_bytes
from harness.errors import EvidenceError
from harness.judging.run_assessment import missing, refusal
from harness.judging.verdict import Check, RequirementVerdict, Verdict
from harness.records.evidence import Broken, Unit
from harness.tables.tables import ExactTable
from harness.word import Word
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

pytestmark = pytest.mark.usefixtures("small_catalogue")


@pytest.fixture(scope="module", name="conforming")
def _conforming(suite: Suite) -> list[Unit]:
    return ask(suite, SPEC, 1)


def requirement(verdict: Verdict, name: str) -> RequirementVerdict:
    """Return one requirement of a verdict."""
    return next(r for r in verdict.requirements if r.id == name)


def check(verdict: Verdict, case: str) -> Check:
    """Return one case of a verdict."""
    return next(c for r in verdict.requirements for c in r.checks if c.case == case)


def test_conforming_bot_never_fails(suite: Suite) -> None:
    """Twenty runs of the embedded engine are never convicted, nor any case of theirs (error 2e-3 by the
    promised alpha).
    """
    for seed in range(1, 21):
        verdict = judged(suite, ask(suite, SPEC, seed))
        assert verdict.verdict != Word.FAIL, verdict.reason
        assert [c.case for r in verdict.requirements for c in r.checks if c.verdict == Word.FAIL] == []
        assert verdict.diagnosis == []
        assert verdict.log10_e < 4


@pytest.mark.parametrize(
    "name",
    [
        "one-pass-ends",
        "three-passes-end",
        "fixed-seed-genmove",
        "playouts-twice",
        "unknown-accepted",
        "undo-keeps-stone",
    ],
)
def test_deviation_fails_with_its_requirement_first(suite: Suite, name: str) -> None:
    """A deviation the suite shows is a FAIL that names its requirement (error below 1e-3 each)."""
    deviation = BY_NAME[name]
    verdict = judged(suite, ask(suite, deviation.spec, 3))
    assert verdict.verdict == Word.FAIL
    assert Word.FAIL in {r.verdict for r in verdict.requirements}
    assert verdict.diagnosis[0].requirement == verdict.broken == deviation.requirement
    assert verdict.reason.startswith(f"{deviation.requirement} is broken")


@pytest.mark.parametrize("name", ["half-the-playouts", "nodes-cumulative"])
def test_deviation_without_a_case_of_its_own_fails_too(suite: Suite, name: str) -> None:
    """A deviation from requirements this suite has no case for is a FAIL all the same (error below 1e-3)."""
    assert judged(suite, ask(suite, BY_NAME[name].spec, 3)).verdict == Word.FAIL


def test_verdict_is_a_function_of_its_evidence(suite: Suite, conforming: list[Unit]) -> None:
    """The same evidence gives the same bytes, and the document can be read again."""
    verdict = judged(suite, conforming)
    assert msgspec.json.encode(verdict) == msgspec.json.encode(judged(suite, conforming))
    assert as_written(verdict) == msgspec.json.decode(document_bytes(verdict), type=Verdict)
    assert verdict.alpha == ALPHA


def test_cases_not_asked(suite: Suite, conforming: list[Unit]) -> None:
    """Cases the run set out to ask and did not make it INCONCLUSIVE, and say so."""
    verdict = judged(suite, [u for u in conforming if u.case in ("eye", "script")])
    assert verdict.verdict == Word.INCONCLUSIVE
    assert "9 cases were not asked" in verdict.reason
    assert (check(verdict, "sample").verdict, check(verdict, "sample").reason) == (
        Word.INCONCLUSIVE,
        "not asked",
    )
    assert check(verdict, "eye").verdict == Word.PASS


def test_level_that_cannot_pass(suite: Suite, conforming: list[Unit]) -> None:
    """The smoke level finds nothing wrong and says that it cannot pass a bot."""
    verdict = judged(suite, conforming, "smoke")
    assert verdict.verdict == Word.INCONCLUSIVE
    assert "cannot pass" in verdict.reason


def test_known_deviations_left(suite: Suite, conforming: list[Unit]) -> None:
    """A suite that cannot exclude every deviation passes nobody, and names those left."""
    verdict = judged(suite, conforming)
    assert verdict.verdict == Word.INCONCLUSIVE
    assert verdict.not_excluded
    assert not set(verdict.excluded) & set(verdict.not_excluded)
    strict = {name for name in SHOWN if not BY_NAME[name].tolerated}
    assert strict == {*verdict.excluded, *verdict.not_excluded}


def test_check_level_says_what_it_is(suite: Suite, conforming: list[Unit]) -> None:
    """The check level passes by its clauses alone, and counts them."""
    units = [u for u in conforming if u.case in ("script", "undo")]
    verdict = judged(suite, units, "check", ["script", "undo"])
    assert verdict.verdict == Word.PASS
    assert verdict.reason == "3 of 3 clauses kept"


def test_nothing_asked_is_no_pass(suite: Suite) -> None:
    """No evidence at all is the harness's ERROR, at every level."""
    for level in ("check", "smoke", "standard"):
        assert judged(suite, [], level, []).verdict == Word.ERROR


@pytest.mark.parametrize("word", ["CRASH", "TIMEOUT", "PROTOCOL", "START-FAILED", "NOT-GTP", "REFUSED"])
def test_broken_unit_gives_its_word(suite: Suite, conforming: list[Unit], word: str) -> None:
    """A bot that stops answering gives the run its word and the whole sentence."""
    broken = Unit("sample", 1, 50, [], 0.0, [], Broken(word, "bot: what happened"))
    verdict = judged(suite, [*conforming, broken])
    assert (verdict.verdict, verdict.reason) == (word, "bot: what happened")


def test_proof_outlives_a_crash(suite: Suite, conforming: list[Unit]) -> None:
    """A bot that was proved wrong before it crashed is a FAIL."""
    wrong = [u for u in ask(suite, BY_NAME["one-pass-ends"].spec, 1) if u.case == "eye"]
    others = [u for u in conforming if u.case != "eye"]
    broken = Unit("sample", 1, 50, [], 0.0, [], Broken("CRASH", "bot: it died"))
    assert judged(suite, [*wrong, *others, broken]).verdict == Word.FAIL


def test_handshake_that_failed(suite: Suite) -> None:
    """A bot that did not get through the handshake is judged by that alone."""
    broken = Unit("handshake", 1, 0, [], 0.0, [], Broken("NOT-GTP", "bot: does not speak GTP"))
    assert judged(suite, [broken], commands=[]).verdict == Word.NOT_GTP


@pytest.mark.parametrize(
    ("case", "bot", "reason"),
    [
        ("undo", {"commands": ["ref-nodes", "ref-score"]}, "no undo, which is optional"),
        ("eye", {"commands": ["genmove"]}, "no ref-nodes and no ref-score"),
        ("sample", {"commands": ["ref-nodes"]}, "no ref-score"),
        ("fresh", {"commands": ["ref-score"]}, "no ref-nodes"),
        ("moves", {"fixed_playouts": 1000}, "no table holds 1,000 playouts a genmove"),
    ],
)
def test_not_applicable(suite: Suite, case: str, bot: dict[str, object], reason: str) -> None:
    """A case that cannot be asked of a bot is NOT-APPLICABLE, with the reason."""
    found = check(judged(suite, [], **bot), case)
    assert found.verdict == Word.NOT_APPLICABLE
    assert reason in found.reason


@pytest.mark.parametrize("case", ["game", "ko", "script"])
def test_applicable_without_private_commands(suite: Suite, case: str) -> None:
    """Rules of the game and of the protocol are asked of bots without the private commands too."""
    assert missing(suite.cases[case], ["genmove"]) == ""


def test_fixed_playouts_that_fit(suite: Suite, conforming: list[Unit]) -> None:
    """A fixed number that is the table's own is no obstacle."""
    assert check(judged(suite, conforming, fixed_playouts=4), "moves").verdict == Word.PASS


def test_what_was_not_excluded_is_named(suite: Suite, conforming: list[Unit]) -> None:
    """A bot without PASS is told which boards it refused, and what that leaves open."""
    units = [u for u in conforming if u.case not in ("sample", "moves", "script")]
    refused = Unit("script", 1, 1, [("boardsize 3", "? unacceptable size\n\n")], 0.0)
    verdict = judged(suite, [*units, refused], cases=["eye", "ko", "game", "fresh", "script", "undo"])
    assert verdict.verdict == Word.INCONCLUSIVE
    assert verdict.reason.startswith("nothing wrong was found in the 6 of 11 cases")
    verdict = judged(suite, [*conforming, refused])
    assert verdict.verdict == Word.INCONCLUSIVE
    assert f"could not exclude {len(verdict.not_excluded)} known deviation" in verdict.reason
    assert "refuses boards of 3 lines, so not all was judged (cases left out: 1)" in verdict.reason


def test_a_size_refused_in_mid_script() -> None:
    """A script that goes on to another board convicts no bot that has only one."""
    steps = """
[[steps]]
send = "boardsize 7"
[[steps]]
send = "boardsize 1000"
expect = "error"
"""
    script = case_of(SCRIPT.partition("[[steps]]")[0] + steps)
    exchanges = [("boardsize 3", "= \n\n"), ("boardsize 1000", "? no\n\n")]
    assert refusal(script, Unit("case", 1, 1, exchanges, 0.0)) == ""
    declined = Unit("case", 1, 1, [*exchanges, ("boardsize 7", "? unacceptable size\n\n")], 0.0)
    assert refusal(script, declined) == "the bot refuses 'boardsize 7': unacceptable size"


def test_refused_board(suite: Suite, conforming: list[Unit]) -> None:
    """A board size the bot refuses makes the case NOT-APPLICABLE, quoting the bot."""
    refused = [
        Unit("eye", 1, 8, [("boardsize 4", "? too small\n\n")], 0.0),
        *[u for u in conforming if u.case != "eye"],
    ]
    found = check(judged(suite, refused), "eye")
    assert found.verdict == Word.NOT_APPLICABLE
    assert "refuses 'boardsize 4': too small" in found.reason


def test_requirement_without_applicable_cases(suite: Suite, conforming: list[Unit]) -> None:
    """A requirement none of whose cases applies is NOT-APPLICABLE, never PASS."""
    units = [u for u in conforming if u.case != "undo"]
    verdict = judged(suite, units, commands=["ref-nodes", "ref-score"])
    assert requirement(verdict, "G12").verdict == Word.NOT_APPLICABLE


def test_requirement_without_cases(suite: Suite, conforming: list[Unit]) -> None:
    """A requirement no case asks for is INCONCLUSIVE, never PASS."""
    assert requirement(judged(suite, conforming), "G5").verdict == Word.INCONCLUSIVE


def change(units: list[Unit], case: str, sent: str, answer: Callable[[str], str]) -> list[Unit]:
    """Change what the bot answered in one case."""
    return [
        msgspec.structs.replace(
            unit, exchanges=[(s, answer(raw) if s == sent else raw) for s, raw in unit.exchanges]
        )
        if unit.case == case
        else unit
        for unit in units
    ]


def test_one_counter_example_is_enough(suite: Suite, conforming: list[Unit]) -> None:
    """A single wrong answer is a FAIL that names expected and observed, though no deviation explains it."""
    verdict = judged(suite, change(conforming, "script", "no-such-command", lambda _: "= fine\n\n"))
    assert verdict.verdict == Word.FAIL
    found = check(verdict, "script")
    assert (found.verdict, found.observed) == (Word.FAIL, "= fine")
    assert requirement(verdict, "G4").verdict == Word.FAIL


def test_failure_of_another_requirement(suite: Suite, conforming: list[Unit]) -> None:
    """What a case finds of another requirement is held against that one too."""
    verdict = judged(suite, change(conforming, "eye", "ref-score", lambda _: "= nan\n\n"))
    assert verdict.verdict == Word.FAIL
    assert requirement(verdict, "N2").verdict == Word.FAIL


def test_case_the_suite_does_not_have(suite: Suite, conforming: list[Unit]) -> None:
    """Evidence of an older suite, with a case there is no more, is refused by name."""
    with pytest.raises(EvidenceError, match="case-of-long-ago"):
        judged(suite, conforming, cases=[*suite.cases, "case-of-long-ago"])


def test_unit_the_suite_does_not_have(suite: Suite, conforming: list[Unit]) -> None:
    """A unit of a case there is no more is left aside."""
    units = [*conforming, Unit("case-of-long-ago", 1, 8, [], 0.0)]
    assert judged(suite, units).verdict == Word.INCONCLUSIVE


def test_suite_that_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every interval is inside its tolerance and every deviation of the catalogue excluded, the bot
    passes; a lenient reading makes it NON-STRICT, and so does a difference, of which no part is a FAIL.
    """
    cases = {
        "eye": EYE.replace("nodes = 2", "nodes = 2\nlenient_nodes = 3"),
        "script": SCRIPT,
        "sample": SAMPLE,
    }
    shown = ("one-pass-ends", "unknown-accepted", "cap-from-playout")
    limit_catalogue(monkeypatch, shown)
    suite = make_suite(tmp_path, cases, [BY_NAME[name] for name in shown])
    # What no case asks for forbids a PASS: the requirements are those of the three cases.
    suite = replace(suite, requirements={name: suite.requirements[name] for name in ("R2", "R4", "G4")})
    suite = suite.for_level("standard")
    path = tmp_path / "tables" / "exact.json"
    table = msgspec.json.decode(path.read_bytes(), type=ExactTable)
    often = {
        case: {name: (passed * 5000, runs * 5000) for name, (passed, runs) in rates.items()}
        for case, rates in table.passes.items()
    }
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(table, passes=often)))
    units = ask(suite, SPEC, 1)
    units += [u for seed in range(2, 12) for u in ask(suite, SPEC, seed) if u.case == "sample"]
    verdict = judged(suite, units)
    assert (verdict.verdict, verdict.not_excluded) == (Word.PASS, []), verdict.reason
    lenient = judged(suite, change(units, "eye", "ref-nodes", lambda _: "= 24\n\n"))
    assert lenient.verdict == Word.NON_STRICT
    assert lenient.reason.startswith("another reading of R4")
    longer = judged(suite, change(units, "sample", "ref-nodes", lambda raw: f"= {int(raw[2:]) + 32}\n\n"))
    assert longer.reason.startswith("differs (e-value 10^")
    assert (longer.verdict, check(longer, "sample").verdict) == (Word.NON_STRICT, Word.NON_STRICT)
    assert Word.FAIL not in {one.verdict for one in longer.requirements}
