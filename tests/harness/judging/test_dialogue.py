"""A dialogue is judged by the rules, command by command."""

import pytest
from certificates import shipped

from harness.bots.inprocess import InProcess
from harness.cases.case import Case, Dialogue
from harness.judging.dialogue import findings_in
from harness.judging.finding import Finding
from harness.records.evidence import Unit
from harness.runs.dialogue import ask_dialogue
from harness.word import Word
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC, Spec

DIALOGUES = [case for case in shipped()[0].cases.values() if isinstance(case.question, Dialogue)]
OK, ERROR = "= \n\n", "? no\n\n"


def answers(*lines: tuple[str, str], is_minimal: bool = False, is_reference: bool = True) -> list[Finding]:
    """Return the findings in a dialogue on 3x3 with komi 0.5 and one playout."""
    exchanges = [("boardsize 3", OK), ("komi 0.5", OK), ("clear_board", OK), *lines]
    unit = Unit("a-case", 1, 1, exchanges, 0.0, is_minimal=is_minimal)
    return list(findings_in("a-case", unit, (9, 9), is_reference=is_reference))


@pytest.mark.parametrize(
    ("lines", "requirement"),
    [
        ([("play b A1", ERROR)], "G6"),
        ([("play b A1", OK), ("play w A1", OK)], "G6"),
        ([("play b A2", OK), ("play b B1", OK), ("play w A1", OK)], "G6"),
        ([("play b D1", OK)], "G5"),
        ([("play b pass", ERROR)], "G5"),
        ([("undo", OK)], "G12"),
        ([("play b A1", OK), ("undo", ERROR)], "G12"),
        ([("play b A1", OK), ("undo", OK), ("play w A1", ERROR)], "G6"),
        ([("komi 3.5", ERROR)], "G11"),
        ([("clear_board", ERROR)], "G9"),
        ([("boardsize 1", OK)], "G10"),
        ([("genmove b", "= pass\n\n")], "R8"),
        ([("genmove b", "= D4\n\n")], "G5"),
        ([("genmove b", ERROR)], "R1"),
        ([("genmove b", "= A1\n\n"), ("ref-nodes", "= 28\n\n")], "R3"),
        ([("genmove b", "= A1\n\n"), ("ref-nodes", "= 1\n\n")], "R2"),
        ([("genmove b", "= A1\n\n"), ("ref-score", "= 2\n\n")], "N2"),
        ([("genmove b", "= A1\n\n"), ("ref-nodes", "= 9\n\n"), ("ref-nodes", "= 8\n\n")], "N3"),
        ([("genmove b", "no reply")], "G2"),
    ],
)
def test_what_is_wrong_is_found(lines: list[tuple[str, str]], requirement: str) -> None:
    """Each of these dialogues ends with a reply that the rules do not allow."""
    (finding,) = answers(*lines)

    assert finding.word is Word.FAIL
    assert finding.requirement == requirement
    assert finding.exchange == 2 + len(lines)


@pytest.mark.parametrize("reply", [OK, ERROR])
def test_a_repeated_position_may_be_played_or_refused(reply: str) -> None:
    """Whether play refuses a retake is open; the model follows the bot."""
    ko = ["b A2", "b B1", "w B2", "w A3", "b C3", "w A1", "b A2"]
    dialogue = [(f"play {words}", ERROR if words == "b A2" and n else OK) for n, words in enumerate(ko)]

    assert answers(*dialogue[:-1], ("play b pass", reply) if reply == OK else ("play b C2", OK)) == []


def test_of_one_playout_answer_length_and_score_belong_together() -> None:
    """At the limit a playout is one draw: the answer is it, and its score follows from the position."""
    passes = [(f"play {'bw'[n % 2]} pass", OK) for n in range(27)]
    genmove = [*passes, ("genmove w", "= B2\n\n"), ("ref-nodes", "= 1\n\n")]

    assert answers(*genmove, ("ref-score", "= 1.0\n\n")) == []
    (finding,) = answers(*genmove, ("ref-score", "= 0.0\n\n"))
    assert finding.candidates == ("N2", "R5")


def test_only_in_a_minimal_dialogue_an_undo_is_to_blame() -> None:
    """Where lines can be left out, an undo among them may have nothing to do with it."""
    lines = [("play b A1", OK), ("undo", OK), ("play w A1", ERROR)]

    assert answers(*lines)[0].candidates == ("G12", "G5", "G6")
    assert answers(*lines, is_minimal=True)[0].requirement == "G12"
    assert answers(*lines, is_minimal=True)[0].candidates == ()


def test_a_refused_play_may_have_changed_something() -> None:
    """A refused play must leave the board and a ko ban as they are, so it can cause a later failure."""
    lines = [("play b A1", OK), ("play w A1", ERROR), ("play w B2", OK), ("play w C3", ERROR)]

    assert answers(*lines)[0].candidates == ("G5", "G6")
    assert answers(*lines, is_minimal=True)[0].requirement == "G6"


def test_of_another_engine_only_what_all_rules_have_in_common_is_asked() -> None:
    """Suicide, an early pass and a resignation are its own affair; an occupied point is not."""
    suicide = [("play b A2", OK), ("play b B1", OK), ("play w A1", OK), ("genmove b", "= pass\n\n")]

    assert answers(*suicide, is_reference=False) == []
    assert answers(("genmove b", "= resign\n\n"), is_reference=False) == []
    (finding,) = answers(("play b A1", OK), ("genmove w", "= A1\n\n"), is_reference=False)
    assert finding.requirement == "G7"
    (finding,) = answers(("play b A1", OK), ("list_stones black", "= A1 B1\n\n"), is_reference=False)
    assert finding.requirement == "G6"


def asked(case: Case, spec: Spec, seed: int) -> list[Finding]:
    """Return what is found in one dialogue with the engine by some rules."""
    bot = InProcess(case.file.playouts, seed, spec)
    unit = ask_dialogue(bot, case, case.file.playouts, seed, lambda _: True, f"{case.id} {seed}")
    return list(findings_in(case.id, unit, (9, 9)))


@pytest.mark.parametrize("case", DIALOGUES, ids=lambda case: case.id)
@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_is_found_in_the_engine(case: Case, seed: int) -> None:
    """Exact checks never fail by chance; the two by playouts of the engine with 1e-6 (docs/statistics.md)."""
    assert asked(case, SPEC, seed) == []


@pytest.mark.parametrize("name", [d.name for d in BY_NAME.values() if d.tolerated])
def test_an_accepted_reading_does_not_fail(name: str) -> None:
    """A bot that reads an open clause otherwise is NON-STRICT at most."""
    found = [f for case in DIALOGUES for seed in (1, 2, 3) for f in asked(case, BY_NAME[name].spec, seed)]

    assert [f for f in found if f.word is Word.FAIL] == []


@pytest.mark.parametrize(
    "name",
    [
        "pass-drawn",
        "three-passes-end",
        "eye-centre-strict",
        "stones-only",
        "komi-negated",
        "passes-back",
        "suicide-several",
        "no-superko",
        "unseen-even",
        "nodes-without-passes",
        "score-loss",
        "undo-keeps-stone",
        "genmove-not-played",
    ],
)
def test_dialogues_find_what_no_case_was_made_for(name: str) -> None:
    """Without any of the other cases, these mistakes are found; the seeds are those of a certificate."""
    spec = BY_NAME[name].spec

    assert any(
        f.word is Word.FAIL
        for case in DIALOGUES
        if case.file.playouts < 256
        for seed in range(1, case.file.genmoves + 1)
        for f in asked(case, spec, seed)
    )
