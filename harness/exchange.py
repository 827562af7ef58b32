"""A command and the reply to it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exchange:
    """A command and the reply to it."""

    sent: str
    """The line as sent, id included."""
    raw: str
    """The whole reply as it came, bytes that are not UTF-8 as backslash escapes."""
    success: bool
    text: str
    """The result, or the error message."""
    notes: tuple[str, ...]
    """What was odd but did not prevent the pairing, one line each."""
    elapsed_s: float
