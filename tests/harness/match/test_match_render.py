"""A match as people see it: everything in its place, and nothing a bot said is more than text."""

import io

import msgspec
import pytest
from matches import summary
from rich.console import Console

from harness.match.record import Ask, Entrant, Question
from harness.match.schedule import Schedule, TournamentFormat
from harness.match.summary import (
    CountAnswer,
    MatchAnswer,
    RatingSummary,
    Summary,
)
from harness.match.tally import MatchTally
from harness.render.match import MatchProgress, render_match
from harness.word import Word


def shown(thing: Summary, folder: str = "folder") -> str:
    """Print without colours."""
    file = io.StringIO()
    Console(file=file, width=400).print(render_match(thing, folder), highlight=False)
    return file.getvalue()


def test_everything_is_there() -> None:
    """Results by colour, intervals, pairs, ends, duplicates, spoiled games."""
    text = shown(summary("me"))

    for part in (
        "8 games, 1.0 s this time: 9x9 and 13x13, komi 7.5, ending kgs, tournament, 2 handicap stones",
        "60 s + 10 s per 5 moves",
        "2.5 of 4, 62.5 %", "20.0 to 90.0 % (Wilson", "10.0 to 95.0 % (from 2 whole pairs)",
        "1 won, 1 drawn, 0 lost", "0  1  0  0  1", "score 4", "3 games repeat an earlier one; more than half",
        "me, asked 4 times: 2 times another winner, once another margin",
        "both name another winner than the referee in 1 game",
        "game 3: me says me: another winner, the referee B+3.5", "and 2 more; see match.json",
        "1 games void or unfinished", "game 3: CRASH", "and 2 more",
    ):  # fmt: skip
        assert part in text, part


def test_many_bots_are_a_table() -> None:
    """The strongest first, what each won against the others, and a line for each two that met."""
    two = summary("me")
    names, (met,) = ["weak", "strong", "absent"], two.meetings
    text = shown(
        msgspec.structs.replace(
            two,
            bots=[Entrant(name, {}, "", name, "", []) for name in names],
            meetings=[msgspec.structs.replace(met, first="weak", second="strong", share=0.125, points=0.5)],
            ratings=[RatingSummary("weak", -50.0, 8.0), RatingSummary("strong", 90.0, 9.0)],
        )
    )
    lines = [line.split() for line in text.splitlines()]

    for line in (
        ["1", "strong", "+90", "9", "x", "87.5", "-"],
        ["2", "weak", "-50", "8", "12.5", "x", "-"],
        ["3", "absent", "-", "-", "-", "-", "x"],
        [
            "weak",
            "-",
            "strong",
            "0.5",
            "of",
            "4",
            "12.5",
            "20",
            "to",
            "90",
            "1-1-0",
            "1-0-1",
            "score",
            "4,",
            "3",
            "repeated,",
            "1",
            "no",
            "result",
        ],
    ):
        assert any(found[: len(line)] == line for found in lines)
    assert "score 4, 3 repeated, 1 no result" in text
    assert "Black is worth -20 Elo" in text


@pytest.mark.parametrize(
    ("question", "evidence", "bounds", "said"),
    [
        (
            Question(Ask.EVEN, 0.03), (2.5, -0.5), (2.0, 2.0),
            "PASS  even within 3 %: decided after game 80; evidence 10^2.50 of 10^2 for PASS",
        ),
        (
            Question(Ask.SPRT, 0, (0.0, 10.0)), (3.0, 3.0), (-2.94, 2.94),
            "decided after game 80; log-likelihood ratio 3.00, bounds -2.94 and 2.94",
        ),
    ],
)  # fmt: skip
def test_the_answer_is_one_line(
    question: Question, evidence: tuple[float, float], bounds: tuple[float, float], said: str
) -> None:
    """The word, the question, when it was decided, and by what."""
    every = CountAnswer(Word.PASS, evidence)
    assert said in shown(summary("me", test=MatchAnswer(question, Word.PASS, every, every, bounds, 80)))


@pytest.mark.parametrize(
    ("new", "at", "said"),
    [
        (Word.INCONCLUSIVE, None, "with them the word is PASS, without them INCONCLUSIVE"),
        (Word.FAIL, 6, "with them the word is PASS, without them FAIL"),
    ],
)
def test_games_that_repeat_are_a_reason(new: Word, at: int | None, said: str) -> None:
    """In the line that says that nothing was decided."""
    every = CountAnswer(Word.PASS, (2.5, -0.5))
    answer = MatchAnswer(
        Question(Ask.EVEN, 0.03), Word.INCONCLUSIVE, every, CountAnswer(new, (0, 0)), (2, 2), at
    )
    text = shown(summary("me", test=answer, word=Word.INCONCLUSIVE))

    assert "INCONCLUSIVE  even within 3 %: not decided; 3 of 4 games repeat an earlier one: " + said in text


def test_a_match_that_was_given_up_says_so() -> None:
    """With the word of what happened."""
    assert "CRASH  the match was given up" in shown(summary("me", word=Word.CRASH))


@pytest.mark.parametrize(
    "text", ["\x1b[31mred\x07\u202e\n", "[bold]x[/bold]", "[/]", "[link=http://x]y[/link]"]
)
def test_text_of_bots_is_text(text: str) -> None:
    """Controls come out as escapes, markup letter by letter."""
    every = CountAnswer(Word.FAIL, (0, 0))
    answer = MatchAnswer(Question(Ask.SPRT, 0, (0.0, 1.0)), Word.FAIL, every, every, (0, 0), None)
    found = shown(summary(text, test=answer, bots=3))

    assert {char for char in found if not char.isprintable()} <= {"\n"}
    assert "[" not in text or text.startswith("\x1b") or text in found


def test_progress_tells_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line on what is no terminal; nothing when quiet."""
    monkeypatch.setattr("harness.render.live.PLAIN_INTERVAL_S", 0.0)
    tally = MatchTally(Schedule(2, TournamentFormat.ROUND_ROBIN, 4))
    for quiet, expected in ((False, "0 of 4 games; a 0 of 0\n"), (True, "")):
        file = io.StringIO()
        with MatchProgress(Console(file=file, width=100), 4, ["a", "b"], quiet=quiet) as progress:
            progress.see(tally)
        assert file.getvalue() == expected
