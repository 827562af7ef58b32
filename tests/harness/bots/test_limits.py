"""Limits: which holds for a line, and by how much all of them are stretched."""

import pytest

from harness.bots.limits import Limits


def test_scaled_limits() -> None:
    """One factor stretches every limit."""
    assert Limits(20, 20, 240, 60, 60, 10, 240) == Limits().scaled(2)
    assert Limits().with_commands({"name": 3}).scaled(2).commands == {"name": 6}


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
        ("9 final_score", ("thinking", 120.0)),
    ],
)
def test_limit_of_a_line(line: str, want: tuple[str, float]) -> None:
    """The limit goes by the command's name, past ids, comments and arguments."""
    assert want == Limits().for_command(line, 100)


@pytest.mark.parametrize("name", ["quit", "genmove", "final_score", "name"])
def test_a_commands_own_limit_goes_before_all_others(name: str) -> None:
    """Whatever kind of command it is."""
    assert Limits().with_commands({name: 7.5}).for_command(f"3 {name} x") == (name, 7.5)
