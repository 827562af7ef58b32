"""The SGF file of a game, written by sgfmill."""

from typing import Final

from sgfmill import sgf

from harness.bots.wire import printable
from harness.match.board import Point, parse_vertex
from harness.match.handicap import handicap_points
from harness.match.record import Entrant, GameRecord, MatchHeader, Result, Termination
from harness.match.scores import ScoreDifference, claimed_scores, differences
from harness.match.terms import Ending, OpeningPosition

_COLOURS: Final = {"B": "b", "W": "w"}
_RULES: Final = {Ending.TROMP_TAYLOR: "Tromp-Taylor without suicide", Ending.KGS: "Chinese"}


def game_sgf(game: GameRecord, header: MatchHeader) -> bytes:
    """Return the SGF file of a game: the bots, every move with its comment, and the ending."""
    terms, opening = header.terms, header.openings[game.opening]
    size = opening.size_in(terms)
    record = sgf.Sgf_game(size=size)
    root = record.get_root()
    black, white = header.entrants[game.black], header.entrants[game.white]
    root.set("AP", ("refbot", header.refbot))
    root.set("KM", terms.komi)
    root.set("PB", printable(black.name))
    root.set("PW", printable(white.name))
    root.set("RE", game.result.sgf)
    ending = terms.ending_of(black.commands, white.commands)
    root.set("RU", _RULES[ending])
    root.set("DT", game.begun[:10])
    root.set("GN", f"game {game.number}")
    if opening.name:
        root.set("EV", printable(opening.name))
    if terms.time is not None:
        root.set("TM", terms.time.main_s)
        if terms.time.stones:
            root.set("OT", f"{terms.time.stones}/{terms.time.byo_yomi_s:g} Canadian")
    _add_position(record, header, opening)
    root.set("C", _root_comment(game, header, black, white))
    last = root
    for colour, vertex in opening.moves:
        last = last.new_child()
        last.set_move(_COLOURS[colour], parse_vertex(vertex, size))
    last = _add_moves(last, game, size)
    if game.dead:
        last.set("MA", sorted(point for v in game.dead if (point := parse_vertex(v, size)) is not None))
    ending_text = _ending_comment(game)
    if ending_text and last is not root:
        last.add_comment_text(ending_text)
    return bytes(record.serialise())


def _add_position(record: "sgf.Sgf_game", header: MatchHeader, opening: OpeningPosition) -> None:
    """Add the stones that are on the board before the first move."""
    terms, root = header.terms, record.get_root()
    size = opening.size_in(terms)
    stones: dict[str, set[Point]] = {"B": set(handicap_points(size, terms.handicap)), "W": set()}
    for colour, vertex in opening.stones:
        if (point := parse_vertex(vertex, size)) is not None:
            stones[colour].add(point)
    if terms.handicap:
        root.set("HA", terms.handicap)
    if any(stones.values()):
        root.set_setup_stones(sorted(stones["B"]), sorted(stones["W"]))
        root.set("PL", "w" if terms.handicap else _COLOURS[(opening.moves or [(opening.to_move, "")])[0][0]])


def _add_moves(node: "sgf.Tree_node", game: GameRecord, size: int) -> "sgf.Tree_node":
    """Add a game's moves after a node; return the node of the last."""
    for move in game.moves:
        node = node.new_child()
        node.set_move(_COLOURS[move.colour], parse_vertex(move.vertex, size))
        if move.left is not None:
            node.set(f"{move.colour}L", move.left[0])
            if move.left[1]:
                node.set(f"O{move.colour}", move.left[1])
        text = "\n".join(part for part in (move.comment, "cleanup" if move.is_cleanup else "") if part)
        if text:
            node.set("C", text)
    return node


def _root_comment(game: GameRecord, header: MatchHeader, black: Entrant, white: Entrant) -> str:
    result = game.result
    terms = header.terms
    ending = terms.ending_of(black.commands, white.commands)
    outcome = "a draw" if result.how is Termination.SCORE and not result.winner else result.sgf
    lines = [f"{name}: {_describe(entrant)}" for name, entrant in (("Black", black), ("White", white))]
    lines += [
        f"Result: {outcome} ({result.how})",
        *([f"Because: {printable(result.detail, 600)}"] if result.detail else []),
        *(_score_line(*found, result) for found in differences(claimed_scores(game), result)),
        f"Ending: {terms.describe_ending(ending)}",
        f"Playouts: {terms.playouts}",
        f"Host: {printable(header.host)}",
        f"Begun: {game.begun} UTC",
    ]
    return "\n".join(lines)


def _score_line(colour: str, claimed: str, kind: ScoreDifference, result: Result) -> str:
    name = "Black" if colour == "B" else "White"
    return f"{name} says {printable(claimed)}: {kind}; the referee counts {result.sgf}"


def _describe(entrant: Entrant) -> str:
    program = printable(entrant.gtp_name) + (f" {printable(entrant.version)}" if entrant.version else "")
    return f"{printable(entrant.name)} ({program}), by: {printable(entrant.command, 1000)}"


def _ending_comment(game: GameRecord) -> str:
    lines = []
    for exchange in game.said:
        answer = printable(" ".join(exchange.reply.split()), 4000) or "(nothing)"
        error = "error " if exchange.is_error else ""
        lines.append(f"{exchange.colour}: {exchange.sent} -> {error}{answer}")
    lines += game.notes
    if game.dead:
        lines.append(f"taken off as dead: {' '.join(game.dead)}")
    return "\n".join(lines)
