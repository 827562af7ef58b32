"""The word of a run, or of several, as a badge: the JSON that shields.io reads from an endpoint.

No text of a bot stands in it.  Only conformance that was shown is green.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from harness.document import document_bytes
from harness.judging.checked import NOT_CHOSEN, kept_of
from harness.judging.verdict import Verdict
from harness.showing.account import Account
from harness.word import UNJUDGED, Word

_COLOURS: Final = {
    Word.PASS: "brightgreen",
    Word.NON_STRICT: "yellow",
    Word.FAIL: "red",
    Word.INCONCLUSIVE: "lightgrey",
    Word.NOT_APPLICABLE: "lightgrey",
    Word.ERROR: "purple",
    **dict.fromkeys(UNJUDGED, "orange"),
}
_WORST: Final = (
    Word.ERROR,
    Word.FAIL,
    *sorted(UNJUDGED),
    Word.INCONCLUSIVE,
    Word.NOT_APPLICABLE,
    Word.NON_STRICT,
    Word.PASS,
)


def render_badge(accounts: Sequence[Account]) -> bytes:
    """Return the document: one run's word and level, or how many runs passed, in the colour of the worst."""
    words = [Word(account.verdict.verdict) for account in accounts]
    worst = min(words, key=_WORST.index)
    label = "refbot"
    if len(accounts) == 1 and accounts[0].verdict.steps:
        label, message = "GTP 2", _kept(accounts[0].verdict)
    elif len(accounts) == 1:
        message = f"{worst} ({accounts[0].verdict.level})"
    else:
        counted = Counter(words)
        message = ", ".join(f"{counted[word]} {word}" for word in reversed(_WORST) if counted[word])
    badge = {"schemaVersion": 1, "label": label, "message": message, "color": _COLOURS[worst]}
    if worst not in {Word.PASS, Word.NON_STRICT}:
        # Without this a link to the badge could ask for any colour it likes.
        badge["isError"] = True
    return document_bytes(badge)


def badge_line(verdict: Verdict) -> str:
    """Return the line of Markdown that shows a check as a picture in a README: how many clauses were kept."""
    kept, colour = _kept(verdict), _COLOURS[Word(verdict.verdict)]
    return f"![GTP 2: {kept}](https://img.shields.io/badge/GTP_2-{kept.replace(' ', '_')}-{colour})"


def _kept(verdict: Verdict) -> str:
    """Return how many clauses were kept, and how many were not asked for, so that a part is not the whole."""
    left_out = sum(step.reason == NOT_CHOSEN for step in verdict.steps)
    return "{} of {}".format(*kept_of(verdict.steps)) + (f", {left_out} not asked" if left_out else "")
