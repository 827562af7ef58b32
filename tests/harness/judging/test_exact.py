"""Exact checks: each wrong answer is a finding with its requirement, and right ones are none."""

import pytest
from tiny_suite import EYE, GAME, KO, SAMPLE, case_of

from harness.cases.case import Case
from harness.errors import EvidenceError
from harness.judging.exact import read_unit, score_digits
from harness.judging.script import LINGERS
from harness.records.evidence import Broken, Unit
from harness.word import Word

FORCED = EYE.replace('answers = ["pass"]', 'answers = ["pass"]\nlenient_nodes = 3\nlenient_score = 0.5')


def unit(case: Case, *after: tuple[str, str], playouts: int = 8, broken: Broken | None = None) -> Unit:
    """Return a unit whose set-up succeeded."""
    exchanges = [(line, "=\n\n") for line in case.commands()]
    return Unit(case.id, 1, playouts, [*exchanges, *after], 0.0, broken=broken)


def found(case: Case, *after: tuple[str, str], playouts: int = 8, digits: int = 7) -> list[tuple[str, Word]]:
    """Return requirement and word of every finding."""
    reading = read_unit(case, unit(case, *after, playouts=playouts), (digits, 17))
    return [(finding.requirement, finding.word) for finding in reading.findings]


def genmove(
    move: str, nodes: str, score: str, colour: str = "black", playouts: str | None = None
) -> list[tuple[str, str]]:
    """Return the exchanges of a genmove with its statistics."""
    more = [] if playouts is None else [("ref-playouts", f"= {playouts}\n\n")]
    return [
        (f"genmove {colour}", f"= {move}\n\n"),
        ("ref-nodes", f"= {nodes}\n\n"),
        ("ref-score", f"= {score}\n\n"),
        *more,
    ]


FAIL, NON_STRICT = Word.FAIL, Word.NON_STRICT


@pytest.mark.parametrize(
    ("move", "nodes", "score", "playouts", "expected"),
    [
        ("pass", "16", "0.0000000", "8", []),
        ("PASS", "16", "0", None, []),
        ("pass", "24", "0.0", None, [("R4", NON_STRICT)]),
        ("pass", "16", "0.5", None, [("R4", NON_STRICT)]),
        ("pass", "24", "0.5", None, [("R4", NON_STRICT), ("R4", NON_STRICT)]),
        ("pass", "17", "0.0", None, [("R4", FAIL)]),
        ("pass", "400", "0.0", None, [("R4", FAIL)]),
        ("pass", "16", "1.0", None, [("R4", FAIL)]),
        ("pass", "15", "0.0", None, [("N1", FAIL), ("R4", FAIL)]),
        ("pass", "0", "0.0", None, [("N1", FAIL), ("R4", FAIL)]),
        ("pass", "many", "0.0", None, [("N1", FAIL)]),
        ("pass", "-16", "0.0", None, [("N1", FAIL)]),
        ("pass", "16", "0.3", None, [("N4", FAIL)]),
        ("pass", "16", "nan", None, [("N2", FAIL)]),
        ("pass", "16", "1.5", None, [("N2", FAIL)]),
        ("pass", "16", "0.0", "9", [("N4", FAIL)]),
        ("pass", "16", "0.0", "8.0", [("N4", FAIL)]),
        ("A4", "16", "0.0", None, [("R8", FAIL), ("R4", FAIL)]),
        ("D1", "16", "0.0", None, [("R10", FAIL), ("R4", FAIL)]),
        ("B4", "16", "0.0", None, [("R1", FAIL)]),
        ("E5", "16", "0.0", None, [("G5", FAIL)]),
        ("nonsense", "16", "0.0", None, [("G5", FAIL)]),
        ("", "16", "0.0", None, [("G5", FAIL)]),
        ("resign", "16", "0.0", None, [("R1", FAIL), ("R4", FAIL)]),
    ],
)
def test_forced_case(
    move: str, nodes: str, score: str, playouts: str | None, expected: list[tuple[str, Word]]
) -> None:
    """A forced case fails by its move, its nodes or its score, and a lenient value is NON-STRICT."""
    assert expected == found(case_of(FORCED), *genmove(move, nodes, score, playouts=playouts))


def test_forced_score_printed_coarsely() -> None:
    """A score of few digits passes where the right one is among the scores it may stand for."""
    case = case_of(EYE.replace("score = 0.0", "score = 0.375").replace("4\n", "4\nkomi = 0.5\n", 1))
    assert found(case, *genmove("pass", "16", "0.4"), digits=1) == []
    assert found(case, *genmove("pass", "16", "0.37"), digits=2) == []
    assert found(case, *genmove("pass", "16", "0.38"), digits=2) == []
    assert found(case, *genmove("pass", "16", "0.5"), digits=2) == [("R4", FAIL)]


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (1, [("N1", FAIL)]),
        (99, [("N1", FAIL)]),
        (100, []),
        (640, []),
        (27 * 50, []),
        (27 * 50 + 1, [("R3", FAIL)]),
        (10**9, [("R3", FAIL)]),
    ],
)
def test_bounds_of_nodes(nodes: int, expected: list[tuple[str, Word]]) -> None:
    """No playout is shorter than two passes or longer than the cap."""
    assert expected == found(case_of(SAMPLE), *genmove("B2", str(nodes), "0.5"), playouts=50)


@pytest.mark.parametrize(
    ("nodes", "expected"), [(25 * 8, []), (25 * 8 + 1, [("R3", NON_STRICT)]), (27 * 8 + 1, [("R3", FAIL)])]
)
def test_cap_counts_the_game(nodes: int, expected: list[tuple[str, Word]]) -> None:
    """Moves of the game shorten the cap; a bot that counts from the playout's start is NON-STRICT."""
    case = case_of(
        SAMPLE.replace("playouts = 50", 'moves = "B B2 W pass"\nposition = """\n. . .\n. X .\n. . .\n"""')
    )
    assert expected == found(case, *genmove("A1", str(nodes), "0.5"))


@pytest.mark.parametrize(
    ("sent", "requirement"),
    [("genmove black", "R1"), ("ref-nodes", "N1"), ("ref-score", "N2"), ("ref-playouts", "N4")],
)
@pytest.mark.parametrize("raw", ["? cannot\n\n", "?\n\n"])
def test_refused_commands(sent: str, requirement: str, raw: str) -> None:
    """A command of the specification that is answered with an error is a breach of its requirement."""
    assert found(case_of(SAMPLE), (sent, raw), playouts=50) == [(requirement, FAIL)]


@pytest.mark.parametrize(
    ("line", "requirement"), [("clear_board", "G9"), ("komi 0.5", "G11"), ("play white C1", "G6")]
)
def test_refused_set_up(line: str, requirement: str) -> None:
    """A legal line of the set-up that is refused is a breach of the protocol."""
    case = case_of(KO)
    exchanges = [(sent, "? illegal\n\n" if sent == line else "=\n\n") for sent in case.commands()]
    reading = read_unit(case, Unit("case", 1, 8, [*exchanges, ("genmove black", "= pass\n\n")], 0.0), (7, 17))
    assert [(f.requirement, f.word) for f in reading.findings] == [(requirement, FAIL)]


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("pass", []),
        ("B1", [("R11", FAIL), ("R11", FAIL)]),
        ("E1", [("R8", FAIL), ("R11", FAIL)]),
        ("I1", [("G5", FAIL)]),
    ],
)
def test_choice(move: str, expected: list[tuple[str, Word]]) -> None:
    """A move outside of the ones allowed breaks the case's requirement beside what it breaks itself."""
    assert expected == found(case_of(KO), ("genmove black", f"= {move}\n\n"))


def test_forbidden_choice() -> None:
    """A move that is forbidden fails in any case of letters, any other does not."""
    case = case_of(SAMPLE.replace("[sample]\nlength = 6.0\nscore = 0.4", '[choice]\nforbidden = ["a1"]'))
    assert found(case, ("genmove black", "= A1\n\n")) == [("R2", FAIL)]
    assert found(case, ("genmove black", "= a1\n\n")) == [("R2", FAIL)]
    assert found(case, ("genmove black", "= B2\n\n")) == []


def test_reading_of_a_unit() -> None:
    """A reading holds the move in upper case, the nodes, and the half wins."""
    case = case_of(SAMPLE)
    reading = read_unit(case, unit(case, *genmove("b2", "640", "0.5"), playouts=50), (7, 17))
    assert (reading.move, reading.statistics.nodes, reading.statistics.wins) == ("B2", 640, (50, 50))


def test_draws_depend_on_komi() -> None:
    """Half wins are on the lattice where komi is whole, and off it elsewhere."""
    whole = case_of(SAMPLE.replace("size = 3", "size = 3\nkomi = 1.0"))
    assert found(whole, *genmove("B2", "100", "0.5625"), digits=4) == []
    assert found(case_of(SAMPLE), *genmove("B2", "100", "0.5625"), digits=4) == [("R5", FAIL)]


def test_broken_unit_is_read_as_far_as_it_goes() -> None:
    """A unit that broke off before genmove has no finding."""
    case = case_of(FORCED)
    broken = Broken("CRASH", "it died")
    assert read_unit(case, unit(case, broken=broken), (7, 17)).findings == ()
    assert read_unit(case, Unit("case", 1, 8, [], 0.0, broken=broken), (7, 17)).findings == ()


def play(*answers: str, broken: Broken | None = None) -> list[tuple[str, Word]]:
    """Return the findings of a game in which the bot answers so."""
    case = case_of(GAME.replace("limit = 200", "limit = 6"))
    colours = ("black", "white") * len(answers)
    after = [(f"genmove {c}", f"{a}\n\n") for c, a in zip(colours, answers, strict=False)]
    reading = read_unit(case, unit(case, *after, playouts=2, broken=broken), (7, 17))
    return [(f.requirement, f.word) for f in reading.findings]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (("= B2", "= B2"), [("R1", FAIL)]),
        (("= B2", "= I1"), [("G5", FAIL)]),
        (("= B2", "= D4"), [("G5", FAIL)]),
        (("= resign",), [("R1", FAIL)]),
        (("= pass", "= pass"), [("R8", FAIL)]),
        (("? cannot",), [("R1", FAIL)]),
        (("= B2", "garbage"), [("R1", FAIL)]),
        ((), [("R1", FAIL)]),
        (("= B2", "= A2", "= B3", "= A3", "= B1", "= A1"), [("R10", FAIL)]),
        (("= B2", "= A2", "= B1", "= A1", "= B3", "= C1"), [("R1", FAIL)]),
    ],
)
def test_games_that_go_wrong(answers: tuple[str, ...], expected: list[tuple[str, Word]]) -> None:
    """An illegal move, a resignation, a refusal and a game without end each break their requirement."""
    assert expected == play(*answers)


def test_game_that_ends() -> None:
    """A game of legal moves that ends in two passes has no finding."""
    case = case_of(
        GAME.replace("size = 3", "size = 4").replace(
            "[complete]", 'setup = """\n. X O O\nX X O .\n. X O O\nX X O .\n"""\n[complete]'
        )
    )
    after = [("genmove black", "= pass\n\n"), ("genmove white", "= pass\n\n")]
    assert read_unit(case, unit(case, *after, playouts=2), (7, 17)).findings == ()


def test_game_cut_short_by_a_crash() -> None:
    """A game that the bot's end cut short is no game without end."""
    assert play("= B2", "= A1", broken=Broken("CRASH", "it died")) == []


def script(steps: str, *replies: str, notes: list[str] | None = None) -> list[str]:
    """Return what was expected where a script went wrong."""
    case = case_of('requirement = "G1"\nabout = "x"\nsize = 3\n' + steps)
    held, sent = "", []
    for step in case.file.steps:
        if step.expect == "silence":
            held += step.send + "\n"
        else:
            sent.append(held + step.send)
            held = ""
    setup = [(line, "=\n\n") for line in case.commands()]
    exchanges = [*setup, *zip(sent, replies, strict=False)]
    reading = read_unit(case, Unit("case", 1, 1, exchanges, 0.0, notes or []), (0, 17))
    # What is no vertex breaks the rule of vertices, another id that of ids, whatever the script is about.
    assert all(f.requirement in {"G1", "G2", "G5"} and f.word is FAIL for f in reading.findings)
    return [f.expected for f in reading.findings]


def step(expect: str, send: str = "name", more: str = "") -> str:
    """Return one step of a script as a file has it."""
    return f'[[steps]]\nsend = "{send}"\nexpect = "{expect}"\n{more}\n'


@pytest.mark.parametrize(
    ("expect", "right", "wrong"),
    [
        ("ok", ["= anything\n\n", "=\n\n"], ["? no\n\n", "garbage\n\n", ""]),
        ("error", ["? no\n\n", "?\n\n"], ["= yes\n\n", "=\n\n", "garbage\n\n"]),
        ("integer", ["= 12\n\n", "= 0\n\n"], ["= -1\n\n", "= 1.0\n\n", "=\n\n", "? 1\n\n"]),
        (
            "number",
            ["= 12\n\n", "= 0.5\n\n", "= .5\n\n", "= 1e-3\n\n", "= -1.\n\n", "= 0,5\n\n", "= 50%\n\n"],
            ["= nan\n\n", "= 0,5,5\n\n", "= 50%%\n\n", "=\n\n", "= .\n\n"],
        ),
        (
            "vertex",
            ["= C3\n\n", "= pass\n\n", "= resign\n\n"],
            ["= I3\n\n", "=\n\n", "= Z26\n\n", "? C3\n\n"],
        ),
        ("true", ["= true\n\n", "= TRUE\n\n"], ["= false\n\n", "= yes\n\n", "=\n\n", "= true true\n\n"]),
        ("false", ["= false\n\n"], ["= true\n\n", "? false\n\n"]),
        ("2", ["= 2\n\n"], ["= 1\n\n", "= 2.0\n\n", "=\n\n", "? 2\n\n"]),
    ],
)
def test_steps(expect: str, right: list[str], wrong: list[str]) -> None:
    """Each kind of step accepts what it names and nothing else."""
    assert [[] for _ in right] == [script(step(expect), raw) for raw in right]
    assert [raw for raw in wrong if not script(step(expect), raw)] == []


@pytest.mark.parametrize(
    ("expect", "raw"), [("integer", "= \u00b2\n\n"), ("integer", "= \u0663\n\n"), ("number", "= \u0663\n\n")]
)
def test_digits_of_other_scripts(expect: str, raw: str) -> None:
    """Digits of other scripts and superscripts make no number."""
    assert len(script(step(expect), raw)) == 1


@pytest.mark.parametrize(
    ("send", "raw", "is_right"),
    [
        ("17 name", "=17 x\n\n", True),
        ("17 name", "= x\n\n", False),
        ("17 name", "=18 x\n\n", False),
        ("0 name", "=0 x\n\n", True),
        ("0 name", "= x\n\n", False),
        ("name", "=17 x\n\n", False),
        ("17 name", "?17 x\n\n", False),
    ],
)
def test_ids(send: str, raw: str, is_right: bool) -> None:
    """A reply carries the id that was sent, and none where none was."""
    assert is_right == (not script(step("ok", send), raw))


def test_contents() -> None:
    """Every word demanded must stand in the result, as a word of its own."""
    steps = step("ok", "list_commands", 'contains = ["name", "quit"]')
    assert script(steps, "= name\nquit\n\n") == []
    assert script(steps, "= name\nquitter\n\n") == ["the answer to 'list_commands' holds quit"]
    assert script(steps, "=\n\n") == ["the answer to 'list_commands' holds name, quit"]


def test_same_and_different_answers() -> None:
    """A step may have to repeat, or not to repeat, the result of an earlier one."""
    same = step("ok", "first") + step("ok", "second", "same_as = 0")
    assert script(same, "= A\n\n", "= A\n\n") == []
    assert script(same, "= A\n\n", "= a\n\n") == ["'second' answers the same as before, 'A'"]
    differs = step("ok", "first") + step("ok", "second", "differs_from = 0")
    assert script(differs, "= A\n\n", "= B\n\n") == []
    assert script(differs, "= A\n\n", "= A\n\n") == ["'second' answers something else than 'A'"]


def test_numbers_of_steps_count_silent_ones() -> None:
    """Steps are numbered as the file has them, silent ones included."""
    steps = step("ok", "first") + step("silence", " ") + step("ok", "second", "same_as = 0")
    assert script(steps, "= A\n\n", "= A\n\n") == []
    steps = step("silence", " ") + step("ok", "first") + step("ok", "second", "same_as = 1")
    assert script(steps, "= A\n\n", "= A\n\n") == []
    assert len(script(steps, "= A\n\n", "= B\n\n")) == 1


def test_first_disagreement_ends_a_script() -> None:
    """What comes after the first disagreement is not held against the bot."""
    steps = step("error") + step("error") + step("error")
    assert len(script(steps, "? no\n\n", "= yes\n\n", "= yes\n\n")) == 1


def test_broken_script_is_no_finding() -> None:
    """Steps that were never answered are no finding."""
    assert script(step("ok") + step("ok"), "= x\n\n") == []


def test_bot_that_lingers_after_quit() -> None:
    """A bot that had to be ended by force after quit is found out by the note."""
    steps = step("ok", "quit")
    assert script(steps, "=\n\n", notes=[f"{LINGERS}: it went on running"]) == ["the bot leaves after quit"]
    assert script(steps, "=\n\n", notes=["some other note"]) == []


def test_score_digits() -> None:
    """The most decimals of any score that was printed are found, errors and other commands left aside."""
    exchanges = [
        ("ref-score", "= 0.5\n\n"),
        ("ref-score", "= 0.125\n\n"),
        ("ref-score", "? 0.123456\n\n"),
        ("ref-nodes", "= 0.12345\n\n"),
    ]
    assert score_digits([Unit("a", 1, 8, exchanges[:1], 0.0), Unit("b", 1, 8, exchanges, 0.0)]) == (3, 3)
    assert score_digits([]) == (0, 0)


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("line outside any reply: 'thinking'", [("G2", NON_STRICT)]),
        ("surplus reply before the command was sent: '='", [("G2", FAIL)]),
        ("the reply carries id 3, and none was sent", []),
    ],
)
def test_words_nobody_asked_for(note: str, expected: list[tuple[str, Word]]) -> None:
    """A second reply breaks the framing, whatever the case asks; other lines are told apart from it."""
    case = case_of(FORCED)
    unit = Unit("case", 1, 8, genmove_unit(case), 0.0, [note])
    findings = read_unit(case, unit, (7, 17)).findings
    assert [(f.requirement, f.word) for f in findings if f.requirement == "G2"] == expected


def genmove_unit(case: Case) -> list[tuple[str, str]]:
    """Return the exchanges of a set-up and a pass."""
    return [*((sent, "=\n\n") for sent in case.commands()), ("genmove black", "= pass\n\n")]


def test_evidence_of_another_suite_is_refused() -> None:
    """Evidence whose commands are not those of the case raises an error."""
    case = case_of('requirement = "G1"\nabout = "x"\nsize = 3\n' + step("ok"))
    lines = [*case.commands(), case.file.steps[0].send]
    for place in range(len(lines)):
        asked = [(f"{line} " if number == place else line, "=\n\n") for number, line in enumerate(lines)]
        with pytest.raises(EvidenceError, match="is of another suite"):
            read_unit(case, Unit("case", 1, 1, asked, 0.0, []), (0, 17))


@pytest.mark.parametrize(
    ("about", "send", "raw", "requirement"),
    [
        ("G2", "5 version", "?5 unknown command\n\n", "G1"),
        ("G2", "5 version", "? unknown command\n\n", "G2"),
        ("G11", "genmove black", "? the game is over\n\n", "R1"),
        ("G8", "genmove black", "? not your turn\n\n", "G8"),
        ("G5", "genmove B", "? syntax error\n\n", "G5"),
        ("G3", "name # text", "? unknown command\n\n", "G3"),
        ("G6", "play black A1", "? illegal move\n\n", "G6"),
    ],
)
def test_a_refused_line_is_charged_to_the_command_that_has_to_succeed(
    about: str, send: str, raw: str, requirement: str
) -> None:
    """Unless the case is about how the line is written, or whose move it is."""
    case = case_of(f'requirement = "{about}"\nabout = "x"\nsize = 3\n' + step("ok", send))
    assert [name for name, _ in found(case, (send, raw))] == [requirement]


def test_playouts_that_never_end_may_have_several_causes() -> None:
    """They run up to 48 moves less those of the set-up: eyes are filled, say, or passes are not seen."""
    case = case_of(EYE)
    length = 48 - len(case.plays)
    reading = read_unit(case, unit(case, *genmove("pass", str(8 * length), "0.0")), (7, 17))
    assert [finding.candidates for finding in reading.findings] == [("R2", "R3", "R4", "R10")]
    reading = read_unit(case, unit(case, *genmove("pass", str(8 * (length - 1)), "0.0")), (7, 17))
    assert [finding.candidates for finding in reading.findings] == [()]
