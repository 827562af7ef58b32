"""The two endings, case by case as they were laid down; and that none can go on for ever."""

import pytest
from scripted_players import Script, played

from harness.match.record import Termination
from harness.match.terms import Ending, Kgs, Terms

SETTLED = (("A2", "B2", "C2"), ("A1",))
"""On 3x3: Black holds the middle row, one white stone stands in Black's corner."""
CLAIMS = {"final_status_list": "A1", "kgs-genmove_cleanup": "pass"}
KGS = Terms(size=3, komi=0.5, ending=Ending.KGS)


def terms(kgs: Kgs) -> Terms:
    """Return the terms with another practice of the ending."""
    return Terms(size=3, komi=0.5, ending=Ending.KGS, kgs=kgs)


def test_tromp_taylor_counts_everything_as_alive() -> None:
    """Nobody is asked, even if it could say that a stone is dead."""
    black, white = Script(SETTLED[0], CLAIMS), Script(SETTLED[1], CLAIMS)
    game = played(black, white, Terms(size=3, komi=0.5))

    assert (game.result.sgf, game.dead, game.said) == ("B+4.5", [], [])
    assert not any("final_status_list" in line for line in black.heard + white.heard)


def test_agreement_takes_stones_off() -> None:
    """Both say the same: that is the score, without a cleanup."""
    game = played(Script(SETTLED[0], CLAIMS), Script(SETTLED[1], CLAIMS), KGS)

    assert (game.result.sgf, game.dead, game.breaks) == ("B+8.5", ["A1"], [len(game.moves)])
    assert [(s.colour, s.sent, s.reply) for s in game.said] == [
        ("B", "final_status_list dead", "A1"),
        ("W", "final_status_list dead", "A1"),
    ]


@pytest.mark.parametrize(
    ("lacks", "result"),
    [((), "B+8.5"), (("final_status_list",), "B+4.5"), (("kgs-genmove_cleanup",), "B+4.5")],
)
def test_the_ending_follows_from_the_bots(lacks: tuple[str, ...], result: str) -> None:
    """Stones are agreed to be dead where both can say so; otherwise nobody is asked."""
    black, white = Script(SETTLED[0], CLAIMS, lacks=lacks), Script(SETTLED[1], CLAIMS)
    game = played(black, white, Terms(size=3, komi=0.5, ending=Ending.AUTO))

    assert game.result.sgf == result
    assert len(game.said) == (0 if lacks else 2)


def test_programs_without_the_commands_say_that_nothing_is_dead() -> None:
    """Neither has them: they agree by that, and the board counts as it stands."""
    game = played(Script(SETTLED[0]), Script(SETTLED[1]), KGS)

    assert (game.result.sgf, game.said, len(game.breaks)) == ("B+4.5", [], 1)
    assert len(game.notes) == 2


@pytest.mark.parametrize("missing", ["final_status_list", "kgs-genmove_cleanup"])
def test_a_program_that_lacks_either_is_not_asked(missing: str) -> None:
    """Both commands are needed for a claim."""
    black = Script(SETTLED[0], CLAIMS, lacks=(missing,))
    game = played(black, Script(SETTLED[1], CLAIMS), KGS)

    assert [s.colour for s in game.said] == ["W"]
    assert f"B lacks {missing}: it says that no stone is dead" in game.notes


def test_disagreement_is_played_out_with_each_ones_own_command() -> None:
    """kgs-genmove_cleanup for who has it, genmove for who has not; then all is alive and nobody is asked."""
    cleanup = iter(["B1", "pass"])
    able = Script(SETTLED[0], {**CLAIMS, "kgs-genmove_cleanup": lambda _: next(cleanup)})
    plain = Script(SETTLED[1])
    game = played(able, plain, KGS)

    tail = [(m.colour, m.vertex, m.is_cleanup) for m in game.moves[game.breaks[0] :]]
    assert tail == [("W", "pass", False), ("B", "B1", True), ("W", "pass", False), ("B", "pass", True)]
    assert any(line == "genmove w" for line in plain.heard)
    assert len(game.said) == 1
    assert game.dead == []
    assert game.result.sgf == "B+8.5"


def test_cleanup_goes_to_who_has_it_though_it_cannot_list() -> None:
    """The command is sent to programs that support it, whether or not they made a claim."""
    black = Script(SETTLED[0], CLAIMS, lacks=("final_status_list",))
    white = Script(SETTLED[1], CLAIMS)
    played(black, white, KGS)

    assert "kgs-genmove_cleanup b" in black.heard


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"final_status_list": "?cannot say", "kgs-genmove_cleanup": "pass"}, "answers it with the error"),
        ({"final_status_list": "A1 Z9", "kgs-genmove_cleanup": "pass"}, "no point of the board"),
        ({"final_status_list": "A2", "kgs-genmove_cleanup": "?no"}, "kgs-genmove_cleanup with the error"),
    ],
)
def test_who_claims_support_and_answers_with_an_error_loses(answers: dict[str, str], said: str) -> None:
    """Whatever the board says."""
    game = played(Script(SETTLED[0], dict(answers)), Script(SETTLED[1], CLAIMS), KGS)

    assert (game.result.how, game.result.winner, game.result.sgf) == (Termination.ERROR, "W", "W+F")
    assert said in game.result.detail


@pytest.mark.parametrize("kgs", list(Kgs))
def test_a_bot_that_calls_all_enemy_stones_dead_each_time_ends_with_the_board(kgs: Kgs) -> None:
    """Claims that never agree gain nothing, in any practice."""
    waster = Script(SETTLED[0], {"final_status_list": "A1", "kgs-genmove_cleanup": "pass"})
    rival = Script(SETTLED[1], {"final_status_list": "A2", "kgs-genmove_cleanup": "pass"})
    game = played(waster, rival, terms(kgs))

    assert (game.result.sgf, len(game.breaks), len(game.said)) == ("B+4.5", 2, 2)


def test_outside_tournaments_claims_are_made_again_after_a_cleanup() -> None:
    """Black plays a stone in the cleanup, so both are asked once more, and now agree."""
    cleanup, claims = iter(["C1", "pass"]), iter(["", "A1"])
    black = Script(SETTLED[0], {"final_status_list": "A1", "kgs-genmove_cleanup": lambda _: next(cleanup)})
    white = Script(SETTLED[1], {"final_status_list": lambda _: next(claims), "kgs-genmove_cleanup": "pass"})
    game = played(black, white, terms(Kgs.FREE))

    assert (game.result.sgf, game.dead, len(game.said), len(game.breaks)) == ("B+8.5", ["A1"], 4, 2)


def test_silent_pass_asks_nobody_without_the_command() -> None:
    """In the third KGS tournament such a program passed, whatever it would have liked."""
    able = Script(SETTLED[0], CLAIMS)
    plain = Script((*SETTLED[1], "pass", "pass", "C3"))
    game = played(able, plain, terms(Kgs.SILENT))

    assert all(m.vertex == "pass" for m in game.moves[game.breaks[0] :])
    assert "play w pass" in plain.heard


def test_only_list_takes_the_one_list_there_is() -> None:
    """As was asked for in 2008, where one program could not list."""
    game = played(Script(SETTLED[0], CLAIMS), Script(SETTLED[1]), terms(Kgs.ONLY_LIST))

    assert (game.result.sgf, game.dead, len(game.breaks)) == ("B+8.5", ["A1"], 1)


def test_a_claim_means_whole_chains_and_stones_only() -> None:
    """A part of a chain stands for the chain; a point without a stone is noted and left out."""
    one = {"final_status_list": "A2 C3", "kgs-genmove_cleanup": "pass"}
    other = {"final_status_list": "A2 B2\nC2", "kgs-genmove_cleanup": "pass"}
    game = played(Script(SETTLED[0], dict(one)), Script(SETTLED[1], dict(other)), KGS)

    assert game.dead == ["A2", "B2", "C2"]
    assert any("C3" in note for note in game.notes)
    assert any("whole chain" in note for note in game.notes)
