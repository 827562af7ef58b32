"""Runs as JUnit XML, for build servers: a suite a requirement, a case a check; of a check, a case a step.

Shows verdicts; judges nothing.  A document is red (a failure or an error) exactly where the command's exit
status is not 0: what is INCONCLUSIVE is skipped in its place and an error in the run's first case, so that
a run which showed nothing never looks like success.
"""

from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree import ElementTree as ET

from harness.judging.account import Account, names_of
from harness.judging.verdict import Check, Estimate, RequirementVerdict, StepVerdict
from harness.records.evidence import Unit
from harness.records.ledger import OUTSIDE
from harness.render.check import fault_lines
from harness.render.terminal import failure_lines
from harness.render.xunit import (
    add_case,
    add_outcome,
    add_output,
    add_properties,
    add_suite,
    finish,
    new_root,
)
from harness.word import UNJUDGED, Word

SHOWN: Final = 40
"""Exchanges shown of a unit, the last ones."""
_COLUMN: Final = 20
"""Characters of a line sent, before what came."""


def render_junit(accounts: Sequence[Account], *, strict: bool = False) -> bytes:
    """Return the document: for each run one suite for its word, then those of its requirements or steps.

    Args:
        accounts: the runs.
        strict: NON-STRICT counts as a failure, as it does for the exit status.
    """
    root = new_root("refbot")
    for who, account in zip(names_of(accounts), accounts, strict=True):
        _add_whole(root, who, account, strict=strict)
        if account.verdict.steps:
            suite = _suite(root, f"{who}: steps", account)
            for step in account.verdict.steps:
                _add_step(suite, f"{who}.steps", step, account, strict=strict)
            continue
        for requirement in account.verdict.requirements:
            _add_requirement(root, who, requirement, account, strict=strict)
    return finish(root)


def facts(account: Account) -> dict[str, str]:
    """Return what identifies a run and what it was judged by, as text."""
    verdict, bot = account.verdict, account.verdict.bot
    return {
        "bot": bot.name,
        "command": bot.command,
        "gtp name": bot.gtp_name,
        "gtp version": bot.version,
        "level": verdict.level,
        "playouts": str(verdict.playouts),
        "genmoves": str(verdict.genmoves),
        "started": account.evidence.header.started,
        "refbot": verdict.refbot,
        "suite version": verdict.suite.version,
        "digest of the evidence": verdict.evidence,
        "digest of its header and footer": verdict.frame,
        "digest of the suite": verdict.suite.digest,
        "digest of the tables": verdict.suite.tables,
        "digest of the engine": verdict.engine,
        "digest of the bot's program": bot.executable_digest,
    }


def check_text(account: Account, check: Check) -> str:
    """Return all about a check that did not pass: board, expected and observed, estimates, exchanges."""
    case = account.case(check.case)
    lines = [] if case is None else failure_lines(check, case, account.verdict.bot)
    lines += [f"measured  {estimate_text(e)}" for e in check.estimates]
    unit = account.witness(check)
    return "\n".join([*lines, *(_exchange_lines(unit) if unit else [])])


def estimate_text(e: Estimate) -> str:
    """Return a measured mean beside its reference in words."""
    measured = f"{e.quantity} {e.value:.4f} +- {e.radius:.4f} {e.unit}"
    return f"{measured}, reference {e.reference:.4f}, tolerance {e.tolerance:g}, {e.playouts} playouts"


def step_text(account: Account, step: StepVerdict) -> str:
    """Return all about a step that did not pass: every fault of it."""
    return "\n\n".join("\n".join(fault_lines(step, fault, account.suite)) for fault in step.faults)


def _exchange_lines(unit: Unit) -> Iterator[str]:
    left_out = len(unit.exchanges) - SHOWN
    yield ""
    yield f"sent to process {unit.process}, and what came"
    if left_out > 0:
        yield f"({left_out} exchanges before these)"
    for sent, raw in unit.exchanges[-SHOWN:]:
        *before, last = sent.split("\n")
        first, *others = raw.rstrip("\n").split("\n")
        yield from (f"> {line}" for line in before)
        yield f"> {last:<{_COLUMN}} {first}"
        yield from others


def _suite(root: ET.Element, name: str, account: Account) -> ET.Element:
    header = account.evidence.header
    return add_suite(root, name, package=header.bot.name, timestamp=header.started, hostname=header.host)


def _add_whole(root: ET.Element, who: str, account: Account, *, strict: bool) -> None:
    """Add the case that stands for the run's word, and with it for the exit status."""
    verdict = account.verdict
    suite = _suite(root, who, account)
    add_properties(suite, facts(account))
    around = sum(unit.seconds for unit in account.evidence.units if unit.case in OUTSIDE)
    case = add_case(suite, who, f"refbot {verdict.command}, level {verdict.level}", around)
    kind = _kind(verdict.verdict, strict=strict)
    if verdict.verdict == Word.INCONCLUSIVE:
        kind = "error"
    text = "\n".join(
        f"{s.requirement} {s.deviation}: {s.about} (log10 Bayes factor {s.log10_bayes_factor:.1f})"
        for s in verdict.diagnosis
    )
    _add(case, kind, verdict.verdict, verdict.reason, text)
    for unit in account.evidence.units:
        if unit.case in OUTSIDE and unit.broken is not None and unit.broken.stderr_tail:
            add_output(case, unit.broken.stderr_tail, is_error=True)


def _add_step(
    suite: ET.Element, classname: str, step: StepVerdict, account: Account, *, strict: bool
) -> None:
    seconds = sum(account.seconds(name) for name in step.cases)
    case = add_case(suite, classname, f"{step.number:02} {step.title}", seconds)
    _add(case, _kind(step.verdict, strict=strict), step.verdict, step.reason, step_text(account, step))
    _add_last_words(case, [unit for name in step.cases for unit in account.units(name)])


def _add_requirement(
    root: ET.Element, who: str, requirement: RequirementVerdict, account: Account, *, strict: bool
) -> None:
    suite = _suite(root, f"{who}: {requirement.id}", account)
    add_properties(suite, {"clause": account.suite.requirements[requirement.id].clause.strip()})
    classname = f"{who}.{requirement.id}"
    case = add_case(suite, classname, requirement.id, 0.0)
    _add(case, _kind(requirement.verdict, strict=strict), requirement.verdict, requirement.reason)
    for check in requirement.checks:
        _add_check(suite, classname, check, account, strict=strict)


def _add_check(suite: ET.Element, classname: str, check: Check, account: Account, *, strict: bool) -> None:
    case = add_case(suite, classname, check.case, account.seconds(check.case))
    units = account.units(check.case)
    broken = next((unit.broken for unit in units if unit.broken is not None), None)
    kind = _kind(check.verdict, strict=strict)
    if broken is not None and kind != "failure":
        add_outcome(case, "error", broken.word, broken.sentence, "\n".join(_exchange_lines(units[-1])))
    else:
        is_told = kind == "failure" or check.verdict == Word.NON_STRICT
        text = check_text(account, check) if is_told else ""
        _add(case, kind, check.verdict, check.reason, text)
    _add_last_words(case, units)


def _add_last_words(case: ET.Element, units: Sequence[Unit]) -> None:
    for unit in units:
        if unit.broken is not None and unit.broken.stderr_tail:
            add_output(case, unit.broken.stderr_tail, is_error=True)
            return


def _add(case: ET.Element, kind: str, word: str, reason: str, text: str = "") -> None:
    said = f"{word}: {reason}" if reason else word
    if kind:
        add_outcome(case, kind, word, said, text)
    elif word != Word.PASS:
        add_output(case, f"{said}\n\n{text}" if text else said)


def _kind(word: str, *, strict: bool) -> str:
    """Return how JUnit calls a word of ours; nothing for what has passed."""
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
