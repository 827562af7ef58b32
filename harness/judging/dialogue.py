"""Judges a dialogue of any commands by a model of the game: the engine's rules, followed command by command.

After each command the rules say what may come back: success or an error, which answers of genmove are
allowed, which figures are possible (``genmove``).  Where the text leaves something open, the model follows
the bot.  The first reply that the rules do not allow ends the judging of a dialogue: from there on the
bot's game may be another than the model's.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, log
from operator import add
from typing import TYPE_CHECKING, Final, Literal

from harness.bots.limits import command_name
from harness.bots.wire import Reply
from harness.judging.answers import parse_answer, parse_reply
from harness.judging.draw_bets import DrawBets
from harness.judging.finding import Finding, Quantity
from harness.judging.genmove import CHOICE, Genmove, judge_genmove, log_e_of_choice
from harness.judging.referee import fault_in, moves_left
from harness.judging.simulated import BETS
from harness.records.evidence import Unit
from harness.statistics.evalues import log_mean
from harness.word import Word
from reference_engine.game import Game
from reference_engine.playout import playable_points
from reference_engine.vocabulary import (
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    Colour,
    Move,
    Point,
    format_vertex,
    parse_colour,
    parse_vertex,
)

if TYPE_CHECKING:
    from reference_engine.board import Position

_Answer = Literal["success", "error", "either"]
_FAILED: Final = {"genmove": "R1", "ref-nodes": "N1", "ref-score": "N2", "ref-playouts": "N4"}
"""Commands that succeed, and the requirements that are broken if they do not."""


_STATE: Final = {
    "undo": ("G12", 0),
    "clear_board": ("G9", 1),
    "boardsize": ("G10", 1),
}
"""Commands that change a bot's state, with their requirements, and how many of them every dialogue needs."""
_BAD_CHOICES: Final = log(1e6)
"""Log e-value from which on choices are wrong."""
_OF_GENMOVE: Final = {"nodes": ("N3",), "score": ("N3",), "count": ("N3",), "choice": ("R6",)}
"""Requirements that may be broken if an earlier genmove is needed for a failure, by what is wrong in it."""
_OF_DRAWS: Final = ("R2", "R9")
"""Requirements of which one is broken if draws are uneven."""
_OF_REPEATED_DRAWS: Final = ("G12", "R2", "R6", "R7", "R9", "R11")
"""The same if draws depend on earlier ones: a bot may keep data or positions that ``undo`` takes back."""
_OF_LINES: Final = ("G2", "G5", "N3")
"""Requirements of single lines, which depend on no other command."""


@dataclass(frozen=True, slots=True)
class State:
    """What the rules say of a bot after some commands.

    Attributes:
        game: None if it is not known, as before the first clear_board.
        size: of the board.
        komi: the one that counts.
        genmove: None if the figures are of no genmove that is known, or the text does not say of which.
    """

    game: Game | None = None
    size: int = 0
    komi: float | None = None
    genmove: Genmove | None = None


class Model:
    """Follows one dialogue.

    Args:
        case: the case's id, for findings.
        playouts: of each genmove.
        digits: how finely the bot prints scores, see ``parse_wins``.
        is_reference: whether the bot is held against the specification of the reference bot.  Of any other
            engine only what all rules of Go have in common is asked: suicide, repetition, eyes, passes and
            resignations are its own affair.
    """

    def __init__(
        self, case: str, playouts: int, digits: tuple[int, int], *, is_reference: bool = True
    ) -> None:
        self._case = case
        self._is_reference = is_reference
        self._playouts = playouts
        self._digits = digits
        self.state = State()
        self._genmoves = 0
        self._log_e = (0.0,) * BETS
        """Log e-values against all answers so far being chosen by the rules."""
        self._draws = DrawBets()
        self._is_one_draw = False
        """Whether playouts at the limit are one move long: a bot may count it from the playout's start."""
        self._drawn_from: tuple[Position | None, Colour, list[Point]] = (None, Colour.BLACK, [])
        """Where the last draw was made, and the points that could be drawn and answered."""

    def take(self, sent: str, raw: str) -> Finding | None:
        """Follow one exchange; return what is wrong with it, if anything is."""
        reply = parse_reply(raw)
        if reply is None:
            return self._finding("G2", f"{sent!r} is answered with = or ?", raw)
        match sent.split():
            case ["boardsize", size]:
                return self._take_boardsize(sent, size, reply.success)
            case ["clear_board"]:
                return self._take_clear_board(raw, reply.success)
            case ["komi", komi]:
                return self._take_komi(sent, komi, reply.success)
            case words if self.state.game is not None:
                return self._take_in_game(self.state.game, words, raw, reply)
        return None

    def _take_in_game(self, game: Game, words: list[str], raw: str, reply: Reply) -> Finding | None:
        sent, genmove = " ".join(words), self.state.genmove
        match words:
            case ["play", colour, vertex]:
                return self._take_play(game, colour, vertex, reply.success)
            case ["undo"]:
                return self._take_undo(game, reply.success)
            case [name, *_] if name in _FAILED and not reply.success and (genmove or name == "genmove"):
                return self._finding(_FAILED[name], f"{sent!r} succeeds", raw)
            case ["genmove", colour]:
                take = self._take_genmove if self._is_reference else self._take_any_genmove
                return take(game, parse_colour(colour), reply.text.strip())
            case ["list_stones", colour] if reply.success:
                return self._take_stones(game, parse_colour(colour), reply.text)
            case ["is_legal", colour, vertex] if reply.success:
                return self._take_is_legal(game, colour, vertex, reply.text.strip())
            case [("ref-nodes" | "ref-score" | "ref-playouts") as name] if genmove is not None:
                return self._take_figure(genmove, name, reply.text.strip())
        return None

    def _finding(
        self,
        requirement: str,
        expected: str,
        observed: str,
        *,
        quantity: Quantity = "reply",
        word: Word = Word.FAIL,
        point: str = "",
        candidates: tuple[str, ...] = (),
    ) -> Finding:
        shown = observed.strip() or "an empty reply"
        return Finding(
            requirement,
            self._case,
            word,
            expected,
            shown,
            quantity=quantity,
            point=point,
            candidates=candidates,
        )

    def _expect(
        self, requirement: str, sent: str, success: bool, answer: _Answer, why: str = ""
    ) -> Finding | None:
        """Return a finding if a command was accepted that is an error, or refused though it is none."""
        if answer == "either" or success is (answer == "success"):
            return None
        expected = f"{sent!r} succeeds{why}" if answer == "success" else f"{sent!r} is an error{why}"
        return self._finding(requirement, expected, "it was accepted" if success else "it was refused")

    def _take_boardsize(self, sent: str, text: str, success: bool) -> Finding | None:
        size = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
        if not MIN_SIZE <= size <= MAX_SIZE:
            return self._expect("G10", sent, success, "error")
        if success:
            self.state = replace(self.state, game=None, size=size, genmove=None)
        return None  # which sizes a bot takes is its own choice

    def _take_clear_board(self, raw: str, success: bool) -> Finding | None:
        if not success:
            return self._finding("G9", "'clear_board' succeeds", raw)
        if self.state.size and self.state.komi is not None:
            game = Game.new(self.state.size, komi=self.state.komi)
            self.state = replace(self.state, game=game, genmove=None)
        return None

    def _take_komi(self, sent: str, text: str, success: bool) -> Finding | None:
        try:
            komi = float(text)
        except ValueError:
            return self._expect("G11", sent, success, "error")
        game = self.state.game.with_komi(komi) if self.state.game else None
        self.state = replace(self.state, komi=komi, game=game)
        return self._expect("G11", sent, success, "success")

    def _take_play(self, game: Game, colour: str, vertex: str, success: bool) -> Finding | None:
        sent = f"play {colour} {vertex}"
        try:
            mover, move = parse_colour(colour), parse_vertex(vertex, game.position.size)
        except ValueError:
            return self._expect("G5", sent, success, "error")
        answer, why = _verdict_on(game, mover, move, is_reference=self._is_reference)
        if finding := self._expect("G6" if move else "G5", sent, success, answer, why):
            # A bot that refuses a legal play may not have read the vertex.
            return replace(finding, candidates=("G5", "G6")) if move and not success else finding
        if success and answer != "error":
            self.state = replace(self.state, game=game.after(mover, move))
        return None

    def _take_undo(self, game: Game, success: bool) -> Finding | None:
        # Which genmove the figures are of after an undo, the text does not say.
        if game.previous is None:
            return self._expect("G12", "undo", success, "error", ": nothing is left to take back")
        if success:
            before = game.previous.with_komi(game.komi)
            self.state = replace(self.state, game=before, genmove=None)
        last = f"{game.moves[-1][0]} {format_vertex(game.moves[-1][1])}"
        return self._expect("G12", "undo", success, "success", f": {last} was played")

    def _take_genmove(self, game: Game, colour: Colour, text: str) -> Finding | None:
        if fault := fault_in(game, colour, text):
            expected = f"'genmove {colour}' answers a move the rules allow"
            return self._finding(
                fault.requirement, expected, fault.text, quantity="answer", point=fault.point
            )
        answer = parse_answer(text, game.position.size)
        move: Move = answer if isinstance(answer, tuple) else PASS
        genmove = Genmove(game, colour, text.upper())
        self.state = replace(self.state, game=game.after(colour, move), genmove=genmove)
        if self._is_one_draw and move is not None and self._is_at_limit(game):
            return self._weigh_draw(game, colour, move)
        return self._weigh_choice(genmove)

    def _is_at_limit(self, game: Game) -> bool:
        return self._playouts == 1 and moves_left(game.position.size, len(game.moves)) == 1

    def _weigh_draw(self, game: Game, colour: Colour, drawn: Point) -> Finding | None:
        """Return a finding if the playouts of one move so far prefer some points to others."""
        position = game.position
        if position is not self._drawn_from[0] or colour is not self._drawn_from[1]:
            points = playable_points(position, colour)
            # If a point that was drawn would repeat a position, genmove must answer another point.
            is_answer = not any(game.repeats(colour, point) for point in points)
            self._drawn_from = position, colour, points if is_answer else []
        points = self._drawn_from[2]
        if drawn not in points:
            return None
        self._draws.add(position, colour, points, drawn)
        if self._draws.log_e < _BAD_CHOICES:
            return None
        expected = "a playout draws every playable point equally often"
        observed = f"{self._draws.sentence()} (e-value {exp(min(self._draws.log_e, 100)):.1e})"
        behind = _OF_REPEATED_DRAWS if self._draws.is_of_earlier else _OF_DRAWS
        return self._finding("R2", expected, observed, quantity="moves", candidates=behind)

    def _weigh_choice(self, genmove: Genmove) -> Finding | None:
        """Return a finding if the answers so far, each by itself possible, are not chosen by the rules."""
        self._genmoves += 1
        found = log_e_of_choice(genmove, self._playouts, self._genmoves)
        if found is None:
            return None
        self._log_e = tuple(map(add, self._log_e, found))
        log_e = log_mean(list(self._log_e))
        if log_e < _BAD_CHOICES:
            return None
        expected = "genmoves answer moves with the best rates"
        observed = f"others, again and again (e-value {exp(min(log_e, 100)):.1e})"
        return self._finding("R7", expected, observed, quantity="choice", candidates=CHOICE)

    def _take_any_genmove(self, game: Game, colour: Colour, text: str) -> Finding | None:
        """Follow a genmove of an engine that plays by rules of its own."""
        expected = f"'genmove {colour}' answers an empty point, pass or resign"
        match parse_answer(text, game.position.size):
            case None:
                return self._finding("G5", expected, text)
            case "resign":
                return None
            case (row, column) if (row, column) in game.position.stones:
                return self._finding("G7", expected, f"{text}, where a stone is", quantity="answer")
            case (row, column):
                self.state = replace(self.state, game=game.after(colour, (row, column)))
            case _:
                self.state = replace(self.state, game=game.after(colour, PASS))
        return None

    def _take_stones(self, game: Game, colour: Colour, text: str) -> Finding | None:
        listed = sorted(word.upper() for word in text.split())
        stones = sorted(format_vertex(p) for p, c in game.position.stones.items() if c is colour)
        expected = f"'list_stones {colour}' answers {' '.join(stones) or 'nothing'}"
        return self._finding("G6", expected, " ".join(listed)) if listed != stones else None

    def _take_is_legal(self, game: Game, colour: str, vertex: str, text: str) -> Finding | None:
        move = parse_vertex(vertex, game.position.size)
        answer, why = _verdict_on(game, parse_colour(colour), move, is_reference=self._is_reference)
        wanted = {"success": "1", "error": "0"}.get(answer, text)
        expected = f"'is_legal {colour} {vertex}' answers {wanted}{why}"
        return self._finding("G6", expected, text) if text != wanted else None

    def _take_figure(self, genmove: Genmove, name: str, text: str) -> Finding | None:
        if name == "ref-playouts":
            expected = f"ref-playouts answers the {self._playouts} playouts declared"
            return self._finding("N4", expected, text) if text != str(self._playouts) else None
        before = genmove.nodes if name == "ref-nodes" else genmove.score
        if before:
            expected = f"{name} answers {before} again, for there was no other genmove"
            return self._finding("N3", expected, text) if text != before else None
        is_nodes = name == "ref-nodes"
        if is_nodes and self._is_at_limit(genmove.game):
            self._is_one_draw = text == "1"
        genmove = replace(genmove, nodes=text) if is_nodes else replace(genmove, score=text)
        self.state = replace(self.state, genmove=genmove)
        return judge_genmove(genmove, self._case, self._playouts, self._digits)


def findings_in(
    case: str, unit: Unit, digits: tuple[int, int], *, is_reference: bool = True
) -> tuple[Finding, ...]:
    """Return what is wrong with a dialogue: readings of open questions, and the first reply not allowed."""
    exchanges = tuple(unit.exchanges)
    return _findings(case, exchanges, unit.playouts, digits, unit.is_minimal, is_reference)


def place_of_failure(unit: Unit) -> int | None:
    """Return the number, from 0, of the exchange at which a dialogue fails; None if it does not."""
    failure = failure_in(unit)
    return None if failure is None else failure.exchange


def failure_in(unit: Unit) -> Finding | None:
    """Return what ends a dialogue: its first reply that the rules do not allow, if there is one."""
    findings = findings_in(unit.case, unit, (0, 0))
    return next((finding for finding in findings if finding.word is Word.FAIL), None)


@lru_cache(maxsize=128)
def _findings(
    case: str,
    exchanges: tuple[tuple[str, str], ...],
    playouts: int,
    digits: tuple[int, int],
    is_minimal: bool,
    is_reference: bool,
) -> tuple[Finding, ...]:
    # The same dialogue is read for the verdict and again for the report.
    return tuple(_follow(Model(case, playouts, digits, is_reference=is_reference), exchanges, is_minimal))


def _follow(model: Model, exchanges: tuple[tuple[str, str], ...], is_minimal: bool) -> Iterator[Finding]:
    for place, (sent, raw) in enumerate(exchanges):
        if finding := model.take(sent, raw):
            found = _candidates(finding, exchanges[:place], sent, is_minimal)
            named = found[0] if len(found) == 1 else finding.requirement
            several = found if len(found) > 1 else ()
            failed = finding.word is Word.FAIL
            yield replace(
                finding,
                requirement=named,
                exchange=place,
                candidates=several,
                dialogue=exchanges[: place + 1] if failed else (),
            )
            if finding.word is Word.FAIL:
                return


def _candidates(
    finding: Finding, before: Sequence[tuple[str, str]], sent: str, is_minimal: bool
) -> tuple[str, ...]:
    """Return the requirements that may be broken, given what was sent and answered before the failure.

    In a minimal dialogue every command is needed for the failure.  So if there is an ``undo``, or a second
    game, that command left a wrong state behind.  Empty for requirements of single lines.
    """
    if finding.quantity == "moves":
        return finding.candidates
    own = set(finding.candidates) or {finding.requirement, *filter(None, [finding.point])}
    if finding.word is not Word.FAIL or finding.of_form or finding.requirement in _OF_LINES:
        return ()
    names = Counter(command_name(line) for line, _ in before)
    state = {of for name, (of, usual) in _STATE.items() if names[name] > usual}
    if names["genmove"] > (finding.quantity in _OF_GENMOVE):
        state |= {"G7", *_OF_GENMOVE.get(finding.quantity, ())}
    if any(command_name(line) == "play" and raw.startswith("?") for line, raw in before):
        state.add("G6")  # a play that is refused changes nothing
    if finding.requirement == "G6" and not names["play"] + names["genmove"]:
        own |= {"G9", "G10"}  # the board is not the one that was asked for
    if _is_out_of_turn([*(line for line, _ in before), sent]):
        state.add("G8")  # the bot may have moved for the other colour
    if names["komi"] > 1:
        own.add("G11")  # the first komi is always needed
    found = state if is_minimal and state else own | state
    return tuple(sorted(found))


def _is_out_of_turn(lines: Sequence[str]) -> bool:
    """Whether a genmove asks the colour to move that has just moved."""
    last = ""
    for line in lines:
        name, *arguments = line.split(" ")
        if name in ("play", "genmove"):
            if name == "genmove" and arguments[:1] == [last]:
                return True
            last = arguments[0] if arguments else ""
        elif name in ("undo", "clear_board"):
            last = ""
    return False


def _verdict_on(game: Game, colour: Colour, move: Move, *, is_reference: bool) -> tuple[_Answer, str]:
    """Return whether a play is legal, and why not."""
    if move is None:
        return "success", ""
    if move in game.position.stones:
        return "error", ": the point is occupied"
    if game.position.is_suicide(colour, move):
        return ("error", ": it is suicide") if is_reference else ("either", "")
    return ("either" if game.position.is_ko(colour, move) or game.repeats(colour, move) else "success"), ""
