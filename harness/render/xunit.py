"""The structure of a JUnit XML document: suites, cases, outcomes and counts.

It is shared by runs and regression files.  Characters that XML cannot hold are escaped.
"""

from typing import Final
from xml.etree import ElementTree as ET

from harness.bots.wire import printable

LONG: Final = 4000
"""Greatest number of characters of a message, or of a line of a text."""


def new_root(name: str) -> ET.Element:
    """Return an empty document."""
    return ET.Element("testsuites", name=printable(name))


def add_suite(root: ET.Element, name: str, **attributes: str) -> ET.Element:
    """Add a suite; ``finish`` sets its counts and its time."""
    shown = {key: printable(value) for key, value in {"name": name, **attributes}.items()}
    return ET.SubElement(root, "testsuite", shown)


def add_properties(suite: ET.Element, values: dict[str, str]) -> None:
    """Add facts about a suite."""
    properties = ET.SubElement(suite, "properties")
    for name, value in values.items():
        ET.SubElement(properties, "property", name=name, value=printable(value, LONG))


def add_case(suite: ET.Element, classname: str, name: str, seconds: float) -> ET.Element:
    """Add a case.  It counts as passed unless an outcome is added."""
    return ET.SubElement(
        suite, "testcase", classname=printable(classname), name=printable(name), time=f"{seconds:.3f}"
    )


def add_outcome(case: ET.Element, kind: str, word: str, message: str, text: str = "") -> None:
    """Add the outcome of a case that did not pass.

    Args:
        case: the case.
        kind: failure, error or skipped.
        word: the type, by which readers may sort.
        message: one line.
        text: further lines.
    """
    outcome = ET.SubElement(case, kind, type=word, message=printable(message, LONG))
    if text:
        outcome.text = _lines(text)


def add_output(case: ET.Element, text: str, *, is_error: bool = False) -> None:
    """Add output to a case."""
    ET.SubElement(case, "system-err" if is_error else "system-out").text = _lines(text)


def finish(root: ET.Element) -> bytes:
    """Set all counts and times, and return the document."""
    for suite in root:
        cases = suite.findall("testcase")
        suite.set("tests", str(len(cases)))
        for plural, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(plural, str(sum(case.find(kind) is not None for case in cases)))
        if suite.get("time") is None:
            suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", f"{sum(float(suite.get('time', '0')) for suite in root):.3f}")
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _lines(text: str) -> str:
    return "\n".join(printable(line, LONG) for line in text.split("\n"))
