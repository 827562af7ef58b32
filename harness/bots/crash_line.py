"""The line on standard error that says why a program ended, in the form its language prints it."""

import re
from typing import Final

_PYTHON: Final = re.compile(
    r"^Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)+(?P<line>\S.*)", re.MULTILINE
)
_STACK: Final = re.compile(
    r"^(?P<line>\S.*)\n(?:[ \t]+\S.*\n)?[ \t]+(?:at \S|from \S|\.{3} \d+ more)", re.MULTILINE
)
"""Node, Java and .NET print the exception, then "at"; Ruby "from"; a cause comes last."""
_GO: Final = re.compile(r"^(?P<line>(?:panic|fatal error): .*)", re.MULTILINE)
_RUST: Final = re.compile(
    r"^(?P<line>thread '.*' (?:\(\d+\) )?panicked at .*)\n(?P<more>(?!note:).+)?", re.MULTILINE
)
_CPP: Final = re.compile(r"^(?P<line>terminate called .*)(?:\n[ \t]+(?P<more>what\(\): .*))?", re.MULTILINE)
_SANITIZER: Final = re.compile(r"^(?P<line>.*(?:ERROR: \w+Sanitizer|runtime error): .*)", re.MULTILINE)
_FIRST: Final = (_GO, _RUST, _CPP, _SANITIZER)
_LAST: Final = (_PYTHON, _STACK)
"""Where one exception led to another, the one that ended the program is the last."""


def crash_line(stderr: str) -> str:
    """Return the exception or panic that a program ended with; nothing where none is known."""
    text = stderr.replace("\r\n", "\n")
    for pattern in _FIRST:
        if match := pattern.search(text):
            return _words(match)
    for pattern in _LAST:
        if matches := list(pattern.finditer(text)):
            return _words(matches[-1])
    return ""


def _words(match: re.Match[str]) -> str:
    return " ".join(part.strip() for part in match.groupdict().values() if part)
