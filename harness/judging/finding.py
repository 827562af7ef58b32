"""A finding: one counter-example, with the requirement it breaks."""

from dataclasses import dataclass

from harness.word import Word


@dataclass(frozen=True, slots=True)
class Finding:
    """What was expected of a bot at one place, and what it did instead."""

    requirement: str
    case: str
    word: Word
    """FAIL, or NON-STRICT where the text leaves room."""
    expected: str
    observed: str
    of_form: bool = False
    """Whether no answer of this form can be right, so that no deviation explains it."""
    exchange: int | None = None
    """Number, from 0, of the exchange of its unit in which it shows; None where it is no single one."""
