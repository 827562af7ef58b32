"""Executors of work items: any ``concurrent.futures.Executor``, by its name on the command line.

Threads do for bots, which are processes of their own.  Processes do for what is computed in Python.
``dask:`` and an address reach whatever machines a Dask scheduler has; nothing of a cluster is made here.
"""

import gc
import logging
import multiprocessing
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Final

from harness.errors import UsageError, WorkerError
from harness.suggest import closest

if TYPE_CHECKING:
    from distributed import Client

THREADS, PROCESSES, DASK = "threads", "processes", "dask:"
EXAMPLE: Final = "dask:tcp://host:8786"
_ADDRESS: Final = re.compile(r"[a-z]+://\S+:\d+")
CONNECT_S: Final = 10.0
"""Seconds to wait for a scheduler, and again for its first worker."""
COLLECT_AFTER: Final = 20_000
"""Objects after which the garbage collector looks for cycles.  A certificate makes many objects and few
cycles: with Python's 700 a tenth of its time went into the search."""


@dataclass(frozen=True)
class Team:
    """An executor, and the number of work items it does at a time."""

    executor: Executor
    size: int
    everywhere: Callable[[Callable[[str], None], str], None]
    """Calls ``function(run_id)`` once in every worker process of the team."""


def default_jobs() -> int:
    """Return how many threads of this process can run at a time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_name(name: str) -> None:
    """Make sure that a text names an executor.

    Raises:
        UsageError: it does not; the message suggests the closest name.
    """
    if name.startswith(DASK) and not _ADDRESS.fullmatch(name.removeprefix(DASK)):
        raise UsageError(f"executor {name!r}: after {DASK} comes a scheduler's address, as in {EXAMPLE}")
    if name not in (THREADS, PROCESSES) and not name.startswith(DASK):
        raise UsageError(
            f"no executor {name!r}{closest(name, (THREADS, PROCESSES, EXAMPLE))}; "
            f"there are {THREADS}, {PROCESSES} and {EXAMPLE}"
        )


@contextmanager
def team(name: str = THREADS, jobs: int | None = None, limit_s: float = CONNECT_S) -> Iterator[Team]:
    """Provide an executor by its name; work items not begun are cancelled at the end.

    Args:
        name: threads, processes, or dask: and the address of a scheduler.
        jobs: how many works at a time; as many as there are cores, or as the cluster has threads.
        limit_s: seconds for a scheduler to answer.

    Raises:
        UsageError: there is no such executor, or it needs a package that is not installed.
        WorkerError: the scheduler does not answer, or has no workers.
    """
    check_name(name)
    if name.startswith(DASK):
        if jobs is not None:
            raise UsageError(
                "--jobs is for this machine; a Dask cluster does as much as its workers have threads"
            )
        with _dask(name.removeprefix(DASK), limit_s) as found:
            yield found
        return
    size = jobs or default_jobs()
    # Not forked: a child would hold this process's end of the watchdog's pipe, and of its bots' pipes.
    pool: Executor = (
        ThreadPoolExecutor(size)
        if name == THREADS
        else ProcessPoolExecutor(size, multiprocessing.get_context("spawn"), _start_worker)
    )
    try:
        yield Team(pool, size, _here if name == THREADS else _elsewhere)
    finally:
        pool.shutdown(cancel_futures=True)


def _here(call: Callable[[str], None], word: str) -> None:
    call(word)


def _elsewhere(call: Callable[[str], None], word: str) -> None:
    """Do nothing: processes of a pool finish what they have begun."""


def _start_worker() -> None:
    gc.set_threshold(COLLECT_AFTER)
    _end_with_parent()


def _end_with_parent() -> None:
    """Make a pool's process end with the process that started it, however that ends, and not before."""
    # A handler and not SIG_IGN, which bots would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def _dask(address: str, limit_s: float) -> Iterator[Team]:
    try:
        from distributed import Client  # noqa: PLC0415 - half a second, and an extra
    except ImportError:
        raise UsageError(
            "--executor dask: needs the package distributed, which is not installed: "
            "pip install 'refbot[dask]'"
        ) from None
    # Its messages about a lost connection would be mixed with ours.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=limit_s, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkerError(
            f"no Dask scheduler answers at {address} within {limit_s:g} s ({_first_line(error)}); "
            "start one with `dask scheduler`, and workers with `dask worker`; nothing was asked"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=limit_s)
        except (TimeoutError, OSError):
            raise WorkerError(
                f"the Dask scheduler at {address} has no worker after {limit_s:g} s; start one with "
                f"`dask worker {address}`; nothing was asked"
            ) from None
        # pure=False: each work item is done, even if it equals another one.
        executor = client.get_executor(pure=False)
        try:
            yield Team(
                executor, sum(client.nthreads().values()), lambda call, word: _on_all(client, call, word)
            )
        finally:
            with suppress(Exception):
                executor.shutdown(wait=False)
    finally:
        with suppress(Exception):
            client.close(timeout=limit_s)


def _on_all(client: "Client", call: Callable[[str], None], word: str) -> None:
    with suppress(Exception):
        # A worker that cannot be reached has no bots, or its watchdog ends them.
        client.run(call, word, on_error="ignore")


def _first_line(error: BaseException) -> Any:
    return str(error).partition("\n")[0][:120] or type(error).__name__
