"""Legality, captures and stones against GNU Go 3.8, in random games.

The oracle makes the games, so that the whole conversation is written before GNU Go is asked: one process
for each size, all commands in one write, all answers read together.
"""

import os
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest
from random_games import random_point

from reference_engine.board import Position
from reference_engine.playout import is_eye
from reference_engine.vocabulary import PASS, Colour, Move, Point, format_vertex

SEED = 20081013
GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
REPLY = re.compile(r"([=?])(\d+) ?(.*?)\n\n", re.DOTALL)

pytestmark = pytest.mark.skipif(GNUGO is None, reason="GNU Go (gnugo) is not installed")


@dataclass
class Script:
    """Commands for GNU Go, the answers the oracle expects, and what was asked for."""

    commands: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)

    def add(self, command: str, answer: str = "") -> None:
        """Ask for one more command."""
        self.commands.append(command)
        self.expected.append(answer)

    def add_legality(self, position: Position, colour: Colour, point: Point) -> None:
        """Ask whether a move is legal."""
        if point in position.stones:
            kind = "occupied"
        elif position.is_ko(colour, point):
            kind = "ko"
        else:
            kind = "suicide" if position.is_suicide(colour, point) else "legal"
        self.add(f"is_legal {colour} {format_vertex(point)}", str(int(position.is_legal(colour, point))))
        self.asked[kind] += 1

    def add_board(self, position: Position, captures: dict[Colour, int]) -> None:
        """Ask for the stones and the captures of both colours."""
        for colour in Colour:
            stones = sorted(format_vertex(p) for p, stone in position.stones.items() if stone is colour)
            self.add(f"list_stones {colour}", " ".join(stones))
            self.add(f"captures {colour}", str(captures[colour]))
        self.asked["boards"] += 1


def chosen(position: Position, colour: Colour, rng: np.random.Generator, *, fills_eyes: bool) -> Move:
    """Return a random legal move; mostly no own eye where eyes are left alone, and now and then a pass."""
    if rng.random() < 0.02:
        return PASS
    move = random_point(position, colour, rng)
    for _ in range(5):
        if fills_eyes or move is PASS or not is_eye(position, colour, move):
            break
        move = random_point(position, colour, rng)
    return move


def add_game(script: Script, size: int, plies: int, rng: np.random.Generator, *, fills_eyes: bool) -> None:
    """Add a random game: plays, legality at many plies (at bans always), the board at some and at the end."""
    script.add(f"boardsize {size}")
    script.add("clear_board")
    position, colour, captures = Position(size), Colour.BLACK, dict.fromkeys(Colour, 0)
    for ply in range(plies):
        empty = position.empty_points()
        if size <= 5 or ply % (2 * size) == 0:
            points = empty
        else:
            points = [empty[index] for index in rng.permutation(len(empty))[: 2 if size > 9 else 6]]
        points += [position.ko.point] if position.ko else []
        points += list(position.stones)[:1] if ply % 20 == 0 else []
        for asker in Colour:
            for point in dict.fromkeys(points):
                script.add_legality(position, asker, point)
        move = chosen(position, colour, rng, fills_eyes=fills_eyes)
        script.add(f"play {colour} {format_vertex(move)}")
        if move is PASS:
            position = position.after_pass()
        else:
            captures[colour] += len(position.captured_by(colour, move))
            position = position.after(colour, move)
        if ply % 25 == 24:
            script.add_board(position, captures)
        if rng.random() < 0.95:
            colour = colour.other
    script.add_board(position, captures)


def answers_of_gnugo(commands: list[str]) -> list[str]:
    """Return GNU Go's answers, vertices sorted, errors with their sign."""
    lines = "".join(f"{number} {command}\n" for number, command in enumerate(commands))
    done = subprocess.run(
        [str(GNUGO), "--mode", "gtp"],
        input=lines + "quit\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    replies = REPLY.findall(done.stdout)
    assert [str(number) for number in range(len(commands))] == [number for _, number, _ in replies]
    return [" ".join(sorted(text.split())) if sign == "=" else f"? {text}" for sign, _, text in replies]


@pytest.mark.parametrize(
    ("size", "games", "plies"),
    [(5, 120, 75), (9, 60, 200), pytest.param(19, 24, 600, marks=pytest.mark.slow)],
)
def test_gnugo_agrees(size: int, games: int, plies: int) -> None:
    """GNU Go has the same legal moves, captures and final boards; chance never fails the test."""
    rng = np.random.default_rng(SEED + size)
    script = Script()
    for number in range(games):
        add_game(script, size, plies, rng, fills_eyes=number % 2 == 0)
    assert min(script.asked[kind] for kind in ("legal", "suicide", "ko", "occupied")) >= 20, script.asked
    answers = answers_of_gnugo(script.commands)
    for place, (want, got) in enumerate(zip(script.expected, answers, strict=True)):
        if want != got:
            begin = max(i for i in range(place + 1) if script.commands[i] == "clear_board")
            game = [c for c in script.commands[begin:place] if c.startswith("play")]
            pytest.fail(f"{script.commands[place]}: want {want!r}, GNU Go says {got!r} after {game}")
