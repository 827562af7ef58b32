"""JUnit XML: valid, readable by others, and red exactly where the exit status is not 0."""

from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from judged_runs import HOSTILE, broken, certified, exact_cases, header, judged_run, saying, units, word_of
from junitparser import JUnitXml

from harness.render.junit import render_junit
from harness.word import Word, exit_status

SCHEMA = Path(__file__).with_name("junit.xsd")


def is_red(document: bytes) -> bool:
    """Whether a build server would call a document broken."""
    root = ET.fromstring(document)  # noqa: S314 - our own document
    return root.get("failures") != "0" or root.get("errors") != "0"


def test_documents_are_valid() -> None:
    """Checks and certificates, with and without a mistake, and hostile ones, are accepted by the schema."""
    import xmlschema

    schema = xmlschema.XMLSchema(SCHEMA)
    asked = [("", "check"), ("nodes-without-passes", "check"), ("eye-edge-as-centre", "smoke")]
    found = [certified(deviation, level)[0] for deviation, level in asked]
    crashed = judged_run([broken(HOSTILE, HOSTILE)], header(level="check"))
    schema.validate(BytesIO(render_junit([*found, saying(HOSTILE), crashed])))


def test_others_can_read_it() -> None:
    """Junitparser finds the suites with the counts and the times that we wrote."""
    found, evidence, verdict = certified("eye-edge-as-centre")
    read = JUnitXml.fromstring(render_junit([found]))

    suites = {suite.name: suite for suite in read}
    assert set(suites) == {"refbot-engine", *(f"refbot-engine: {r.id}" for r in verdict.requirements)}
    for requirement in verdict.requirements:
        suite = suites[f"refbot-engine: {requirement.id}"]
        assert suite.tests == len(requirement.checks) + 1
        assert [case.name for case in suite] == [requirement.id, *(c.case for c in requirement.checks)]
    assert read.time == pytest.approx(sum(unit.seconds for unit in evidence.units), abs=0.1)


def test_a_failure_says_what_came_and_shows_the_board() -> None:
    """A failed check has expected and observed in one line, then board, exchanges and a way to see it."""
    found, _, verdict = certified("eye-edge-as-centre")
    check = next(c for r in verdict.requirements for c in r.checks if c.verdict == "FAIL" and c.expected)
    root = ET.fromstring(render_junit([found]))  # noqa: S314 - our own document

    failure = root.find(f".//testcase[@name='{check.case}']/failure")
    assert failure is not None
    assert failure.get("message") == f"FAIL: expected {check.expected}; got {check.observed}"
    assert "\n" not in failure.get("message", "")
    for part in ("A B C", "> genmove", f"refbot certify --case {check.case}"):
        assert part in (failure.text or "")


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("word", list(Word))
def test_it_is_red_where_the_command_fails(word: Word, strict: bool) -> None:
    """A document has a failure or an error exactly where the exit status is not 0, whatever the word."""
    found = word_of(judged_run(units()), word)
    assert is_red(render_junit([found], strict=strict)) == (exit_status(word, strict=strict) != 0) or (
        # No run ends in this word; it stands for checks alone.
        word is Word.NOT_APPLICABLE
    )


def test_inconclusive_is_no_success() -> None:
    """A run that showed nothing is an error in its first case, and skipped in others."""
    found = judged_run(units())
    assert found.verdict.verdict == "INCONCLUSIVE"
    root = ET.fromstring(render_junit([found]))  # noqa: S314 - our own document

    whole = root.find("testsuite/testcase")
    assert whole is not None
    assert [(child.tag, child.get("type")) for child in whole] == [("error", "INCONCLUSIVE")]
    kinds = {child.get("type") for child in root.iter("skipped")}
    assert "INCONCLUSIVE" in kinds
    assert all(
        (child.get("message") or "").startswith(child.get("type") or "?") for child in root.iter("skipped")
    )


def test_a_crash_is_an_error() -> None:
    """The case in which a bot crashed is an error with its word, the last exchanges and the last words."""
    found = judged_run([broken("the bot fell over", "segmentation fault\x1b[0m")], header())
    root = ET.fromstring(render_junit([found]))  # noqa: S314 - our own document

    error = root.find(f".//testcase[@name='{exact_cases()[0]}']/error")
    last_words = root.find(f".//testcase[@name='{exact_cases()[0]}']/system-err")
    assert error is not None
    assert last_words is not None
    assert (error.get("type"), error.get("message")) == ("CRASH", "the bot fell over")
    assert last_words.text == r"segmentation fault\x1b[0m"


def test_steps_of_a_check() -> None:
    """A check is a suite for each section of its clauses; those that failed show their faults."""
    found, _, verdict = certified("nodes-without-passes", "check")
    root = ET.fromstring(render_junit([found]))  # noqa: S314 - our own document

    suites = root.findall("testsuite")[1:]
    assert [(suite.get("name") or "").partition(": ")[2] for suite in suites] == list(
        dict.fromkeys(step.section for step in verdict.steps)
    )
    cases = [case for suite in suites for case in suite]
    assert [case.get("name") for case in cases] == [f"{s.clause} {s.title}" for s in verdict.steps]
    failed = [case.get("name") for case in cases if case.find("failure") is not None]
    assert failed == [f"{s.clause} {s.title}" for s in verdict.steps if s.verdict == "FAIL"]
    assert len(failed) > 0


def test_bots_of_one_name_are_told_apart() -> None:
    """Two runs of bots with the same name have suites of different names."""
    same = [judged_run(units()), judged_run(units()), judged_run(units())]
    root = ET.fromstring(render_junit(same))  # noqa: S314 - our own document

    names = [suite.get("name") for suite in root]
    assert len(names) == len(set(names))
    assert {"bot", "bot (2)", "bot (3)"} <= set(names)
