"""Board sizes that a bot accepts: found out before anything else is asked."""

import time

import msgspec

from harness.bots.bot import Bot
from harness.bots.driver import Recorder, broken_by
from harness.bots.failure import Failure
from harness.bots.processes import Processes
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
    accepted, units = accepted_sizes(bot, processes)
    return msgspec.structs.replace(reference, sizes=accepted), [first, *units]


def accepted_sizes(bot: Bot, processes: Processes) -> tuple[list[int], list[Unit]]:
    """Ask a bot for every size that vertices can name.

    A bot that ends at one is started again for the next.  One that hangs is asked the same once more, for
    it may only have started late, and then for no more.

    Args:
        bot: to be asked.
        processes: of its run.

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
        seconds = round(time.monotonic() - started, 6)
        units.append(Unit(SIZES, number, 0, recorder.exchanges, seconds, recorder.notes, recorder.broken))
        processes.close(SIZES, 1)
        if recorder.broken is not None and recorder.broken.word != Word.CRASH:
            if has_hung:
                break
            has_hung = True
            waiting.insert(0, size)
    return accepted, units
