"""The verdict words: a closed set, their order of severity, and the exit status each one carries.

Nothing is ever folded into another word: "could not be judged" is not "failed", and "not enough
evidence" is neither.  This module knows nothing of bots, rules or files.
"""

from collections.abc import Iterable
from enum import StrEnum


class Word(StrEnum):
    """How a check, a requirement, a bot or a whole run ended."""

    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    NON_STRICT = "NON-STRICT"
    """Proved different from the reference, but inside the tolerance or in a reading the text leaves open."""
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"
    """The evidence neither shows conformance nor refutes it."""
    NOT_APPLICABLE = "NOT-APPLICABLE"
    """The bot lacks what the check needs; the reason stands beside the word."""
    START_FAILED = "START-FAILED"
    NOT_GTP = "NOT-GTP"
    PROTOCOL = "PROTOCOL"
    """It speaks GTP, and then breaks the framing so that replies cannot be told apart."""
    REFUSED = "REFUSED"
    """It answered a command every GTP engine must carry out with an error."""
    TIMEOUT = "TIMEOUT"
    CRASH = "CRASH"
    ERROR = "ERROR"
    """A fault of the harness or of a fixture, never of the bot."""


UNJUDGED = frozenset(
    {Word.START_FAILED, Word.NOT_GTP, Word.PROTOCOL, Word.REFUSED, Word.TIMEOUT, Word.CRASH},
)
"""Words for a bot that could not be run or judged."""

SEVERITY = (
    Word.FAIL,
    Word.ERROR,
    *sorted(UNJUDGED),
    Word.INCONCLUSIVE,
    Word.NOT_APPLICABLE,
    Word.NON_STRICT,
    Word.PASS,
)
"""All words, the gravest first.  The word of several runs or checks is the first that any of them has."""

_STATUS = {
    Word.PASS: 0,
    Word.NON_STRICT: 0,
    Word.FAIL: 1,
    Word.INCONCLUSIVE: 3,
    Word.NOT_APPLICABLE: 5,
    Word.ERROR: 5,
} | dict.fromkeys(UNJUDGED, 4)

USAGE_STATUS = 2
"""Bad usage or settings; argument parsers use the same number."""
HARNESS_STATUS = 5
"""A fault of the harness, or nothing was run."""
INTERRUPTED_STATUS = 130
PIPE_STATUS = 141
"""Exit status if the reader has closed the output: what a shell reports for SIGPIPE."""


def gravest(words: Iterable[Word | str]) -> Word | None:
    """Return the first of some words in the order of ``SEVERITY``; None if there are none."""
    found = set(words)
    return next((word for word in SEVERITY if word in found), None)


def exit_status(word: Word, *, strict: bool = False) -> int:
    """Return the process exit status for a run that ended in ``word``.

    Args:
        word: the overall verdict.
        strict: count NON-STRICT as a failure.

    Returns:
        0 PASS (NON-STRICT too unless ``strict``), 1 FAIL, 3 INCONCLUSIVE, 4 not judged, 5 harness fault.
    """
    if strict and word is Word.NON_STRICT:
        return _STATUS[Word.FAIL]
    return _STATUS[word]
