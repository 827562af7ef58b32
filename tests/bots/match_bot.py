#!/usr/bin/env python3
"""A bot for matches: it plays, and claims, what its arguments say (``--moves "C3 A1" --dead enemy``).

It needs the standard library alone and knows nothing of the harness.  Its own moves come from a list, and
are passes when that is used up; or, with ``--playouts N``, from the example bot's board and search.
"""

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Python's -I leaves it out

import stage

CLAIMS = ("none", "enemy", "own", "everything", "error", "nonsense", "empty-point", "crash")
EXTRA = ("final_status_list", "kgs-genmove_cleanup", "time_settings", "time_left", "final_score")


class MatchBot:
    """A player with opinions."""

    def __init__(self, options: argparse.Namespace) -> None:
        stage.choose(1)
        assert isinstance(stage.bot, stage.RealBot)
        self._real, self._options = stage.bot, options
        self._real.engine.playouts = options.playouts or 1
        self._colour, self._own = "b", 0
        known = [*self._real.engine.commands, *EXTRA]
        self._commands = [one for one in known if one not in options.lacks.split(",")]

    def answer(self, words: list[str]) -> tuple[str, str]:
        """Return the status sign and the text."""
        name = words[0]
        if name not in self._commands:
            return "?", "unknown command"
        if name == "clear_board":
            self._own = 0
        if name in {"genmove", "kgs-genmove_cleanup"}:
            self._colour = words[1][0].lower()
            return self._move(words)
        simple = {
            "name": self._options.name,
            "list_commands": "\n".join(self._commands),
            "final_score": self._options.score,
            "time_settings": "",
            "time_left": "",
        }
        if name in simple:
            return "=", simple[name]
        return self._dead() if name == "final_status_list" else self._ask_real(words)

    def _move(self, words: list[str]) -> tuple[str, str]:
        self._own += 1
        if self._own == self._options.strike_at:
            time.sleep(self._options.slow)
            if self._options.crash:
                os._exit(3)
        if words[0] != "genmove":
            if self._options.cleanup == "error":
                return "?", "I cannot clean up"
            if self._options.cleanup == "pass":
                return "=", self._played("pass")
        if self._options.playouts:
            return self._ask_real(["genmove", self._colour])
        moves = self._options.moves.split()
        move = moves[self._own - 1] if self._own <= len(moves) else "pass"
        return "=", self._played(move)

    def _played(self, move: str) -> str:
        if move not in ("resign", "junk"):
            self._ask_real(["play", self._colour, move])
        return move

    def _dead(self) -> tuple[str, str]:
        claim = self._options.dead
        if claim == "crash":
            os._exit(3)
        if claim in ("error", "nonsense"):
            return ("?", "cannot say") if claim == "error" else ("=", "D4 Z99")
        stones: dict[str, list[str]] = {"b": [], "w": [], ".": []}
        engine = self._real.engine
        for place, colour in enumerate(engine.position.colours):
            vertex = f"{self._real.letters[place % engine.size]}{engine.size - place // engine.size}"
            stones[".bw"[colour]].append(vertex)
        enemy = "w" if self._colour == "b" else "b"
        said = {
            "none": [],
            "enemy": stones[enemy],
            "own": stones[self._colour],
            "everything": stones["b"] + stones["w"],
            "empty-point": stones["."][:1],
        }
        return "=", "\n".join(said[claim])

    def _ask_real(self, words: list[str]) -> tuple[str, str]:
        return self._real.answer(words)


def main() -> None:
    """Play until quit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", default="match bot")
    parser.add_argument("--moves", default="", help="own moves, in order; resign and junk are allowed")
    parser.add_argument("--playouts", type=int, default=0)
    parser.add_argument("--dead", choices=CLAIMS, default="none", help="answer to final_status_list dead")
    parser.add_argument("--cleanup", choices=("play", "pass", "error"), default="play")
    parser.add_argument("--lacks", default="", help="commands it does not know, with commas between")
    parser.add_argument("--score", default="B+1", help="answer to final_score")
    parser.add_argument("--strike-at", type=int, default=0, help="number of the own move at which...")
    parser.add_argument("--slow", type=float, default=0.0, help="...it waits so many seconds")
    parser.add_argument("--crash", action="store_true", help="...it exits")
    bot = MatchBot(parser.parse_args())
    stage.serve(lambda number, words: "{0}{2} {1}\n\n".format(*bot.answer(words), number).encode())


if __name__ == "__main__":
    main()
