"""The heading and the probabilities of the explanations of a conviction, for every renderer."""

from harness.judging.verdict import Verdict


def probability_text(value: float) -> str:
    """Return a probability; one that is rounded to 0 or 1 is given as a bound."""
    return "< 0.001" if value < 0.0005 else "> 0.999" if value > 0.9995 else f"{value:.3f}"


def diagnosis_title(verdict: Verdict) -> str:
    """Return the heading above the explanations of a conviction."""
    if verdict.confident:
        return "What it is"
    return "Most likely, but not sure" if not verdict.diagnosis[0].refuted else "The nearest known mistake"
