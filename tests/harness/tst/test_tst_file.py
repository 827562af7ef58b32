"""Regression files: the dialects' lines, what cannot be read, any bytes."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.tst.file import Line, TstFile, parse_tst

PATH = Path("suite.tst")


def parsed(text: str | bytes) -> TstFile:
    """Parse a file of this text."""
    return parse_tst(PATH, text.encode() if isinstance(text, str) else text)


def shape(line: Line) -> tuple[int | None, str, str | None, str]:
    """Return a line's number, command, pattern and marks."""
    expected = line.expectation
    return (
        line.number,
        line.command,
        expected.pattern if expected else None,
        expected.marks if expected else "",
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("loadsgf games/a.sgf 20", [(None, "loadsgf games/a.sgf 20", None, "")]),
        ("10 reg_genmove black\n#? [E5|E6]", [(10, "reg_genmove black", "E5|E6", "")]),
        ("10 reg_genmove black\n#? [!E5]*\n", [(10, "reg_genmove black", "!E5", "*")]),
        ("10 attack A1\r\n#? [1 [A-C][1-3]]&\r\n", [(10, "attack A1", "1 [A-C][1-3]", "&")]),
        ("10\tattack A1\n#?[0]", [(10, "attack A1", "0", "")]),
        ("  10   attack A1  \n   #?   [0]  ", [(10, "attack A1", "0", "")]),
        ("10 name\n\n# why\n#? [x]", [(10, "name", "x", "")]),
        ("10 name\n#?", [(10, "name", None, "")]),
        ("10 name\n20 version", [(10, "name", None, ""), (20, "version", None, "")]),
        ("# only comment\n\n \t\n#\n", []),
        ("", []),
        ("10 name # comment\n#? [a#b]", [(10, "name # comment", "a#b", "")]),
        ("007 name", [(7, "name", None, "")]),
        ("2147483647 name", [(2147483647, "name", None, "")]),
        ("\ufeff10 name", [(10, "name", None, "")]),
        ("\x07\n10 name\n\x01# no reply\n#? [x]", [(10, "name", "x", "")]),
        ("na\x01me", [(None, "na\x01me", None, "")]),
        ("10x name", [(None, "10x name", None, "")]),
        ("#!/bin/sh", []),
    ],
)
def test_lines_of_every_dialect(text: str, lines: list[tuple[int | None, str, str | None, str]]) -> None:
    """Numbered lines are tests, an expectation belongs to the test above, comments and blanks are nothing."""
    assert lines == [shape(line) for line in parsed(text).lines]


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("#? [E5]", 1, "before any command"),
        ("name\n#? [x]", 2, "write: 10 name"),
        ("10 name\n#? [x]\n#? [y]", 3, "a second one; join them by |"),
        ("10 name\n#? x", 2, "stands in brackets"),
        ("\n\n10", 3, "without a command"),
        ("10 # name", 1, "without a command"),
        ("2147483648 name", 1, "largest of GTP"),
        ("9" * 5000 + " name", 1, "largest of GTP"),
        ("10 name\n#? [(]", 2, "not a regular expression"),
    ],
)
def test_what_cannot_be_read_spoils_its_own_test_only(text: str, where: int, said: str) -> None:
    """One line: its number, what, and what to write; the test behind it can be run."""
    file = parsed(text + "\n9 version\n#? [1]")

    faults = [line.fault for line in file.lines if line.fault]
    found = [f"line {stray.place}: {stray.reason}" for stray in file.strays] or faults
    assert len(found) == 1
    assert found[0].startswith(f"line {where}: ")
    assert said in found[0]
    assert found[0].isprintable()
    assert shape(file.lines[-1]) == (9, "version", "1", "")
    assert file.lines[-1].fault == ""


def test_a_repeated_number_is_noted() -> None:
    """Tools disagree about such a file; here both are tests."""
    file = parsed("10 name\n\n10 version\n")

    assert file.notes == ("line 3: test 10 again, as in line 1",)
    assert len(file.tests) == 2


@pytest.mark.parametrize(("text", "playouts"), [("# playouts: 8", 8), ("# playouts: 0", None), ("# x", None)])
def test_a_comment_says_for_how_many_playouts(text: str, playouts: int | None) -> None:
    """Other tools skip the line."""
    assert playouts == parsed(f"{text}\n10 name").playouts


@settings(deadline=None)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.text(alphabet="10 #?[]!*&\n\t\r\x00ab(|", max_size=40).map(str.encode),
    )
)
def test_any_bytes_are_tests_or_one_clear_fault(data: bytes) -> None:
    """Nothing is ever raised; what is sent has a name and is one line."""
    file = parsed(data)
    for said in (*(line.fault for line in file.lines), *(stray.reason for stray in file.strays)):
        assert said.isprintable()
    for line in file.lines:
        assert line.name or not line.is_sent
        assert line.fault or line.is_sent
        assert "\n" not in line.command
