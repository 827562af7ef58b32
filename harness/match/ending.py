"""How a game is scored after two passes: by Tromp-Taylor, or by the proposal of 2005 for KGS.

The KGS proposal, in its order: a program that lists both ``kgs-genmove_cleanup`` and ``final_status_list``
is asked ``final_status_list dead``; one that lacks either says that no stone is dead.  If both say the same,
that is the score.  If not, play goes on, with ``kgs-genmove_cleanup`` for programs that have it and
``genmove`` for those that do not.  After the second two passes nobody is asked again, and everything on the
board is alive.  A program that lists a command and answers it with an error has lost.
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
"""In place of a command: nobody is asked, the colour passes."""


class Table(Protocol):
    """A game whose players have both passed."""

    terms: Terms
    board: Board
    notes: list[str]

    def knows(self, colour: str, command: str) -> bool:
        """Whether a player lists a command."""

    def question(self, colour: str, line: str) -> Exchange:
        """Ask a player something that is no move, and keep the answer."""

    def play_on(self, commands: Mapping[str, str]) -> int:
        """Play until both pass again, and return how many stones were played."""


def tromp_taylor(table: Table) -> tuple[Result, frozenset[Point]]:
    """Score the board as it stands."""
    return scored(table, frozenset()), frozenset()


def kgs(table: Table) -> tuple[Result, frozenset[Point]]:
    """Score by agreement, or after a cleanup; return the stones that were taken off, too.

    A game cannot go on for ever by it: only outside tournaments are claims made again, and then only after
    a cleanup in which a stone was played, which superko and the cap of moves bound.

    Raises:
        GameOver: a player loses by an error, or the cleanup ends the game another way.
    """
    variant = table.terms.kgs
    while True:
        claims = {colour: _claim(table, colour) for colour in "BW"}
        dead = _agreed(claims, variant)
        if dead is not None:
            return scored(table, dead), dead
        table.notes.append("no agreement on dead stones: cleanup")
        stones = table.play_on({colour: _cleanup(table, colour) for colour in "BW"})
        if variant is not Kgs.FREE or not stones:
            return scored(table, frozenset()), frozenset()


def scored(table: Table, dead: frozenset[Point]) -> Result:
    """Return the result by area, komi included."""
    margin = table.board.area(dead) - table.terms.komi
    winner = "B" if margin > 0 else "W" if margin < 0 else ""
    return Result(Termination.SCORE, winner, margin)


def _agreed(claims: Mapping[str, frozenset[Point] | None], variant: Kgs) -> frozenset[Point] | None:
    lists = [claim for claim in claims.values() if claim is not None]
    if variant is Kgs.ONLY_LIST and len(lists) == 1:
        return lists[0]
    black, white = (claim or frozenset() for claim in claims.values())
    return black if black == white else None


def _cleanup(table: Table, colour: str) -> str:
    if table.knows(colour, CLEANUP):
        return CLEANUP
    return NOBODY if table.terms.kgs is Kgs.SILENT else GENMOVE


def _claim(table: Table, colour: str) -> frozenset[Point] | None:
    """Return the stones a player says are dead; None for one that is not asked, and so says none."""
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
            table.notes.append(f"{colour} calls {format_vertex(point)} dead, where there is no stone")
    whole = frozenset(stone for point in dead for stone in table.board.chain(point))
    if whole != dead:
        table.notes.append(f"{colour} names a part of a chain; the whole chain is meant")
    return whole
