"""The parser of regression files: GTP lines; the numbered ones are tests, with their expectations.

It reads the dialects of GNU Go's tools and of gogui-regress alike (docs/tst.md).  It parses text and reads no
files.  A line that cannot be read spoils its own test and no other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from harness.bots.wire import printable
from harness.tst.pattern import Expectation, expectation_as_awk, parse_expectation

MAX_NUMBER = 2**31 - 1
"""The largest id of GTP."""

_MOST_DIGITS = 20
_NUMBERED = re.compile(r"([0-9]+)(?:[ \t]+(.*))?", re.DOTALL)
_PLAYOUTS = re.compile(r"#[ \t]*playouts:[ \t]*([0-9]{1,9})[ \t]*")
_BLANK = " \t\r\x0b\x0c"
_DROPPED = {code: None for code in (*range(32), 127) if code != ord("\t")}


@dataclass(frozen=True, slots=True)
class Line:
    """One line to be sent."""

    place: int
    """Its line in the file, from 1."""
    command: str
    """The command without its number; bytes that are not UTF-8 are surrogate escapes."""
    number: int | None = None
    """The id, which makes the line a test."""
    expectation: Expectation | None = None
    """None for a test that accepts any answer but an error."""
    fault: str = ""
    """The reason why the test or its expectation cannot be read; such a test cannot be judged."""
    is_sent: bool = True
    """Whether it is a command; a number alone is not."""

    @property
    def name(self) -> str:
        """The command's name."""
        return re.split(r"[ \t#]", self.command, maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class Stray:
    """A line that cannot be read and belongs to no test."""

    place: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class TstFile:
    """The contents of a regression file."""

    path: Path
    lines: tuple[Line, ...]
    playouts: int | None = None
    """Number of playouts of each genmove that the answers are for, from a comment ``# playouts: N``."""
    notes: tuple[str, ...] = ()
    """Remarks on odd lines that are not errors."""
    strays: tuple[Stray, ...] = ()

    @property
    def tests(self) -> tuple[Line, ...]:
        """The numbered lines."""
        return tuple(line for line in self.lines if line.number is not None)


def parse_tst(path: Path, data: bytes) -> TstFile:
    """Parse a regression file; ``path`` is for messages."""
    lines: list[Line] = []
    strays: list[Stray] = []
    has_expectation = True
    playouts = None
    for place, text in _lines(data):
        if not text:
            continue
        if text.startswith("#?"):
            if not lines or lines[-1].number is None:
                strays.append(Stray(place, text, _stray_reason(lines)))
                continue
            if has_expectation:
                what = f"line {place}: a second expectation; join them by |"
                strays.append(Stray(place, text, f"of test {lines[-1].number}: a second one; join them by |"))
                lines[-1] = replace(lines[-1], fault=lines[-1].fault or what)
            lines[-1] = _with_expectation(lines[-1], place, text.removeprefix("#?"))
            has_expectation = True
        elif text.startswith("#"):
            if (declared := _PLAYOUTS.fullmatch(text)) and int(declared[1]) > 0:
                playouts = int(declared[1])
        else:
            lines.append(_line(place, text))
            has_expectation = False
    return TstFile(path, tuple(lines), playouts, tuple(_notes(lines)), tuple(strays))


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    for place, line in enumerate(text.split("\n"), 1):
        # A bot drops control characters; it answers no line that has only them, or a comment after them.
        seen = line.translate(_DROPPED).strip()
        yield place, (seen if not seen or seen.startswith("#") else line.strip(_BLANK))


def _stray_reason(lines: list[Line]) -> str:
    """Return the reason why an expectation belongs to no test."""
    if not lines:
        return "an expectation before any command; it follows its test"
    last = lines[-1]
    what = f"line {last.place} has no number; write: 10 {_shown(last.command)}"
    return f"an expectation of a command that is no test: {what}"


def _with_expectation(line: Line, place: int, text: str) -> Line:
    """Return a test with its expectation."""
    try:
        return replace(line, expectation=parse_expectation(text))
    except ValueError as error:
        fault = line.fault or f"line {place}: {error}"
        return replace(line, expectation=expectation_as_awk(text), fault=fault)


def _line(place: int, text: str) -> Line:
    numbered = _NUMBERED.fullmatch(text)
    if numbered is None:
        return Line(place, text)
    digits, command = numbered[1], (numbered[2] or "").strip(_BLANK)
    if command.translate(_DROPPED).strip().startswith("#") or not command.translate(_DROPPED).strip():
        return _unsent_test(place, digits, command, "a number without a command after it")
    if len(digits) > 10 or int(digits) > MAX_NUMBER:
        return _unsent_test(place, digits, command, f"its number is above {MAX_NUMBER}, the largest of GTP")
    return Line(place, command, int(digits))


def _notes(lines: list[Line]) -> Iterator[str]:
    seen: dict[int, int] = {}
    for line in lines:
        if line.number is not None and line.number in seen:
            yield f"line {line.place}: test {line.number} again, as in line {seen[line.number]}"
        elif line.number is not None:
            seen[line.number] = line.place


def _unsent_test(place: int, digits: str, command: str, what: str) -> Line:
    # The number is shown and compared, but never sent.
    number = int(digits[:_MOST_DIGITS])
    return Line(place, command, number, fault=f"line {place}: {what}", is_sent=False)


def _shown(command: str) -> str:
    return printable(command.encode("ascii", "backslashreplace").decode(), 60)
