"""One game: every way it can end, each told from the others; what players are told; clocks."""

import pytest
from scripted_players import Script, played

from harness.errors import UsageError
from harness.match.board import format_vertex
from harness.match.clock import Clock
from harness.match.handicap import handicap_points
from harness.match.record import GameRecord, Termination
from harness.match.terms import OpeningPosition, Terms, TimeControl
from harness.word import Word

TERMS = Terms(size=5, komi=0.5)


def how(game: GameRecord) -> tuple[Termination, str, str]:
    """Return how a game ended, in short."""
    return game.result.how, game.result.winner, game.result.sgf


@pytest.mark.parametrize(
    ("moves", "expected", "said"),
    [
        (("C3", "A1"), (Termination.ILLEGAL, "W", "W+F"), "first plays A1 as move 3: the point is occupied"),
        (("C3", "Z9"), (Termination.ILLEGAL, "W", "W+F"), "'Z9', which is no point"),
        (("C3", ""), (Termination.ILLEGAL, "W", "W+F"), "'', which is no point"),
        (("C3", "F1"), (Termination.ILLEGAL, "W", "W+F"), "no point of the board"),
        (("C3", "?what"), (Termination.ERROR, "W", "W+F"), "the error 'what'"),
        (("C3", "Resign"), (Termination.RESIGNATION, "W", "W+R"), ""),
        (("C3", "!CRASH"), (Termination.VOID, "", "Void"), "ended without answering"),
        (("C3", "!TIMEOUT"), (Termination.VOID, "", "Void"), "no answer"),
        (("C3", "!PROTOCOL"), (Termination.VOID, "", "Void"), "broke the protocol"),
        (("C3", "PASS"), (Termination.SCORE, "W", "W+0.5"), ""),
    ],
)
def test_ends_of_a_game_are_told_apart(
    moves: tuple[str, ...], expected: tuple[Termination, str, str], said: str
) -> None:
    """Who did it, and in which words."""
    game = played(Script(moves), Script(("A1",)), TERMS)

    assert how(game) == expected
    assert said in game.result.detail
    is_guilty = game.result.how not in (Termination.SCORE, Termination.RESIGNATION)
    assert game.result.culprit == ("B" if is_guilty else "")


@pytest.mark.parametrize("word", [Word.CRASH, Word.TIMEOUT, Word.PROTOCOL])
def test_a_crash_can_be_made_a_loss(word: Word) -> None:
    """The terms say so; the word stays."""
    game = played(Script((f"!{word}",)), Script(), Terms(size=5, crash_loses=True))

    assert how(game) == (Termination.BREAK, "W", "W+F")
    assert game.result.word is word


def test_suicide_is_illegal() -> None:
    """White plays into Black's corner."""
    game = played(Script(("A2", "B1")), Script(("E1", "A1")), TERMS)

    assert how(game) == (Termination.ILLEGAL, "B", "B+F")
    assert game.result.detail == "second plays A1 as move 4: suicide"


def test_a_ko_may_not_be_taken_back_at_once() -> None:
    """Black takes one stone at D2; White takes back at C2 in the next move."""
    black, white = Script(("B2", "C1", "C3", "A5", "D2")), Script(("E2", "D1", "D3", "C2", "C2"))
    game = played(black, white, TERMS)

    assert how(game) == (Termination.ILLEGAL, "B", "B+F")
    assert game.result.detail.startswith("second plays C2 as move 10: it repeats an earlier position")


def test_a_refused_set_up_is_void_and_a_refused_legal_move_loses() -> None:
    """A bot that cannot play on this board has not lost; one that contradicts the referee has."""
    void = played(Script(answers={"boardsize": "?unacceptable size"}), Script(), TERMS)
    assert how(void) == (Termination.VOID, "", "Void")
    assert (void.result.word, void.result.culprit) == (Word.REFUSED, "B")

    lost = played(Script(("C3",)), Script(answers={"play": "?illegal move"}), TERMS)
    assert how(lost) == (Termination.ERROR, "B", "B+F")
    assert "refuses the legal 'play b C3'" in lost.result.detail


def test_who_never_passes_leaves_a_game_unfinished() -> None:
    """After the cap nobody has won."""
    game = played(Script(("A1", "A2", "A3")), Script(("B1", "B2", "B3")), Terms(size=5, move_cap=4))

    assert how(game) == (Termination.UNFINISHED, "", "Void")
    assert len(game.moves) == 4


def test_players_hear_everything_in_order() -> None:
    """Both know every move, the last pass included, before anything else is asked of them."""
    black, white = Script(("C3",)), Script(("B2",))
    played(black, white, Terms(size=5, komi=6.5))

    assert black.heard == [
        "boardsize 5", "clear_board", "komi 6.5",
        "genmove b", "play w B2", "genmove b", "play w pass",
    ]  # fmt: skip
    assert white.heard[3:] == ["play b C3", "genmove w", "play b pass", "genmove w"]


def test_handicap_and_openings_come_before_the_first_move() -> None:
    """White moves first after a handicap; an opening's own turn counts otherwise."""
    able = Script(("C5",), answers={"set_free_handicap": ""})
    game = played(able, Script(("E5",)), Terms(size=9, handicap=2))
    assert able.heard[3] == "set_free_handicap C3 G7"
    assert (game.moves[0].colour, game.moves[0].vertex) == ("W", "E5")
    plain = Script(("C5",))
    played(plain, Script(), Terms(size=9, handicap=2))
    assert plain.heard[3:5] == ["play b C3", "play b G7"]

    opening = OpeningPosition("one", [("W", "A1")], [("B", "C3")], "W")
    game = played(Script(("C3",)), Script(("B2",)), TERMS, opening)
    assert (game.moves[0].colour, game.result.how) == ("W", Termination.ILLEGAL)


def test_comments_and_final_scores_are_asked_of_those_who_know() -> None:
    """They stand in the record and change nothing."""
    black = Script(("C3",), {"ref-score": "0.75", "final_score": "W+99"})
    game = played(black, Script(answers={"final_score": "?cannot score"}), Terms(size=5, asks_score=True))

    assert game.moves[0].comment == "ref-score 0.75"
    assert [(s.colour, s.is_error, s.reply) for s in game.said] == [
        ("B", False, "W+99"),
        ("W", True, "cannot score"),
    ]
    assert game.result.winner == "B"


def test_a_bot_that_dies_after_the_end_has_not_lost() -> None:
    """The board is already counted."""
    black = Script(("C3",), {"final_score": "!CRASH"})
    game = played(black, Script(), Terms(size=5, asks_score=True))

    assert game.result.how is Termination.SCORE
    assert any(note.startswith("after the game") for note in game.notes)


def test_time_is_up_by_the_players_own_clock() -> None:
    """Main time alone: the move that oversteps it loses, the lag is forgiven."""
    terms = Terms(size=5, time=TimeControl(10.0, lag_s=0.5))
    told = {"time_settings": "", "time_left": ""}
    black = Script(("A1", "B1", "C1"), dict(told), seconds=(5.0, 5.5, 2.0))
    game = played(black, Script(("A3", "B3", "C3"), seconds=(9.0, 0.0)), terms)

    assert how(game) == (Termination.TIME, "W", "W+T")
    assert [line for line in black.heard if line.startswith("time")] == [
        "time_settings 10 0 0", "time_left b 10 0", "time_left b 5 0", "time_left b 1 0",
    ]  # fmt: skip
    assert [round(limits.genmove_s, 1) for limits in black.limits] == [11.0, 6.5, 1.5]


def test_a_bot_that_hangs_by_the_clock_has_lost_on_time() -> None:
    """Without a clock the same is void."""
    for time, expected in ((TimeControl(1.0), Termination.TIME), (None, Termination.VOID)):
        assert played(Script(("!TIMEOUT",)), Script(), Terms(size=5, time=time)).result.how is expected


def test_canadian_byo_yomi() -> None:
    """Main time runs into the first period; so many stones renew it."""
    clock = Clock(TimeControl(10.0, 6.0, 2, 0.0))
    assert clock.command("b") == "time_left b 10 0"
    assert clock.spend(12.0)
    assert (clock.main_s, clock.period_s, clock.stones) == (0.0, 4.0, 1)
    assert clock.command("b") == "time_left b 4 1"
    assert clock.spend(4.0)
    assert (clock.period_s, clock.stones) == (6.0, 2)
    assert not clock.spend(6.01)


@pytest.mark.parametrize(
    ("spent", "told"),
    [(8.1, "1 0"), (9.0, "1 0"), (9.99, "1 0"), (10.0, "6 1"), (15.5, "1 1"), (15.99, "1 1"), (13.9, "2 1")],
)
def test_a_clock_never_says_0_while_time_is_left(spent: float, told: str) -> None:
    """GTP has whole seconds, and 0 of them with 0 stones would say that time is up."""
    clock = Clock(TimeControl(10.0, 6.0, 2, 0.0))
    assert clock.spend(spent)
    assert clock.command("w") == f"time_left w {told}"


def test_time_for_each_move() -> None:
    """A period of one stone."""
    control = TimeControl(0, 2, 1, 0.0)
    clock = Clock(control)

    assert control.command() == "time_settings 0 2 1"
    assert all(clock.spend(1.9) for _ in range(20))
    assert not clock.spend(2.1)


@pytest.mark.parametrize(
    ("size", "stones", "points"),
    [
        (19, 2, "D4 Q16"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 9, "D4 Q16 Q4 D16 D10 Q10 K4 K16 K10"),
        (9, 4, "C3 G7 G3 C7"),
        (13, 3, "D4 K10 D10"),
        (8, 4, "C3 F6 F3 C6"),
    ],
)
def test_handicap_points(size: int, stones: int, points: str) -> None:
    """As GNU Go answers fixed_handicap."""
    assert {format_vertex(p) for p in handicap_points(size, stones)} == set(points.split())


@pytest.mark.parametrize(("size", "stones"), [(6, 2), (8, 5), (9, 10), (9, 1), (7, 5)])
def test_handicaps_that_have_no_places(size: int, stones: int) -> None:
    """One line says what the board takes."""
    with pytest.raises(UsageError, match="handicap"):
        handicap_points(size, stones)
