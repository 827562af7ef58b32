"""The results of regression files: an outcome for each test, and the exit status of the command.

The module holds plain values and the two ways of judging an answer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from harness.bots.exchange import Exchange
from harness.tst.file import Line
from harness.word import HARNESS_STATUS, Word, exit_status


class TstOutcome(StrEnum):
    """The outcome of a test, in GNU Go's words; capitals mark the unexpected."""

    PASSED = "passed"
    UNEXPECTED_PASS = "PASSED"  # noqa: S105 - a result, not a password
    """The test is a known failure, but passed."""
    KNOWN_FAILURE = "failed"
    FAILED = "FAILED"
    IGNORED = "ignored"
    """The test is marked with ``&``: its answer is reported but not judged."""
    UNREADABLE = "unreadable"
    """The test or its expectation cannot be read, so its answer cannot be judged."""
    NOT_RUN = "not run"
    """The bot ended, hung or broke the protocol here or before; or ``--gnu`` did not see its reply."""


class Tested(msgspec.Struct, frozen=True):
    """One test and its result."""

    number: int
    line: int
    """The test's line in the file."""
    command: str
    expected: str
    """The pattern, including ``!``."""
    has_pattern: bool
    """Whether the test has a pattern; if not, any answer but an error passes."""
    outcome: TstOutcome
    answer: str = ""
    """The whole result or error message."""
    is_error: bool = False
    """Whether the bot refused the command."""
    notes: list[str] = []
    elapsed_s: float = 0.0


class Refused(msgspec.Struct, frozen=True):
    """A command that is not a test and that the bot answered with an error."""

    line: int
    command: str
    answer: str
    is_set_up: bool
    """Whether the command sets up the position, so that later tests may mean nothing."""


class Unreadable(msgspec.Struct, frozen=True):
    """A line that cannot be read and belongs to no test."""

    line: int
    text: str
    reason: str


class FileStop(msgspec.Struct, frozen=True):
    """The reason why a file was not run to its end."""

    word: Word
    line: int
    """0 if the bot failed before the first command."""
    reason: str
    stderr_tail: str = ""


class FileResult(msgspec.Struct, frozen=True):
    """The results of one file."""

    file: str
    tests: list[Tested]
    refused: list[Refused]
    stop: FileStop | None
    notes: list[str]
    elapsed_s: float
    unreadable: list[Unreadable] = []


def judge(line: Line, exchange: Exchange) -> TstOutcome:
    """Judge an answer: it passes if it is not an error and all of it matches the pattern."""
    if line.fault:
        return TstOutcome.UNREADABLE
    expectation = line.expectation
    if expectation is None:
        return TstOutcome.PASSED if exchange.success else TstOutcome.FAILED
    if expectation.is_ignored:
        return TstOutcome.IGNORED
    passed = exchange.success and expectation.accepts(exchange.text.strip())
    return _outcome(passed=passed, known_failure=expectation.is_known_failure)


def judge_as_awk(line: Line, exchange: Exchange) -> TstOutcome:
    """Judge an answer as GNU Go's own script does.

    The script sees only replies that begin with the sign, the id and a space.  It reads the first line, and
    an error's message like a result.  A test without a pattern passes if the answer is empty.  Of the marks
    after the bracket the last one counts; for anchors see ``Expectation.accepts_as_awk``.  It reads every
    expectation, but one that is not a regular expression stops it.
    """
    if re.match(r"[=?][0-9]+ ", exchange.raw) is None:
        return TstOutcome.NOT_RUN
    answer, expectation = first_line(exchange.text), line.expectation
    if expectation is None:
        return _outcome(passed=not answer, known_failure=False)
    if expectation.marks.endswith("&"):
        return TstOutcome.IGNORED
    try:
        passed = expectation.accepts_as_awk(answer)
    except (re.error, OverflowError, RecursionError):
        return TstOutcome.UNREADABLE
    return _outcome(passed=passed, known_failure=expectation.is_known_failure)


def tested(line: Line, number: int, exchange: Exchange, outcome: TstOutcome) -> Tested:
    """Return the result of a test that was answered."""
    faults = [line.fault] if outcome is TstOutcome.UNREADABLE else []
    return Tested(
        number=number,
        line=line.place,
        command=shown_command(line),
        expected=_pattern(line),
        has_pattern=line.expectation is not None,
        outcome=outcome,
        answer=exchange.text,
        is_error=not exchange.success,
        notes=[*faults, *exchange.notes],
        elapsed_s=round(exchange.elapsed_s, 6),
    )


def not_run(line: Line, number: int) -> Tested:
    """Return the result of a test that was not answered."""
    has_pattern = line.expectation is not None
    return Tested(number, line.place, shown_command(line), _pattern(line), has_pattern, TstOutcome.NOT_RUN)


def not_sent(line: Line, number: int) -> Tested:
    """Return the result of a test that is not a command, so that nothing could be sent."""
    return msgspec.structs.replace(not_run(line, number), outcome=TstOutcome.UNREADABLE, notes=[line.fault])


def shown_command(line: Line) -> str:
    """Return a line's command as text that can be encoded; bytes that are not UTF-8 are escaped."""
    return encodable(line.command)


def encodable(text: str) -> str:
    """Return a file's text with bytes that are not UTF-8 as escapes, instead of surrogates."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def first_line(answer: str) -> str:
    """Return the first line of an answer."""
    return answer.split("\n", 1)[0]


def total(results: Sequence[FileResult]) -> Counter[TstOutcome]:
    """Count the outcomes of all files."""
    return Counter(test.outcome for result in results for test in result.tests)


def status_of(results: Sequence[FileResult], *, strict: bool) -> int:
    """Return the exit status.

    Args:
        results: the results of every file.
        strict: whether unexpected passes count as failures.

    Returns:
        4 if a file was not run to its end.  1 for an unexpected failure, a refused set-up command, a line
        that cannot be read, or a reply that was not seen.  5 if a file has no test, or no test could be
        judged.  Otherwise 0.
    """
    for result in results:
        if result.stop is not None:
            return exit_status(result.stop.word)
    counts = total(results)
    if all(outcome is TstOutcome.UNREADABLE for outcome in counts):
        return HARNESS_STATUS
    unexpected = sum(counts[one] for one in (TstOutcome.FAILED, TstOutcome.NOT_RUN, TstOutcome.UNREADABLE))
    unexpected += counts[TstOutcome.UNEXPECTED_PASS] if strict else 0
    is_spoiled = any(refused.is_set_up for result in results for refused in result.refused)
    is_spoiled = is_spoiled or any(result.unreadable for result in results)
    if unexpected or is_spoiled:
        return exit_status(Word.FAIL)
    return exit_status(Word.PASS) if all(result.tests for result in results) else HARNESS_STATUS


def _pattern(line: Line) -> str:
    return encodable(line.expectation.pattern) if line.expectation else ""


def _outcome(*, passed: bool, known_failure: bool) -> TstOutcome:
    if passed:
        return TstOutcome.UNEXPECTED_PASS if known_failure else TstOutcome.PASSED
    return TstOutcome.KNOWN_FAILURE if known_failure else TstOutcome.FAILED
