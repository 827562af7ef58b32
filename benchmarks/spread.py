"""Spread runs, measured and modelled; docs/scaling.md is what this printed.

benchmarks/spread.py speed                  one certificate's first stage with 1 and with 2 jobs, in turn
benchmarks/spread.py overhead               what a work costs beside its questions: threads, processes, Dask
benchmarks/spread.py margin --trials 40     how often the first stage decides, beside the classic run
benchmarks/spread.py model                  time to each level against cores, on paper
"""

import argparse
import heapq
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from harness.bots.bot import Bot, parse_bot
from harness.bots.failure import Failure
from harness.bots.inprocess import starter
from harness.bots.processes import Process
from harness.cases.level import LEVELS
from harness.cases.suite import shipped_suite
from harness.judging.judge import judge
from harness.runs.executors import Team, team
from harness.runs.forecast import AREA, course, genmoves_of
from harness.runs.progress import Unwatched
from harness.runs.run import Run
from harness.runs.spread import UNLUCKY, SpreadRun
from harness.runs.work import RunSpec, WorkItem, divide
from harness.runs.worker import do_work
from harness.tables.tables import Tables
from reference_engine.digest import source_digest

ROOT = Path(__file__).parents[1]
BOT = parse_bot(f"{ROOT / 'examples' / 'refbot-c'} --playouts {{playouts}} --seed {{seed}}", None, None, 1.0)
SUITE = shipped_suite()
TABLES = Tables(SUITE.folder / "tables")
SPEEDS = (100, 10_000, 100_000)
CORES = (1, 2, 8, 32, 128, 1_000)
APART = 7_919 * 10**9
"""Between the seeds of two trials."""


class Inline(Executor):
    """Does a work when it is given out."""

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        """Do it now."""
        future: Future[Any] = Future()
        future.set_result(fn(*args))
        return future


def speed(bot: Bot, repeats: int, level: str, case: str) -> None:
    """Print how much faster two jobs are than one, asked in turn, with the same seeds.

    On a machine with other work the least seconds of each say most.
    """
    ratios, least = [], {1: float("inf"), 2: float("inf")}
    for number in range(repeats):
        seconds: dict[int, float] = {}
        for jobs in (1, 2) if number % 2 else (2, 1):
            with tempfile.TemporaryDirectory() as folder, team("threads", jobs) as workers:
                run = SpreadRun(bot, SUITE, TABLES, level, Path(folder), [case], workers, shard=(1, 1))
                started = time.perf_counter()
                evidence = run.go(Unwatched())
                seconds[jobs] = time.perf_counter() - started
        least = {jobs: min(least[jobs], seconds[jobs]) for jobs in seconds}
        ratios.append(seconds[1] / seconds[2])
        print(
            f"{level}, {case}: {len(evidence.works)} works, 1 job {seconds[1]:.2f} s, "
            f"2 jobs {seconds[2]:.2f} s: speed-up {ratios[-1]:.2f}"
        )
    print(
        f"speed-up, median of {repeats}: {statistics.median(ratios):.2f}; "
        f"of the least seconds, {least[1]:.2f} and {least[2]:.2f}: {least[1] / least[2]:.2f}"
    )


def overhead(works: int) -> None:
    """Print what a work costs that asks nothing but is given out and checked; and one that starts a bot."""
    scripts = (case.id for case in SUITE.cases.values() if case.is_script)
    asked = {"nothing": (), "one script": ((next(scripts), 1),)}
    order = RunSpec("overhead", BOT, "standard", (), (SUITE.digest, source_digest(), BOT.executable_digest()))
    for name in ("threads", "processes", "dask"):
        with _cluster() if name == "dask" else _named(name) as workers:
            for what, asks in asked.items():
                units = [WorkItem(n + 2, n + 2, "script", 1, asks) for n in range(works)]
                list(workers.executor.map(partial(do_work, order), units[:4]))
                started = time.perf_counter()
                list(workers.executor.map(partial(do_work, order), units))
                each = (time.perf_counter() - started) / works
                print(f"{name}, {workers.size} at a time, a work of {what}: {1e3 * each:.2f} ms each")


@contextmanager
def _named(name: str) -> Iterator[Team]:
    with team(name, 2) as found:
        yield found


@contextmanager
def _cluster() -> Iterator[Team]:
    """Start a scheduler with two workers on this machine, and stop them."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "scheduler.json"
        common: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": ROOT}
        dask = [sys.executable, "-m", "dask"]
        place = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told)]
        started = [subprocess.Popen([*dask, "scheduler", *place], **common)]
        try:
            while not told.exists() or not told.read_text():
                time.sleep(0.1)
            address = json.loads(told.read_text())["address"]
            how = [address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", folder]
            started += [subprocess.Popen([*dask, "worker", *how], **common) for _ in range(2)]
            time.sleep(5)
            with team(f"dask:{address}", limit_s=60) as found:
                yield found
        finally:
            for process in started:
                process.terminate()
            for process in started:
                process.wait()


def margin(level: str, trials: int, first: int) -> None:
    """Print how often the first stage decides a conforming bot, and what it costs beside the classic run."""
    bot = parse_bot(None, None, None, 1.0)
    rounds, spread, classic = [], [], []
    for trial in range(first, first + trials):
        with tempfile.TemporaryDirectory() as folder:
            workers = Team(Inline(), 1, lambda _call, _word: None)
            start = partial(_start, trial)
            run = SpreadRun(bot, SUITE, TABLES, level, Path(folder), [], workers, start)
            evidence = run.go(Unwatched())
            assert evidence.header.plan is not None
            rounds.append(len(evidence.works) > evidence.header.plan.works)
            spread.append(judge(SUITE, TABLES, evidence).playouts)
        with tempfile.TemporaryDirectory() as folder:
            evidence = Run(bot, SUITE, TABLES, level, Path(folder), [], start).go(Unwatched())
            classic.append(judge(SUITE, TABLES, evidence).playouts)
    decided = trials - sum(rounds)
    print(
        f"{level}: the first stage decided {decided} of {trials}; playouts on average "
        f"{statistics.mean(spread):,.0f} spread, {statistics.mean(classic):,.0f} one after another"
    )


def _start(trial: int, bot: Bot, playouts: int, seed: int) -> Process | Failure:
    return starter()(bot, playouts, seed + APART * trial)


def model(start_s: float, serial_s: float, rounds: float) -> None:
    """Print the time to each level against cores.

    Args:
        start_s: of a bot, with its end.
        serial_s: that each work takes of the one process that gives them out and records them.
        rounds: further rounds on average; each takes as long as its longest work.
    """
    print(
        f"a bot's start and end {start_s:g} s, recording a work {1e3 * serial_s:g} ms, "
        f"{rounds:g} further rounds"
    )
    for level in ("standard", "full", "reference"):
        found = course(SUITE, TABLES, LEVELS[level], None, UNLUCKY)
        works = divide([*found.exact, *found.first, *found.further], LEVELS[level], None, 2, 2)
        prices = [_price(work) for work in works]
        print(f"{level}: {len(works)} works, {sum(prices):,.0f} playouts as if on 9x9")
        for rate in SPEEDS:
            row = []
            for cores in CORES:
                first = _makespan([start_s + price / rate for price in prices], cores)
                least = len(works) * serial_s
                further = rounds * (start_s + statistics.median(prices) / rate)
                row.append(_time(max(first, least) + further))
            print(
                f"  {rate:>7,} playouts/s: "
                + ", ".join(f"{c:,}: {t}" for c, t in zip(CORES, row, strict=True))
            )


def _price(work: WorkItem) -> float:
    total = 0.0
    for name, times in work.asks:
        case = SUITE.cases[name]
        total += times * genmoves_of(case) * work.playouts * case.file.size**2 / AREA
    return total


def _makespan(seconds: list[float], cores: int) -> float:
    """Return when the last work is done, each given in its turn to whoever is free first."""
    free = [0.0] * cores
    for each in seconds:
        heapq.heapreplace(free, free[0] + each)
    return max(free)


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["speed", "overhead", "margin", "model"])
    parser.add_argument("--bot", default="", help="of speed; examples/refbot-c by default")
    parser.add_argument("--level", default="")
    parser.add_argument("--case", default="opening-9x9")
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--first", type=int, default=1000, help="the first trial's seed")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--works", type=int, default=200)
    parser.add_argument("--start", type=float, default=0.02)
    parser.add_argument("--serial", type=float, default=0.005)
    parser.add_argument("--rounds", type=float, default=0.1)
    given = parser.parse_args()
    if given.what == "speed":
        speed(
            parse_bot(given.bot, None, None, 1.0) if given.bot else BOT,
            given.repeats,
            given.level or "full",
            given.case,
        )
    elif given.what == "overhead":
        overhead(given.works)
    elif given.what == "margin":
        margin(given.level or "standard", given.trials, given.first)
    else:
        model(given.start, given.serial, given.rounds)


if __name__ == "__main__":
    main()
