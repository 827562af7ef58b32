"""The badge: the word of a run, green only where conformance was shown."""

import json

import pytest
from judged_runs import HOSTILE, judged_run, saying, units, word_of

from harness.render.badge import render_badge
from harness.word import Word, exit_status


@pytest.mark.parametrize("word", list(Word))
def test_of_one_run(word: Word) -> None:
    """A badge has word and level; only PASS is green, and only what exits with 0 can be recoloured."""
    badge = json.loads(render_badge([word_of(judged_run(units()), word)]))
    assert (badge["schemaVersion"], badge["label"], badge["message"]) == (1, "refbot", f"{word} (smoke)")
    assert ("green" in badge["color"]) == (word is Word.PASS)
    assert badge.get("isError", False) == (exit_status(word) != 0)


def test_of_several_runs() -> None:
    """Of several runs it counts the words, and has the colour of the worst."""
    one = judged_run(units())
    words = (Word.PASS, Word.PASS, Word.FAIL, Word.INCONCLUSIVE)
    badge = json.loads(render_badge([word_of(one, word) for word in words]))
    assert badge["message"] == "2 PASS, 1 INCONCLUSIVE, 1 FAIL"
    assert badge["color"] == "red"


def test_nothing_of_a_bot_stands_in_it() -> None:
    """A hostile bot leaves no trace but the word."""
    assert b"evil" not in render_badge([saying(HOSTILE)])
