"""Processes that came from a bot are found wherever they went, and ended."""

import sys
import time
from pathlib import Path

from harness.bots.pipe import PipeTransport, start
from harness.bots.process_tree import left_over

FAULT_BOT = str(Path(__file__).parents[2] / "bots" / "fault_bot.py")


def test_runaway_is_found_and_ended() -> None:
    """A child in a session of its own, without the pipes, is seen while it lives and gone after the bot."""
    transport = start([sys.executable, "-IS", FAULT_BOT, "forks-runaway"])
    assert isinstance(transport, PipeTransport)
    deadline = time.monotonic() + 10
    transport.send(b"genmove b\n", deadline)
    assert transport.receive(deadline) == b"= pass\n\n"
    while len(left_over()) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    end = transport.close(5.0)
    assert (end.status, end.orphans, end.forced) == (0, True, None)
    assert left_over() == []
