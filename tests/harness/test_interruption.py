"""What ends a command early: raised once, at a moment that leaves nothing half done."""

import os
import signal
import time
from collections.abc import Iterator

import pytest

from harness.interruption import Interruption, catch_signals, interruption, time_limit, undisturbed


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup has it ignored
    with catch_signals():
        yield
    signal.signal(signal.SIGHUP, before)


def strike(number: signal.Signals) -> None:
    """Send a signal to ourselves, and wait for it."""
    os.kill(os.getpid(), number)
    time.sleep(0.05)


def strike_inside(done: list[int]) -> None:
    """Be struck in the inner of two parts that are not to be disturbed."""
    with undisturbed():
        with undisturbed():
            strike(signal.SIGTERM)
            done.append(1)
        done.append(2)


STATUSES = ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129))


@pytest.mark.parametrize(("number", "status"), STATUSES)
def test_signals(number: signal.Signals, status: int) -> None:
    """Each is a keyboard interrupt with the status a shell would show."""
    with pytest.raises(Interruption) as struck:
        strike(number)
    assert struck.value.status == status
    assert interruption() is struck.value


def test_undisturbed() -> None:
    """What is begun is finished first, inside another such part too; a second signal disturbs no more."""
    done: list[int] = []
    with pytest.raises(Interruption):
        strike_inside(done)
    assert done == [1, 2]
    strike(signal.SIGTERM)


def test_time_limit() -> None:
    """A block that takes too long is ended, with the status of INCONCLUSIVE; others are left alone."""
    with time_limit(60), time_limit(None):
        pass
    with pytest.raises(Interruption, match="--max-time") as struck, time_limit(0.1):
        time.sleep(5)
    assert struck.value.status == 3
