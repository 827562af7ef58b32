"""Limits: which holds for a line, and by how much all of them are stretched."""

import pytest

from harness.bots.limits import Limits


def test_scaled_limits() -> None:
    """One factor stretches every limit."""
    assert Limits(20, 20, 240, 60, 60, 10) == Limits().scaled(2)


@pytest.mark.parametrize(
    ("line", "want"),
    [
        ("genmove b", ("genmove", 33.0)),
        ("7 reg_genmove w", ("genmove", 33.0)),
        ("kgs-genmove_cleanup b", ("genmove", 33.0)),
        ("known_command genmove", ("ordinary", 10.0)),
        ("# genmove", ("ordinary", 10.0)),
        ("\n# comment\n\tquit # now\n", ("quit", 5.0)),
        ("", ("ordinary", 10.0)),
    ],
)
def test_limit_of_a_line(line: str, want: tuple[str, float]) -> None:
    """The limit goes by the command's name, past ids, comments and arguments."""
    assert want == Limits().for_command(line, 100)
