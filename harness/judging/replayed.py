"""The position of a bot after the recorded exchanges, by the rules.

The rules' own view: where the bot accepted what they forbid, the position stays as it was.
"""

from collections.abc import Iterable

from harness.bots.limits import command_name
from harness.judging.answers import parse_answer, parse_reply
from harness.number import whole_number
from harness.records.evidence import Unit
from reference_engine.game import Game
from reference_engine.server import draw
from reference_engine.vocabulary import MAX_SIZE, MIN_SIZE, PASS, Colour, Move, format_vertex

_ON_THE_BOARD = ("play", "genmove", "undo", "ref-nodes", "ref-score", "ref-playouts")
COLOURS = {"b": Colour.BLACK, "black": Colour.BLACK, "w": Colour.WHITE, "white": Colour.WHITE}

_READ_AS = {9: " ", **dict.fromkeys((*range(9), *range(10, 32), 127))}
"""GTP reads a tab as a space and drops other control characters."""


def board_before(exchanges: list[tuple[str, str]]) -> str:
    """Return a drawing of the position before the last exchange; empty if its command is about no board."""
    game = game_before(exchanges)
    if game is None:
        return ""
    last = f"after {game.moves[-1][0]} {format_vertex(game.moves[-1][1])}" if game.moves else "no move yet"
    return draw(game.position, last)


def exchanges_of(unit: Unit, units: Iterable[Unit]) -> list[tuple[str, str]]:
    """Return what was said in a unit, after what was said in the unit that set its position up."""
    set_up: list[tuple[str, str]] = []
    if unit.is_repeated:
        for other in units:
            if other is unit:
                break
            if other.process == unit.process and not other.is_repeated:
                set_up = other.exchanges
    return [*set_up, *unit.exchanges]


def game_before(exchanges: list[tuple[str, str]]) -> Game | None:
    """Return the game before the last exchange; None if its command is about no board."""
    if not exchanges or command_name(exchanges[-1][0]) not in _ON_THE_BOARD:
        return None
    game = Game.new(9)
    for sent, raw in exchanges[:-1]:
        reply = parse_reply(raw)
        if reply is not None and reply.success:
            for line in sent.split("\n"):
                game = _after(game, line, reply.text)
    return game


def _after(game: Game, line: str, answer: str) -> Game:
    """Return the game after one line that succeeded."""
    words = line.partition("#")[0].translate(_READ_AS).split()
    match words[1:] if words and words[0].isdecimal() else words:
        case ["boardsize", text] if MIN_SIZE <= (size := whole_number(text) or 0) <= MAX_SIZE:
            return Game.new(size, komi=game.komi)
        case ["clear_board"]:
            return Game.new(game.position.size, komi=game.komi)
        case ["undo"] if game.previous is not None:
            return game.previous
        case ["play", colour, vertex] if colour.lower() in COLOURS:
            return _played(game, COLOURS[colour.lower()], vertex)
        case ["genmove", colour] if colour.lower() in COLOURS:
            return _played(game, COLOURS[colour.lower()], answer)
    return game


def _played(game: Game, colour: Colour, vertex: str) -> Game:
    found = parse_answer(vertex, game.position.size)
    move: Move = found if isinstance(found, tuple) else PASS
    if found is None or found == "resign" or not game.allows(colour, move):
        return game
    return game.after(colour, move)
