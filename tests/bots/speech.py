"""Faults of framing: replies that are not what the protocol calls a reply, and words nobody asked for."""

import sys
from collections.abc import Callable

from stage import Words, never_answers, proper, say, serve


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


def no_flush() -> None:
    """Keep every reply back until the end of the input."""
    replies = [proper("", words) for line in sys.stdin.buffer if (words := line.decode("latin-1").split())]
    say(b"".join(replies))


def wrong_id(number: str, words: Words) -> bytes:
    """Answer with the next id."""
    return proper(str(int(number) + 1) if number else "", words)


def short_quit(number: str, words: Words) -> bytes:
    """Leave out the empty line after the reply to quit."""
    return proper(number, words).replace(b"\n\n", b"\n") if words[0] == "quit" else proper(number, words)


def surplus(number: str, words: Words) -> bytes:
    """Answer a genmove twice."""
    return proper(number, words) * (2 if words[0] == "genmove" else 1)


def debug(number: str, words: Words) -> bytes:
    """Think aloud before each reply."""
    return b"thinking about " + words[0].encode() + b"\n" + proper(number, words)


def ending(newline: bytes, *, empty: bytes) -> Callable[[], None]:
    """End lines, and the line after a reply, in another way."""

    def end(number: str, words: Words) -> bytes:
        return proper(number, words).removesuffix(b"\n\n").replace(b"\n", newline) + newline + empty

    return lambda: serve(end)


FAULTS: dict[str, Callable[[], None]] = {
    "banner": banner,
    "crlf": ending(b"\r\n", empty=b"\r\n"),
    "debug-lines": lambda: serve(debug),
    "drops-ids": lambda: serve(lambda _, words: proper("", words)),
    "echo": echo,
    "none": serve,
    "not-gtp": not_gtp,
    "one-newline": ending(b"\n", empty=b""),
    "no-flush": no_flush,
    "prompts": prompts,
    "quits-with-one-newline": lambda: serve(short_quit),
    "surplus-replies": lambda: serve(surplus),
    "three-newlines": ending(b"\n", empty=b"\n\n"),
    "wrong-ids": lambda: serve(wrong_id),
}
