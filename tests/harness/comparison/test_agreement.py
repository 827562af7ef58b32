"""Where bots stand beside each other: words from measured rows and verdicts."""

import pytest
from certificates import shipped
from tiny_run import header

from harness.comparison.agreement import (
    ComparedBot,
    agreeing_groups,
    agreement_of,
    note_on,
    odd_ones_out,
    reason_of,
)
from harness.comparison.bot_comparison import ContrastCheck, OddBot, Quantity
from harness.judging.run_assessment import RunAssessment
from harness.judging.verdict import Check, RequirementVerdict, Suspect, Verdict
from harness.records.evidence import Evidence, Footer
from harness.statistics.classes import classes_of
from harness.statistics.intervals import Interval


def member(name: str, word: str = "PASS", requirement: str = "", **bot: object) -> ComparedBot:
    """Return a bot with a verdict; one that broke a requirement failed a case of it."""
    suite, _ = shipped()
    head = header(suite, name=name, **bot)
    suspects = [Suspect("a-mistake", requirement, "does it wrong", 1.0)] if requirement else []
    checks = [Check("a-case", "FAIL", "exact", 8, 1, "expected A1; got B1")] if requirement else []
    verdict = Verdict(
        1,
        "0",
        "compare",
        "standard",
        head.suite,
        "e",
        head.bot,
        word,
        f"{name} is {word}",
        [RequirementVerdict(requirement, "FAIL", "", checks)] if requirement else [],
        requirement,
        "a-case" if requirement else "",
        [],
        suspects,
        0.0,
        True,  # noqa: FBT003 - a row of a document
        [],
        [],
        [],
        0.0,
        0,
        0,
        0.0,
        1e-4,
        1e-3,
        "",
    )
    evidence = Evidence(head, [], Footer(0, 1.0, "decided"))
    return ComparedBot(name, evidence, RunAssessment({}, {}, None, 0.0, (), (), ()), verdict)


def quantity(*pairs: tuple[float, float] | None, case: str = "opening") -> Quantity:
    """Return a measure with reference 0 and tolerance 1."""
    intervals = [None if pair is None else Interval(*pair) for pair in pairs]
    return Quantity(
        case,
        "length",
        "moves",
        1.0,
        0.0,
        [None if i is None else i.value for i in intervals],
        [None if i is None else i.radius for i in intervals],
        classes_of(intervals, 1.0, 0.0),
    )


NEAR, FAR, WIDE = (0.1, 0.2), (3.0, 0.2), (0.5, 0.9)


def free(*words: str) -> ContrastCheck:
    """Return a check without a table."""
    return ContrastCheck("swapped", "because", "N2", list(words), [f"numbers of {word}" for word in words])


@pytest.mark.parametrize(
    ("word", "interval", "check", "wanted"),
    [
        ("PASS", NEAR, "PASS", True),
        ("NON-STRICT", NEAR, "INCONCLUSIVE", True),
        ("PASS", WIDE, "PASS", None),
        ("INCONCLUSIVE", NEAR, "PASS", None),
        # Means that agree do not help against a failed exact check, choice, or check without a table.
        ("FAIL", NEAR, "PASS", False),
        ("PASS", NEAR, "FAIL", False),
        ("INCONCLUSIVE", FAR, "PASS", False),
        ("CRASH", NEAR, "PASS", None),
        ("PASS", None, "PASS", None),
    ],
)
def test_standing_with_the_reference(
    word: str, interval: tuple[float, float] | None, check: str, wanted: bool | None
) -> None:
    """It takes a verdict and every mean; what was not shown is not said."""
    assert agreement_of(0, member("bot", word), [quantity(interval)], [free(check)]) is wanted


def together(
    members: list[ComparedBot], rows: list[Quantity]
) -> tuple[list[list[str]], int | None, list[OddBot], str]:
    """Return classes, the reference's place, odd ones and note."""
    suite, _ = shipped()
    agreement = [agreement_of(i, m, rows, []) for i, m in enumerate(members)]
    broken = [m.requirement for m in members]
    classes, own = agreeing_groups(members, rows, agreement, broken)
    return classes, own, odd_ones_out(members, rows, agreement, broken), note_on(members, agreement, suite)


def test_three_like_the_reference_and_one_wrong() -> None:
    """The wrong one is named with its case, its distance and its requirement."""
    members = [member("a"), member("b"), member("wrong", "FAIL", "R4"), member("c")]

    classes, own, odd, note = together(members, [quantity(NEAR, NEAR, FAR, NEAR)])

    assert (classes, own) == ([["a", "b", "c"], ["wrong"]], 0)
    assert [(o.bot, o.case, o.measure, o.residual, o.requirement) for o in odd] == [
        ("wrong", "opening", "length", 2.9, "R4")
    ]
    assert note == ""


def test_of_two_none_is_odd() -> None:
    """The reference tells them apart; a majority cannot."""
    members = [member("a"), member("wrong", "FAIL", "R4")]

    classes, own, odd, note = together(members, [quantity(NEAR, FAR)])

    assert (sorted(map(tuple, classes)), odd) == ([("a",), ("wrong",)], [])
    assert classes[own or 0] == ["a"]
    assert note.startswith("Of two bots that differ neither is the odd one")


def test_two_wrong_alike_of_three() -> None:
    """The right one is odd among them, and it is said that the reference is with it."""
    members = [member("a"), member("w", "FAIL", "R4"), member("v", "FAIL", "R4")]

    classes, own, odd, _ = together(members, [quantity(NEAR, FAR, FAR)])

    assert (classes, own) == ([["w", "v"], ["a"]], 1)
    assert [(o.bot, o.requirement) for o in odd] == [("a", "")]
    assert odd[0].reason.endswith("the reference is with this one, and not with the others")


def test_two_wrong_in_two_ways_of_three() -> None:
    """No majority, so no odd one; each stands by itself."""
    members = [member("a"), member("w", "FAIL", "R4"), member("v", "FAIL", "R2")]

    classes, own, odd, _ = together(members, [quantity(NEAR, FAR, (-4.0, 0.2))])

    assert sorted(map(tuple, classes)) == [("a",), ("v",), ("w",)]
    assert (classes[own or 0], odd) == (["a"], [])


def test_wrong_ones_with_the_same_means_and_other_requirements_are_not_alike() -> None:
    """What two bots break counts beside what they measure."""
    members = [member("w", "FAIL", "R7"), member("v", "FAIL", "G12"), member("u", "FAIL", "R7")]

    classes, own, _, note = together(members, [quantity(NEAR, NEAR, NEAR)])

    assert (classes, own) == ([["w", "u"], ["v"]], None)
    assert note.startswith("No bot is shown to do as the reference does")


def test_wrong_ones_that_cannot_be_told_apart_are_not_said_to_agree() -> None:
    """A measure too wide to be told keeps them in classes of their own."""
    members = [member("w", "FAIL", "R7"), member("v", "FAIL", "R7")]

    assert sorted(map(tuple, together(members, [quantity(WIDE, WIDE)])[0])) == [("v",), ("w",)]


def test_a_bot_odd_by_its_answers_alone() -> None:
    """Its means are everybody's; the case that it failed is named."""
    members = [member("a"), member("b"), member("undo", "FAIL", "G12")]

    _, _, odd, _ = together(members, [quantity(NEAR, NEAR, NEAR)])

    assert [(o.bot, o.case, o.measure, o.requirement) for o in odd] == [("undo", "a-case", "answers", "G12")]
    assert odd[0].reason == "its means are those of the others; expected A1; got B1"


def test_who_cannot_be_told_or_judged_is_said() -> None:
    """Neither stands in a class, and the note names both."""
    members = [member("a"), member("gone", "START-FAILED"), member("thin", "INCONCLUSIVE")]

    classes, _, _, note = together(members, [quantity(NEAR, None, WIDE)])

    assert classes == [["a"]]
    assert "Could not be judged, and stands in no class: gone" in note
    assert "It cannot be told whether these do as the reference does: thin" in note


def test_a_fixed_number_of_playouts_is_noted() -> None:
    """Its chosen moves are its own."""
    assert "(100)" in together([member("a"), member("f", fixed_playouts=100)], [])[3]


def test_reasons_say_what_the_verdict_cannot() -> None:
    """A bot that passed and stands elsewhere all the same is told why."""
    passed = member("a")

    assert reason_of(0, passed, [quantity(NEAR)], [free("PASS")]) == "a is PASS"
    assert reason_of(0, passed, [quantity(NEAR)], [free("FAIL")]) == "swapped: numbers of FAIL"
    assert reason_of(0, passed, [quantity(WIDE)], []).endswith("its intervals are too wide in opening")
    assert reason_of(0, passed, [quantity(FAR)], []).endswith("it differs from the reference in opening")
