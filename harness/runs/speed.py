"""Measures a bot's speed beside the embedded engine's, in rounds in which both take turns.

One round starts a new process of each, for a program runs some per cent faster or slower in one process
than in the next; lets both warm up; and gives them turns in the order ABBAABBA, or the other way round in
every other round, so that whatever else the machine does meets both alike.  Only genmoves are timed, each
of the empty board.  What a round showed is recorded; nothing is added up here.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log
from typing import Final

from harness.bots.bot import EMBEDDED, Bot, parse_bot
from harness.bots.driver import broken_by
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.processes import Process, Processes, Starter, start_session
from harness.comparison.rates import rates_of
from harness.errors import RefbotError
from harness.judging.answers import parse_nodes
from harness.records.evidence import Broken, Round, SpeedTurn
from harness.word import Word
from reference_engine.vocabulary import Colour

ROUNDS: Final = 40
"""Most rounds that are measured."""
LEAST_ROUNDS: Final = 8
"""Rounds that are measured in any case, whatever they take."""
NARROW: Final = 0.03
"""Relative half-width of the interval of the ratio at which no more rounds are needed: then two runs show a
slowdown of 15 % (docs/regress.md)."""
BUDGET_S: Final = 120.0
"""Seconds after which no further round is begun."""
PLAYOUTS: Final = 1000
"""Playouts of each genmove, if the bot can choose."""
_SLOW_S: Final = 2.0
"""A genmove that takes longer is asked for a tenth of the playouts."""
_SLICE_S: Final = 0.2
"""Seconds of a turn; each program has four turns in a round."""
_WARM_S: Final = 0.1
_KOMI: Final = "7.5"
_PURPOSE: Final = "speed"


@dataclass(frozen=True, slots=True)
class Timing:
    """Settings of a measurement of speed."""

    size: int = 9
    rounds: int = ROUNDS
    budget_s: float = BUDGET_S
    playouts: int | None = None
    """Playouts of each genmove of a bot that can choose; None leaves it to the bot's speed."""
    slice_s: float = _SLICE_S
    start: Starter = start_session
    clock: Callable[[], float] = time.monotonic


def time_rounds(bot: Bot, timing: Timing, used: int = 0) -> Iterator[Round]:
    """Yield rounds as they are measured, until the ratio is known well, the time is up, or the bot fails.

    Args:
        bot: the bot.
        timing: how.
        used: number of the last round there is already.

    Raises:
        RefbotError: the embedded engine does not answer.
        UsageError: the bot refuses a start-up command of its settings.
    """
    began, so_far = timing.clock(), list[Round]()
    playouts = bot.fixed_playouts or timing.playouts or _affordable(bot, timing)
    for number in range(used + 1, used + timing.rounds + 1):
        is_late = timing.clock() - began > timing.budget_s
        if len(so_far) >= LEAST_ROUNDS and (is_late or _is_narrow(so_far)):
            return
        so_far.append(_round(bot, timing, playouts, number))
        yield so_far[-1]
        if so_far[-1].broken is not None:
            return


def _is_narrow(rounds: list[Round]) -> bool:
    """Whether the ratio is known well enough: by processor time, or by the clock where that is not known."""
    rates = rates_of(rounds)
    ratio = (rates.cpu or rates.wall) if rates else None
    return ratio is not None and ratio.is_calm and log(ratio.high / ratio.low) / 2 <= NARROW


def _affordable(bot: Bot, timing: Timing) -> int:
    """Return the playouts of a genmove that takes no longer than ``_SLOW_S``: 1,000, 100 or 10."""
    least = PLAYOUTS // 100
    processes = Processes(timing.start)
    try:
        program = _Program(bot, processes, least, 1)
        if program.prepare(timing.size) or program.play(3):
            return PLAYOUTS
        each_s = program.fastest_s / least
    finally:
        processes.close_all()
    return next((n for n in (PLAYOUTS, PLAYOUTS // 10) if n * each_s <= _SLOW_S), least)


def _round(bot: Bot, timing: Timing, playouts: int, number: int) -> Round:
    ours, theirs = Processes(timing.start, number), Processes(timing.start, number)
    try:
        engine = _Program(parse_bot(EMBEDDED, None, None, 1.0), ours, playouts, number)
        tested = _Program(bot, theirs, playouts, number)
        order = 2 * ([tested, engine, engine, tested] if number % 2 else [engine, tested, tested, engine])
        broken = next(filter(None, (p.prepare(timing.size) or p.warm_up(timing) for p in order[:2])), None)
        for program in order if broken is None else []:
            if broken := program.take_turn():
                break
    finally:
        ours.close_all()
        theirs.close_all()
    if engine.broken is not None:
        raise RefbotError(f"the embedded engine failed while it was timed: {engine.broken.sentence}")
    first = "bot" if number % 2 else "engine"
    return Round(number, timing.size, first, tested.turn(), engine.turn(), tested.broken)


class _Program:
    """One process of the bot or the engine, and what it did in its turns; a failure ends it."""

    def __init__(self, bot: Bot, processes: Processes, playouts: int, number: int) -> None:
        self._bot, self._processes, self._playouts, self._number = bot, processes, playouts, number
        self._process: Process | None = None
        self._times: list[float] = []
        self._nodes: list[int | None] = []
        self._cpu: list[float | None] = []
        self._peak: int | None = None
        self._each = 1
        self.broken: Broken | None = None

    @property
    def fastest_s(self) -> float:
        """Seconds of the fastest genmove so far."""
        return min(self._times)

    def prepare(self, size: int) -> Broken | None:
        """Start the program, and set the board up."""
        opened = self._processes.open(self._bot, _PURPOSE, self._playouts)
        if isinstance(opened, Failure):
            self.broken = broken_by(opened)
            return self.broken
        self._process = opened[0]
        for line in (f"boardsize {size}", f"komi {_KOMI}"):
            self._ask(line)
        return self.broken

    def warm_up(self, timing: Timing) -> Broken | None:
        """Let the program warm up, and find out how many genmoves fill a turn."""
        while self.broken is None and (len(self._times) < 2 or sum(self._times) < _WARM_S):
            self.play(1)
        if self.broken is None:
            self._each = max(1, round(timing.slice_s / max(self.fastest_s, 1e-6)))
        self._times, self._nodes = [], []
        return self.broken

    def take_turn(self) -> Broken | None:
        """Play as many genmoves as fill a turn, and record time and memory."""
        assert self._process is not None  # noqa: S101 - prepared, or nobody would give it a turn
        before = self._process.usage()
        broken = self.play(self._each)
        after = self._process.usage()
        self._cpu.append(after.cpu_s - before.cpu_s if before and after else None)
        if after is not None:
            self._peak = max(after.peak_bytes, self._peak or 0)
        return broken

    def play(self, genmoves: int) -> Broken | None:
        """Ask for moves on the empty board."""
        for _ in range(genmoves):
            self._ask("clear_board")
            move = self._ask(f"genmove {Colour.BLACK}")
            nodes = self._ask("ref-nodes")
            if move is None or nodes is None:
                break
            found = parse_nodes("", nodes.text.strip())
            self._times.append(move.elapsed_s)
            self._nodes.append(found if isinstance(found, int) else None)
        return self.broken

    def turn(self) -> SpeedTurn:
        """Return the turn of this process."""
        nodes, cpu = [n for n in self._nodes if n is not None], [s for s in self._cpu if s is not None]
        return SpeedTurn(
            len(self._times),
            len(self._times) * self._playouts,
            sum(nodes) if len(nodes) == len(self._nodes) else None,
            round(sum(self._times), 6),
            round(sum(cpu), 6) if cpu and len(cpu) == len(self._cpu) else None,
            self._peak,
        )

    def _ask(self, line: str) -> Exchange | None:
        if self.broken is not None or self._process is None:
            return None
        outcome = self._process.ask(line, playouts=self._playouts)
        if isinstance(outcome, Failure):
            self.broken = broken_by(outcome)
            return None
        if not outcome.success:
            said = outcome.raw.strip()[:200]
            self.broken = Broken(str(Word.REFUSED), f"{self._bot.name} answers {line!r} with {said!r}")
            return None
        return outcome
