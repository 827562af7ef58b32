"""Suggestions for misspelt names."""

from collections.abc import Iterable
from difflib import get_close_matches


def closest(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the closest known name, or nothing when none is close."""
    # Names may come from strangers, and the time to compare two grows with the square of their length.
    matches = get_close_matches(name[:100], list(known), n=1, cutoff=0.5)
    return f"; did you mean {matches[0]!r}?" if matches else ""
