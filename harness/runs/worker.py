"""The worker's side of a spread run: does one work item, in the process and on the host it was sent to.

It loads its own copy of the suite, makes sure that suite, engine and bot are those of the run, asks, and
returns evidence.  It judges nothing and decides nothing.
"""

import os
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.bots.process_tree import end_owned, owned_by
from harness.bots.processes import Processes
from harness.cases.suite import Suite, shipped_suite
from harness.errors import WorkerError
from harness.judging.run_assessment import refusal
from harness.records.evidence import Unit, WorkLine
from harness.runs.asking import ask_once
from harness.runs.work import RunSpec, WorkItem
from reference_engine.digest import source_digest

_PAUSE_S = 0.02
_PATIENCE_S = 30.0
_lock = threading.Lock()
_ended: set[str] = set()
"""Runs that have ended, so that this process does nothing more for them."""
_under_way: Counter[str] = Counter()
"""Number of work items of each run that this process is doing."""


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a work item."""

    units: list[Unit]
    line: WorkLine


def do_work(run_spec: RunSpec, work: WorkItem) -> Done:
    """Ask all questions of a work item, up to the first unit that broke off.

    Raises:
        WorkerError: suite, engine or bot differ from those where the run was begun; or the run has ended.
        UsageError: the bot refuses a start-up command of its settings.
    """
    with _lock:
        _check_wanted(run_spec)
        _under_way[run_spec.run] += 1
    try:
        with owned_by(run_spec.run):
            return _do(run_spec, work)
    finally:
        with _lock:
            _under_way[run_spec.run] -= 1


def end_works(run: str) -> None:
    """Stop the work items of a run in this process, end their bots, and wait until that is done."""
    with _lock:
        _ended.add(run)
    deadline = time.monotonic() + _PATIENCE_S
    while _under_way[run] > 0 and time.monotonic() < deadline:
        end_owned(run)
        time.sleep(_PAUSE_S)


def _do(run_spec: RunSpec, work: WorkItem) -> Done:
    started = time.monotonic()
    bot = run_spec.bot
    digest = bot.executable_digest()
    fixtures = shipped_suite()
    _check_same(run_spec, (fixtures.digest, source_digest(), digest))
    suite = _asked(run_spec.level, bot.fixed_playouts)
    processes = Processes(run_spec.start, work.process - 1)
    units: list[Unit] = []
    try:
        for name, times in work.asks:
            case = suite.cases[name]
            for _ in range(times):
                _check_wanted(run_spec)
                units.append(ask_once(processes, bot, work.purpose, case, work.playouts, run_spec.commands))
                if units[-1].broken is not None or refusal(case, units[-1]):
                    break
            if units[-1].broken is not None:
                break
    finally:
        processes.close_all()
    seconds = round(time.monotonic() - started, 6)
    asks = list(work.asks)
    return Done(units, WorkLine(work.number, len(units), asks, host_name(), os.getpid(), digest, seconds))


def _check_wanted(run_spec: RunSpec) -> None:
    if run_spec.run in _ended:
        raise WorkerError("the run was ended")


@lru_cache(maxsize=4)
def _asked(level: str, fixed: int | None) -> Suite:
    """Return the suite as it is asked; cached, because making it takes a millisecond of all threads."""
    return shipped_suite().for_level(level).for_bot(fixed)


def host_name() -> str:
    """Return the name of this machine."""
    with suppress(OSError):
        return socket.gethostname()
    return "unknown"


def _check_same(run_spec: RunSpec, here: tuple[str, str, str]) -> None:
    what = ("suite with its tables", "engine", "bot's program")
    for name, there, digest in zip(what, run_spec.digests, here, strict=True):
        if there != digest:
            where = f" (looked for from {Path.cwd()})" if not digest else ""
            raise WorkerError(
                f"host {host_name()}, process {os.getpid()}: the {name} has digest {digest or 'none'}"
                f"{where}, and {there or 'none'} where the run was begun; "
                "make them the same, or leave that worker out"
            )
