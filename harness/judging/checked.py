"""The steps of a check, judged: from evidence to one word each, and one for the whole.  Pure.

A step is what its cases are, or, where the checklist says so, what else was seen.  A step that could not be
taken says why; that another one failed changes nothing.
"""

from collections.abc import Iterator
from typing import Final

from harness.bots.wire import printable
from harness.cases.case import Case
from harness.cases.checklist import CheckStep
from harness.cases.suite import Suite
from harness.judging.awaited import awaited, unanswered
from harness.judging.exact import ORPHANS, read_answers, score_digits, unasked
from harness.judging.finding import Finding
from harness.judging.replayed import board_before
from harness.judging.verdict import StepFault, StepVerdict
from harness.judging.weights import REFUSES, idle, missing, refusal
from harness.records.evidence import Evidence, Unit
from harness.records.handshake import HANDSHAKE, LINES
from harness.tables.tables import Tables
from harness.word import UNJUDGED, Word

_UNASKED: Final = {
    Word.FAIL: "one response to each command",
    Word.NON_STRICT: "nothing on standard output but responses; text for people goes to stderr",
}
"""What is expected of a bot that prints what it was not asked for, by the word of that."""
_ORDER: Final = (Word.FAIL, *sorted(UNJUDGED), Word.INCONCLUSIVE, Word.NON_STRICT, Word.PASS)
"""The word of a step is the first of these that anything in it has."""


def check_steps(suite: Suite, tables: Tables, evidence: Evidence) -> list[StepVerdict]:
    """Return how every step ended.

    Args:
        suite: one made for level check.
        tables: what decides whether a case is of use at a bot's own number of playouts.
        evidence: of a check.
    """
    return [
        _Step(step, suite, tables, evidence).verdict(number)
        for number, step in enumerate(suite.checklist, start=1)
    ]


def overall(steps: list[StepVerdict]) -> tuple[Word, str]:
    """Return the word of a whole check, and the sentence that says why."""
    by_word: dict[str, list[StepVerdict]] = {}
    for step in steps:
        by_word.setdefault(step.verdict, []).append(step)
    word = next((word for word in _ORDER if word in by_word), Word.ERROR)
    skipped = by_word.get(Word.NOT_APPLICABLE, [])
    if word is Word.FAIL:
        failed = by_word[word]
        broken = [s for s in steps if s.verdict in UNJUDGED]
        also = f"; could not be judged: {_named(broken)}" if broken else ""
        return word, f"{len(failed)} of {len(steps)} steps failed: {_named(failed)}{also}"
    if word in UNJUDGED:
        where = [step for step in steps if step.verdict in UNJUDGED]
        return Word(where[0].verdict), f"{where[0].reason} (step {_named(where)})"
    refused = [step for step in skipped if step.reason.startswith(REFUSES)]
    if refused and word is not Word.INCONCLUSIVE:
        # A bot that was not asked has shown nothing.
        taken = len(steps) - len(skipped)
        why = f"{len(refused)} could not be judged: {_named(refused)} ({refused[0].reason})"
        return Word.INCONCLUSIVE, f"{taken} of {len(steps)} steps passed, {why}"
    if word is Word.INCONCLUSIVE:
        return word, f"{len(by_word[word])} steps were not taken in whole: {_named(by_word[word])}"
    passed = f"{len(steps) - len(skipped)} of {len(steps)} steps passed"
    if skipped:
        passed += f", {len(skipped)} do not apply: {_named(skipped)} ({skipped[0].reason})"
    if word is Word.NON_STRICT:
        return word, f"{passed}; but {by_word[word][0].reason}"
    return word, f"{passed}; nothing was said about the playouts"


def _named(steps: list[StepVerdict]) -> str:
    return ", ".join(f"{step.number} {step.name}" for step in steps)


class _Step:
    """One step under judgement."""

    def __init__(self, step: CheckStep, suite: Suite, tables: Tables, evidence: Evidence) -> None:
        self._step = step
        self._suite = suite
        self._tables = tables
        self._evidence = evidence
        self._names = [name for name in (*step.cases, *step.private) if name in evidence.header.cases]
        self._units = [unit for unit in evidence.units if unit.case in self._names]
        self._digits = score_digits(evidence.units)
        self._faults: list[StepFault] = []

    def verdict(self, number: int) -> StepVerdict:
        """Return how the step ended."""
        step = self._step
        self._faults += self._in_the_handshake()
        for unit in self._units:
            self._faults += self._in_unit(self._suite.cases[unit.case], unit)
        if step.looks_at == "output":
            self._faults += self._output()
        elif step.looks_at == "end":
            self._faults += self._end()
        words = {fault.verdict for fault in self._faults}
        not_taken = self._not_taken()
        if not_taken:
            words.add(Word.INCONCLUSIVE)
        word = next((word for word in _ORDER if word in words), None)
        reason = ""
        if word is Word.INCONCLUSIVE:
            reason = not_taken
        elif word is not None:
            self._faults.sort(key=lambda fault: _ORDER.index(Word(fault.verdict)))
            reason = _reason(self._faults[0])
        else:
            word, reason = self._without_fault()
        return StepVerdict(number, step.name, step.title, str(word), reason, self._names, self._faults)

    def _without_fault(self) -> tuple[Word, str]:
        skips = [self._skip(name) for name in self._names]
        if self._step.looks_at or not skips or not all(skips):
            return Word.PASS, ""
        return Word.NOT_APPLICABLE, skips[0]

    def _skip(self, name: str) -> str:
        """Return why a case does not apply to this bot, or nothing."""
        case, commands = self._suite.cases[name], self._evidence.header.bot.commands
        if reason := missing(case, commands) or idle(case, self._tables):
            return reason
        return next((r for unit in self._units if unit.case == name and (r := refusal(case, unit))), "")

    def _not_taken(self) -> str:
        """Return why something of the step was not asked, or nothing."""
        asked = {unit.case for unit in self._units}
        waiting = [name for name in self._names if name not in asked and not self._skip(name)]
        first = self._evidence.units[0] if self._evidence.units else None
        if first is not None and first.broken is not None:
            done = len(first.exchanges)
            is_taken = self._step.looks_at == "start" or self._step.handshake in LINES[:done]
            return "" if is_taken else "not taken: the bot did not get through the steps before"
        if not self._names and not self._step.looks_at:
            return "not asked for"
        if not waiting:
            return ""
        silent = sorted(
            name
            for unit in self._evidence.units
            if unit.case in self._suite.cases
            for name in unanswered(self._suite.cases[unit.case], unit)
        )
        why = f", since {' and '.join(dict.fromkeys(silent))} had not been answered" if silent else ""
        which = "" if not asked else f": {', '.join(waiting)}"
        return f"not asked{why}{which}"

    def _in_the_handshake(self) -> Iterator[StepFault]:
        for unit in self._evidence.units:
            if unit.case != HANDSHAKE or unit.broken is None:
                continue
            line = LINES[min(len(unit.exchanges), len(LINES) - 1)]
            is_start = not unit.exchanges
            if (self._step.looks_at == "start") if is_start else (self._step.handshake == line):
                yield self._broken(HANDSHAKE, line, unit)

    def _in_unit(self, case: Case, unit: Unit) -> Iterator[StepFault]:
        if refusal(case, unit):
            if unit.broken is not None:
                yield self._broken(case.id, awaited(case, unit), unit)
            return
        # What came unasked is told by the step about the output, once, and not by every other step too.
        findings = read_answers(case, unit, self._digits).findings
        for finding in findings:
            yield _fault(finding, unit)
        if unit.broken is not None and not findings:
            yield self._broken(case.id, awaited(case, unit), unit)

    def _broken(self, name: str, line: str, unit: Unit) -> StepFault:
        assert unit.broken is not None  # noqa: S101 - the callers have looked
        exchanges = [*unit.exchanges, (line, "")]
        expected = f"{printable(line)!r} is answered"
        board = board_before(exchanges)
        asked = "" if name == HANDSHAKE else name
        requirement = self._suite.cases[name].requirement if asked else self._step.requirement
        return StepFault(
            asked, requirement, unit.broken.word, expected, unit.broken.sentence, exchanges, board
        )

    def _output(self) -> list[StepFault]:
        """Return the first of each kind of what the bot printed without being asked."""
        found: dict[Word, StepFault] = {}
        for unit in self._evidence.units:
            for word, note in unasked(self._suite.cases.get(unit.case), unit):
                name = "" if unit.case == HANDSHAKE else unit.case
                found.setdefault(
                    word, StepFault(name, self._step.requirement, str(word), _UNASKED[word], note)
                )
        return list(found.values())

    def _end(self) -> Iterator[StepFault]:
        """Yield what no clause forbids in so many words, and what those who start bots suffer from."""
        if unit := next((unit for unit in self._units if ORPHANS in unit.notes), None):
            expected, word = "every process the bot started leaves with it", str(Word.NON_STRICT)
            yield StepFault(unit.case, self._step.requirement, word, expected, f"it {ORPHANS}")


def _fault(finding: Finding, unit: Unit) -> StepFault:
    shown = unit.exchanges if finding.exchange is None else unit.exchanges[: finding.exchange + 1]
    board = board_before(shown)
    return StepFault(
        unit.case,
        finding.requirement,
        str(finding.word),
        finding.expected,
        finding.observed,
        list(shown),
        board,
    )


def _reason(fault: StepFault) -> str:
    if Word(fault.verdict) in UNJUDGED:
        return fault.observed
    return f"expected {fault.expected}; got {fault.observed}"
