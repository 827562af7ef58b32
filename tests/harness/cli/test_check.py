"""``refbot check``: its steps, what each one catches, and that none of them suffers from another."""

import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from harness.bots.bot import Bot, parse_bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess, starter
from harness.bots.limits import command_name
from harness.bots.processes import Process, Starter, start_session
from harness.bots.transport import ProcessEnd
from harness.cases.checklist import REQUIRED, Checklist, CheckStep, Section
from harness.cases.suite import load_suite
from harness.errors import FixtureError
from harness.judging.checked import check_steps, overall
from harness.judging.judge import judge
from harness.judging.replayed import board_before
from harness.judging.script import ORPHANS
from harness.judging.unanswered import awaited_line, unanswered_commands
from harness.judging.verdict import StepVerdict, Verdict
from harness.records.evidence import Broken, Evidence, Unit
from harness.render.check import render_check
from harness.runs.progress import Unwatched
from harness.runs.run import Run
from harness.tables.tables import Tables
from harness.word import Word
from reference_engine.deviations import BY_NAME, CATALOGUE

SUITE = load_suite().for_level("check", range(2, 26))
TABLES = Tables(SUITE.folder / "tables")
STEPS = [step.name for step in SUITE.checklist]
NOT_ASKED = "not asked for"
CAUGHT_BY = {
    "N1": "bounds",
    "N2": "bounds",
    "N3": "private",
    "N4": "bounds",
    "G1": "required-commands",
    "G2": "ids",
    "G3": "control-characters",
    "G4": "unknown-command",
    "G5": "letter-case",
    "G7": "genmove-plays",
    "G8": "reference-rules",
    "G9": "reference-rules",
    "G10": "size-of-the-board",
    "G11": "reference-rules",
    "G12": "undo",
    "G13": "quit",
    "blank-lines-answered": "blank-lines",
    "same-colour-refused": "one-colour-twice",
    "occupied-accepted": "play",
    "suicide-accepted": "reference-rules",
    "any-size": "impossible-sizes",
    "commands-hidden": "lists-agree",
    "comments-kept": "comment-behind-a-command",
    "column-i": "column-i",
    "one-size": "size-of-the-least-board",
    "undo-keeps-history": "undo-of-a-capture",
}
"""The clause that has to fail, by deviation, or else by its requirement."""
PROTOCOL = [d.name for d in CATALOGUE if d.requirement[0] in "GN"]
FAULT_BOT = Path(__file__).parents[2] / "bots" / "fault_bot.py"


class _Scripted:
    """The engine in this process, but where ``answer`` has something else to say."""

    def __init__(self, answer: Callable[[str], Exchange | Failure | None], playouts: int, seed: int) -> None:
        self._answer = answer
        self._engine = InProcess(playouts, seed)

    def ask(self, line: str, *, playouts: int = 0) -> Exchange | Failure:
        """Answer a command, or fail."""
        own = self._answer(line)
        return self._engine.ask(line, playouts=playouts) if own is None else own

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        """End it."""
        return self._engine.close()


def scripted(answer: Callable[[str], Exchange | Failure | None]) -> Starter:
    """Return a way to start the engine with other answers to some lines."""

    def start(_bot: Bot, playouts: int, seed: int) -> Process | Failure:
        return _Scripted(answer, playouts, seed)

    return start


def breaks_at(command: str, word: Word, asked: list[str] | None = None) -> Starter:
    """Return a way to start an engine that breaks off at a line, or at every line with a command."""

    def answer(line: str) -> Failure | None:
        if command not in (line, command_name(line)):
            return None
        if asked is not None:
            asked.append(line)
        return Failure(word, "engine", line, "ordinary", 1.0, 1.0, None, None, "", "as told")

    return scripted(answer)


def run_check(
    folder: Path, start: Starter, bot: Bot | None = None, only: list[str] | None = None
) -> Evidence:
    """Run a check into a folder of the test's."""
    bot = bot or parse_bot(None, None, None, 1.0)
    return Run(bot, load_suite(), TABLES, "check", folder, only or [], start).go(Unwatched())


def words(steps: list[StepVerdict]) -> dict[str, str]:
    """Return the word of each step by its name."""
    return {step.name: step.verdict for step in steps}


def test_every_case_has_its_clause() -> None:
    """Every case of the check has its place in one clause, and every clause asks or looks at something."""
    asked = [name for step in SUITE.checklist for name in step.all_cases]
    assert asked == list(SUITE.cases)
    assert set(SUITE.check_cases) <= set(asked)
    assert all(step.all_cases or step.looks_at for step in SUITE.checklist)
    first = [step.handshake for step in SUITE.checklist if step.handshake]
    assert first == ["protocol_version", "name", "version", "list_commands"]


def test_bad_checklist() -> None:
    """A clause that asks what there is not, or what was asked before, is a fault of the fixtures."""
    step = CheckStep(id="1/1", name="x", title="x", clause="x", cases=["no-such-case"])
    again = CheckStep(id="1/1", name="y", title="x", clause="x")
    with pytest.raises(FixtureError, match="no-such-case"):
        Checklist([Section("a", "a", [step])]).chosen(SUITE.cases)
    with pytest.raises(FixtureError, match="1/1"):
        Checklist([Section("a", "a", [step, again])]).own_cases()


def test_certificates_ask_nothing_new() -> None:
    """Cases of the check alone are in no certificate."""
    assert not load_suite().cases.keys() & SUITE.check_cases.keys()


@pytest.fixture(scope="module")
def conforming(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    """The evidence of a check of the engine."""
    return run_check(tmp_path_factory.mktemp("conforming"), starter())


def test_conforming_engine(conforming: Evidence) -> None:
    """The engine keeps every clause that applies to it."""
    verdict = judge(load_suite(), TABLES, conforming)
    assert set(words(verdict.steps).values()) == {"PASS", "NOT-APPLICABLE"}
    assert verdict.verdict == "PASS"
    assert verdict.reason == "72 of 72 clauses kept, 43 not offered; nothing was said about the playouts"
    assert conforming.header.bot.sizes == list(range(2, 26))


@pytest.mark.parametrize("name", PROTOCOL)
def test_deviation_is_caught_by_its_step(tmp_path: Path, name: str) -> None:
    """Every known mistake in the protocol and the private commands fails the step that is about it."""
    deviation = BY_NAME[name]
    expected = CAUGHT_BY.get(name) or CAUGHT_BY[deviation.requirement]
    step = next(step for step in SUITE.checklist if step.name == expected)
    evidence = run_check(tmp_path, starter(deviation.spec), only=step.all_cases)
    steps = check_steps(SUITE, TABLES, evidence)
    assert [s.name for s in steps if s.verdict == "FAIL"] == [expected]
    assert overall(steps)[0] is Word.FAIL
    for fault in steps[STEPS.index(expected)].faults:
        assert fault.expected
        assert fault.requirement in SUITE.requirements


def test_bot_that_dies_in_a_step(tmp_path: Path) -> None:
    """A bot that crashes at a line is started anew: only the clause that sends it says so."""
    steps = check_steps(SUITE, TABLES, run_check(tmp_path, breaks_at("komi much", Word.CRASH)))
    found = words(steps)
    assert found.pop("komi-that-is-no-number") == "CRASH"
    assert set(found.values()) == {"PASS", "NOT-APPLICABLE"}
    word, reason = overall(steps)
    assert (word, "6.3.2/8 komi-that-is-no-number" in reason) == (Word.CRASH, True)
    fault = next(step for step in steps if step.name == "komi-that-is-no-number").faults[0]
    assert fault.exchanges[-1] == ("komi much", "")


def test_command_that_hangs_is_asked_once(tmp_path: Path) -> None:
    """A command that was not answered is not waited for again: what needs it says so, the rest is judged."""
    asked: list[str] = []
    steps = check_steps(SUITE, TABLES, run_check(tmp_path, breaks_at("genmove", Word.TIMEOUT, asked)))
    found = words(steps)
    assert asked == ["genmove white"]
    assert found["genmove"] == "TIMEOUT"
    assert found["genmove-plays"] == found["bounds"] == "INCONCLUSIVE"
    assert "since genmove had not been answered" in next(s.reason for s in steps if s.name == "genmove-plays")
    assert found["play"] == found["undo"] == found["capture"] == "PASS"
    assert overall(steps)[0] is Word.TIMEOUT


def test_bot_that_is_slow_to_start_again(tmp_path: Path) -> None:
    """A size that got no answer is asked for once more; if that hangs too, no board is known."""
    asked: list[str] = []

    def once(line: str) -> Failure | None:
        if line != "boardsize 9":
            return None
        asked.append(line)
        late = Failure(Word.TIMEOUT, "engine", line, "start", 1.0, 1.0, None, None, "", "")
        return late if len(asked) == 1 else None

    (tmp_path / "once").mkdir()
    found = words(check_steps(SUITE, TABLES, run_check(tmp_path / "once", scripted(once))))
    assert [name for name, word in found.items() if word not in ("PASS", "NOT-APPLICABLE")] == ["boardsize"]
    asked = []
    evidence = run_check(tmp_path, breaks_at("boardsize", Word.TIMEOUT, asked))
    steps = {step.name: step for step in check_steps(load_suite().for_level("check", []), TABLES, evidence)}
    assert len(asked) == 2
    assert steps["boardsize"].verdict == "TIMEOUT"
    assert steps["ids"].verdict == "PASS"
    assert "the bot accepts no board" in steps["play"].reason
    assert steps["play"].verdict == "INCONCLUSIVE"


def test_failed_step_and_crash(tmp_path: Path) -> None:
    """A failed step makes the check a FAIL, whatever crashed, and both are named."""

    def answer(line: str) -> Exchange | Failure | None:
        if line == "komi much":
            return Failure(Word.CRASH, "engine", line, "ordinary", 1.0, 1.0, None, None, "", "as told")
        return (
            Exchange(line, "= 3\n\n", success=True, text="3", notes=(), elapsed_s=0.0)
            if line == "protocol_version"
            else None
        )

    word, reason = overall(check_steps(SUITE, TABLES, run_check(tmp_path, scripted(answer))))
    assert word is Word.FAIL
    assert "6.3.1/1 protocol-version" in reason
    assert "CRASH: 6.3.2/8 komi-that-is-no-number" in reason


@pytest.mark.parametrize(("line", "step"), [("protocol_version", "start"), ("version", "version")])
def test_broken_handshake(tmp_path: Path, line: str, step: str) -> None:
    """A bot that breaks off while it says who it is has that step's word; later steps are not taken."""
    steps = check_steps(SUITE, TABLES, run_check(tmp_path, breaks_at(line, Word.NOT_GTP)))
    found, place = words(steps), STEPS.index(step)
    assert found[step] == "NOT-GTP"
    assert {found[name] for name in STEPS[:place]} <= {"PASS"}
    assert {found[name] for name in STEPS[place + 1 :]} <= {"INCONCLUSIVE", "NOT-APPLICABLE"}
    assert overall(steps)[0] is Word.NOT_GTP


def test_bot_without_private_commands(tmp_path: Path) -> None:
    """A bot that speaks GTP and no more passes what GTP demands; the rest does not apply to it."""

    def answer(line: str) -> Exchange | None:
        first, last = (line.split() or [""])[0], (line.split() or [""])[-1]
        number = first if first.isdigit() else ""
        if line == "list_commands":
            text = "\n".join(REQUIRED)
            return Exchange(line, f"= {text}\n\n", success=True, text=text, notes=(), elapsed_s=0.0)
        if first == "known_command" and last not in REQUIRED:
            return Exchange(line, "= false\n\n", success=True, text="false", notes=(), elapsed_s=0.0)
        if command_name(line) == "genmove":
            return Exchange(line, f"={number} pass\n\n", success=True, text="pass", notes=(), elapsed_s=0.0)
        return None

    evidence = run_check(tmp_path, scripted(answer))
    steps = check_steps(SUITE, TABLES, evidence)
    found = words(steps)
    assert found["private"] == found["undo"] == found["time-left"] == "NOT-APPLICABLE"
    assert set(found.values()) == {"PASS", "NOT-APPLICABLE"}
    assert overall(steps)[0] is Word.PASS
    assert not any(sent.startswith("ref-") for unit in evidence.units for sent, _ in unit.exchanges)


def test_one_case_is_no_whole_check(tmp_path: Path) -> None:
    """A check of one case cannot pass a bot, and shows that its step passed."""
    steps = check_steps(SUITE, TABLES, run_check(tmp_path, starter(), only=["ids"]))
    assert words(steps)["ids"] == "PASS"
    assert overall(steps)[0] is Word.INCONCLUSIVE


@pytest.mark.parametrize(
    ("fault", "step", "word", "what"),
    [
        ("banner", "output", "NON-STRICT", "Welcome to fault bot"),
        ("surplus-replies", "output", "FAIL", "surplus reply"),
        ("forks-helper", "quit", "NON-STRICT", "left processes"),
        ("quits-with-one-newline", "quit", "FAIL", "empty line"),
        ("ignores-quit", "quit", "FAIL", "quit"),
        ("drops-ids", "ids", "FAIL", "the id 17"),
    ],
)
def test_real_bot_with_a_fault(tmp_path: Path, fault: str, step: str, word: str, what: str) -> None:
    """What a real process does besides answering is seen by the step that is about it."""
    bot = parse_bot(f"{sys.executable} {FAULT_BOT} {fault}", 8, None, 0.05)
    cases = ["quit", "genmove", "ids"]
    steps = check_steps(SUITE, TABLES, run_check(tmp_path, start_session, bot, cases))
    found = next(s for s in steps if s.name == step)
    assert found.verdict == word
    assert what in found.reason


def test_stray_output_is_not_charged_to_another_step(conforming: Evidence) -> None:
    """Notes about a script whose lines get no answer are its own business; orphans are no clause's."""
    units = [
        Unit(
            u.case,
            u.process,
            u.playouts,
            u.exchanges,
            0.0,
            ["surplus reply before the command was sent: '='"],
        )
        if u.case == "blank-lines"
        else Unit(u.case, u.process, u.playouts, u.exchanges, 0.0, [ORPHANS] if u.case == "quit" else [])
        for u in conforming.units
    ]
    steps = check_steps(SUITE, TABLES, Evidence(conforming.header, units, conforming.footer))
    assert words(steps)["output"] == "PASS"
    assert words(steps)["quit"] == "NON-STRICT"
    assert overall(steps)[0] is Word.NON_STRICT


@pytest.mark.parametrize(
    ("note", "word"),
    [
        ("line outside any reply: 'thinking'", "NON-STRICT"),
        ("surplus reply before the command was sent: '='", "FAIL"),
    ],
)
def test_what_comes_unasked_is_told_once(conforming: Evidence, note: str, word: str) -> None:
    """A bot that prints a line with every reply fails in the step about its output, and in no other."""
    whole = {step.name for step in SUITE.checklist if step.whole}
    units = [
        u if u.case in whole else msgspec.structs.replace(u, notes=[*u.notes, note]) for u in conforming.units
    ]
    steps = check_steps(SUITE, TABLES, Evidence(conforming.header, units, conforming.footer))
    # After a second reply nobody knows which reply is whose: what stands on them is not judged.
    others = {"PASS", "NOT-APPLICABLE", "INCONCLUSIVE"} if word == "FAIL" else {"PASS", "NOT-APPLICABLE"}
    assert {found for name, found in words(steps).items() if name != "output"} <= others
    (fault,) = next(step for step in steps if step.name == "output").faults
    assert (fault.verdict, fault.observed) == (word, note)
    assert overall(steps)[0] == word


def test_awaited_line() -> None:
    """The line that got no answer is found behind the exchanges there were, silent lines left out."""
    case = SUITE.cases["blank-lines"]
    exchanges = [(line, "=\n\n") for line in case.commands()] + [("name", "= x\n\n")]
    unit = Unit(case.id, 1, 1, exchanges, 0.0, [], Broken("TIMEOUT", "no answer"))
    assert awaited_line(case, unit) == "name"
    assert unanswered_commands(case, unit) == {"name"}
    crashed = Unit(case.id, 1, 1, exchanges, 0.0, [], Broken("CRASH", "gone"))
    assert unanswered_commands(case, crashed) == set()


def test_board_before_the_last_line() -> None:
    """The board is the rules' own: captures come off, undo brings back, what was refused is not there."""
    good, bad = "=\n\n", "? illegal move\n\n"
    lines = [
        ("boardsize 3", good),
        ("clear_board", good),
        ("7 play white A1", good),
        ("play\tblack a2 # a comment", good),
        ("play black C3", bad),
        ("genmove b", "= B1\n\n"),
        ("play white C3", good),
        ("undo", good),
        ("play white A1", bad),
    ]
    assert board_before(lines).splitlines() == [
        "   A B C",
        " 3 . . . 3",
        " 2 X . . 2",
        " 1 . X . 1",
        "   A B C",
        "after black B1",
    ]
    assert board_before([*lines, ("known_command play", "= true\n\n")]) == ""
    assert board_before([]) == ""


def rendered(verdict: Verdict) -> str:
    """Return a check as it looks where nobody looks."""
    output = StringIO()
    Console(file=output, width=120).print(render_check(verdict, SUITE, "folder"))
    return output.getvalue()


def test_what_is_shown_of_a_fault(tmp_path: Path) -> None:
    """A failed step shows the clause, what was sent, came and was expected, the board, and how to read on."""
    evidence = run_check(tmp_path, starter(BY_NAME["suicide-accepted"].spec))
    verdict = judge(load_suite(), TABLES, evidence)
    text = f"{rendered(verdict)}{verdict.reason}"  # which is what the command says last
    for part in (
        "reference/3",
        "suicide, komi and history, as the reference bot has them",
        "sent      play black A1",
        "came      =",
        "expected  'play black A1' is an error",
        " 1 . O . . . 1",
        "refbot explain suicide-is-refused",
        "failed: reference/3 reference-rules",
        "(suicide-accepted)",
    ):
        assert part in text


def test_hostile_text_is_harmless(tmp_path: Path) -> None:
    """What a bot says reaches the terminal without control characters and without markup."""

    def answer(line: str) -> Exchange | None:
        hostile = "\x1b[2J[bold]3[/bold]"
        return (
            Exchange(line, f"= {hostile}\n\n", success=True, text=hostile, notes=(), elapsed_s=0.0)
            if line == "protocol_version"
            else None
        )

    text = rendered(judge(load_suite(), TABLES, run_check(tmp_path, scripted(answer))))
    assert "\x1b" not in text
    assert "[bold]3[/bold]" in text


def test_steps_not_taken_are_one_row(tmp_path: Path) -> None:
    """Where nothing more could be asked, one row says so for all the steps."""
    text = rendered(
        judge(load_suite(), TABLES, run_check(tmp_path, breaks_at("protocol_version", Word.CRASH)))
    )
    assert "protocol_version is 2, and 6 more" in text
    assert text.count("did not get through the steps before") < len(SUITE.checklist.section) * 2
