"""Faults of processes: bots that do not start, die, hang, flood, or leave something behind."""

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable

from stage import at_genmove, fork, never_answers, proper, say, serve, stay

LATE_S = 4.0


def exits_status_3() -> None:
    """Complain and leave."""
    sys.stderr.write("loading the network\ncannot find weights\x07.bin\n")
    sys.exit(3)


def dies_by(number: signal.Signals) -> Callable[[], None]:
    """End as by a bad pointer or by a hand from outside, but leave no core file."""

    def die() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), number)
        stay()

    return die


def mid_reply() -> None:
    """Begin a reply and exit."""
    say(b"= D")
    sys.exit(1)


def close_stdout() -> None:
    """Close standard output and stay."""
    os.close(1)
    stay()


def close_stdin() -> None:
    """Close standard input and stay; what was asked last is still answered."""
    say(proper("", ["genmove", "b"]))
    os.close(0)
    stay()


def leave_child(status: int = 1) -> None:
    """Exit, leaving a child that holds the three pipes."""
    fork(lambda: None)
    os._exit(status)


def fork_helper() -> None:
    """Start a child that stays, as a bot with a helper does; the bot itself goes on."""
    fork(lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN))  # type: ignore[arg-type, return-value]


def fork_runaway() -> None:
    """Start a child that leaves the process group and the session and closes the pipes."""

    def run_away() -> None:
        os.setsid()
        os.closerange(0, 3)
        if os.fork():
            os._exit(0)

    fork(run_away)


def flood(data: bytes) -> Callable[[], None]:
    """Write the same without end."""

    def write() -> None:
        while True:
            say(data)

    return write


def flood_stderr() -> None:
    """Write far more to standard error than a pipe holds."""
    sys.stderr.write("chatter\n" * 500_000 + "last words\n")
    sys.stderr.flush()


def flood_stderr_without_end() -> None:
    """Write to standard error all the time, and answer properly."""

    def chatter() -> None:
        while True:
            os.write(2, b"chatter\n" * 500)

    threading.Thread(target=chatter, daemon=True).start()
    serve()


def hangs_ignoring_sigterm() -> None:
    """Hang in genmove, and take no notice of a polite signal."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    at_genmove(stay)()


def ignores_sigterm() -> None:
    """Answer everything, quit too, and never leave."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve()
    stay()


def silent_quit(number: str, words: list[str]) -> bytes:
    """Answer everything but quit."""
    return b"" if words[0] == "quit" else proper(number, words)


def ignores_quit() -> None:
    """Take no notice of quit, and go on."""
    while True:
        serve(silent_quit)
        time.sleep(0.01)


def allocates() -> None:
    """Take memory without end, or until there is none."""
    taken = []
    while True:
        taken.append(bytes(1 << 24))


def burns() -> None:
    """Use the processor and nothing else."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        pass


def opens_files() -> None:
    """Open files without end, or until there are no more."""
    files = []
    while True:
        files.append(open(os.devnull, "rb"))  # noqa: PTH123, SIM115 - they must stay open


def answers_the_last_command() -> None:
    """Keep each answer to a genmove back until the next command."""
    held = b""
    for line in sys.stdin.buffer:
        words = line.decode("latin-1").split()
        if not words:
            continue
        answer = proper("", words)
        if words[0] == "genmove":
            held = answer
        else:
            say(held + answer)
            held = b""
        if words[0] == "quit":
            return


FAULTS: dict[str, Callable[[], None]] = {
    "allocates-without-end": at_genmove(allocates),
    "answers-late": at_genmove(lambda: time.sleep(LATE_S)),
    "answers-the-last-command": answers_the_last_command,
    "burns-cpu": at_genmove(burns),
    "burns-cpu-limited": at_genmove(burns),
    "closes-stdin": at_genmove(close_stdin),
    "closes-stdout": at_genmove(close_stdout),
    "closes-stdout-at-once": close_stdout,
    "dies-at-once-by-segv": dies_by(signal.SIGSEGV),
    "dies-by-abort": at_genmove(dies_by(signal.SIGABRT)),
    "dies-by-kill": at_genmove(dies_by(signal.SIGKILL)),
    "dies-by-segv": at_genmove(dies_by(signal.SIGSEGV)),
    "dies-mid-reply": at_genmove(mid_reply),
    "exits-at-once": lambda: None,
    "exits-status-3": exits_status_3,
    "floods-blank-lines": at_genmove(flood(b"\n" * 65536)),
    "floods-lines": at_genmove(flood(b"thinking\n" * 100)),
    "floods-replies": lambda: serve(faults={"boardsize": flood(b"= \n\n" * 10_000)}),
    "floods-stderr": at_genmove(flood_stderr),
    "floods-stderr-without-end": flood_stderr_without_end,
    "floods-stdout-no-newline": at_genmove(flood(b"x" * 65536)),
    "forks-child-holding-pipe": at_genmove(leave_child),
    "forks-helper": at_genmove(fork_helper),
    "forks-runaway": at_genmove(fork_runaway),
    "hangs-ignoring-sigterm": hangs_ignoring_sigterm,
    "hangs-in-genmove": at_genmove(stay),
    "hangs-in-genmove-5": at_genmove(stay, number=5),
    "ignores-quit": ignores_quit,
    "ignores-sigterm": ignores_sigterm,
    "never-answers": never_answers,
    "never-reads-stdin": stay,
    "opens-files-without-end": at_genmove(opens_files),
    "quits-silently": lambda: serve(silent_quit),
}
