"""Reflections: forced cases stay forced, whichever way the board is turned."""

from io import StringIO

import pytest
from rich.console import Console

from harness.cases.case import Case, Forced
from harness.cases.level import LEVELS
from harness.cases.reflection import original_of, reflections_of
from harness.cases.suite import shipped_suite
from harness.render.explain import render_explanation
from reference_engine.playout import only_course

CASES = shipped_suite().cases
FORCED = {name: case for name, case in CASES.items() if isinstance(case.question, Forced)}
ALL = reflections_of(CASES, 7)


@pytest.mark.parametrize("case", ALL.values(), ids=ALL)
def test_the_course_is_as_long_in_every_reflection(case: Case) -> None:
    """The oracle plays as many moves as in the case itself, with as large a margin."""
    original = FORCED[original_of(case.id)]
    course = only_course(case.game.position, case.colour, len(case.plays))
    own = only_course(original.game.position, original.colour, len(original.plays))
    assert (course is None) == (own is None)
    if course is not None and own is not None:
        assert (course.length, course.margin) == (own.length, own.margin)


def test_every_forced_case_has_reflections() -> None:
    """Every forced case that has stones has a reflection that looks different."""
    assert {original_of(name) for name in ALL} == {name for name, case in FORCED.items() if case.plays}


def test_a_level_asks_some_of_them() -> None:
    """A standard certificate has three of each, a full one all; a certificate that cannot pass has none."""
    most = {level: LEVELS[level].reflections for level in ("smoke", "standard", "full")}
    assert most == {"smoke": 0, "standard": 3, "full": 7}
    for level, count in most.items():
        suite = shipped_suite().for_level(level)
        assert len(suite.cases) <= len(CASES) + count * len(FORCED)
        assert suite.for_level(level).cases.keys() == suite.cases.keys()


def test_words_name_the_points_of_the_reflection() -> None:
    """The vertices of the sentence, the drawing and the answers are turned together."""
    case = ALL["ko-is-not-taken-by-a-chain-reflected-6"]
    assert isinstance(case.question, Forced)
    assert case.question.answers == ["C2"]
    assert "White's only point is C2" in case.file.about
    assert case.file.setup == "X X O\n. X .\nO O X\n"


def test_a_reflection_is_explained() -> None:
    """`refbot explain` knows the names that a certificate shows."""
    page = render_explanation(shipped_suite(), "ko-is-not-taken-by-a-chain-reflected-6")
    console = Console(width=120, record=True, file=StringIO())
    console.print(page)
    assert "3 X X O 3" in console.export_text()
