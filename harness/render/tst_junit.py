"""What came of regression files as JUnit XML, for build servers.

Shows results; judges nothing.  Characters that XML cannot hold are written as escapes.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from harness.bots.wire import printable
from harness.render.tst import answer_text, expected_text
from harness.tst.result import FileResult, Outcome, Tested

_LONG = 4000


def junit_tst(results: Sequence[FileResult], bot: str, *, strict: bool) -> bytes:
    """Return the document: a suite for each file, a case for each test.

    A known failure is a skipped case; an unexpected pass a failure only if ``strict``; a refused set-up, and
    whatever ended the bot, an error.
    """
    root = ET.Element("testsuites", name=f"refbot tst {printable(bot)}")
    for result in results:
        suite = ET.SubElement(root, "testsuite", name=printable(result.file))
        for test in result.tests:
            _add_test(suite, result, test, strict=strict)
        for refused in result.refused:
            case = _add_case(suite, result, f"line {refused.line}: {refused.command}", 0.0)
            kind = "error" if refused.is_set_up else "skipped"
            ET.SubElement(case, kind, type="REFUSED", message=printable(refused.answer))
        if result.stop is not None:
            case = _add_case(suite, result, f"line {result.stop.line}: the bot answers", 0.0)
            error = ET.SubElement(
                case, "error", type=result.stop.word.value, message=printable(result.stop.reason, _LONG)
            )
            error.text = "\n".join(printable(line, _LONG) for line in result.stop.stderr_tail.split("\n"))
        suite.set("time", f"{result.elapsed_s:.3f}")
        suite.set("tests", str(len(suite)))
        for kind in ("failure", "error", "skipped"):
            plural = {"failure": "failures", "error": "errors"}.get(kind, kind)
            suite.set(plural, str(len(suite.findall(f"testcase/{kind}"))))
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add_case(suite: ET.Element, result: FileResult, name: str, seconds: float) -> ET.Element:
    return ET.SubElement(
        suite, "testcase", classname=printable(result.file), name=printable(name), time=f"{seconds:.3f}"
    )


def _add_test(suite: ET.Element, result: FileResult, test: Tested, *, strict: bool) -> None:
    case = _add_case(suite, result, f"{test.number} {test.command}", test.elapsed_s)
    said = printable(f"{test.outcome}: expected {expected_text(test)}, got {answer_text(test)}", _LONG)
    match test.outcome:
        case Outcome.PASSED:
            pass
        case Outcome.FAILED:
            ET.SubElement(case, "failure", type=test.outcome.value, message=said)
        case Outcome.UNEXPECTED_PASS if strict:
            ET.SubElement(case, "failure", type=test.outcome.value, message=said)
        case Outcome.UNEXPECTED_PASS:
            ET.SubElement(case, "system-out").text = said
        case Outcome.KNOWN_FAILURE | Outcome.IGNORED:
            ET.SubElement(case, "skipped", message=said)
        case Outcome.NOT_RUN:
            ET.SubElement(case, "skipped", message="not run: the bot no longer answered")
