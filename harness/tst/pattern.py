r"""The expectation of a regression test: a pattern, and the marks around it.

Patterns are POSIX extended regular expressions, as in GNU Go's tools, and match the whole answer.  GoGui's
tools use Java's expressions, so ``\d`` and ``(?:...)`` work too.
"""

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

PATIENCE_S = 5.0
"""Greatest number of seconds for matching one answer."""

_LINE = re.compile(r"\[(?P<body>.*)\][ \t]*(?P<marks>[*& \t]*)", re.DOTALL)
_CLASSES = {
    "alpha": "A-Za-z",
    "digit": "0-9",
    "alnum": "A-Za-z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "xdigit": "0-9A-Fa-f",
    "space": r" \t\n\r\f\v",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "print": " -~",
    "graph": "!-~",
    "cntrl": r"\x00-\x1f\x7f",
}
_REPEATED = re.compile(r"[*+?]{2}|[*+?]\{|\}[*+?{]")


@dataclass(frozen=True, slots=True)
class Expectation:
    """The expectation that follows ``#?``."""

    pattern: str
    """The text between the brackets, including the sign of negation."""
    marks: str = ""
    """The marks after the brackets: ``*`` for a known failure, ``&`` for an answer that is not judged."""

    @property
    def is_known_failure(self) -> bool:
        """Whether the test is expected to fail."""
        return "*" in self.marks

    @property
    def is_ignored(self) -> bool:
        """Whether the answer is reported but not judged."""
        return "&" in self.marks

    def accepts(self, answer: str) -> bool:
        """Whether the pattern accepts the whole answer, with all its lines.

        Raises:
            TimeoutError: matching took too long.
        """
        text = self.pattern.strip(" \t")
        return _matches(text.removeprefix("!"), answer) != text.startswith("!")

    def accepts_as_awk(self, line: str) -> bool:
        """Whether GNU Go's script accepts the first line of an answer.

        The script puts ``^`` and ``$`` around the pattern.  Of alternatives without parentheses, ``^`` binds
        the first and ``$`` the last; the others match anywhere.

        Raises:
            TimeoutError: matching took too long.
        """
        body = self.pattern.removeprefix("!")
        with _patience():
            found = re.search(translated(f"^{body}$"), line, re.DOTALL) is not None
        return found != self.pattern.startswith("!")


def expectation_as_awk(text: str) -> Expectation:
    """Return an expectation that ``parse_expectation`` cannot read as GNU Go's script reads it.

    The script removes brackets and marks where they are, and accepts that they are missing.
    """
    body = text.strip(" \t").removeprefix("[")
    closed = re.fullmatch(r"(.*)\]([&*]*)", body, re.DOTALL)
    marks = re.search(r"[&*]*$", body)
    return Expectation(closed[1], closed[2]) if closed else Expectation(body, marks[0] if marks else "")


def parse_expectation(text: str) -> Expectation | None:
    """Read the text after ``#?``; None if it is empty, which accepts any answer but an error.

    Raises:
        ValueError: there is no pattern in brackets, or it is not a regular expression; the message says why.
    """
    text = text.strip(" \t")
    if not text:
        return None
    if not text.startswith("["):
        raise ValueError("an expectation stands in brackets: #? [pattern]")
    read = _LINE.fullmatch(text)
    if read is None:
        what = "only * and & may follow the closing bracket" if "]" in text else "no closing bracket"
        raise ValueError(f"{what}: #? [pattern] or #? [pattern]*")
    expectation = Expectation(read["body"], re.sub(r"[ \t]", "", read["marks"]))
    try:
        expectation.accepts("")
    except re.error as error:
        shown = str(error).partition(" at position")[0]
        raise ValueError(f"the pattern is not a regular expression: {shown}") from None
    except (OverflowError, RecursionError):
        raise ValueError("the pattern is not a regular expression: it is too large") from None
    return expectation


@lru_cache(maxsize=1024)
def translated(pattern: str) -> str:
    """Return a POSIX extended regular expression in Python's syntax.

    Raises:
        re.error: the pattern is not a regular expression.
    """
    parts, place = [], 0
    while place < len(pattern):
        char = pattern[place]
        if char == "[":
            part, place = _bracket(pattern, place + 1)
        elif char == "\\":
            part, place = pattern[place : place + 2], place + 2
        else:
            # In Python a second sign of repetition means a lazy or possessive match; POSIX has neither.
            if _REPEATED.match(pattern, place):
                raise re.error("two signs of repetition in a row")
            part, place = char, place + 1
        parts.append(part)
    return "".join(parts)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(translated(pattern), re.DOTALL | re.MULTILINE)


def _matches(pattern: str, answer: str) -> bool:
    with _patience():
        return _compiled(pattern).fullmatch(answer) is not None


@contextmanager
def _patience() -> Iterator[None]:
    """Stop a match that takes too long: with some patterns and answers it would never end.

    Python handles signals while it matches, but only in the main thread; in others there is no limit.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _give_up(_number: int, _frame: object) -> None:
    raise TimeoutError(
        f"matching its pattern took more than {PATIENCE_S:g} s; "
        "write it without repetitions inside repetitions"
    )


def _bracket(pattern: str, place: int) -> tuple[str, int]:
    """Return the bracket expression that begins at ``place``, and the place after it."""
    parts = ["["]
    if pattern.startswith("^", place):
        parts, place = ["[^"], place + 1
    first = place
    while place < len(pattern):
        char = pattern[place]
        if char == "]" and place > first:
            return "".join([*parts, "]"]), place + 1
        if pattern.startswith("[:", place) and (end := pattern.find(":]", place + 2)) > 0:
            name = pattern[place + 2 : end]
            if name not in _CLASSES:
                raise re.error(f"no class of characters [:{name}:]")
            parts.append(_CLASSES[name])
            place = end + 2
        elif char == "\\":
            parts.append(pattern[place : place + 2])
            place += 2
        else:
            # Python warns about characters that may later mean set operations.
            parts.append(f"\\{char}" if char in "[]&~|" else char)
            place += 1
    raise re.error("a bracket expression that does not end")
