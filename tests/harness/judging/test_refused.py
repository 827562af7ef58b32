"""Bots that decline what no engine may: only where they never do as they are told."""

import pytest

from harness.judging.refused import refusal_of_all
from harness.records.evidence import Unit

NO = "? not today\n\n"
YES = "=\n\n"


@pytest.mark.parametrize(
    ("exchanges", "expected"),
    [
        ([("clear_board", NO), ("3 clear_board", NO), ("komi 5", YES)], "'clear_board'"),
        ([("genmove b", NO), ("7 genmove WHITE", "?7 no\n\n")], "'genmove'"),
        ([("clear_board", NO), ("clear_board", YES)], ""),
        ([("genmove b", YES), ("genmove w", NO)], ""),
        ([("genmove green", NO), ("genmove", NO)], ""),
        ([("komi much", NO), ("play b A1", NO)], ""),
        ([], ""),
    ],
)
def test_refusals(exchanges: list[tuple[str, str]], expected: str) -> None:
    """Every well-formed genmove or clear_board must have been refused, whatever its id."""
    said = refusal_of_all([Unit("case", 1, 1, exchanges, 0.0)], {})
    assert bool(said) == bool(expected)
    assert expected in said


def test_no_board_at_all() -> None:
    """A bot is refused too where no case could be judged, and all of them for a board it declined."""
    declined = {"a": "the bot refuses 'boardsize 9': no", "b": "the bot refuses 'boardsize 5': no"}
    assert refusal_of_all([], declined) == declined["a"]
    assert refusal_of_all([], {**declined, "c": "the bot has no undo"}) == ""
    assert refusal_of_all([], {**declined, "c": "it is asked only of other bots"}) == declined["a"]
