"""A short part of `make fuzz`: files changed at random are read, or refused in one line."""

from file_fuzz import fuzz


def test_changed_files() -> None:
    """Of some thousand changed files none is a fault."""
    assert fuzz(4_000, 11) == []
