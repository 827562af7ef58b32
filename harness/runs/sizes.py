"""Board sizes that a bot accepts: found out before anything else is asked."""

import time

import msgspec

from harness.bots.bot import Bot
from harness.bots.driver import Recorder, broken_by
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.processes import Process, Processes
from harness.bots.wait import SURPLUS
from harness.records.evidence import BotRef, Unit
from harness.records.handshake import SIZES
from harness.runs.introduction import shake_hands
from harness.word import Word
from reference_engine.vocabulary import MAX_SIZE, MIN_SIZE

_MOST_BREAKS = 3
"""Number of processes that may end while sizes are tried; then no more sizes are tried."""


def introduce(bot: Bot, processes: Processes, *, sizes: bool) -> tuple[BotRef, list[Unit]]:
    """Ask a bot who it is and, if ``sizes``, which boards it accepts; return that with the evidence.

    Raises:
        UsageError: see ``shake_hands``.
    """
    reference, first = shake_hands(bot, processes)
    if not sizes or first.broken is not None:
        return reference, [first]
    accepted, units = accepted_sizes(bot, processes, reference.gtp_name)
    return msgspec.structs.replace(reference, sizes=accepted), [first, *units]


def accepted_sizes(bot: Bot, processes: Processes, name: str) -> tuple[list[int], list[Unit]]:
    """Ask a bot for every size that vertices can name.

    A bot that ends at one is started again for the next.  One that hangs is asked the same once more, for
    it may only have started late, and then for no more.  One that answers a command twice is started for each
    size, for which reply is taken for which command would depend on how fast the machine is.

    Args:
        bot: to be asked.
        processes: of its run.
        name: what it answers to the command name.

    Returns:
        The sizes it accepts, and the evidence: one unit for each process that was asked.

    Raises:
        UsageError: the bot refuses a start-up command of its settings.
    """
    accepted: list[int] = []
    units: list[Unit] = []
    has_hung = False
    waiting = list(range(MIN_SIZE, MAX_SIZE + 1))
    while waiting and len(units) < _MOST_BREAKS:
        started = time.monotonic()
        opened = processes.open(bot, SIZES, 1)
        if isinstance(opened, Failure):
            units.append(Unit(SIZES, processes.count, 0, [], 0.0, [], broken_by(opened)))
            break
        process, number = opened
        recorder = Recorder(process, 0)
        size = waiting[0]
        while waiting:
            size = waiting.pop(0)
            if not recorder.send(f"boardsize {size}"):
                break
            if recorder.exchanges[-1][1].lstrip().startswith("="):
                accepted.append(size)
        has_shifted = recorder.broken is None and _has_shifted(process, recorder.notes, name)
        seconds = round(time.monotonic() - started, 6)
        units.append(Unit(SIZES, number, 0, recorder.exchanges, seconds, recorder.notes, recorder.broken))
        processes.close(SIZES, 1)
        if has_shifted:
            return _accepted_apart(bot, processes, units)
        if recorder.broken is not None and recorder.broken.word != Word.CRASH:
            if has_hung:
                break
            has_hung = True
            waiting.insert(0, size)
    return accepted, units


def _has_shifted(process: Process, notes: list[str], name: str) -> bool:
    """Whether a reply was one too many: it was overheard, or comes in the place of the next one."""
    if any(note.startswith(SURPLUS) for note in notes):
        return True
    answer = process.ask("name")
    return isinstance(answer, Exchange) and (
        any(note.startswith(SURPLUS) for note in answer.notes) or answer.text.strip() != name
    )


def _accepted_apart(bot: Bot, processes: Processes, units: list[Unit]) -> tuple[list[int], list[Unit]]:
    """Ask for every size in a process of its own; ``units`` are those that were asked before."""
    accepted = []
    for size in range(MIN_SIZE, MAX_SIZE + 1):
        opened = processes.open(bot, SIZES, 1)
        if isinstance(opened, Failure):
            break
        process, _ = opened
        answer = process.ask(f"boardsize {size}")
        if isinstance(answer, Exchange) and answer.success:
            accepted.append(size)
        processes.close(SIZES, 1)
    return accepted, units
