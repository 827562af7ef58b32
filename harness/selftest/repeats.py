"""Repeats of a regression without a pipe and without a clock: how often it cries wolf, and what it misses.

A run is that of ``trial``: the engine in this process, the real plan, the real judge.  A speed is measured
by the real rounds, of programs that only say how long they took, on a machine as noisy as one was found.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

import numpy as np

from harness.bots.bot import EMBEDDED, Bot, parse_bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess, starter
from harness.bots.process_tree import Usage
from harness.bots.processes import Process, Starter
from harness.bots.transport import ProcessEnd
from harness.cases.case import Sample
from harness.cases.suite import Suite
from harness.comparison.drift import TOP_UP, Draws, GenmoveSums
from harness.comparison.regress import After, Before
from harness.judging.judge import judge
from harness.records.evidence import Round
from harness.runs.run import Extras
from harness.runs.speed import Timing, time_rounds
from harness.selftest.trial import simulate
from harness.statistics.evalues import Histogram
from harness.tables.tables import Tables

SHIFTED_SIZE: Final = 5
"""Lines of the empty board on which a shifted bot's playouts are longer."""
SHIFTED_SD: Final = 6.59
"""Standard deviation of their length there, in moves."""


def _answered(line: str, text: str, seconds: float) -> Exchange:
    return Exchange(line, f"= {text}\n\n", success=True, text=text, notes=(), elapsed_s=seconds)


class _Shifted:
    """The engine, whose playouts of one empty board seem longer by a share of their standard deviation."""

    def __init__(self, process: Process, moves: float) -> None:
        self._process, self._moves = process, moves
        self._is_there = False
        self._left, self._more = 0.0, 0

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
        outcome = self._process.ask(line, playouts=playouts, id=id)
        if line.startswith("boardsize"):
            self._is_there = line == f"boardsize {SHIFTED_SIZE}"
        elif line.startswith("play"):
            self._is_there = False
        elif line.startswith("genmove"):
            # Whole moves; what is left over goes to the next, so that the mean is right.
            self._left += self._moves * playouts * self._is_there
            self._more, self._left = int(self._left), self._left % 1
        elif line == "ref-nodes" and isinstance(outcome, Exchange):
            nodes = int(outcome.text) + self._more
            return _answered(line, str(nodes), 0.0)
        return outcome

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        return self._process.close()

    def usage(self) -> Usage | None:
        return self._process.usage()


def shifted(share: float) -> Starter:
    """Return a way of starting the engine with playouts longer by a share of a standard deviation."""

    def start(_bot: Bot, playouts: int, seed: int) -> Process | Failure:
        return _Shifted(InProcess(playouts, seed), share * SHIFTED_SD)

    return start


def run_once(
    suite: Suite,
    tables: Tables,
    seed: int,
    start: Starter | None = None,
    rounds: list[Round] | None = None,
    level: str = "standard",
    top_up: int = TOP_UP,
) -> After:
    """Make one run of the engine, as `refbot regress` would.

    Args:
        suite: what it is judged by.
        tables: the references.
        seed: sets one run off from another.
        start: starts another program than the engine.
        rounds: its measured speed.
        level: the level.
        top_up: playouts that every case of sums gets in the end.
    """
    extras = Extras("regress", top_up, (lambda _: rounds) if rounds else None)
    evidence = simulate(suite, tables, level, seed, start or starter(), extras)
    return After(f"run {seed}", judge(suite, tables, evidence), evidence)


def as_baseline(run: After) -> Before:
    """Return a run as the baseline of the next."""
    return Before(run.folder, run.verdict, run.verdict, run.evidence)


@dataclass(frozen=True, slots=True)
class Machine:
    """How noisy a machine is, in natural logs; as two shared cores were found to be (docs/regress.md)."""

    share: float = 0.9
    """Share of its time that a program has a core, on average."""
    share_sd: float = 0.12
    memory: float = 0.8
    """How much of a round's load is left in the next."""
    process_sd: float = 0.036
    """The engine's processes among each other; the bot's are a quarter of it."""
    genmove_sd: float = 0.05
    caches: tuple[float, float] = (0.36, 0.87)
    """What the loss of the whole core would add to the processor time of bot and engine."""


def simulated_rounds(machine: Machine, seed: int, slower: float = 1.0) -> list[Round]:
    """Measure the speed of a bot that takes ``slower`` times as long as it should, without a clock."""
    load = _Load(machine, Random(seed))  # noqa: S311 - a simulation

    def start(bot: Bot, playouts: int, _seed: int) -> Process | Failure:
        is_engine = bot.command.startswith(EMBEDDED.partition(" {")[0])
        each_s = playouts * (8e-5 if is_engine else 3.5e-4 * slower)
        return _Timed(each_s, machine.caches[is_engine], load.spread(is_engine=is_engine), load)

    timing = Timing(start=start, playouts=1000, budget_s=200.0, slice_s=0.4, clock=load.now)
    return list(time_rounds(parse_bot("./bot {playouts}", None, None, 1.0), timing))


class _Load:
    """The machine's load as it goes on, a step with every process that is started."""

    def __init__(self, machine: Machine, random: Random) -> None:
        self._machine, self.random = machine, random
        self._depth = random.gauss(0, 1)
        self._passed_s = 0.0

    @property
    def share(self) -> float:
        """The share of a core that a program has just now."""
        return min(1.0, max(0.2, self._machine.share + self._machine.share_sd * self._depth))

    def spread(self, *, is_engine: bool) -> float:
        """Return a new process's own pace, and let the load move on."""
        kept = self._machine.memory
        self._depth = kept * self._depth + (1 - kept**2) ** 0.5 * self.random.gauss(0, 1)
        return exp(self.random.gauss(0, self._machine.process_sd * (1.0 if is_engine else 0.25)))

    def pass_s(self, seconds: float) -> None:
        """Let time go by."""
        self._passed_s += seconds

    def now(self) -> float:
        """Return the time."""
        return self._passed_s

    def noise(self) -> float:
        """Return what one genmove takes more or less than another."""
        return exp(self.random.gauss(0, self._machine.genmove_sd))


class _Timed:
    """A program that says how long it took."""

    def __init__(self, each_s: float, caches: float, pace: float, load: _Load) -> None:
        self._each_s, self._caches, self._pace, self._load = each_s, caches, pace, load
        self._used_s = 0.0

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002, ARG002
        if not line.startswith("genmove"):
            return _answered(line, str(100 * playouts), 0.0)
        cpu_s = self._each_s * self._pace * self._load.noise() * exp(self._caches * (1 - self._load.share))
        wall_s = cpu_s / self._load.share
        self._used_s += cpu_s
        self._load.pass_s(wall_s)
        return _answered(line, "E5", wall_s)

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        return None, ProcessEnd(0, None, "", orphans=False, forced=None)

    def usage(self) -> Usage | None:
        return Usage(self._used_s, 10**7)


def drawn_sums(suite: Suite, tables: Tables, random: np.random.Generator, playouts: int) -> dict[str, Draws]:
    """Draw what a run would say of every case of sums, from the tables: a thousand runs in a minute.

    Each case stops between the first round and ``playouts`` playouts where its mean looks worst, as no honest
    run would, and every run may.
    """
    found = {}
    for case in suite.cases.values():
        if isinstance(case.question, Sample):
            found[case.id] = Draws(
                tuple(_batches(tables.histogram(case), random, case.file.playouts, playouts))
            )
    return found


def _batches(one: Histogram, random: np.random.Generator, batch: int, playouts: int) -> list[GenmoveSums]:
    count = -(-playouts // batch)
    drawn = one.values[random.choice(len(one.values), size=(count, batch), p=one.weights)].sum(axis=1)
    sizes = batch * np.arange(1, count + 1)
    away = np.abs(drawn[:, 0].cumsum() / sizes - one.mean[0]) * np.sqrt(sizes)
    first = min(10, count) - 1
    stop = first + int(np.argmax(away[first:])) + 1
    return [GenmoveSums(batch, (float(moves), float(wins)), 0.0) for moves, wins in drawn[:stop]]


def chain(make: Callable[[int], After], repeats: int, seed: int) -> Iterator[tuple[Before, After]]:
    """Yield runs, each with the one before it as its baseline."""
    before = as_baseline(make(seed))
    for number in range(seed + 1, seed + 1 + repeats):
        after = make(number)
        yield before, after
        before = as_baseline(after)
