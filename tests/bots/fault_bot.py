#!/usr/bin/env python3
"""A bot that misbehaves in the one way its argument names: ``fault_bot.py dies-by-segv``.

It imports nothing but the standard library, plays only pass, and knows nothing of the harness.  Faults
that need a moment strike at genmove; everything else is answered properly.  To add one, write a function
and enter it in ``FAULTS``.
"""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable

ANSWERS = {
    "protocol_version": "2",
    "name": "fault bot",
    "version": "1",
    "boardsize": "",
    "clear_board": "",
    "komi": "",
    "play": "",
    "genmove": "pass",
    "quit": "",
}
STUCK_S = 60.0
"""How long a stuck bot stays, so that a broken test leaves nothing behind for ever."""

Reply = Callable[[str, str], bytes]
"""What makes the bytes to write, of an id (empty if none) and a command name."""


def proper(number: str, name: str) -> bytes:
    """Answer as the protocol demands."""
    if name in ANSWERS:
        return f"={number} {ANSWERS[name]}\n\n".encode()
    return f"?{number} unknown command\n\n".encode()


def serve(reply: Reply = proper, *, faults: dict[str, Callable[[], None]] | None = None) -> None:
    """Answer every command with ``reply``, after the fault that belongs to its name, until quit."""
    for line in sys.stdin.buffer:
        words = line.decode("utf-8", "replace").split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        if faults is not None and words[0] in faults:
            faults[words[0]]()
        say(reply(number, words[0]))
        if words[0] == "quit":
            return


def say(data: bytes) -> None:
    """Write to standard output at once."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def stay() -> None:
    """Do nothing, for longer than any test waits."""
    time.sleep(STUCK_S)


def at_genmove(fault: Callable[[], None]) -> Callable[[], None]:
    """Make a bot that is in order until its first genmove."""
    return lambda: serve(faults={"genmove": fault})


def never_answers() -> None:
    """Read every command and say nothing."""
    for _ in sys.stdin.buffer:
        pass


def exits_status_3() -> None:
    """Complain and leave."""
    sys.stderr.write("loading the network\ncannot find weights\x07.bin\n")
    sys.exit(3)


def segv() -> None:
    """End as by a bad pointer, but leave no core file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)


def mid_reply() -> None:
    """Begin a reply and exit."""
    say(b"= D")
    sys.exit(1)


def close_stdout() -> None:
    """Close standard output and stay."""
    os.close(1)
    stay()


def leave_child(status: int = 1) -> None:
    """Exit, leaving a child that holds the three pipes."""
    if os.fork() == 0:
        stay()
    os._exit(status)


def fork_helper() -> None:
    """Start a child that stays, as a bot with a helper does; the bot itself goes on."""
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        stay()


def flood_without_newline() -> None:
    """Write one line without end."""
    while True:
        say(b"x" * 65536)


def flood_lines() -> None:
    """Write debug lines without end."""
    while True:
        say(b"thinking\n" * 100)


def flood_blank_lines() -> None:
    """Write empty lines without end."""
    while True:
        say(b"\n" * 65536)


def flood_stderr() -> None:
    """Write far more to standard error than a pipe holds."""
    sys.stderr.write("chatter\n" * 500_000 + "last words\n")
    sys.stderr.flush()


def ignores_sigterm() -> None:
    """Answer everything, quit too, and never leave."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve()
    stay()


def banner() -> None:
    """Greet before anything was asked."""
    say(b"Welcome to fault bot\n\n")
    serve()


def not_gtp() -> None:
    """Explain the options and leave."""
    say(b"usage: fault_bot [--gtp]\x1b[0m\n  --gtp  speak GTP\n")
    sys.exit(2)


def prompts() -> None:
    """Show a prompt, and never the answer to anything."""
    say(b"go> ")
    never_answers()


def echo() -> None:
    """Repeat every line, as cat does."""
    for line in sys.stdin.buffer:
        say(line)


def wrong_id(number: str, name: str) -> bytes:
    """Answer with the next id."""
    return proper(str(int(number) + 1) if number else "", name)


def silent_quit(number: str, name: str) -> bytes:
    """Answer everything but quit."""
    return b"" if name == "quit" else proper(number, name)


def ignores_quit() -> None:
    """Take no notice of quit, and go on."""
    while True:
        serve(silent_quit)
        time.sleep(0.01)


def short_quit(number: str, name: str) -> bytes:
    """Leave out the empty line after the reply to quit."""
    return proper(number, name).replace(b"\n\n", b"\n") if name == "quit" else proper(number, name)


def surplus(number: str, name: str) -> bytes:
    """Answer a genmove twice."""
    return proper(number, name) * (2 if name == "genmove" else 1)


FAULTS: dict[str, Callable[[], None]] = {
    "none": serve,
    "banner": banner,
    "closes-stdout": at_genmove(close_stdout),
    "closes-stdout-at-once": close_stdout,
    "crlf": lambda: serve(lambda number, name: proper(number, name).replace(b"\n", b"\r\n")),
    "debug-lines": lambda: serve(
        lambda number, name: b"thinking about " + name.encode() + b"\n" + proper(number, name)
    ),
    "dies-by-segv": at_genmove(segv),
    "dies-mid-reply": at_genmove(mid_reply),
    "drops-ids": lambda: serve(lambda _, name: proper("", name)),
    "echo": echo,
    "exits-at-once": lambda: None,
    "exits-status-3": exits_status_3,
    "floods-blank-lines": at_genmove(flood_blank_lines),
    "floods-lines": at_genmove(flood_lines),
    "floods-stderr": at_genmove(flood_stderr),
    "floods-stdout-no-newline": at_genmove(flood_without_newline),
    "forks-child-holding-pipe": at_genmove(leave_child),
    "forks-helper": at_genmove(fork_helper),
    "hangs-in-genmove": at_genmove(stay),
    "ignores-quit": ignores_quit,
    "ignores-sigterm": ignores_sigterm,
    "never-answers": never_answers,
    "never-reads-stdin": stay,
    "not-gtp": not_gtp,
    "one-newline": lambda: serve(lambda number, name: proper(number, name).replace(b"\n\n", b"\n")),
    "prompts": prompts,
    "quits-silently": lambda: serve(silent_quit),
    "quits-with-one-newline": lambda: serve(short_quit),
    "surplus-replies": lambda: serve(surplus),
    "wrong-ids": lambda: serve(wrong_id),
}


if __name__ == "__main__":
    FAULTS[sys.argv[1]]()
