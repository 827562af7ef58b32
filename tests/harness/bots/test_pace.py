"""The speed of a bot as its time limits see it: measured on open boards, generous, and always finite."""

from harness.bots.limits import PACE_MOST, PACE_SLACK, Limits
from harness.bots.pace import Pace


def paced(size: int, seconds: list[float], playouts: int = 1000) -> Pace:
    """Return the pace of a bot whose genmoves on empty boards took so long."""
    pace = Pace()
    for taken in seconds:
        pace.answered([f"boardsize {size}"], 0, 0.0)
        pace.answered(["genmove b"], playouts, taken)
    return pace


def expected(pace: Pace, *lines: str, playouts: int = 1000) -> float | None:
    """Return what is expected of a genmove after some more lines."""
    for line in lines:
        pace.answered([line], 0, 0.0)
    return pace.expected_s("genmove w", playouts)


def test_unknown_at_first() -> None:
    """The first genmove says nothing, since it may have been a compilation, and one more is not enough."""
    assert expected(paced(9, [])) is None
    assert expected(paced(9, [60.0, 1.0])) is None
    assert expected(paced(9, [60.0, 1.0, 2.0])) == 2.0


def test_scales_with_playouts_and_larger_boards() -> None:
    """More playouts take longer, larger boards much longer; on smaller boards no hurry is asked for."""
    seconds = [1.0, 1.0, 1.0]
    assert expected(paced(9, seconds), playouts=5000) == 5.0
    assert expected(paced(9, seconds), "boardsize 18") == 16.0
    assert expected(paced(9, seconds), "boardsize 5") == 1.0


def test_only_open_boards_are_measured() -> None:
    """A genmove on a full board, whose playouts are short, does not make a bot look fast."""
    pace = paced(3, [1.0])
    for line in ["boardsize 3", *["play b A1"] * 3]:
        pace.answered([line], 0, 0.0)
    for _ in range(5):
        assert expected(pace) is None
        pace.answered(["genmove w"], 1000, 0.001)
    assert expected(pace, "3 clear_board # again") is None
    for _ in range(2):
        pace.answered(["genmove w"], 1000, 2.0)
    assert expected(pace) == 2.0


def test_other_commands_expect_nothing() -> None:
    """Only a genmove has a pace, whatever other commands are called or say."""
    pace = paced(9, [1.0, 1.0, 1.0])
    assert pace.expected_s("ref-nodes", 1000) is None
    pace.answered(["boardsize huge\n boardsize 1000"], 1000, 0.0)
    assert expected(pace) == 1.0


def test_limit_follows_the_pace() -> None:
    """A fast bot's limit comes down to the floor and a generous share; a slow one's goes up, in reason."""
    limits = Limits(genmove_s=30.0, genmove_per_1000_playouts_s=30.0)
    assert limits.for_command("genmove b", 100_000) == ("genmove", 3030.0)
    assert limits.for_command("genmove b", 100_000, pace_s=1.0) == ("genmove", 30.0 + PACE_SLACK)
    assert limits.for_command("genmove b", 100_000, pace_s=0.0) == ("genmove", 30.0)
    most = 30.0 + PACE_MOST * 3000.0
    assert limits.for_command("genmove b", 100_000, pace_s=1e9) == ("genmove", most)
