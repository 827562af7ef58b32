"""What bots say of the score: read, held against the referee's, and shown wherever results are."""

import io

import pytest
from matches import header
from rich.console import Console
from scripted_players import Script, played
from sgfmill import sgf

from harness.match.record import MatchHeader, Result, Termination
from harness.match.run import new_tally
from harness.match.scores import ScoreDifference, difference, parse_score
from harness.match.sgf import game_sgf
from harness.match.summary import Summary, summarize
from harness.match.tally import outcome_of
from harness.match.terms import Terms
from harness.render.match import render_match
from harness.render.match_page import render_match_page


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("B+3.5", 3.5), ("W+12", -12.0), ("w+0.5", -0.5), (" B+7.0 (upper bound: 9.5)", 7.0), ("0", 0.0),
        ("Draw", 0.0), ("jigo", 0.0), ("B+R", None), ("", None), ("B+", None), ("12.5", None),
        ("B+1e9", None), ("B+3.5.5", None), ("B+\u0663", None), ("?", None), ("B+" + "9" * 400, None),
    ],
)  # fmt: skip
def test_scores_as_bots_write_them(text: str, margin: float | None) -> None:
    """GTP's form, what some add to it, and nothing else."""
    assert parse_score(text) == pytest.approx(margin)


@pytest.mark.parametrize(
    ("said", "counted", "expected"),
    [
        ("B+3.5", 3.5, None),
        ("B+2.5", 3.5, ScoreDifference.MARGIN),
        ("W+3.5", 3.5, ScoreDifference.WINNER),
        ("0", 3.5, ScoreDifference.WINNER),
        ("0", 0.0, None),
        ("unclear", 3.5, ScoreDifference.UNREADABLE),
    ],
)
def test_how_scores_differ(said: str, counted: float, expected: ScoreDifference | None) -> None:
    """Another winner weighs more than another margin."""
    winner = "B" if counted > 0 else ""
    assert difference(said, Result(Termination.SCORE, winner, counted)) is expected


def _match(black: str, white: str) -> tuple[MatchHeader, Summary, bytes]:
    """Return one game that Black wins by 24.5, after which both say this."""
    top = header()
    game = played(
        Script(("C3",), {"final_score": black}),
        Script(answers={"final_score": white}),
        Terms(size=5, komi=0.5),
    )
    tally = new_tally(top, 2)
    tally.add(outcome_of(game, top, tally.schedule))
    return top, summarize(top, tally, 1.0, None), game_sgf(game, top)


def _shown(summary: Summary) -> str:
    text = io.StringIO()
    console = Console(width=200, file=text)
    console.print(render_match(summary, "x"))
    return " ".join(text.getvalue().split())


def test_scores_that_differ_are_shown_everywhere() -> None:
    """Terminal, page, game record and document; the result is the referee's."""
    _, summary, record = _match("W+99", "B+23.5")
    told = [(one.game, one.bot, one.said, one.difference) for one in summary.disputed]
    assert told == [(1, "one", "W+99", ScoreDifference.WINNER), (1, "two", "B+23.5", ScoreDifference.MARGIN)]
    (met,) = summary.meetings
    assert [(one.bot, one.asked, one.winner, one.margin) for one in met.scores] == [
        ("one", 1, 1, 0),
        ("two", 1, 0, 1),
    ]
    text, page = _shown(summary), render_match_page(summary)
    for said in (
        "one, asked 1 time: once another winner",
        "two, asked 1 time: once another margin",
        "one says W+99: another winner, the referee B+24.5",
    ):
        assert said in text
        assert said in page
    root = sgf.Sgf_game.from_bytes(record).get_root()
    assert root.get("RE") == "B+24.5"
    assert "Black says W+99: another winner; the referee counts B+24.5" in root.get("C")
    assert "White says B+23.5: another margin" in root.get("C")


def test_both_bots_against_the_referee() -> None:
    """The board holds what both take for dead: the cure is named."""
    _, summary, _ = _match("W+9", "W+8")
    assert summary.meetings[0].both_differ == 1
    said = "both name another winner than the referee in 1 game, where dead stones stand on the board"
    assert said in _shown(summary)


def test_scores_that_agree_are_not_spoken_of() -> None:
    """Nor answers that are errors."""
    _, summary, record = _match("B+24.5", "?cannot score")
    assert summary.disputed == []
    assert [(one.bot, one.asked) for one in summary.meetings[0].scores] == [("one", 1)]
    assert "final_score" not in _shown(summary)
    assert "says" not in render_match_page(summary)
    assert b"the referee counts" not in record
