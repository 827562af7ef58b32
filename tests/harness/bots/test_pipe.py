"""The pipe transport against real processes: bytes pass, deadlines hold, nothing is left running."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bot_sessions import FAULT_BOT, has_living_process

from harness.bots import pipe
from harness.bots.transport import Ended, ProcessEnd, Sent, TimedOut, Transport
from harness.word import Word

SOON_S = 0.2
LONG_S = 10.0

GENMOVE = b"genmove b\n"


class Bot:
    """A started fault bot, with deadlines counted from now."""

    def __init__(self, command: list[str]) -> None:
        started = pipe.start(command)
        assert isinstance(started, pipe.PipeTransport)
        self.transport: Transport = started
        self.group = started.pid

    def send(self, data: bytes, within_s: float = LONG_S) -> Sent | Ended | TimedOut:
        """Send with a deadline that far from now."""
        return self.transport.send(data, time.monotonic() + within_s)

    def receive(self, within_s: float = LONG_S) -> bytes | Ended | TimedOut:
        """Receive with a deadline that far from now."""
        return self.transport.receive(time.monotonic() + within_s)

    def group_is_gone(self) -> bool:
        """Whether no process of the group is left; a killed one may take a moment."""
        for _ in range(200):
            if not has_living_process(self.group):
                return True
            time.sleep(0.01)
        return False


class Starter:
    """Starts bots, and ends those a test has left running."""

    def __init__(self) -> None:
        self.bots: list[Bot] = []

    def __call__(self, fault: str) -> Bot:
        """Start the fault bot of that name."""
        self.bots.append(Bot([sys.executable, "-IS", FAULT_BOT, fault]))
        return self.bots[-1]


@pytest.fixture
def start() -> Iterator[Starter]:
    """Start fault bots by name; every one of their groups must be gone in the end."""
    starter = Starter()
    yield starter
    for bot in starter.bots:
        bot.transport.close(0.0)
        assert bot.group_is_gone()


def test_round_trip(start: Starter) -> None:
    """A command goes out, its reply comes back, and a bot that was told to quit leaves by itself."""
    bot = start("none")
    assert Sent() == bot.send(b"7 name\n")
    assert bot.receive() == b"=7 fault bot\n\n"
    bot.send(b"quit\n")
    assert bot.receive() == b"= \n\n"
    assert Ended() == bot.receive()
    assert ProcessEnd(0, None, "", orphans=False, forced=None) == bot.transport.close(LONG_S)


def test_closed_input_ends_a_bot(start: Starter) -> None:
    """Closing takes away the bot's input, which ends a proper bot without a signal, and can be repeated."""
    bot = start("none")
    end = bot.transport.close(LONG_S)
    assert (end.status, end.forced) == (0, None)
    assert end is bot.transport.close(LONG_S)
    assert Ended() == bot.send(b"name\n")
    assert Ended() == bot.receive()


def test_receive_deadline(start: Starter) -> None:
    """A silent bot is waited for until the deadline and hardly longer."""
    bot = start("never-answers")
    bot.send(b"name\n")
    began = time.monotonic()
    assert TimedOut() == bot.receive(SOON_S)
    assert SOON_S <= time.monotonic() - began < SOON_S + 1


def test_receive_in_the_past(start: Starter) -> None:
    """A deadline that has passed returns what is waiting, and else times out at once."""
    bot = start("never-answers")
    assert TimedOut() == bot.receive(-5.0)
    other = start("prompts")
    while isinstance(received := other.receive(-5.0), TimedOut):
        time.sleep(0.01)
    assert received == b"go> "


def test_send_deadline(start: Starter) -> None:
    """A bot that never reads does not hold up the sender of more than a pipe takes."""
    bot = start("never-reads-stdin")
    began = time.monotonic()
    assert TimedOut() == bot.send(b"name\n" * 200_000, SOON_S)
    assert time.monotonic() - began < SOON_S + 1


def test_large_exchange(start: Starter) -> None:
    """Input larger than a pipe passes whole to a bot that reads."""
    bot = start("never-answers")
    assert Sent() == bot.send(b"name\n" * 200_000)


def test_answers_are_taken_in_while_more_is_sent(start: Starter) -> None:
    """Commands whose answers fill the pipe many times over are sent and answered: nobody waits for ever."""
    bot = start("none")
    assert Sent() == bot.send(b"7 name\n" * 100_000)
    came = 0
    while came < len(b"=7 fault bot\n\n") * 100_000:
        received = bot.receive()
        assert isinstance(received, bytes)
        came += len(received)


def test_send_to_the_dead(start: Starter) -> None:
    """Writing to a bot that has gone is an end, not an error."""
    bot = start("exits-at-once")
    assert Ended() == bot.receive()
    assert Ended() == bot.send(b"name\n" * 200_000)  # more than a pipe takes, for its input may close last


@pytest.mark.parametrize(
    ("fault", "status", "signal"),
    [("exits-status-3", 3, None), ("dies-by-segv", None, "SIGSEGV"), ("dies-mid-reply", 1, None)],
)
def test_end_is_described(start: Starter, fault: str, status: int | None, signal: str | None) -> None:
    """The status or the signal that ended a bot is kept, and that it was not ours."""
    bot = start(fault)
    bot.send(GENMOVE)
    while isinstance(bot.receive(), bytes):
        pass
    end = bot.transport.close(LONG_S)
    assert (status, signal, None) == (end.status, end.signal, end.forced)


def test_stderr_is_drained_and_cut(start: Starter) -> None:
    """Megabytes on standard error neither block the bot nor mix with its replies; the last are kept."""
    bot = start("floods-stderr")
    bot.send(GENMOVE)
    assert bot.receive() == b"= pass\n\n"
    tail = bot.transport.close(LONG_S).stderr_tail
    assert len(tail) == pipe.STDERR_TAIL_BYTES
    assert tail.endswith("chatter\nlast words\n")
    assert tail == bot.transport.stderr_tail()


def test_dead_leader_with_living_child(start: Starter) -> None:
    """A bot whose first process is gone has ended, though its child holds the pipes; the child is killed."""
    bot = start("forks-child-holding-pipe")
    bot.send(GENMOVE)
    began = time.monotonic()
    assert Ended() == bot.receive()
    assert time.monotonic() - began < LONG_S / 2
    assert ProcessEnd(1, None, "", orphans=True, forced=None) == bot.transport.close(LONG_S)
    assert bot.group_is_gone()


def test_stubborn_helper_is_killed(start: Starter) -> None:
    """A child that outlives a bot which left in order is killed too, whatever it does about SIGTERM."""
    bot = start("forks-helper")
    bot.send(GENMOVE)
    assert bot.receive() == b"= pass\n\n"
    end = bot.transport.close(LONG_S)
    assert (end.status, end.forced, end.orphans) == (0, None, True)
    assert bot.group_is_gone()


@pytest.mark.parametrize(
    ("fault", "forced"),
    [
        ("ignores-sigterm", "SIGKILL"),
        ("hangs-in-genmove", "SIGTERM"),
        ("never-reads-stdin", "SIGTERM"),
        ("floods-stdout-no-newline", "SIGTERM"),
        ("closes-stdout", "SIGTERM"),
    ],
)
def test_forced_end(start: Starter, fault: str, forced: str) -> None:
    """A bot that does not leave within its grace is ended by the weakest signal that works."""
    bot = start(fault)
    bot.send(GENMOVE)
    bot.receive(LONG_S if fault == "ignores-sigterm" else SOON_S)  # until it does ignore it
    began = time.monotonic()
    end = bot.transport.close(SOON_S)
    assert (None, forced, forced) == (end.status, end.signal, end.forced)
    assert time.monotonic() - began < 2
    assert bot.group_is_gone()


def test_full_pipe_does_not_keep_a_bot_from_leaving() -> None:
    """A bot that has more to say than a pipe holds is read on while it leaves."""
    bot = Bot([sys.executable, "-ISc", "import sys; sys.stdout.write('x' * 1_000_000)"])
    end = bot.transport.close(LONG_S)
    assert ProcessEnd(0, None, "", orphans=False, forced=None, last_output=b"x" * 200) == end


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ([], "the command is empty"),
        (["/no/such/bot"], "/no/such/bot: No such file or directory"),
        (["/"], "/: Permission denied"),
        (["a\0b"], r"a\x00b: embedded null byte"),
    ],
)
def test_start_failure(command: list[str], reason: str) -> None:
    """A command that cannot be executed is a value that says why in one line."""
    assert pipe.StartFailure(reason, Word.START_FAILED) == pipe.start(command)


def test_missing_working_directory(tmp_path: Path) -> None:
    """A working directory that is not there is what the reason names."""
    failure = pipe.start([sys.executable], cwd=tmp_path / "gone")
    assert isinstance(failure, pipe.StartFailure)
    assert "gone: No such file" in failure.reason


def test_directory_and_environment(tmp_path: Path) -> None:
    """A bot runs in the directory and with the environment it was given."""
    script = "import os; print(os.getcwd(), os.environ['SEED'], flush=True)"
    started = pipe.start([sys.executable, "-ISc", script], cwd=tmp_path, env={"SEED": "7"})
    assert isinstance(started, pipe.PipeTransport)
    assert f"{tmp_path} 7\n".encode() == started.receive(time.monotonic() + LONG_S)
    started.close(LONG_S)
