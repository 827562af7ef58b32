"""Cases and suites: what a file sets up, and that every broken one is named."""

from pathlib import Path

import msgspec
import pytest
from tiny_suite import CASES, EYE, GAME, KO, SCRIPT, case_of, write_suite

from harness.cases.case import Case, CaseFile, Complete, Forced, Fresh, MoveChoice, Moves, Sample, Step
from harness.cases.suite import load_suite
from harness.errors import FixtureError, UsageError
from reference_engine.vocabulary import Colour, parse_vertex


def test_values_of_a_case() -> None:
    """A case has its file's values, its game, and whose turn it is."""
    case = case_of(KO, "ko")
    assert (case.id, case.requirement, case.colour, case.file.size) == ("ko", "R11", Colour.BLACK, 5)
    assert case.game.position.stones[parse_vertex("C1", 5) or (9, 9)] is Colour.WHITE
    assert parse_vertex("B1", 5) not in case.game.position.stones
    assert len(case.plays) == len(case.game.moves)


@pytest.mark.parametrize(
    ("name", "kind", "is_statistical", "needs_table"),
    [
        ("eye", Forced, False, False),
        ("ko", MoveChoice, False, False),
        ("sample", Sample, True, True),
        ("moves", Moves, True, True),
        ("game", Complete, False, False),
        ("fresh", Fresh, False, True),
        ("script", tuple, False, False),
    ],
)
def test_questions(name: str, kind: type, is_statistical: bool, needs_table: bool) -> None:
    """Each table of a file is one kind of question."""
    case = case_of(CASES[name])
    assert isinstance(case.question, kind)
    assert (is_statistical, needs_table) == (case.is_statistical, case.needs_table)


def test_commands() -> None:
    """The set-up is boardsize, clear_board, komi and plays: stones in turn with passes in the gaps."""
    text = GAME.replace("size = 3", 'size = 3\nkomi = 6.5\nsetup = """\nX . .\n. X .\nO . X\n"""')
    assert case_of(text).commands() == [
        "boardsize 3",
        "clear_board",
        "komi 6.5",
        "play black C1",
        "play white A1",
        "play black B2",
        "play white pass",
        "play black A3",
    ]


@pytest.mark.parametrize("komi", [0.5, 7.0, -3.5, 0.0, 1e6, 0.25, 123456.5])
def test_komi_survives_its_text(komi: float) -> None:
    """The komi that is sent is the komi of the case."""
    line = case_of(GAME.replace("size = 3", f"size = 3\nkomi = {komi!r}")).commands()[2]
    assert komi == float(line.split()[1])


def change(old: str, new: str, text: str = EYE) -> str:
    """Change a case file's text in one place."""
    assert old in text
    return text.replace(old, new, 1)


BROKEN = {
    "no question": GAME.replace("[complete]\nlimit = 200\n", ""),
    "two questions": EYE + "[complete]\nlimit = 9\n",
    "question and steps": SCRIPT + "[complete]\nlimit = 9\n",
    "colour": EYE.replace("size = 4", 'size = 4\nto_move = "red"'),
    "few rows": change(". X O O\nX X O .\n. X O O\n", ". X O O\n"),
    "few columns": change(". X O O", ". X O"),
    "sign": change(". X O O", "+ X O O"),
    "suicide in the set-up": GAME.replace(
        "size = 3", 'size = 2\nsetup = """\nX .\n. X\n"""\nmoves = "W A2"\nposition = """\nX .\n. X\n"""'
    ),
    "other position": KO.replace('O . O X .\n"""\n[choice]', 'O X O X .\n"""\n[choice]'),
    "moves without position": GAME.replace("size = 3", 'size = 3\nmoves = "B A1"'),
    "occupied": KO.replace('"W C1"', '"W B1"'),
    "colour of a move": KO.replace('"W C1"', '"X C1"'),
}
UNCHECKED = {
    "odd number of words": KO.replace('"W C1"', '"W C1 B"'),
    "move off the board": KO.replace('"W C1"', '"W Z9"'),
    "board of no size": GAME.replace("size = 3", "size = 0"),
    "board of one": GAME.replace("size = 3", "size = 1"),
    "board too large": GAME.replace("size = 3", "size = 26"),
    "no playouts": GAME.replace("playouts = 2", "playouts = 0"),
    "no genmoves": KO.replace("size = 5", "size = 5\ngenmoves = 0"),
    "komi that is no number": GAME.replace("size = 3", "size = 3\nkomi = nan"),
    "stones taken while they are placed": GAME.replace(
        "size = 3", 'size = 3\nsetup = """\n. X .\nX O X\n. X .\n"""'
    ),
    "answer off the board": change('answers = ["pass"]', 'answers = ["Z9"]'),
    "answer that is no vertex": change('allowed = ["pass"]', 'allowed = ["pas"]', KO),
    "choice of nothing": change('allowed = ["pass"]', "", KO),
    "same_as a step that is not there": SCRIPT + "same_as = 7\n",
    "same_as itself": SCRIPT + "same_as = 0\n",
    "silence at the end": SCRIPT + '[[steps]]\nsend = " "\nexpect = "silence"\n',
}


@pytest.mark.parametrize("why", BROKEN)
def test_broken_case(why: str) -> None:
    """A case that contradicts itself or the rules is an error that names it."""
    with pytest.raises(FixtureError, match="the-case"):
        case_of(BROKEN[why], "the-case")


@pytest.mark.parametrize("why", UNCHECKED)
def test_broken_case_that_could_blame_a_bot(why: str) -> None:
    """A slip in a case file that would crash the harness, or be held against a bot, is an error that names
    the case.
    """
    with pytest.raises(FixtureError, match="the-case"):
        case_of(UNCHECKED[why], "the-case")


@pytest.mark.parametrize(
    "text",
    [
        "not toml [",
        GAME + "[unknown]\n",
        GAME.replace("size", "siez"),
        GAME.replace("size = 3", 'size = "3"'),
        GAME.replace('requirement = "R1"\n', ""),
        GAME.replace("limit", "limits"),
        EYE.replace("nodes", "node"),
        SCRIPT.replace('"error"', '"mistake"'),
        GAME.replace('"R1"', '"R99"'),
        "\ufeff" + GAME + "[complete]\n",
    ],
)
def test_broken_file(tmp_path: Path, text: str) -> None:
    """A file that cannot be read, or names a requirement there is not, is an error with its path."""
    folder = write_suite(tmp_path, {"fine": GAME, "the-case": text})
    with pytest.raises(FixtureError, match=r"the-case\.toml"):
        load_suite(folder)


def test_file_that_is_not_utf8(tmp_path: Path) -> None:
    """A file in another encoding is an error with its path."""
    folder = write_suite(tmp_path, {"fine": GAME})
    (folder / "cases" / "area" / "the-case.toml").write_bytes(GAME.encode() + b"# \xff\n")
    with pytest.raises(FixtureError, match=r"the-case\.toml"):
        load_suite(folder)


def test_two_cases_of_one_name(tmp_path: Path) -> None:
    """Two files of one name in different areas are an error."""
    folder = write_suite(tmp_path, {"game": GAME})
    (folder / "cases" / "other").mkdir()
    (folder / "cases" / "other" / "game.toml").write_text(GAME)
    with pytest.raises(FixtureError, match="a second case named game"):
        load_suite(folder)


def test_suite_without_cases(tmp_path: Path) -> None:
    """A suite without cases is an incomplete installation, never a pass."""
    with pytest.raises(FixtureError, match="no cases found"):
        load_suite(write_suite(tmp_path, {}))


def test_no_suite(tmp_path: Path) -> None:
    """A folder without requirements is an error with the path."""
    with pytest.raises(FixtureError, match=r"requirements\.toml"):
        load_suite(tmp_path)


def test_case_by_name(tmp_path: Path) -> None:
    """A case is found by its id, and a misspelt id is answered with the closest."""
    suite = load_suite(write_suite(tmp_path, {"complete-game": GAME}))
    assert suite.case("complete-game").id == "complete-game"
    with pytest.raises(UsageError, match="did you mean 'complete-game'"):
        suite.case("complet-game")


def test_digest_follows_every_file(tmp_path: Path) -> None:
    """The digest changes with any fixture's bytes or name, and with nothing else."""
    folder = write_suite(tmp_path, {"game": GAME, "ko": KO})
    digest = load_suite(folder).digest
    assert digest == load_suite(folder).digest
    (folder / "notes.txt").write_text("not a fixture")
    assert digest == load_suite(folder).digest
    path = folder / "cases" / "area" / "ko.toml"
    path.write_text(KO + "\n")
    changed = load_suite(folder).digest
    assert digest != changed
    path.rename(path.with_name("other.toml"))
    assert load_suite(folder).digest not in (digest, changed)


def test_steps_of_a_script() -> None:
    """A step's defaults are success and nothing to compare with."""
    assert (Step(send="no-such-command", expect="error"),) == case_of(SCRIPT).question


def test_case_file_is_strict() -> None:
    """A case made in code is checked like one from a file."""
    with pytest.raises(FixtureError, match="asks 0 questions"):
        Case("x", CaseFile(requirement="R1", about="", size=3))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"requirement": "R1"}, CaseFile)
