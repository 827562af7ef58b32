#!/usr/bin/env python3
"""An engine with every command of GTP 2; with an argument it breaks the clause of that id, and no other.

``clause_bot.py`` keeps every clause, ``clause_bot.py 6.3.3/9`` breaks one: clauses.toml says how.  It plays
the first legal point, shares nothing with the harness, and needs the standard library alone.
"""

import os
import re
import select
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
COLOURS = {"b": "black", "black": "black", "w": "white", "white": "white"}
RULES = Path(__file__).with_name("clauses.toml")

Point = tuple[int, int]
Board = dict[Point, str]


class RefusedError(Exception):
    """A command is answered with an error."""


def _refuse(_: list[str]) -> str:
    raise RefusedError("unknown command")


class Engine:
    """Keeps every clause."""

    def __init__(self) -> None:
        self.size = 9
        self.komi = 0.0
        self.board: Board = {}
        self.history: list[Board] = []
        self.has_quit = False
        self.info = ""
        """The line of an analysis that goes on; empty while there is none."""
        self.commands = {
            re.sub("^(kgs|gogui|lz|kata)_", r"\1-", key[4:]): getattr(self, key)
            for key in dir(self)
            if key.startswith("_do_")
        }

    def answer(self, raw: str) -> str:
        """Return the end of an analysis, and the response to a line; empty where none is due."""
        ending, self.info = "\n" if self.info else "", ""
        return ending + self._respond(raw)

    def _respond(self, raw: str) -> str:
        line = raw.partition("#")[0].replace("\t", " ")
        words = "".join(char for char in line if char >= " " and char != "\x7f").split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdigit() else ""
        try:
            command = self.commands.get(words[0] if words else "", _refuse)
            result = command(words[1:])
            return f"={number} {result}\n" + ("" if self.info else "\n")
        except RefusedError as refusal:
            return f"?{number} {refusal}\n\n"
        except (IndexError, KeyError, ValueError):
            return f"?{number} syntax error\n\n"

    def _do_protocol_version(self, _: list[str]) -> str:
        return "2"

    def _do_name(self, _: list[str]) -> str:
        return "clause bot"

    def _do_version(self, _: list[str]) -> str:
        return ""

    def _do_list_commands(self, _: list[str]) -> str:
        return "\n".join(self.commands)

    def _do_known_command(self, words: list[str]) -> str:
        return str(words[0] in self.commands).lower()

    def _do_quit(self, _: list[str]) -> str:
        self.has_quit = True
        return ""

    def _do_boardsize(self, words: list[str]) -> str:
        if not 2 <= int(words[0]) <= len(LETTERS):
            raise RefusedError("unacceptable size")
        self.size = int(words[0])
        return self._do_clear_board([])

    def _do_clear_board(self, _: list[str]) -> str:
        self.board, self.history = {}, []
        return ""

    def _do_komi(self, words: list[str]) -> str:
        self.komi = float(words[0])
        return ""

    def _do_play(self, words: list[str]) -> str:
        self._move(COLOURS[words[0].lower()], self._point(words[1]))
        return ""

    def _do_genmove(self, words: list[str]) -> str:
        colour = COLOURS[words[0].lower()]
        answer = self._do_reg_genmove(words)
        self._move(colour, self._point(answer))
        return answer

    def _do_reg_genmove(self, words: list[str]) -> str:
        colour = COLOURS[words[0].lower()]
        for point in self._points():
            if self._is_legal(colour, point):
                return self._name(point)
        return "pass"

    def _do_undo(self, _: list[str]) -> str:
        if not self.history:
            raise RefusedError("cannot undo")
        self.board = self.history.pop()
        return ""

    def _do_is_legal(self, words: list[str]) -> str:
        return str(int(self._is_legal(COLOURS[words[0].lower()], self._point(words[1]))))

    def _do_all_legal(self, words: list[str]) -> str:
        colour = COLOURS[words[0].lower()]
        return " ".join(self._name(point) for point in self._points() if self._is_legal(colour, point))

    def _do_list_stones(self, words: list[str]) -> str:
        colour = COLOURS[words[0].lower()]
        return " ".join(self._name(point) for point, other in self.board.items() if other == colour)

    def _do_fixed_handicap(self, words: list[str]) -> str:
        number, most = int(words[0]), 9 if self.size % 2 and self.size > 7 else 4
        low = 3 if self.size >= 13 else 2
        middle, high = self.size // 2, self.size - 1 - low
        if self.size < 7 or not 2 <= number <= most:
            raise RefusedError("invalid number of stones")
        corners = [(low, low), (high, high), (low, high), (high, low)][:number]
        sides = [(low, middle), (high, middle), (middle, low), (middle, high)][: max(0, number - 4) // 2 * 2]
        centre = [(middle, middle)] if number > 4 and number % 2 else []
        return self._handicap([*corners, *sides, *centre])

    def _do_place_free_handicap(self, words: list[str]) -> str:
        if not 2 <= int(words[0]) < self.size**2:
            raise RefusedError("invalid number of stones")
        return self._handicap(self._points()[: int(words[0])])

    def _do_set_free_handicap(self, words: list[str]) -> str:
        points = [point for word in words if (point := self._point(word)) is not None]
        if len(points) != len(words) or len({*points}) != len(words) or len(words) < 2:
            raise RefusedError("bad vertex list")
        self._handicap(points)
        return ""

    def _do_time_settings(self, words: list[str]) -> str:
        [int(word) for word in words[:3]][2]
        return ""

    def _do_time_left(self, words: list[str]) -> str:
        COLOURS[words[0].lower()], int(words[1]), int(words[2])
        return ""

    def _do_final_score(self, _: list[str]) -> str:
        sign = {"black": 1.0, "white": -1.0}
        score = sum(sign[colour] for colour in self.board.values()) - self.komi
        for point in self._points():
            near = {self.board[stone] for stone in self._border(point)} if point not in self.board else set()
            score += sign[near.pop()] if len(near) == 1 else 0.0
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def _do_final_status_list(self, words: list[str]) -> str:
        if words[0] not in ("alive", "dead", "seki"):
            raise ValueError
        return "\n".join(self._name(point) for point in self.board) if words[0] == "alive" else ""

    def _do_loadsgf(self, words: list[str]) -> str:
        try:
            text = Path(words[0]).read_text("ascii")
        except OSError:
            raise RefusedError("cannot load file") from None
        size = re.search(r"SZ\[(\d+)\]", text)
        self._do_boardsize([size[1] if size else "19"])
        moves = re.findall(r";([BW])\[([a-y])([a-y])\]", text)
        for colour, column, row in moves[: int(words[1]) - 1 if len(words) > 1 else None]:
            self._move(COLOURS[colour.lower()], (ord(column) - 97, self.size - 1 - (ord(row) - 97)))
        return ""

    def _do_showboard(self, _: list[str]) -> str:
        signs = {"black": "X", "white": "O"}
        rows = range(self.size - 1, -1, -1)
        drawn = []
        for row in rows:
            stones = [self.board.get((column, row), "") for column in range(self.size)]
            drawn.append(f"{row + 1:2} " + " ".join(signs.get(stone, ".") for stone in stones))
        letters = "   " + " ".join(LETTERS[: self.size])
        return "\n".join(["", letters, *drawn, letters])

    _do_kgs_genmove_cleanup = _do_genmove

    def _do_kgs_time_settings(self, words: list[str]) -> str:
        kinds = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
        if len([int(word) for word in words[1:]]) != kinds[words[0]]:
            raise ValueError
        return ""

    def _do_kgs_game_over(self, _: list[str]) -> str:
        return ""

    def _do_gogui_analyze_commands(self, _: list[str]) -> str:
        return "gfx/Stones/list_stones\nstring/Score/final_score"

    def _do_gogui_setup(self, words: list[str]) -> str:
        for colour, vertex in zip(words[::2], words[1::2], strict=True):
            point = self._point(vertex)
            if point is not None:
                self.board = {**self.board, point: COLOURS[colour.lower()]}
        return ""

    def _do_gogui_play_sequence(self, words: list[str]) -> str:
        for pair in zip(words[::2], words[1::2], strict=True):
            self._do_play([*pair])
        return ""

    def _do_gogui_interrupt(self, _: list[str]) -> str:
        return ""

    def _do_lz_analyze(self, words: list[str]) -> str:
        return self._analyse(words, "5000")

    def _do_kata_analyze(self, words: list[str]) -> str:
        return self._analyse(words, "0.5")

    def _analyse(self, words: list[str], winrate: str) -> str:
        colour, interval = words if len(words) > 1 else ["black", *words]
        int(interval)
        best = self._do_reg_genmove([colour])
        self.info = f"info move {best} visits 7 winrate {winrate} order 0 pv {best}\n"
        return f"\n{self.info}{self.info}".removesuffix("\n")

    def _do_stop(self, _: list[str]) -> str:
        return ""

    def _points(self) -> list[Point]:
        return [(column, row) for row in range(self.size) for column in range(self.size)]

    def _point(self, word: str) -> Point | None:
        if word.lower() == "pass":
            return None
        found = re.fullmatch(r"([A-HJ-Za-hj-z])(\d{1,2})", word)
        if found is None:
            raise ValueError
        column, row = LETTERS.index(found[1].upper()), int(found[2]) - 1
        if column >= self.size or not 0 <= row < self.size:
            raise ValueError
        return column, row

    def _name(self, point: Point) -> str:
        return f"{LETTERS[point[0]]}{point[1] + 1}"

    def _near(self, point: Point) -> list[Point]:
        column, row = point
        near = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
        return [(c, r) for c, r in near if 0 <= c < self.size and 0 <= r < self.size]

    def _region(self, board: Board, start: Point) -> set[Point]:
        found, waiting = {start}, [start]
        while waiting:
            for near in self._near(waiting.pop()):
                if board.get(near) == board.get(start) and near not in found:
                    found.add(near)
                    waiting.append(near)
        return found

    def _border(self, start: Point) -> set[Point]:
        region = self._region(self.board, start)
        return {near for point in region for near in self._near(point)} - region

    def _after(self, colour: str, point: Point | None) -> Board | None:
        """Return the board after a move; None if it is illegal: occupied, or suicide."""
        if point is None:
            return self.board
        if point in self.board:
            return None
        board = {**self.board, point: colour}
        for start in [*self._near(point), point]:
            if start in board and (board[start] != colour or start == point):
                chain = self._region(board, start)
                if all(near in board for stone in chain for near in self._near(stone)):
                    if start == point:
                        return None
                    board = {stone: board[stone] for stone in board if stone not in chain}
        return board

    def _is_legal(self, colour: str, point: Point | None) -> bool:
        return self._after(colour, point) is not None

    def _move(self, colour: str, point: Point | None) -> None:
        board = self._after(colour, point)
        if board is None:
            raise RefusedError("illegal move")
        self.history.append(self.board)
        self.board = board

    def _handicap(self, points: list[Point]) -> str:
        if self.board:
            raise RefusedError("board not empty")
        self.board = dict.fromkeys(points, "black")
        return " ".join(self._name(point) for point in points)


class Mistaken:
    """An engine whose replies to some lines are wrong, by the rules of a clause.

    A rule is for lines that ``line`` fits (a regular expression), behind one that ``after`` fits, on boards
    of ``size``, if it says so.  ``reads``
    is what the engine reads instead (pattern and replacement), ``edit`` what becomes of its reply, and
    ``say`` a reply in place of its own; then the engine never sees the line, except with ``does``.
    """

    def __init__(self, rules: list[dict[str, Any]]) -> None:
        self.engine = Engine()
        self._rules = rules
        self._before = ""

    @property
    def has_quit(self) -> bool:
        """Whether the engine was asked to quit, and did."""
        return self.engine.has_quit

    @property
    def info(self) -> str:
        """The line of an analysis that goes on; empty while there is none."""
        return self.engine.info

    def answer(self, raw: str) -> str:
        """Return the response to a line; empty where none is due."""
        before, self._before = self._before, raw
        for rule in self._rules:
            if not re.fullmatch(rule.get("after", "(?s).*"), before):
                continue
            size = rule.get("size", self.engine.size)
            if not re.fullmatch(rule["line"], raw) or self.engine.size != size:
                continue
            line = re.sub(*rule["reads"], raw) if "reads" in rule else raw
            reply = self.engine.answer(line) if "say" not in rule or rule.get("does") else ""
            if "edit" in rule:
                reply = re.sub(*rule["edit"], reply)
            return rule.get("say", reply)
        return self.engine.answer(raw)


def broken(clause: str) -> Mistaken:
    """Return an engine that breaks a clause; an empty one for an engine that keeps them all."""
    return Mistaken(tomllib.loads(RULES.read_text())[clause]["rules"] if clause else [])


def lines_of(bot: Mistaken) -> Iterator[str]:
    """Yield the lines of standard input, and write what an analysis has to say while none comes."""
    held = b""
    while not bot.has_quit:
        line, newline, rest = held.partition(b"\n")
        if newline:
            held = rest
            yield line.decode("utf-8", "surrogateescape")
        elif bot.info and not select.select([0], [], [], 0.1)[0]:
            os.write(1, bot.info.encode())
        elif data := os.read(0, 65536):
            held += data
        else:
            return


if __name__ == "__main__":
    tried = broken(sys.argv[1] if len(sys.argv) > 1 else "")
    for text in lines_of(tried):
        os.write(1, tried.answer(text).encode("utf-8", "surrogateescape"))
