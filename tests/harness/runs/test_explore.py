"""`refbot explore` finds mistakes of any engine, and nothing where there is none."""

import pytest
from command import refbot

from harness.bots.bot import parse_bot
from harness.bots.inprocess import starter
from harness.judging.finding import Finding
from harness.records.evidence import Broken, Unit
from harness.runs.explore import Coverage, Discovery, Exploration
from harness.tst.discovery import tst_of
from harness.tst.pattern import parse_expectation
from harness.word import Word
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC, Spec


def hunted(spec: Spec, seconds: float, sizes: tuple[int, ...] = (2, 3, 4)) -> list[Discovery]:
    """Return what a hunt finds in the engine by some rules."""
    exploration = Exploration(parse_bot(None, None, None, 1.0), sizes, 1, starter(spec))
    return list(exploration.hunt(seconds, lambda _: None))


def test_nothing_is_found_in_the_engine() -> None:
    """A second of dialogues on small boards."""
    assert hunted(SPEC, 1.0) == []


@pytest.mark.parametrize("name", ["undo-keeps-stone", "occupied-accepted", "passes-back", "komi-ignored"])
def test_a_mistake_is_found_and_shortened(name: str) -> None:
    """What is found is confirmed by new processes, short, and told once."""
    found = hunted(BY_NAME[name].spec, 2.0)

    assert found
    kinds = [(d.finding.requirement, d.finding.quantity) for d in found if d.finding]
    assert len(kinds) == len(set(kinds))
    assert found[0].confirmed == 2
    assert len(found[0].unit.exchanges) < 100


def test_a_discovery_is_a_regression_file() -> None:
    """It has the commands, what was wrong, and an expectation for the last line."""
    (first, *_) = hunted(BY_NAME["occupied-accepted"].spec, 2.0)

    text = tst_of(first, 1)

    assert "# playouts: 1\n" in text
    assert text.splitlines()[-2].startswith("10 play ")
    assert text.splitlines()[-1] == "#? []*"


@pytest.mark.parametrize("answer", ["0.5", "D4", "(a+b)"])
def test_what_was_answered_is_what_the_file_rejects(answer: str) -> None:
    """The signs of a pattern in an answer stand for themselves."""
    finding = Finding("R5", "explore", Word.FAIL, "ref-score is 1", answer, quantity="score")
    unit = Unit("explore", 1, 1, [("genmove b", "= A1\n\n"), ("ref-score", f"=17 {answer}\n\n")], 0.0)

    expectation = parse_expectation(tst_of(Discovery(finding, None, unit, 2), 1).splitlines()[-1][3:])

    assert expectation is not None
    assert not expectation.accepts(answer)
    assert expectation.accepts("1")


def test_after_a_crash_any_answer_will_do() -> None:
    """The file of a crash passes once the bot answers."""
    broken = Broken("CRASH", "it ended", command="genmove b")
    unit = Unit("explore", 1, 1, [("clear_board", "= \n\n")], 0.0, [], broken)

    lines = tst_of(Discovery(None, broken, unit, 2), None).splitlines()

    assert lines[-2] == "10 genmove b"
    expectation = parse_expectation(lines[-1][3:])
    assert expectation is not None
    assert expectation.accepts("D4")


def test_only_plays_capture() -> None:
    """A new game, a pass and a refused play capture nothing."""
    plays = [(f"play b {letter}{row}", "= \n\n") for letter in "ABC" for row in (1, 2)]
    setup = [("boardsize 3", "= \n\n"), ("komi 0.5", "= \n\n"), ("clear_board", "= \n\n")]
    coverage = Coverage()

    rest = [("play w pass", "= \n\n"), ("play w A1", "? illegal move\n\n"), ("clear_board", "= \n\n")]
    coverage.add(Unit("explore", 1, 1, [*setup, *plays, *rest], 0.0), is_reference=True)

    assert (coverage.most_captured, coverage.commands["play"]) == (0, 8)


def test_the_command_says_what_it_did() -> None:
    """Status 0 and the last line for a bot in which nothing is found."""
    done = refbot("explore", "--minutes", "0.01", "--sizes", "3")

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().splitlines()[-1].startswith("PASS  ")


def test_sizes_that_are_none_are_one_line() -> None:
    """Bad usage is status 2."""
    done = refbot("explore", "--sizes", "5,99")

    assert done.returncode == 2
    assert "--sizes '5,99' is not a list of sizes from 2 to 25" in done.stderr


def test_a_bot_that_does_not_start_has_its_word() -> None:
    """It could not be asked: status 4."""
    done = refbot("explore", "/no/such/bot --playouts {playouts}")

    assert done.returncode == 4
    assert "START-FAILED" in done.stderr
