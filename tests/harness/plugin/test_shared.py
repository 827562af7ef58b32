"""Work that is done do_once for all workers."""

import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from harness.errors import RefbotError
from harness.plugin.shared import do_once
from harness.records.lock import Lock


def test_it_is_done_once(tmp_path: Path) -> None:
    """Whoever comes second is given what the first one left."""
    done = []

    def work() -> Path:
        done.append(1)
        return tmp_path / "results"

    assert [do_once(tmp_path / "shared", work, 1.0) for _ in range(2)] == [tmp_path / "results"] * 2
    assert done == [1]


def test_what_failed_fails_for_all_in_the_same_words(tmp_path: Path) -> None:
    """An error is not tried again by every worker."""
    done = []

    def work() -> Path:
        done.append(1)
        raise RefbotError("no tables")

    for _ in range(2):
        with pytest.raises(RefbotError, match=r"^no tables$"):
            do_once(tmp_path, work, 1.0)
    assert done == [1]


def test_a_fault_of_ours_is_seen_where_it_happens_and_told_elsewhere(tmp_path: Path) -> None:
    """The worker that ran into it shows the traceback, the others say what it was."""
    with pytest.raises(ZeroDivisionError):
        do_once(tmp_path, lambda: Path(str(1 // 0)), 1.0)
    with pytest.raises(RefbotError, match="a fault of refbot: ZeroDivisionError"):
        do_once(tmp_path, Path, 1.0)


def test_waiting_has_an_end(tmp_path: Path) -> None:
    """A worker does not wait for ever for another that holds the lock."""
    with Lock(tmp_path), pytest.raises(RefbotError, match=r"waited 0\.2 s for another worker"):
        do_once(tmp_path, Path, 0.2)


def test_a_worker_that_was_killed_is_replaced(tmp_path: Path) -> None:
    """The lock goes with its process, and the next one begins anew."""
    begun = tmp_path / "begun"

    def stay() -> Path:
        begun.touch()
        time.sleep(60)
        return tmp_path

    fork = multiprocessing.get_context("fork")
    worker = fork.Process(target=do_once, args=(tmp_path / "shared", stay, 1.0))
    worker.start()
    while not begun.exists():
        time.sleep(0.01)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()

    assert do_once(tmp_path / "shared", lambda: tmp_path / "second", 5.0) == tmp_path / "second"
