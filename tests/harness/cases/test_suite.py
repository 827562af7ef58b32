"""The suite as it ships: complete, consistent, and true to the oracle."""

import tomllib
from pathlib import Path

import msgspec
import numpy as np
import pytest

from harness.cases.case import Case, Complete, Forced, Fresh, MoveChoice
from harness.cases.suite import Suite, fixtures_folder, load_suite
from harness.judging.referee import candidates, fault_in
from harness.tables.tables import EXACT_FILE
from reference_engine.board import Position
from reference_engine.deviations import CATALOGUE
from reference_engine.playout import Course, only_course, play_out
from reference_engine.vocabulary import PASS, Colour, Move, Point, parse_vertex

REQUIREMENTS = [
    *(f"R{i}" for i in range(1, 13)),
    *(f"N{i}" for i in range(1, 5)),
    "X1",
    *(f"G{i}" for i in range(1, 14)),
]
SUITE = load_suite()
FORCED = [case for case in SUITE.cases.values() if isinstance(case.question, Forced)]
CHOICES = [case for case in SUITE.cases.values() if isinstance(case.question, MoveChoice)]


def names(cases: list[Case]) -> list[str]:
    """Return ids for the test report."""
    return [case.id for case in cases]


def worth(margin: float, komi: float, colour: Colour) -> float:
    """Return what a finished playout is worth for the side to move."""
    lead = (margin - komi) * (1 if colour is Colour.BLACK else -1)
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


@pytest.fixture(name="suite")
def _suite() -> Suite:
    return SUITE


def test_every_requirement(suite: Suite) -> None:
    """Every requirement id is there, with clause, source and reading, and no other."""
    assert sorted(REQUIREMENTS) == sorted(suite.requirements)
    for name, requirement in suite.requirements.items():
        assert requirement.clause.strip(), name
        assert requirement.source.strip(), name
        assert requirement.reading.strip(), name


def test_number_of_cases(suite: Suite) -> None:
    """There are at least forty cases."""
    assert len(suite.cases) >= 40


def test_requirement_of_every_case(suite: Suite) -> None:
    """Every case belongs to a requirement and says what it is about."""
    for case in suite.cases.values():
        assert case.requirement in suite.requirements, case.id
        assert case.file.about.strip(), case.id


def test_ids_are_unique(suite: Suite) -> None:
    """No two files share an id, in whatever area."""
    files = sorted(path.stem for path in (fixtures_folder() / "cases").glob("**/*.toml"))
    assert len(set(files)) == len(files)
    assert sorted(suite.cases) == files


def test_every_deviation_breaks_a_requirement(suite: Suite) -> None:
    """Every catalogued deviation names a requirement of the suite."""
    for deviation in CATALOGUE:
        assert deviation.requirement in suite.requirements, deviation.name


@pytest.mark.parametrize("case", FORCED, ids=names(FORCED))
def test_forced_case(case: Case) -> None:
    """A forced case's nodes and score are those of the one course the oracle finds, or of a hundred courses
    drawn by it where several are alike.
    """
    question = case.question
    assert isinstance(question, Forced)
    for course in courses(case):
        assert course.length == question.nodes
        if question.score is not None:
            assert worth(course.margin, case.file.komi, case.colour) == question.score


def courses(case: Case) -> list[Course]:
    """Return the only course of a case's playouts, else a hundred."""
    start = case.game.position, case.colour, len(case.plays)
    if (course := only_course(*start)) is not None:
        return [course]
    rng = np.random.default_rng(1)

    def draw(_position: Position, _colour: Colour, playable: list[Point]) -> Move:
        return playable[rng.integers(len(playable))] if playable else PASS

    return [play_out(*start, draw) for _ in range(100)]


@pytest.mark.parametrize("case", FORCED + CHOICES, ids=names(FORCED + CHOICES))
def test_answers_are_legal(case: Case) -> None:
    """Every answer a case allows or forbids is a vertex of its board, and no allowed one breaks a rule."""
    question = case.question
    allowed = question.answers if isinstance(question, Forced) else []
    forbidden: list[str] = []
    if isinstance(question, MoveChoice):
        allowed, forbidden = question.allowed, question.forbidden
        assert allowed or forbidden
    for text in (*allowed, *forbidden):
        parse_vertex(text, case.file.size)
    for text in allowed:
        assert fault_in(case.game, case.colour, text) is None
    assert not set(allowed) & set(forbidden)


@pytest.mark.parametrize("case", CHOICES, ids=names(CHOICES))
def test_choice_leaves_something(case: Case) -> None:
    """Where moves are forbidden, a conforming bot has another one to play."""
    question = case.question
    assert isinstance(question, MoveChoice)
    if question.forbidden:
        points = {parse_vertex(text, case.file.size) for text in question.forbidden}
        assert set(candidates(case.game, case.colour)) - points


def test_scripts_refer_to_earlier_steps(suite: Suite) -> None:
    """A step is compared with an earlier step that is answered, and a silent step has one behind it."""
    for case in suite.cases.values():
        for number, step in enumerate(case.file.steps):
            for other in (step.same_as, step.differs_from):
                assert other is None or (
                    0 <= other < number and case.file.steps[other].expect != "silence"
                ), case.id
        if case.file.steps:
            assert case.file.steps[-1].expect != "silence", case.id


def test_set_up_is_what_is_drawn(suite: Suite) -> None:
    """No stone of a drawn set-up is taken while the others are placed."""
    for case in suite.cases.values():
        if case.file.setup and not case.file.moves:
            signs = case.file.setup.replace(".", " ").split()
            assert len(signs) == len(case.game.position.stones), case.id


def test_values_within_reach(suite: Suite) -> None:
    """Sizes, playouts and repetitions are those a bot can be asked for."""
    for case in suite.cases.values():
        assert 2 <= case.file.size <= 25, case.id
        assert case.file.playouts >= 1, case.id
        assert case.file.genmoves >= 1, case.id
        if isinstance(case.question, Fresh):
            # Four genmoves are needed for a verdict, and twelve for evenness to be no chance.
            assert 2 * case.file.genmoves >= 12, case.id
        if isinstance(case.question, Complete):
            assert case.question.limit >= 2 * case.file.size**2, case.id


def test_file_names_say_the_behaviour() -> None:
    """Case files are lower-case words joined by hyphens, in one folder for each area."""
    for path in (fixtures_folder() / "cases").glob("**/*.toml"):
        assert path.parent.parent == fixtures_folder() / "cases", path
        assert path.stem == path.stem.lower(), path
        assert path.stem.replace("-", "").isalnum(), path


def test_no_table_without_a_case(suite: Suite) -> None:
    """Every table that ships belongs to a case that reads one."""
    expected = {case.id for case in suite.cases.values() if case.needs_table} | {Path(EXACT_FILE).stem}
    assert {path.stem for path in (fixtures_folder() / "tables").glob("*.json")} <= expected


def test_files_are_plain_toml() -> None:
    """Every file of the suite is read by the standard library too."""
    for path in fixtures_folder().rglob("*.toml"):
        assert tomllib.loads(path.read_text("utf-8")), path
        assert msgspec.toml.decode(path.read_bytes()), path
