#!/usr/bin/env python3
"""A bot for the sample project: the engine of engine.py behind a command loop of its own.

The loop has a mistake that its author knows (known-failures.toml): it takes a comment for arguments.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator

from engine import Engine, GtpError

_DROPPED = {code: None for code in [*range(32), 127] if code != ord("\t")}


def words_of(line: str) -> tuple[str, list[str]]:
    """Return the id of a command, if it has one, and its words."""
    words = line.translate(_DROPPED).split()
    return (words[0], words[1:]) if words and words[0].isdigit() else ("", words)


def replies(engine: Engine, lines: Iterable[str]) -> Iterator[str]:
    """Yield the reply to each line, until quit."""
    for line in lines:
        number, words = words_of(line)
        if not words:
            continue
        try:
            sign, text = "=", engine.execute(words[0], words[1:])
        except GtpError as error:
            sign, text = "?", str(error)
        yield f"{sign}{number} {text}\n\n"
        if words[0] == "quit":
            return


def main() -> None:
    """Run the bot on standard input and output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--playouts", type=int, default=1000, help="random games for each move")
    parser.add_argument("--seed", type=int, help="repeat the same random numbers")
    options = parser.parse_args()
    random.seed(options.seed)
    sys.stdin.reconfigure(encoding="latin-1")
    for reply in replies(Engine(options.playouts), sys.stdin):
        print(reply, end="", flush=True)


if __name__ == "__main__":
    main()
