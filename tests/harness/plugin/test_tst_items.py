"""Regression files in real pytest sessions."""

import sys

import pytest
from plugged import run, text

BOT = """
import os, sys
for line in sys.stdin:
    number, _, command = line.strip().partition(" ")
    if not number.isdigit():
        number, command = "", line.strip()
    if command == "die":
        sys.stderr.write("out of\\x07 memory\\n")
        os._exit(3)
    refused = command in ("play black Z9", "play white A1")
    sign, text = ("?", "illegal move") if refused else ("=", command)
    print(f"{sign}{number} {text}", end="\\n\\n", flush=True)
    if command == "quit":
        break
"""
GOOD = """
10 alpha
#? [alpha]
20 beta
#? [gamma]
30 delta
#? [other]*
40 epsilon
#? [epsilon]*
50 zeta
#? [eta]&
60 alpha
"""
DIES = "10 alpha\n20 die\n30 beta\n40 gamma\n#? [x]*\n"
REFUSES = "10 alpha\nplay black Z9\n20 beta\nclear_board\n30 gamma\n"


@pytest.fixture
def bot(pytester: pytest.Pytester) -> str:
    """The command of a bot that repeats what it is told."""
    return f"{sys.executable} {pytester.makefile('.py', echo=BOT)}"


def test_each_test_is_an_item_with_its_own_outcome(pytester: pytest.Pytester, bot: str) -> None:
    """Passed, failed, known to fail, unexpectedly passed, not judged; a bot's end is an error anyhow."""
    pytester.makefile(
        ".tst",
        good=GOOD,
        dies=DIES,
        refuses=REFUSES,
        bad="#? [x]\n10 alpha\n#? [alpha\n",
        none="clear_board\n",
    )

    paths = ("good.tst", "dies.tst", "refuses.tst", "bad.tst", "none.tst")
    result = run(pytester, "--bot", bot, *paths, "-rA", "--continue-on-collection-errors")

    for line in (
        "PASSED good.tst::10",
        "FAILED good.tst::20 - NotConforming: beta: expected [[]gamma[]], got 'beta'",
        "XFAIL good.tst::30 - marked [*] in good.tst, test 30*",
        "XPASS good.tst::40 - marked [*] in good.tst, test 40",
        "SKIPPED *not judged (&): zeta: expected [[]eta[]], got 'zeta'",
        "PASSED good.tst::60",
        "PASSED dies.tst::10",
        "ERROR dies.tst::20 - NotJudged: CRASH: *",
        "ERROR dies.tst::40 - NotJudged: CRASH: *",
        "PASSED refuses.tst::10",
        "ERROR refuses.tst::20 - NotJudged: its position was not set up: line 2, play *",
        "PASSED refuses.tst::30",
        "ERROR bad.tst::line-1 - NotJudged: line 1: an expectation before any command*",
        "ERROR bad.tst::10 - NotJudged: line 3: no closing bracket*",
        "*none.tst holds no test*",
    ):
        result.stdout.fnmatch_lines_random([line])
    assert "stderr  | out of\\x07 memory" in text(result)
    assert "Traceback" not in text(result)


def test_strict_and_selected(pytester: pytest.Pytester, bot: str) -> None:
    """With --bot-strict a * that passes fails; -k finds tests by their command."""
    pytester.makefile(".tst", good=GOOD)

    result = run(pytester, "--bot", bot, "--bot-strict", "-k", "epsilon or alpha", "good.tst")

    result.assert_outcomes(passed=2, failed=1, deselected=3)
    result.stdout.fnmatch_lines(["*XPASS(strict)*marked [*] in good.tst, test 40"])


def test_playouts_must_be_said(pytester: pytest.Pytester, bot: str) -> None:
    """A bot whose command takes a number needs a file that gives one."""
    pytester.makefile(".tst", silent="10 alpha\n", says="# playouts: 3\n10 alpha\n")

    result = run(pytester, "--bot", bot + " {playouts}", "silent.tst", "says.tst")

    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*silent.tst does not say how many playouts*# playouts: N*"])
