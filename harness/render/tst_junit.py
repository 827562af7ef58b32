"""The results of regression files as JUnit XML, for build servers."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from harness.render.tst import answer_text, expected_text
from harness.render.xunit import add_case, add_outcome, add_output, add_suite, finish, new_root
from harness.tst.result import FileResult, Tested, TstOutcome


def junit_tst(results: Sequence[FileResult], bot: str, *, strict: bool) -> bytes:
    """Return the document: a suite for each file, a case for each test.

    A known failure is a skipped case.  An unexpected pass is a failure only if ``strict``.  A refused set-up
    command, and a failure of the bot's process, is an error.
    """
    root = new_root(f"refbot tst {bot}")
    for result in results:
        suite = add_suite(root, result.file, time=f"{result.elapsed_s:.3f}")
        for test in result.tests:
            _add_test(suite, result, test, strict=strict)
        for refused in result.refused:
            case = add_case(suite, result.file, f"line {refused.line}: {refused.command}", 0.0)
            add_outcome(case, "error" if refused.is_set_up else "skipped", "REFUSED", refused.answer)
        for stray in result.unreadable:
            case = add_case(suite, result.file, f"line {stray.line}: {stray.text}", 0.0)
            add_outcome(case, "error", TstOutcome.UNREADABLE.value, stray.reason)
        if (stop := result.stop) is not None:
            case = add_case(suite, result.file, f"line {stop.line}: the bot answers", 0.0)
            add_outcome(case, "error", stop.word.value, stop.reason, stop.stderr_tail)
    return finish(root)


def _add_test(suite: ET.Element, result: FileResult, test: Tested, *, strict: bool) -> None:
    case = add_case(suite, result.file, f"{test.number} {test.command}", test.elapsed_s)
    message = f"{test.outcome}: expected {expected_text(test)}, got {answer_text(test)}"
    match test.outcome:
        case TstOutcome.PASSED:
            pass
        case TstOutcome.FAILED:
            add_outcome(case, "failure", test.outcome.value, message)
        case TstOutcome.UNEXPECTED_PASS if strict:
            add_outcome(case, "failure", test.outcome.value, message)
        case TstOutcome.UNEXPECTED_PASS:
            add_output(case, message)
        case TstOutcome.KNOWN_FAILURE | TstOutcome.IGNORED:
            add_outcome(case, "skipped", test.outcome.value, message)
        case TstOutcome.UNREADABLE:
            add_outcome(case, "error", test.outcome.value, "; ".join(test.notes))
        case TstOutcome.NOT_RUN:
            add_outcome(case, "skipped", test.outcome.value, "not run: the bot no longer answered")
