"""The verdict of a check: from evidence to one word for each step, and one for the whole.  Pure.

A step is what its cases are, or, where the checklist says so, what else was seen.  A step that could not be
taken says why; that another one failed changes nothing.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from harness.bots.limits import command_name
from harness.bots.wait import OUTSIDE, SURPLUS
from harness.bots.wire import quote
from harness.cases.case import Case
from harness.cases.checklist import REQUIRED, CheckStep
from harness.cases.suite import Suite
from harness.judging.exact import read_answers, score_digits, unasked
from harness.judging.finding import Finding
from harness.judging.replayed import board_before
from harness.judging.results import declined, remarks
from harness.judging.run_assessment import REFUSES, idle, missing, refusal
from harness.judging.script import ORPHANS
from harness.judging.unanswered import awaited_line, command_names, unanswered_commands
from harness.judging.verdict import StepFault, StepVerdict
from harness.records.evidence import Evidence, Unit
from harness.records.handshake import HANDSHAKE, LINES, SIZES
from harness.tables.tables import Tables
from harness.word import SEVERITY, UNJUDGED, Word, gravest

_UNASKED: Final = {
    Word.FAIL: "one response to each command",
    Word.NON_STRICT: "nothing on standard output but responses; text for people goes to stderr",
}
"""What is expected of a bot that prints without being asked, by the verdict word of doing so."""
_WRONG: Final = (Word.FAIL, *UNJUDGED)
NOT_JUDGED: Final = "not judged"
"""Prefix of the reason of a clause that was not judged."""
NOT_CHOSEN: Final = "not asked for"
"""The reason of a clause that was not among those chosen on the command line."""
_LISTED: Final = "required-commands"
"""The clause that a missing required command is charged to."""
_MANY: Final = 8
"""Largest number of clauses that one sentence names."""


def check_steps(suite: Suite, tables: Tables, evidence: Evidence) -> list[StepVerdict]:
    """Return how every step ended, each fault charged once.

    Args:
        suite: one made for level check, on the boards that the bot accepts.
        tables: what decides whether a case is of use at a bot's own number of playouts.
        evidence: of a check.
    """
    steps = [
        _Step(step, suite, tables, evidence).verdict(number)
        for number, step in enumerate(suite.checklist, start=1)
    ]
    return [_on_what_it_stands(step, place, steps, suite) for place, step in enumerate(steps)]


def _on_what_it_stands(step: StepVerdict, place: int, steps: list[StepVerdict], suite: Suite) -> StepVerdict:
    """Return a step unchanged, or as not judged if a clause that it depends on is broken."""
    if step.verdict not in _WRONG:
        return step
    own = next(clause for clause in suite.checklist if clause.name == step.name)
    sent = set().union(*(command_names(suite.cases[name]) for name in step.cases)) - {own.first_of}
    # A crash or time-out counts here, unless the clause that tries the command first ended in one, too.
    wrong = UNJUDGED if step.verdict in UNJUDGED else _WRONG
    broken = {s.name: number for number, s in enumerate(steps) if s.verdict in wrong}
    for clause in suite.checklist:
        is_first = clause.first_of in sent and broken.get(clause.name, place) < place
        if clause.name in broken and (clause.name in own.presupposes or is_first):
            reason = f"{NOT_JUDGED}: it stands on {clause.id} {clause.name}, which is broken"
            return msgspec.structs.replace(step, verdict=str(Word.INCONCLUSIVE), reason=reason, faults=[])
    return step


def overall(steps: list[StepVerdict]) -> tuple[Word, str]:
    """Return the word of a whole check, and the sentence that says why.

    A PASS needs every clause that applies to the bot to have been asked and kept.
    """
    left_out = sum(step.reason == NOT_CHOSEN for step in steps)
    steps = [step for step in steps if step.reason != NOT_CHOSEN]
    by_word: dict[str, list[StepVerdict]] = {}
    for step in steps:
        by_word.setdefault(step.verdict, []).append(step)
    # Steps that do not apply say nothing about the bot; with no others, nothing was checked.
    word = gravest(by_word.keys() - {Word.NOT_APPLICABLE}) or Word.ERROR
    open_ = by_word.get(Word.INCONCLUSIVE, [])
    counts = count_of(steps)
    if word is Word.FAIL:
        stopped = [s for s in steps if s.verdict in UNJUDGED]
        also = f"; and {stopped[0].verdict}: {_named(stopped)}" if stopped else ""
        return word, f"{counts}; failed: {_named(by_word[word])}{also}"
    if word in UNJUDGED:
        stopped = [s for s in steps if s.verdict in UNJUDGED]
        return Word(stopped[0].verdict), f"{counts}; {stopped[0].reason} ({_named(stopped)})"
    if word is Word.INCONCLUSIVE:
        return word, f"{counts}; {open_[0].reason} ({_named(open_)})"
    if left_out:
        return Word.INCONCLUSIVE, f"{counts}; the other {left_out} were not asked for"
    if word is Word.NON_STRICT:
        return word, f"{counts}; but {by_word[word][0].reason}"
    is_reference = any(step.verdict == Word.PASS for step in steps if step.clause.startswith("reference/"))
    return word, f"{counts}; nothing was said about the playouts" if is_reference else counts


def count_of(steps: list[StepVerdict]) -> str:
    """Return how many clauses were kept of those that apply, and how many were not asked, for one line."""
    words = [Word(step.verdict) for step in steps]
    absent, open_ = words.count(Word.NOT_APPLICABLE), words.count(Word.INCONCLUSIVE)
    if absent == len(words):
        return f"not offered ({absent} clause{'s' * (absent != 1)})"
    text = "{} of {} clauses kept".format(*kept_of(steps))
    text += f", {open_} not judged" if open_ else ""
    return text + (f", {absent} not offered" if absent else "")


def kept_of(steps: list[StepVerdict]) -> tuple[int, int]:
    """Return how many clauses were kept, and how many of those asked for apply to the bot."""
    words = [Word(step.verdict) for step in steps if step.reason != NOT_CHOSEN]
    kept = sum(word in (Word.PASS, Word.NON_STRICT) for word in words)
    return kept, len(words) - words.count(Word.NOT_APPLICABLE)


def _named(steps: list[StepVerdict]) -> str:
    shown = ", ".join(f"{step.clause} {step.name}" for step in steps[:_MANY])
    return shown + (f" and {len(steps) - _MANY} more" if len(steps) > _MANY else "")


class _Step:
    """A step while its word is being found."""

    def __init__(self, step: CheckStep, suite: Suite, tables: Tables, evidence: Evidence) -> None:
        self._step = step
        self._suite = suite
        self._tables = tables
        self._evidence = evidence
        self._names = [name for name in step.all_cases if name in evidence.header.cases]
        self._units = [unit for unit in evidence.units if unit.case in self._names]
        self._digits = score_digits(evidence.units)
        self._faults: list[StepFault] = []
        self._is_in_part = len(evidence.header.cases) < len(suite.cases)
        """Whether only a part of the checklist was asked for."""
        self._open: list[str] = []
        """Reasons why a part of the step could not be judged."""

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
        elif step.looks_at == "sizes":
            self._faults += self._sizes()
        self._open += [reason for reason in [self._not_taken()] if reason]
        words = {fault.verdict for fault in self._faults}
        if self._open:
            words.add(Word.INCONCLUSIVE)
        word = gravest(words)
        if word is Word.INCONCLUSIVE:
            reason = self._open[0]
        elif word is not None:
            self._faults.sort(key=lambda fault: SEVERITY.index(Word(fault.verdict)))
            reason = _reason(self._faults[0])
        else:
            word, reason = self._without_fault()
            if word is Word.PASS and not self._names and self._is_in_part:
                word, reason = Word.INCONCLUSIVE, NOT_CHOSEN
        return StepVerdict(
            number,
            step.name,
            step.title,
            str(word),
            reason,
            self._names,
            self._faults,
            self._suite.checklist.section_of(step.name).title,
            step.id,
            self._remarks(),
        )

    def _remarks(self) -> list[str]:
        found = [text for unit in self._units for text in remarks(self._suite.cases[unit.case], unit)]
        return list(dict.fromkeys(found))

    def _without_fault(self) -> tuple[Word, str]:
        skips = [self._skip(name) for name in self._names]
        if self._step.looks_at or not skips or not all(skips):
            return Word.PASS, ""
        is_without_board = (
            self._evidence.header.bot.sizes == [] and self._suite.cases[self._names[0]].file.unfit
        )
        if is_without_board or skips[0].startswith(REFUSES):
            return Word.INCONCLUSIVE, f"{NOT_JUDGED}: {skips[0]}"
        return Word.NOT_APPLICABLE, skips[0]

    def _skip(self, name: str) -> str:
        """Return the reason why a case does not apply to this bot; empty if it applies."""
        case, commands = self._suite.cases[name], self._evidence.header.bot.commands
        if reason := missing(case, commands) or idle(case, self._tables):
            return reason
        units = [unit for unit in self._units if unit.case == name]
        return next((r for unit in units if (r := refusal(case, unit) or declined(case, unit))), "")

    def _not_taken(self) -> str:
        """Return the reason why a part of the step was not asked; empty if all was."""
        asked = {unit.case for unit in self._units}
        waiting = [name for name in self._names if name not in asked and not self._skip(name)]
        first = self._evidence.units[0] if self._evidence.units else None
        if first is not None and first.broken is not None:
            done = len(first.exchanges)
            is_taken = self._step.looks_at == "start" or self._step.handshake in LINES[:done]
            return "" if is_taken else f"{NOT_JUDGED}: the bot did not get through the steps before"
        if not self._names and not self._step.looks_at:
            return NOT_CHOSEN
        if not waiting:
            return ""
        silent = sorted(
            name
            for unit in self._evidence.units
            if unit.case in self._suite.cases
            for name in unanswered_commands(self._suite.cases[unit.case], unit)
        )
        why = f", since {' and '.join(dict.fromkeys(silent))} had not been answered" if silent else ""
        which = "" if not asked else f": {', '.join(waiting)}"
        return f"{NOT_JUDGED}{why}{which}"

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
                yield self._broken(case.id, _unanswered_line(case, unit), unit)
            return
        shifted = [note for note in unit.notes if note.startswith(SURPLUS)]
        if shifted and not case.expects_silence and not self._step.whole:
            self._open.append(f"{NOT_JUDGED}: a command had more than one reply ({shifted[0]})")
            return
        # A bot that always writes beside its replies did not cut this reply in two by an empty line.
        kinds = (SURPLUS,) if self._writes_outside() else (OUTSIDE, SURPLUS)
        stray = [note for note in unit.notes if note.startswith(kinds)]
        if self._step.whole and stray:
            expected = "one response to each command, without an empty line in it"
            yield StepFault(case.id, self._step.id, str(Word.FAIL), expected, stray[0], list(unit.exchanges))
            return
        # Unasked output is reported once, by the step about the output, and not by every other step.
        findings = read_answers(case, unit, self._digits).findings
        for finding in findings:
            if lacking := self._lacking(finding, unit):
                self._open.append(f"{NOT_JUDGED}: the bot does not list {lacking}, which is required")
                return
            yield self._fault(finding, unit)
        if unit.broken is not None and not findings:
            yield self._broken(case.id, _unanswered_line(case, unit), unit)

    def _writes_outside(self) -> bool:
        """Whether the bot wrote lines outside its replies while the boards were tried."""
        units = (unit for unit in self._evidence.units if unit.case == SIZES)
        return any(note.startswith(OUTSIDE) for unit in units for note in unit.notes)

    def _lacking(self, finding: Finding, unit: Unit) -> str:
        """Return the required command that was refused and is not listed: that is charged elsewhere."""
        commands = self._evidence.header.bot.commands
        if self._step.private or self._step.name == _LISTED or not commands or finding.exchange is None:
            return ""
        for sent, raw in unit.exchanges[: finding.exchange + 1]:
            name = command_name(sent)
            if raw[:1] == "?" and name in REQUIRED and name not in commands:
                return name
        return ""

    def _fault(self, finding: Finding, unit: Unit) -> StepFault:
        shown = unit.exchanges if finding.exchange is None else unit.exchanges[: finding.exchange + 1]
        requirement = finding.requirement if self._step.private else self._step.id
        return StepFault(
            unit.case,
            requirement,
            str(finding.word),
            finding.expected,
            finding.observed,
            list(shown),
            board_before(shown),
        )

    def _sizes(self) -> Iterator[StepFault]:
        units = [unit for unit in self._evidence.units if unit.case == SIZES]
        for unit in units:
            if unit.broken is not None:
                yield self._broken(SIZES, unit.broken.command or "boardsize", unit)
        commands = self._evidence.header.bot.commands
        if self._evidence.header.bot.sizes or not units or any(unit.broken for unit in units):
            return
        if commands and "boardsize" not in commands:
            self._open.append(f"{NOT_JUDGED}: the bot does not list boardsize, which is required")
            return
        expected = "boardsize accepts one of the sizes 2 to 25"
        exchanges = units[0].exchanges
        observed = exchanges[-1][1].strip() if exchanges else "nothing"
        yield StepFault("", self._step.id, str(Word.FAIL), expected, observed, list(exchanges[-1:]))

    def _broken(self, name: str, line: str, unit: Unit) -> StepFault:
        assert unit.broken is not None  # noqa: S101 - the callers have looked
        exchanges = [*unit.exchanges, (line, "")]
        expected = f"{quote(line)} is answered"
        board = board_before(exchanges)
        asked = "" if name in (HANDSHAKE, SIZES) else name
        private = self._step.private and asked
        requirement = self._suite.cases[name].requirement if private else self._step.id
        return StepFault(
            asked, requirement, unit.broken.word, expected, unit.broken.sentence, exchanges, board
        )

    def _output(self) -> list[StepFault]:
        """Return the first of each kind of what the bot printed without being asked."""
        found: dict[Word, StepFault] = {}
        whole = {step.name for step in self._suite.checklist if step.whole}
        for unit in self._evidence.units:
            if unit.case in whole:
                continue  # reported by that clause
            for word, note in unasked(self._suite.cases.get(unit.case), unit):
                name = "" if unit.case == HANDSHAKE else unit.case
                found.setdefault(word, StepFault(name, self._step.id, str(word), _UNASKED[word], note))
        return list(found.values())

    def _end(self) -> Iterator[StepFault]:
        """Yield behaviour that no clause forbids literally, but that makes a bot hard to use."""
        if unit := next((unit for unit in self._units if ORPHANS in unit.notes), None):
            expected, word = "every process the bot started leaves with it", str(Word.NON_STRICT)
            yield StepFault(unit.case, self._step.id, word, expected, f"it {ORPHANS}")


def _unanswered_line(case: Case, unit: Unit) -> str:
    """Return the line that got no answer, behind those sent with it that get none."""
    line = awaited_line(case, unit)
    sent = unit.broken.command if unit.broken is not None else ""
    return sent if sent.endswith(f"\n{line}") else line


def _reason(fault: StepFault) -> str:
    if Word(fault.verdict) in UNJUDGED:
        return fault.observed
    return f"expected {fault.expected}; got {fault.observed}"
