"""A regression file: GTP lines, of which numbered ones are tests, with their expectations.

One reading for the dialects of GNU Go's tools and of gogui-regress (docs/tst.md).  Parses text; reads no file
and knows no bot.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from harness.bots.wire import printable
from harness.errors import UsageError
from harness.tst.pattern import Expectation, parse_expectation

MAX_NUMBER = 2**31 - 1
"""The largest id of GTP."""

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
    """Without its number; bytes that are not UTF-8 as surrogate escapes."""
    number: int | None = None
    """Its id, which makes it a test."""
    expectation: Expectation | None = None
    """None for a test that asks for any answer but an error."""

    @property
    def name(self) -> str:
        """The command's name."""
        return re.split(r"[ \t#]", self.command, maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class TstFile:
    """What a regression file says."""

    path: Path
    lines: tuple[Line, ...]
    playouts: int | None = None
    """Playouts of each genmove that its answers are for, by a comment ``# playouts: N``."""
    notes: tuple[str, ...] = ()
    """What is odd and no error, with the line."""

    @property
    def tests(self) -> tuple[Line, ...]:
        """The numbered lines."""
        return tuple(line for line in self.lines if line.number is not None)


def parse_tst(path: Path, data: bytes) -> TstFile:
    """Read a regression file's bytes; ``path`` is for messages.

    Raises:
        UsageError: a line cannot be understood; the message has file, line and what to write.
    """
    lines: list[Line] = []
    has_expectation = True
    playouts = None
    for place, text in _lines(data):
        if not text:
            continue
        if text.startswith("#?"):
            if not lines:
                raise _wrong(path, place, "an expectation before any command; it follows its test")
            last = lines[-1]
            if last.number is None:
                what = f"line {last.place} has no number; write: 10 {_shown(last.command)}"
                raise _wrong(path, place, f"an expectation of a command that is no test: {what}")
            if has_expectation:
                raise _wrong(path, place, f"a second expectation of test {last.number}; join them by |")
            lines[-1] = replace(last, expectation=_expectation(path, place, text))
            has_expectation = True
        elif text.startswith("#"):
            if (said := _PLAYOUTS.fullmatch(text)) and int(said[1]) > 0:
                playouts = int(said[1])
        else:
            lines.append(_line(path, place, text))
            has_expectation = False
    return TstFile(path, tuple(lines), playouts, tuple(_notes(lines)))


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    for place, line in enumerate(text.split("\n"), 1):
        # A bot drops control characters, and answers no line of them alone or of comment behind them.
        seen = line.translate(_DROPPED).strip()
        yield place, (seen if not seen or seen.startswith("#") else line.strip(_BLANK))


def _expectation(path: Path, place: int, text: str) -> Expectation | None:
    try:
        return parse_expectation(text.removeprefix("#?"))
    except ValueError as error:
        raise _wrong(path, place, str(error)) from None


def _line(path: Path, place: int, text: str) -> Line:
    numbered = _NUMBERED.fullmatch(text)
    if numbered is None:
        return Line(place, text)
    digits, command = numbered[1], (numbered[2] or "").strip(_BLANK)
    if command.translate(_DROPPED).strip().startswith("#") or not command.translate(_DROPPED).strip():
        raise _wrong(path, place, f"the number {digits[:20]} without a command behind it")
    if len(digits) > 10 or int(digits) > MAX_NUMBER:
        raise _wrong(path, place, f"the number {digits[:20]} is above {MAX_NUMBER}, the largest of GTP")
    return Line(place, command, int(digits))


def _notes(lines: list[Line]) -> Iterator[str]:
    seen: dict[int, int] = {}
    for line in lines:
        if line.number is not None and line.number in seen:
            yield f"line {line.place}: test {line.number} again, as in line {seen[line.number]}"
        elif line.number is not None:
            seen[line.number] = line.place


def _wrong(path: Path, place: int, what: str) -> UsageError:
    return UsageError(f"{path}:{place}: {what}")


def _shown(command: str) -> str:
    return printable(command.encode("ascii", "backslashreplace").decode(), 60)
