"""A dialogue that failed is shortened to the lines without which it would not."""

from collections.abc import Sequence

from harness.records.evidence import Unit
from harness.runs.shortening import Shortening

OK = "= \n\n"


def shortened(
    lines: Sequence[str], needed: Sequence[str], earlier: Sequence[str] = ()
) -> tuple[list[Unit], list[str]]:
    """Shorten a dialogue that fails at its last line if some lines come before it, in their order."""
    asked: list[Unit] = []

    def place(unit: Unit) -> int | None:
        left = list(needed)
        for number, (line, _) in enumerate(unit.exchanges):
            if left and line == left[0]:
                left.pop(0)
                if not left:
                    return number
        return None

    def ask(part: Sequence[str], is_minimal: bool) -> Unit:
        asked.append(Unit("a-case", 1, 1, [(line, OK) for line in part], 0.0, is_minimal=is_minimal))
        return asked[-1]

    Shortening(ask, place).shorten(Unit("a-case", 1, 1, [(line, OK) for line in lines], 0.0), earlier)
    failing = [unit for unit in asked if place(unit) is not None]
    return asked, [line for line, _ in min(failing, key=lambda unit: len(unit.exchanges)).exchanges]


def test_every_line_that_is_not_needed_is_left_out() -> None:
    """Three lines of sixty are needed, wherever they are."""
    lines = [f"play b {n}" for n in range(60)]
    needed = [lines[3], lines[31], lines[59]]

    asked, shortest = shortened(lines, needed)

    assert shortest == needed
    assert asked[-1].is_minimal
    assert [line for line, _ in asked[-1].exchanges] == needed


def test_lines_after_the_failure_are_not_asked_again() -> None:
    """Lines after the one that failed are never sent again."""
    lines = [f"play w {n}" for n in range(40)]

    asked, shortest = shortened(lines, [lines[10]])

    assert shortest == [lines[10]]
    assert all(len(unit.exchanges) <= 11 for unit in asked)


def test_a_game_that_fails_alone_is_taken_alone() -> None:
    """Games before the last one are left out at once."""
    lines = [f"play b {n}" for n in range(30)]
    lines[15:15] = ["boardsize 3"]
    lines[0:0] = ["boardsize 3"]

    asked, _ = shortened(lines, [lines[-1]])

    assert len(asked[0].exchanges) == 16


def test_what_cannot_be_repeated_ends() -> None:
    """A failure that never comes again is tried a few times, and no unit is called minimal."""
    asked: list[Unit] = []

    def ask(part: Sequence[str], is_minimal: bool) -> Unit:
        asked.append(Unit("a-case", 1, 1, [(line, OK) for line in part], 0.0, is_minimal=is_minimal))
        return asked[-1]

    first = Unit("a-case", 1, 1, [("genmove b", "= A1\n\n")] * 50, 0.0)
    Shortening(ask, lambda unit: 49 if unit is first else None).shorten(first)

    assert 0 < len(asked) <= 200
    assert sum(len(unit.exchanges) for unit in asked) <= 6_000


def test_what_an_earlier_dialogue_left_behind_is_found() -> None:
    """A dialogue that fails only after others in its process is shortened together with them."""
    earlier = [f"play b {n}" for n in range(40)]
    lines = [f"play w {n}" for n in range(20)]

    asked, shortest = shortened(lines, [earlier[7], lines[11]], earlier)

    assert shortest == [earlier[7], lines[11]]
    assert asked[-1].is_minimal


def test_earlier_dialogues_are_left_out_if_they_are_not_needed() -> None:
    """A dialogue that fails alone is never asked together with the ones before it."""
    earlier = [f"play b {n}" for n in range(40)]
    lines = [f"play w {n}" for n in range(20)]

    asked, shortest = shortened(lines, [lines[11]], earlier)

    assert shortest == [lines[11]]
    assert not any(line in earlier for unit in asked for line, _ in unit.exchanges)
