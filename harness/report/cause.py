"""Why a verdict is what it is, in the fewest words."""

from harness.judging.verdict import Verdict
from harness.word import Word


def cause_of(verdict: Verdict) -> str:
    """Return the rule and the mistake of a bot that is known to have one; otherwise the reason."""
    if verdict.verdict == Word.FAIL and verdict.confident and len(verdict.diagnosis) == 1:
        return f"{verdict.diagnosis[0].requirement}, {verdict.diagnosis[0].about}"
    if verdict.verdict == Word.PASS and not verdict.steps:
        known = len(verdict.excluded) + len(verdict.not_excluded)
        passed = sum(r.verdict == Word.PASS for r in verdict.requirements)
        excluded = f", {len(verdict.excluded)} of {known} known mistakes excluded" if known else ""
        return f"{passed} requirements hold{excluded}"
    return verdict.reason
