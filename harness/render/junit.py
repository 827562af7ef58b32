"""Runs as JUnit XML, for build servers.

A requirement is a suite and each of its checks a case; in ``refbot check``, a section is a suite and each of
its steps a case.  A document is red (a failure or an error) exactly if the exit status of the command is not
0: INCONCLUSIVE is skipped where it stands, but an error in the run's first case, so that a run without a
result never looks like success.
"""

from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree as ET

from harness.judging.verdict import Check, RequirementVerdict, StepVerdict
from harness.records.evidence import Unit
from harness.records.ledger import OUTSIDE
from harness.render.counterexample import check_text, exchange_lines, facts, step_text
from harness.render.xunit import (
    add_case,
    add_outcome,
    add_output,
    add_properties,
    add_suite,
    finish,
    new_root,
)
from harness.report.judged_run import JudgedRun, names_of
from harness.word import UNJUDGED, Word


def render_junit(judged_runs: Sequence[JudgedRun], *, strict: bool = False) -> bytes:
    """Return the document: for each run a suite for its word, then those of its requirements or sections.

    Args:
        judged_runs: the runs.
        strict: whether NON-STRICT counts as a failure, as it does for the exit status.
    """
    root = new_root("refbot")
    for who, judged_run in zip(names_of(judged_runs), judged_runs, strict=True):
        _add_whole(root, who, judged_run, strict=strict)
        if judged_run.verdict.steps:
            for title, steps in groupby(judged_run.verdict.steps, key=lambda step: step.section):
                suite = _suite(root, f"{who}: {title}", judged_run)
                for step in steps:
                    _add_step(suite, f"{who}.{title}", step, judged_run, strict=strict)
            continue
        for requirement in judged_run.verdict.requirements:
            _add_requirement(root, who, requirement, judged_run, strict=strict)
    return finish(root)


def _suite(root: ET.Element, name: str, judged_run: JudgedRun) -> ET.Element:
    header = judged_run.evidence.header
    return add_suite(
        root, name, package=judged_run.verdict.bot.name, timestamp=header.started, hostname=header.host
    )


def _add_whole(root: ET.Element, who: str, judged_run: JudgedRun, *, strict: bool) -> None:
    """Add the case that stands for the run's word, and so for the exit status."""
    verdict = judged_run.verdict
    suite = _suite(root, who, judged_run)
    add_properties(suite, facts(judged_run))
    other_seconds = sum(unit.seconds for unit in judged_run.evidence.units if unit.case in OUTSIDE)
    case = add_case(suite, who, f"refbot {verdict.command}, level {verdict.level}", other_seconds)
    kind = _kind(verdict.verdict, strict=strict)
    if verdict.verdict == Word.INCONCLUSIVE:
        kind = "error"
    text = "\n".join(
        f"{s.requirement} {s.deviation}: {s.about} ({s.refuted or f'probability {s.probability:.3f}'})"
        for s in verdict.diagnosis
    )
    _add(case, kind, verdict.verdict, verdict.reason, text)
    _add_last_words(case, judged_run.units(*OUTSIDE))


def _add_step(
    suite: ET.Element, classname: str, step: StepVerdict, judged_run: JudgedRun, *, strict: bool
) -> None:
    seconds = sum(judged_run.seconds(name) for name in step.cases)
    case = add_case(suite, classname, f"{step.clause} {step.title}", seconds)
    _add(case, _kind(step.verdict, strict=strict), step.verdict, step.reason, step_text(judged_run, step))
    _add_last_words(case, judged_run.units(*step.cases))


def _add_requirement(
    root: ET.Element, who: str, requirement: RequirementVerdict, judged_run: JudgedRun, *, strict: bool
) -> None:
    suite = _suite(root, f"{who}: {requirement.id}", judged_run)
    add_properties(suite, {"clause": judged_run.suite.requirements[requirement.id].clause.strip()})
    classname = f"{who}.{requirement.id}"
    case = add_case(suite, classname, requirement.id, 0.0)
    _add(case, _kind(requirement.verdict, strict=strict), requirement.verdict, requirement.reason)
    for check in requirement.checks:
        _add_check(suite, classname, check, judged_run, strict=strict)


def _add_check(
    suite: ET.Element, classname: str, check: Check, judged_run: JudgedRun, *, strict: bool
) -> None:
    case = add_case(suite, classname, check.case, judged_run.seconds(check.case))
    units = judged_run.units(check.case)
    broken = next((unit.broken for unit in units if unit.broken is not None), None)
    kind = _kind(check.verdict, strict=strict)
    if broken is not None and kind != "failure":
        add_outcome(case, "error", broken.word, broken.sentence, "\n".join(exchange_lines(units[-1])))
    else:
        is_detailed = kind == "failure" or check.verdict == Word.NON_STRICT
        text = check_text(judged_run, check) if is_detailed else ""
        _add(case, kind, check.verdict, check.reason, text)
    _add_last_words(case, units)


def _add_last_words(case: ET.Element, units: Sequence[Unit]) -> None:
    for unit in units:
        if unit.broken is not None and unit.broken.stderr_tail:
            add_output(case, unit.broken.stderr_tail, is_error=True)
            return


def _add(case: ET.Element, kind: str, word: str, reason: str, text: str = "") -> None:
    message = f"{word}: {reason}" if reason else word
    if kind:
        add_outcome(case, kind, word, message, text)
    elif word != Word.PASS:
        add_output(case, f"{message}\n\n{text}" if text else message)


def _kind(word: str, *, strict: bool) -> str:
    """Return JUnit's name for a word; empty if it passed."""
    match Word(word):
        case Word.PASS:
            return ""
        case Word.NON_STRICT:
            return "failure" if strict else ""
        case Word.FAIL:
            return "failure"
        case Word.INCONCLUSIVE | Word.NOT_APPLICABLE:
            return "skipped"
        case other:
            assert other in {*UNJUDGED, Word.ERROR}  # noqa: S101 - the words are a closed set
            return "error"
