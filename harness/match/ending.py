"""The scoring of a game after two passes: by Tromp-Taylor, or by the proposal of 2005 for KGS.

The KGS proposal has these steps.  A program that lists both ``kgs-genmove_cleanup`` and
``final_status_list`` is asked ``final_status_list dead``; for a program that lacks either, no stone is dead.
If both players name the same dead stones, the board is scored without them.  Otherwise play goes on, with
``kgs-genmove_cleanup`` for programs that list it and ``genmove`` for the others.  After two more passes
nobody is asked again, and every stone on the board is alive.  A program that lists a command and answers it
with an error has lost.
"""

from collections.abc import Mapping
from typing import Protocol

from harness.bots.exchange import Exchange
from harness.bots.wire import quote
from harness.match.board import BLACK, WHITE, Board, Point, format_vertex, parse_vertex
from harness.match.player import GameOver, lost
from harness.match.record import Result, Termination
from harness.match.terms import CLEANUP, GENMOVE, STATUS_LIST, Kgs, Terms

NOBODY = ""
"""In place of a command: the player is not asked, and passes."""


class Table(Protocol):
    """A game whose players have both passed."""

    terms: Terms
    board: Board
    notes: list[str]

    def knows(self, colour: str, command: str) -> bool:
        """Whether a player lists a command."""

    def question(self, colour: str, line: str) -> Exchange:
        """Ask a player a question other than for a move, and keep the answer."""

    def play_on(self, commands: Mapping[str, str]) -> int:
        """Play until both pass again, and return the number of stones played."""


def tromp_taylor(table: Table) -> tuple[Result, frozenset[Point]]:
    """Score the board as it stands."""
    return scored(table, frozenset()), frozenset()


def kgs(table: Table) -> tuple[Result, frozenset[Point]]:
    """Score by agreement or after a cleanup; return the result and the stones taken off as dead.

    The loop ends: claims are repeated only outside tournaments, and only after a cleanup in which a stone
    was played.  Superko and the limit on moves bound the number of such cleanups.

    Raises:
        GameOver: a player loses by an error, or the cleanup ends the game in another way.
    """
    variant = table.terms.kgs
    while True:
        claims = {colour: _claim(table, colour) for colour in "BW"}
        dead = _agreed_stones(claims, variant)
        if dead is not None:
            return scored(table, dead), dead
        table.notes.append("no agreement on dead stones: cleanup")
        stones = table.play_on({colour: _cleanup_command(table, colour) for colour in "BW"})
        if variant is not Kgs.FREE or not stones:
            return scored(table, frozenset()), frozenset()


def scored(table: Table, dead: frozenset[Point]) -> Result:
    """Return the result by area, komi included."""
    margin = table.board.area(dead) - table.terms.komi
    winner = "B" if margin > 0 else "W" if margin < 0 else ""
    return Result(Termination.SCORE, winner, margin)


def _agreed_stones(claims: Mapping[str, frozenset[Point] | None], variant: Kgs) -> frozenset[Point] | None:
    lists = [claim for claim in claims.values() if claim is not None]
    if variant is Kgs.ONLY_LIST and len(lists) == 1:
        return lists[0]
    black, white = (claim or frozenset() for claim in claims.values())
    return black if black == white else None


def _cleanup_command(table: Table, colour: str) -> str:
    if table.knows(colour, CLEANUP):
        return CLEANUP
    return NOBODY if table.terms.kgs is Kgs.SILENT else GENMOVE


def _claim(table: Table, colour: str) -> frozenset[Point] | None:
    """Return the stones that a player claims to be dead; None if it lacks a command and is not asked."""
    missing = [command for command in (CLEANUP, STATUS_LIST) if not table.knows(colour, command)]
    if missing:
        table.notes.append(f"{colour} lacks {' and '.join(missing)}: it says that no stone is dead")
        return None
    answer = table.question(colour, f"{STATUS_LIST} dead")
    if not answer.success:
        detail = f"it lists {STATUS_LIST} and answers it with the error {quote(answer.text)}"
        raise GameOver(lost(colour, Termination.ERROR, detail))
    dead: set[Point] = set()
    for word in answer.text.split():
        point = parse_vertex(word, table.board.size)
        if point is None:
            detail = f"{STATUS_LIST} answers {quote(word)}, which is no point of the board"
            raise GameOver(lost(colour, Termination.ERROR, detail))
        if table.board.at(point) in (BLACK, WHITE):
            dead.add(point)
        else:
            table.notes.append(f"{colour} calls {format_vertex(point)} dead, but there is no stone")
    whole = frozenset(stone for point in dead for stone in table.board.chain(point))
    if whole != dead:
        table.notes.append(f"{colour} names a part of a chain; the whole chain counts as dead")
    return whole
