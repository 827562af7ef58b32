"""A question that is asked again begins with undo, and its evidence still says which position it was."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from certificates import shipped

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess
from harness.bots.processes import Processes
from harness.cases.case import Case
from harness.judging.exact import read_unit
from harness.judging.replayed import board_before, exchanges_of
from harness.records.evidence import UNDO, Unit
from harness.runs.asking import ask_once

COMMANDS = ("undo", "ref-nodes", "ref-score", "ref-playouts")
LONG, SHORT, EXACT = "amaf-counts-late-plays-like-early-ones", "opening-5x5", "one-pass-ends"
PLAYOUTS = 8


class RefusesUndo(InProcess):
    """The engine, which refuses to undo a genmove."""

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
        """Answer one command."""
        if line == UNDO:
            return Exchange(
                line, "? cannot undo\n\n", success=False, text="cannot undo", notes=(), elapsed_s=0.0
            )
        return super().ask(line, playouts=playouts, id=id)


class Resigns(InProcess):
    """The engine, which resigns instead of a move."""

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
        """Answer one command."""
        if line.startswith("genmove"):
            return Exchange(line, "= resign\n\n", success=True, text="resign", notes=(), elapsed_s=0.0)
        return super().ask(line, playouts=playouts, id=id)


def asked(names: Sequence[str], commands: Sequence[str] = COMMANDS, kind: type = InProcess) -> list[Unit]:
    """Ask cases one after another, of one process."""
    suite, _ = shipped()
    processes = Processes(lambda _bot, playouts, seed: kind(playouts, seed))
    processes.may_repeat = True
    bot = Bot("engine", "engine", cwd=Path())
    return [ask_once(processes, bot, "ask", suite.cases[name], PLAYOUTS, commands) for name in names]


def case_of(name: str) -> Case:
    """Return a case of the suite."""
    return shipped()[0].cases[name]


def test_a_long_set_up_is_sent_once() -> None:
    """As long as the questions since then have been fewer than four times the commands of the set-up."""
    most = len(case_of(LONG).commands())
    units = asked([LONG] * (most + 3))
    assert [unit.is_repeated for unit in units] == [False, *[True] * most, False, True]
    assert [sent for sent, _ in units[1].exchanges] == [UNDO, "genmove black", "ref-nodes", "ref-score"]


def test_an_empty_board_is_set_up_every_fourth_time() -> None:
    """So that what follows clear_board is asked as well as what follows undo."""
    units = asked([SHORT] * 8)
    assert [unit.is_repeated for unit in units] == [False, True, True, True] * 2


def test_a_question_after_another_is_set_up() -> None:
    """The position before belongs to another case."""
    assert not any(unit.is_repeated for unit in asked([LONG, SHORT] * 3))


@pytest.mark.parametrize(
    ("commands", "kind"), [(COMMANDS[1:], InProcess), (COMMANDS, Resigns)], ids=["no undo", "resigns"]
)
def test_no_undo_where_it_would_not_help(commands: Sequence[str], kind: type) -> None:
    """A bot that has no undo, or that has not moved, is set up anew."""
    assert not any(unit.is_repeated for unit in asked([LONG] * 4, commands, kind))


def test_a_refused_undo_is_a_fault_of_undo() -> None:
    """It is named G12, and the position is set up for the next question."""
    units = asked([LONG] * 3, kind=RefusesUndo)
    assert [unit.is_repeated for unit in units] == [False, True, False]
    found = read_unit(case_of(LONG), units[1], (9, 9)).findings
    assert {finding.requirement for finding in found} == {"G12"}


def test_a_repeated_unit_is_shown_with_its_set_up() -> None:
    """Who types the lines comes to the same position, and the board is drawn."""
    units = asked([SHORT, *[LONG] * 4])
    said = exchanges_of(units[-1], units)
    case = case_of(LONG)
    assert [sent for sent, _ in said[: len(case.commands())]] == case.commands()
    assert said[-len(units[-1].exchanges) :] == units[-1].exchanges
    genmove = next(place for place, (sent, _) in reversed(list(enumerate(said))) if "genmove" in sent)
    first = exchanges_of(units[1], units)
    asked_first = next(place for place, (sent, _) in enumerate(first) if "genmove" in sent)
    assert board_before(said[: genmove + 1]) == board_before(first[: asked_first + 1])


def test_answers_of_repeated_units_are_read() -> None:
    """They count like any others."""
    units = asked([LONG] * 4)
    readings = [read_unit(case_of(LONG), unit, (9, 9)) for unit in units]
    assert all(reading.move and reading.statistics.nodes for reading in readings)
    assert not any(reading.findings for reading in readings)
