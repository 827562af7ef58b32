"""The heading of the explanations of a conviction, for every renderer."""

from harness.judging.verdict import Verdict


def diagnosis_title(verdict: Verdict) -> str:
    """Return the heading above the explanations of a conviction."""
    if verdict.confident:
        return "What it is"
    return "Most likely, but not sure" if not verdict.diagnosis[0].refuted else "The nearest known mistake"
