"""Asking one case: in which process, and when that process may not be asked again."""

from collections.abc import Container, Sequence

import msgspec

from harness.bots.bot import Bot
from harness.bots.driver import ask_case, broken_by
from harness.bots.failure import Failure
from harness.bots.limits import command_name
from harness.bots.processes import Process, Processes
from harness.bots.wait import OUTSIDE, SURPLUS
from harness.bots.wire import quote
from harness.cases.case import Case, Dialogue, Fresh
from harness.cases.level import Level
from harness.judging.dialogue import place_of_failure
from harness.judging.script import LINGERS, ORPHANS
from harness.records.evidence import UNDO, Unit
from harness.runs.dialogue import ask_dialogue, ask_lines

SCRIPT, FRESH, DIALOGUE = "script", "fresh", "dialogue"
"""Purposes of processes; the others are asked one case after another."""
WITHOUT_WARM_UP = (FRESH, DIALOGUE)
"""Purposes of processes that are not asked their last case again when a run that was killed goes on."""
_EACH = 4
"""Number of commands of a question that begins with ``undo``: that, genmove and two private ones."""
_FOR_EACH = 4
"""Commands of such questions for each command of the set-up before them."""


def purpose_of(case: Case, level: Level) -> str:
    """Return the purpose of the process that a case is asked of."""
    if isinstance(case.question, Fresh):
        return FRESH
    if isinstance(case.question, Dialogue):
        return DIALOGUE
    return SCRIPT if case.is_script and level.may_pass else "ask"


def processes_for(case: Case) -> int:
    """Return the number of processes, one after another, that a case is asked of."""
    return 2 if isinstance(case.question, Fresh) else 1


def ask_once(
    processes: Processes,
    bot: Bot,
    purpose: str,
    case: Case,
    playouts: int,
    commands: Sequence[str],
    lines: Sequence[str] = (),
    name: str = "",
) -> Unit:
    """Ask one case once, of the process for its purpose, which is started if need be.

    With ``name``, which the bot gave for its own, it is asked for it again afterwards: another answer shows
    that replies have shifted.

    Dialogues follow one another in one process until one of them fails.  ``lines`` are those of an earlier
    dialogue, or some of them: they are asked of a process of their own.

    Raises:
        UsageError: the bot refuses a start-up command of its settings.
    """
    if lines:
        processes.close(purpose, playouts)
    opened = processes.open(bot, purpose, playouts)
    if isinstance(opened, Failure):
        return Unit(case.id, processes.count, playouts, [], 0.0, [], broken_by(opened))
    process, number = opened
    if purpose == DIALOGUE:
        earlier = processes.repeats_of(number, case.id)
        times = 0 if earlier is None else earlier + 1
        if lines:
            unit = ask_lines(process, case, playouts, number, lines)
        else:
            seed = f"{case.id} {number} {times}"
            unit = ask_dialogue(process, case, playouts, number, commands.__contains__, seed)
        processes.note_asked(number, case.id, times)
        if lines or unit.broken is not None or unit.notes or place_of_failure(unit) is not None:
            processes.close(purpose, playouts)
        return unit
    asked = processes.repeats_of(number, case.id) if processes.may_repeat else None
    repeats = _repeats_with(case, asked, commands)
    unit = ask_case(process, case, playouts, number, commands.__contains__, is_repeated=repeats > 0)
    processes.note_asked(number, "" if _is_off_course(unit) else case.id, repeats)
    if name and unit.broken is None and not _quits(unit) and not case.ends_open:
        unit = _marked(process, unit, name)
    return _leave(processes, purpose, playouts, unit) if is_uncertain(case, unit) else unit


def _repeats_with(case: Case, repeats: int | None, commands: Container[str]) -> int:
    """Return how often a case will have been asked again by ``undo``; 0 if its position is to be set up.

    Set-ups of up to a thousand plays would be most of what a bot is sent.  So a question that is asked
    hundreds of times begins with ``undo``, until these questions have been some times as many commands as
    the set-up.

    Args:
        case: the one to ask.
        repeats: how often it was asked again so far; None if the process was asked another one, or none.
        commands: those that the bot claims.
    """
    if repeats is None or not case.is_statistical or UNDO not in commands:
        return 0
    return repeats + 1 if repeats * _EACH < _FOR_EACH * len(case.commands()) else 0


def _is_off_course(unit: Unit) -> bool:
    """Whether the position after a unit differs from that of its case after one genmove."""
    refused = any(raw[:1] != "=" for _, raw in unit.exchanges)
    return unit.broken is not None or refused or any("resign" in raw.lower() for _, raw in unit.exchanges)


def _marked(process: Process, unit: Unit, name: str) -> Unit:
    """Return a unit, with a note if the reply to one more command shows that replies are out of step."""
    answer = process.ask("name")
    if isinstance(answer, Failure):
        return msgspec.structs.replace(unit, broken=broken_by(answer))
    notes = [note for note in answer.notes if note.startswith((SURPLUS, OUTSIDE))]
    if not notes and answer.text.strip() != name:
        # A bot may give another name than in the handshake, if it is the same within one process.
        again = process.ask("name")
        if isinstance(again, Failure):
            return msgspec.structs.replace(unit, broken=broken_by(again))
        if answer.text.strip() and again.text.strip() == answer.text.strip():
            return unit
        notes = [f"{SURPLUS}: the command 'name' behind the script was answered {quote(answer.raw)}"]
    return msgspec.structs.replace(unit, notes=[*unit.notes, *notes]) if notes else unit


def is_uncertain(case: Case, unit: Unit) -> bool:
    """Whether the state of the process after a script is unknown, so that it is not asked again.

    A line that gets no reply may have got one after all, and nobody can wait for what must not come.
    """
    if not case.is_script:
        return False
    return bool(unit.notes) or _quits(unit) or case.file.alone or case.expects_silence or case.ends_open


def _leave(processes: Processes, purpose: str, playouts: int, unit: Unit) -> Unit:
    """End a process whose state a script has left uncertain; note when it had to be forced."""
    end = processes.close(purpose, playouts)
    if not _quits(unit) or end is None:
        return unit
    notes = [*unit.notes, ORPHANS] if end.orphans else unit.notes
    if end.forced:
        notes = [*notes, f"{LINGERS}: it {end.manner()}"]
    return msgspec.structs.replace(unit, notes=notes)


def _quits(unit: Unit) -> bool:
    return any(command_name(sent) == "quit" for sent, _ in unit.exchanges)
