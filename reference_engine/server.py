"""The engine as a GTP 2 program: text in, text out, one command at a time.

Shares no parsing with the harness, so that a clause misread there cannot cancel out here.
"""

import math
import re
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, BinaryIO

from reference_engine.board import Position
from reference_engine.game import Game
from reference_engine.search import Report, Thinker
from reference_engine.spec import SPEC, GenmoveColour, Protocol, Spec, Statistics
from reference_engine.vocabulary import (
    COLUMNS,
    MAX_SIZE,
    MIN_SIZE,
    Colour,
    Move,
    Point,
    format_vertex,
    parse_colour,
    parse_vertex,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_NOISE = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")  # every control character but HT and LF
_HOSHI = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}


class CommandError(Exception):
    """A command that is answered with ``?``; the text is the answer."""


class Server:
    """One GTP session.

    Args:
        searcher: makes the genmoves.
        spec: the rules, and the ways the protocol is broken.
        search: name of a search that is not the reference bot's.
    """

    def __init__(self, searcher: Thinker, spec: Spec = SPEC, search: str = "") -> None:
        self._searcher = searcher
        self._spec = spec
        self._name = f"refbot engine {search}".rstrip()
        self._fault = spec.protocol
        self.game = Game.new(9 if self._fault is Protocol.ONE_SIZE else 19, spec=spec)
        self._next_komi = 0.0
        self._report = Report(playouts=searcher.playouts)
        self._has_thought = False
        self.has_quit = False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            name.removeprefix("_do_").replace("ref_", "ref-"): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }

    def serve(self, source: BinaryIO, sink: BinaryIO) -> None:
        """Answer lines from ``source`` until quit or its end; every answer is flushed at once."""
        for line in source:
            sink.write(self.answer(line).encode())
            sink.flush()
            if self.has_quit:
                return

    def answer(self, line: bytes) -> str:
        """Return the complete response to one line, or nothing where GTP wants none."""
        text = _NOISE.sub(b"", line).decode("utf-8", "replace").replace("\t", " ")
        if self._fault is not Protocol.KEEPS_COMMENTS:
            text = text.split("#")[0]
        words = text.split()
        if not words:
            return "= \n\n" if self._fault is Protocol.ANSWERS_BLANK_LINES else ""
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        if self._fault is Protocol.DROPS_IDS:
            number = ""
        try:
            sign, result = "=", self._execute(words)
        except CommandError as error:
            sign, result = "?", str(error)
        if self.has_quit and self._fault is Protocol.QUIT_IS_SILENT:
            return ""
        return f"{sign}{number} {result}".rstrip() + "\n\n"

    def _execute(self, words: list[str]) -> str:
        name = words[0] if words else ""
        command = self._commands.get(name)
        if command is None:
            if self._fault is Protocol.ACCEPTS_UNKNOWN:
                return ""
            raise CommandError("unknown command")
        return command(words[1:])

    # Administration

    def _do_protocol_version(self, _words: list[str]) -> str:
        return "2"

    def _do_name(self, _words: list[str]) -> str:
        return self._name

    def _do_version(self, _words: list[str]) -> str:
        try:
            return version("refbot")
        except PackageNotFoundError:
            return "unpackaged"

    def _do_known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in self._commands else "false"

    def _do_list_commands(self, _words: list[str]) -> str:
        hidden = "ref-" if self._fault is Protocol.HIDES_COMMANDS else "\0"
        return "\n".join(name for name in sorted(self._commands) if not name.startswith(hidden))

    def _do_quit(self, _words: list[str]) -> str:
        self.has_quit = True
        return ""

    # Setting up

    def _do_boardsize(self, words: list[str]) -> str:
        size = _integer(_only(words))
        if not MIN_SIZE <= size <= MAX_SIZE and self._fault is not Protocol.ACCEPTS_ANY_SIZE:
            raise CommandError("unacceptable size")
        if self._fault is not Protocol.ONE_SIZE:
            self.game = Game.new(
                min(max(size, MIN_SIZE), MAX_SIZE), komi=self._komi_of_next(), spec=self._spec
            )
        return ""

    def _do_clear_board(self, _words: list[str]) -> str:
        fresh = Game.new(self.game.position.size, komi=self._komi_of_next(), spec=self._spec)
        if self._fault is Protocol.KEEPS_STONES:
            fresh = replace(fresh, position=self.game.position)
        elif self._fault is Protocol.KEEPS_HISTORY:
            fresh = replace(fresh, past=self.game.past, hashes=self.game.hashes)
        self.game = fresh
        return ""

    def _do_komi(self, words: list[str]) -> str:
        text = _only(words)
        try:
            if not text.isascii() or "_" in text:  # what Python reads as a number and GTP does not
                raise CommandError("syntax error")
            komi = int(text) if self._fault is Protocol.INTEGER_KOMI else float(text)
        except ValueError:
            raise CommandError("syntax error") from None
        if not math.isfinite(komi):
            raise CommandError("syntax error")
        self._next_komi = komi
        if self._fault is not Protocol.KOMI_WAITS:
            self.game = self.game.with_komi(komi)
        return ""

    def _komi_of_next(self) -> float:
        """Return the komi a new game begins with."""
        if self._fault is Protocol.KOMI_IS_CLEARED:
            return 0.0
        return self._next_komi if self._fault is Protocol.KOMI_WAITS else self.game.komi

    def _do_time_settings(self, words: list[str]) -> str:
        if len(words) != 3:
            raise CommandError("syntax error")
        for word in words:
            _integer(word)
        return ""

    def _do_time_left(self, words: list[str]) -> str:
        if len(words) != 3:
            raise CommandError("syntax error")
        _colour(words[0])
        for word in words[1:]:
            _integer(word)
        return ""

    # Playing

    def _do_play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise CommandError("syntax error")
        colour, move = _colour(words[0]), self._vertex(words[1])
        game = self.game
        last = game.moves[-1][0] if game.moves else None
        if self._fault is Protocol.REFUSES_SAME_COLOUR and last is colour:
            raise CommandError("illegal move")
        if not game.allows(colour, move):
            raise CommandError("illegal move")
        self.game = game.after(colour, move)
        return ""

    def _do_genmove(self, words: list[str]) -> str:
        colour = _colour(_only(words))
        if self._spec.genmove_colour is GenmoveColour.ALTERNATES:
            colour = Colour.WHITE if len(self.game.moves) % 2 else Colour.BLACK
        answer = self._searcher.genmove(self.game, colour)
        self._note(answer.report)
        if answer.resigns:
            return "resign"
        if self._fault is not Protocol.GENMOVE_ONLY_THINKS:
            self.game = self.game.after(colour, answer.move)
        return self._format(answer.move)

    def _do_undo(self, _words: list[str]) -> str:
        game = self.game
        if game.previous is None:
            raise CommandError("cannot undo")
        if self._fault is Protocol.UNDO_KEEPS_STONE:
            self.game = replace(game.previous, position=game.position)
        elif self._fault is Protocol.UNDO_KEEPS_KO:
            before = game.previous.position
            self.game = replace(
                game.previous,
                position=Position(before.size, before.stones),
                past=game.past,
                hashes=game.hashes,
            )
        else:
            self.game = game.previous.with_komi(game.komi)
        return ""

    # Looking

    def _do_final_score(self, _words: list[str]) -> str:
        score = self.game.position.area_margin() - self.game.komi
        if score == 0:
            return "0"
        return f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def _do_showboard(self, _words: list[str]) -> str:
        return "\n" + draw(self.game.position, f"komi {self.game.komi:g}")

    def _do_ref_nodes(self, _words: list[str]) -> str:
        nodes = self._report.nodes
        if self._spec.statistics is Statistics.LOST_WHEN_READ:
            self._report = replace(self._report, nodes=0)
        return str(nodes)

    def _do_ref_score(self, _words: list[str]) -> str:
        return f"{self._report.score:.7f}"

    def _do_ref_playouts(self, _words: list[str]) -> str:
        return str(self._report.playouts)

    def _note(self, report: Report) -> None:
        statistics = self._spec.statistics
        if statistics is Statistics.CUMULATIVE:
            report = replace(report, nodes=self._report.nodes + report.nodes)
        if statistics is not Statistics.FIRST_GENMOVE or not self._has_thought:
            self._report = report
        self._has_thought = True

    def _vertex(self, text: str) -> Move:
        if self._fault is Protocol.CASE_SENSITIVE and text not in ("pass", text.upper()):
            raise CommandError("syntax error")
        if self._fault is Protocol.HAS_COLUMN_I and text.upper()[:1] > "H" and text.upper() != "PASS":
            text = COLUMNS["ABCDEFGHIJKLMNOPQRSTUVWXY".find(text.upper()[:1])] + text[1:]
        try:
            return parse_vertex(text, self.game.position.size)
        except ValueError:
            raise CommandError("illegal move" if text.isalnum() else "syntax error") from None

    def _format(self, move: Move) -> str:
        text = format_vertex(move)
        if self._fault is Protocol.HAS_COLUMN_I and move is not None:
            return "ABCDEFGHIJKLMNOPQRSTUVWXY"[move[1]] + text[1:]
        return text


def _only(words: list[str]) -> str:
    if len(words) != 1:
        raise CommandError("syntax error")
    return words[0]


def _integer(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise CommandError("syntax error")
    return int(text)


def _colour(text: str) -> Colour:
    try:
        return parse_colour(text)
    except ValueError:
        raise CommandError("syntax error") from None


def draw(position: Position, caption: str = "") -> str:
    """Return the board as text: X Black, O White, coordinates around it."""
    size, marks = position.size, _HOSHI.get(position.size, ())
    letters = "   " + " ".join(COLUMNS[:size])

    def glyph(point: Point) -> str:
        stone = position.stones.get(point)
        if stone is None:
            return "+" if point[0] in marks and point[1] in marks else "."
        return "X" if stone is Colour.BLACK else "O"

    rows = [
        f"{row + 1:2d} " + " ".join(glyph((row, column)) for column in range(size)) + f" {row + 1}"
        for row in reversed(range(size))
    ]
    return "\n".join([letters, *rows, letters] + ([caption] if caption else []))
