"""The command a failed unit was waiting on: the last line sent, to which no whole reply came."""

from harness.bots.driver import STATISTICS
from harness.bots.limits import command_name
from harness.cases.case import Case, Complete
from harness.records.evidence import Unit
from harness.word import Word

_ENDED = (Word.CRASH, Word.START_FAILED)
"""Verdict words of a bot that has exited, so that no command waited for it in vain."""


TRIES = {"boardsize": 2}
"""How often a command is sent to a bot that does not answer it, if more than once: the first line of a
process includes the wait for its start, so it may have come too early."""


def lines_of(case: Case) -> list[str]:
    """Return the lines a case sends that are each answered; of a whole game, up to its first genmove."""
    if case.is_script:
        return case.commands() + [step.send for step in case.steps if step.expect != "silence"]
    statistics = () if isinstance(case.question, Complete) else STATISTICS
    return [*case.commands(), f"genmove {case.colour}", *statistics]


def command_names(case: Case) -> set[str]:
    """Return the names of the commands a case sends."""
    return {command_name(line) for line in lines_of(case)}


def awaited_line(case: Case, unit: Unit) -> str:
    """Return the line that a unit's bot had not answered when it broke off."""
    lines = lines_of(case)
    return lines[min(len(unit.exchanges), len(lines) - 1)]


def unanswered_commands(case: Case, unit: Unit) -> set[str]:
    """Return the name of the command that was not answered; empty if the bot had exited."""
    if unit.broken is None or unit.broken.word in _ENDED:
        return set()
    return {command_name(awaited_line(case, unit))}
