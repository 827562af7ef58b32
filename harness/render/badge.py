"""The verdict of one run or of several as a badge: the JSON that shields.io reads from an endpoint.

The badge holds no text of a bot.  It is green only if conformance was shown.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from harness.document import document_bytes
from harness.judging.checked import NOT_CHOSEN, kept_of
from harness.judging.verdict import Verdict
from harness.report.judged_run import JudgedRun
from harness.word import SEVERITY, UNJUDGED, Word

_COLOURS: Final = {
    Word.PASS: "brightgreen",
    Word.NON_STRICT: "yellow",
    Word.FAIL: "red",
    Word.INCONCLUSIVE: "lightgrey",
    Word.NOT_APPLICABLE: "lightgrey",
    Word.ERROR: "purple",
    **dict.fromkeys(UNJUDGED, "orange"),
}
_WORST: Final = (Word.ERROR, *(word for word in SEVERITY if word is not Word.ERROR))
"""ERROR comes before FAIL, unlike elsewhere: after a fault of refbot the badge must not judge the bots."""


def render_badge(judged_runs: Sequence[JudgedRun]) -> bytes:
    """Return the badge: one run's word and level, or the number of runs with each word."""
    words = [Word(judged_run.verdict.verdict) for judged_run in judged_runs]
    worst = min(words, key=_WORST.index)
    label = "refbot"
    if len(judged_runs) == 1 and judged_runs[0].verdict.steps:
        label, message = "GTP 2", _kept(judged_runs[0].verdict)
    elif len(judged_runs) == 1:
        message = f"{worst} ({judged_runs[0].verdict.level})"
    else:
        counted = Counter(words)
        message = ", ".join(f"{counted[word]} {word}" for word in reversed(_WORST) if counted[word])
    badge = {"schemaVersion": 1, "label": label, "message": message, "color": _COLOURS[worst]}
    if worst not in {Word.PASS, Word.NON_STRICT}:
        # Without this a link to the badge could choose its own colour.
        badge["isError"] = True
    return document_bytes(badge)


def badge_line(verdict: Verdict) -> str:
    """Return a line of Markdown that shows a check as a badge in a README: how many clauses the bot kept."""
    kept, colour = _kept(verdict), _COLOURS[Word(verdict.verdict)]
    return f"![GTP 2: {kept}](https://img.shields.io/badge/GTP_2-{kept.replace(' ', '_')}-{colour})"


def _kept(verdict: Verdict) -> str:
    """Return the number of clauses kept, and of those not asked, so that a partial check is visible."""
    left_out = sum(step.reason == NOT_CHOSEN for step in verdict.steps)
    return "{} of {}".format(*kept_of(verdict.steps)) + (f", {left_out} not asked" if left_out else "")
