"""Which tests of which files the arguments of `refbot tst` name."""

from pathlib import Path

import pytest

from harness.errors import NothingRunError, UsageError
from harness.tst.select import select

SUITE = "".join(f"{number} name\n" for number in (1, 6, 10, 13, 14, 15, 20))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, with a few files in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite.tst").write_text(SUITE)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "other.tst").write_text("10 name\n")
    (tmp_path / "deep" / "all.list").write_text("# all\n\nother.tst\nsuite:6\n@more.list\n")
    (tmp_path / "deep" / "more.list").write_text("suite.tst:13\n")
    return tmp_path


def chosen(*arguments: str) -> list[tuple[str, list[int]]]:
    """Return the names of files and the numbers asked for."""
    return [
        (s.file.path.name, [line.number for line in s.file.tests if line.number and s.has(line.number)])
        for s in select(arguments)
    ]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("argument", "numbers"),
    [
        ("suite.tst", [1, 6, 10, 13, 14, 15, 20]),
        ("suite", [1, 6, 10, 13, 14, 15, 20]),
        ("suite:6,13-15", [6, 13, 14, 15]),
        ("suite.tst:6,13-15", [6, 13, 14, 15]),
        ("./suite.tst:5-10", [6, 10]),
    ],
)
def test_files_and_ranges(argument: str, numbers: list[int]) -> None:
    """The suffix may be left out; a range may have gaps."""
    assert [("suite.tst", numbers)] == chosen(argument)


@pytest.mark.usefixtures("folder")
def test_lists_name_files_beside_them_or_from_here() -> None:
    """Ranges of one file are joined, so that its process is started once."""
    assert chosen("@deep/all.list") == [("other.tst", [10]), ("suite.tst", [6, 13])]
    assert chosen("suite:1", "suite:20") == [("suite.tst", [1, 20])]
    assert select(["suite:1", "suite"])[0].count == 7


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("nothing.tst", "no such regression file"),
        ("suite.tst:x", "no such regression file"),
        ("suite:6,,7", "is not a test or a range"),
        ("deep", "is a folder"),
        ("@nothing", "no such list"),
        ("a\0b", "no such regression file"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_names_nothing_is_a_usage_error(argument: str, said: str) -> None:
    """The message repeats the argument."""
    with pytest.raises(UsageError, match=said):
        select([argument])


@pytest.mark.parametrize("argument", ["suite:7", "suite:30-40", "suite:6,7", "suite:15-13"])
@pytest.mark.usefixtures("folder")
def test_numbers_that_no_test_has_are_never_success(argument: str) -> None:
    """Nothing run has a status of its own."""
    with pytest.raises(NothingRunError, match="has no test"):
        select([argument])


def test_a_number_in_a_file_without_tests(folder: Path) -> None:
    """It has none."""
    (folder / "empty.tst").write_text("# nothing\nname\n")

    with pytest.raises(NothingRunError, match="has no test 7; it has none"):
        select(["empty.tst:7"])


def test_a_list_that_names_itself_is_refused(folder: Path) -> None:
    """Directly, or through another."""
    (folder / "a.list").write_text("@b.list\n")
    (folder / "b.list").write_text("@a.list\n")

    with pytest.raises(UsageError, match="names itself"):
        select(["@a.list"])
