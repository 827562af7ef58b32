"""Expectations of regression tests: what is read, what is refused, which answers they accept."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.tst.pattern import parse_expectation, translated

READ = [
    # written, answer, accepted here, accepted by GNU Go's script
    ("[E5]", "E5", True, True),
    ("[E5]", "E55", False, False),
    ("[E5]", "e5", False, False),
    ("[E5|E6]", "E6", True, True),
    ("[E5|E6]", "E55", False, True),  # ^E5|E6$ binds E5 to the beginning only
    ("[E5|E6]", "no E6", False, True),
    ("[E5|C3|E6]", "at C3 too", False, True),
    ("[(E5|E6)]", "E55", False, False),
    ("[!E5]", "E6", True, True),
    ("[!E5]", "E5", False, False),
    ("[!E5|E6]", "E6", False, False),
    ("[]", "", True, True),
    ("[]", "x", False, False),
    ("[!]", "x", True, True),
    ("[ E5 ]", "E5", True, False),
    ("[ !E5 ]", "E6", True, False),
    ("[.*]", "one\ntwo", True, True),
    ("[[A-H][1-9]]", "C7", True, True),
    ("[[A-H][1-9]]", "J7", False, False),
    ("[[^A-H]5]", "J5", True, True),
    ("[[]]5]", "]5", True, True),
    ("[[[]5]", "[5", True, True),
    ("[[[:alpha:]][[:digit:]]+]", "K10", True, True),
    ("[[[:upper:]_]+]", "A_B", True, True),
    (r"[5\.5]", "5.5", True, True),
    (r"[5\.5]", "5x5", False, False),
    (r"[\[x\]]", "[x]", True, True),
    (r"[1 \(A1\)]", "1 (A1)", True, True),
    (r"[A\d+]", "A19", True, True),
    ("[(?:A|B)1]", "B1", True, True),
    ("[[a&&b~~]+]", "a&b~", True, True),
    ("[a{2,3}]", "aaa", True, True),
    ("[É5]", "É5", True, True),
]


@pytest.mark.parametrize(("written", "answer", "here", "by_awk"), READ)
def test_answers_are_accepted_as_written_in_the_table(
    written: str, answer: str, here: bool, by_awk: bool
) -> None:
    """A pattern matches the whole answer; GNU Go's script puts ^ and $ around the pattern's text."""
    expectation = parse_expectation(" " + written)

    assert expectation is not None
    assert here == expectation.accepts(answer)
    assert by_awk == expectation.accepts_as_awk(answer)


@pytest.mark.parametrize(
    ("written", "known", "ignored"),
    [
        ("[E5]", False, False),
        ("[E5]*", True, False),
        ("[E5]&", False, True),
        ("[E5]*&", True, True),
        ("[E5] * ", True, False),
        ("[[A-C]5]*", True, False),
    ],
)
def test_marks_stand_behind_the_bracket(written: str, known: bool, ignored: bool) -> None:
    """A star is a known failure, an ampersand an answer that is not judged."""
    expectation = parse_expectation(written)

    assert expectation is not None
    assert (expectation.is_known_failure, expectation.is_ignored) == (known, ignored)


def test_nothing_asks_for_any_answer() -> None:
    """A bare #? is no pattern."""
    assert parse_expectation("  ") is None


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("E5", "stands in brackets"),
        ("[E5", "no closing bracket"),
        ("[E5] see the book", "may follow the closing bracket"),
        ("[(E5]", "not a regular expression"),
        ("[*]", "not a regular expression"),
        ("[E5**]", "two signs of repetition"),
        ("[E5*+]", "two signs of repetition"),
        ("[[A-C]", "bracket expression that does not end"),
        ("[[[:nosuch:]]]", "no class of characters"),
        ("[[z-a]]", "bad character range"),
        ("[a{99999999999}]", "too large"),
    ],
)
def test_what_is_no_expectation_is_said(written: str, said: str) -> None:
    """The message says what is wrong."""
    with pytest.raises(ValueError, match=said):
        parse_expectation(written)


@settings(deadline=None)
@given(st.text(alphabet="[]()|*+?{}\\!^$.:-&~ab1, \n", max_size=20), st.text(max_size=8))
def test_no_pattern_makes_it_raise_anything_else(body: str, answer: str) -> None:
    """Whatever stands in the brackets is an expectation or a ValueError, and so is every answer to it."""
    try:
        expectation = parse_expectation(f"[{body}]")
    except ValueError:
        return
    if expectation is not None:
        expectation.accepts(answer)
        expectation.accepts_as_awk(answer)


@pytest.mark.skipif(shutil.which("grep") is None, reason="no grep on this machine")
def test_patterns_mean_what_posix_says() -> None:
    """Against grep -E, which is POSIX, on all short answers over three letters."""
    answers = [a + b + c for a in "ab." for b in "ab.|" for c in ("", "a", "b", "]", "\\")]
    patterns = [
        "a(a|b)*",
        "[^a]+",
        r"a\..?",
        "[]a]+b",
        "(a|b)[ab.]?.",
        "[[:alpha:]]+",
        "a|b|..b",
        "[a-b]{2}",
        ".",
    ]
    for pattern in patterns:
        grep = subprocess.run(
            ["grep", "-E", "-x", "-e", pattern],
            input="\n".join(answers),
            capture_output=True,
            text=True,
            check=False,
        )
        assert grep.returncode < 2
        ours = [a for a in answers if re.fullmatch(translated(pattern), a, re.DOTALL)]
        assert grep.stdout.split("\n")[:-1] == ours, pattern
