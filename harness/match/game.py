"""One game, from the empty board to its result.

The referee's board decides what is legal, the players' clocks decide what is in time, and every answer is
recorded.
"""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from harness.bots.exchange import Exchange
from harness.bots.wire import printable, quote
from harness.match.board import BLACK, WHITE, Board, Point, format_vertex, parse_vertex
from harness.match.clock import Clock
from harness.match.ending import NOBODY, kgs, tromp_taylor
from harness.match.handicap import handicap_points
from harness.match.player import GameOver, Player, lost, other
from harness.match.record import EndExchange, GameRecord, MoveRecord, Result, Termination
from harness.match.schedule import Seating
from harness.match.terms import CLEANUP, GENMOVE, Ending, OpeningPosition, Terms

_COLOURS: Final = {"B": BLACK, "W": WHITE}
_COMMENT_CHARS: Final = 400
_ANSWER_CHARS: Final = 10_000
_ENDINGS: Final = {Ending.TROMP_TAYLOR: tromp_taylor, Ending.KGS: kgs}


class Stopped(Exception):  # noqa: N818 - a request to stop is not an error
    """The match is being stopped; the current game is not recorded."""


class RefereedGame:
    """A game in progress."""

    def __init__(
        self,
        terms: Terms,
        opening: OpeningPosition,
        players: Mapping[str, Player],
        should_stop: Callable[[], bool],
    ) -> None:
        """Prepare a game.

        Args:
            terms: the terms of the match.
            opening: the position that the game begins from.
            players: the two players, by colour letter.
            should_stop: asked before every move; if it returns True, the game is given up.
        """
        self.terms = terms
        self.board = Board(opening.size_in(terms))
        self.notes: list[str] = []
        self.moves: list[MoveRecord] = []
        self.breaks: list[int] = []
        self.said: list[EndExchange] = []
        self.dead: frozenset[Point] = frozenset()
        self._opening = opening
        self._players = players
        self._should_stop = should_stop
        self._to_move = "W" if terms.handicap else opening.to_move
        self._clocks = {colour: Clock(terms.time) for colour in "BW"} if terms.time is not None else {}

    def play(self, process_number: int) -> tuple[Result, tuple[float, float] | None]:
        """Play the game; return its result, and the players' processor time if both report it.

        Args:
            process_number: number of Black's process, if one is started; White's is one higher.

        Raises:
            Stopped: the game was given up.
            UsageError: a bot refuses a start-up command of its settings.
        """
        before: list[float | None] = []
        try:
            for place, colour in enumerate("BW"):
                self._players[colour].sit_down(colour, process_number + place)
            for player in self._players.values():
                self._set_up(player)
            before = [self._cpu_s(colour) for colour in "BW"]
            self.play_on(dict.fromkeys("BW", GENMOVE))
            ending = self.terms.ending_of(*(player.commands for player in self._players.values()))
            result, self.dead = _ENDINGS[ending](self)
            after = self._ask_after_game()
        except GameOver as over:
            return over.result, None
        spent = [round(b - a, 3) for a, b in zip(before, after, strict=False) if None not in (a, b)]  # type: ignore[operator]
        return result, (spent[0], spent[1]) if len(spent) == 2 else None

    def knows(self, colour: str, command: str) -> bool:
        """Whether a player lists a command."""
        return self._players[colour].knows(command)

    def question(self, colour: str, line: str) -> Exchange:
        """Ask a player a question other than for a move, and keep the answer.

        Raises:
            GameOver: the player's process fails.
        """
        answer = self._players[colour].ask(line)
        self.said.append(EndExchange(colour, line, not answer.success, answer.text[:_ANSWER_CHARS]))
        return answer

    def play_on(self, commands: Mapping[str, str]) -> int:
        """Play until both have passed, and return the number of stones played.

        Args:
            commands: the command that asks for a move, by colour letter; ``NOBODY`` for a forced pass.

        Raises:
            GameOver: the game ends in another way.
            Stopped: the game is given up.
        """
        passes = stones = 0
        while passes < 2:
            if len(self.moves) >= self.terms.cap_on(self.board.size):
                detail = f"{len(self.moves)} moves were played before both players had passed"
                raise GameOver(Result(Termination.UNFINISHED, detail=detail))
            if self._should_stop():
                raise Stopped
            is_pass = self._move(self._to_move, commands[self._to_move]) is None
            passes, stones = (passes + 1, stones) if is_pass else (0, stones + 1)
            self._to_move = other(self._to_move)
        self.breaks.append(len(self.moves))
        for player in self._players.values():
            player.settle()
        return stones

    def _set_up(self, player: Player) -> None:
        """Have a player set up the position that the game begins from."""
        terms, opening = self.terms, self._opening
        lines = [f"boardsize {self.board.size}", "clear_board", f"komi {terms.komi:.1f}"]
        if terms.time is not None and self._is_told_time(player):
            lines.append(terms.time.command())
        stones = [("B", format_vertex(point)) for point in handicap_points(self.board.size, terms.handicap)]
        if stones and player.knows("set_free_handicap"):
            lines.append("set_free_handicap " + " ".join(vertex for _, vertex in stones))
        else:
            lines += [_play(colour, vertex) for colour, vertex in stones]
        lines += [_play(colour, vertex) for colour, vertex in (*opening.stones, *opening.moves)]
        player.set_up(lines)
        if player is self._players["B"]:
            self._set_up_board([*stones, *opening.stones], opening.moves)

    def _set_up_board(self, stones: list[tuple[str, str]], moves: list[tuple[str, str]]) -> None:
        for colour, vertex in stones:
            point = parse_vertex(vertex, self.board.size)
            assert point is not None  # noqa: S101 - openings are checked when they are read
            self.board.put(_COLOURS[colour], point)
        for colour, vertex in moves:
            if (point := parse_vertex(vertex, self.board.size)) is not None:
                self.board.play(_COLOURS[colour], point)

    def _move(self, colour: str, command: str) -> Point | None:
        """Have one move played and recorded, and return its point; None for a pass."""
        player = self._players[colour]
        if command == NOBODY:
            for each in self._players.values():
                each.tell(_play(colour, "pass"))
            self.moves.append(MoveRecord(colour, "pass", 0.0, "not asked: it has no kgs-genmove_cleanup"))
            return None
        point, seconds = self._ask_move(player, colour, command)
        vertex = "pass" if point is None else format_vertex(point)
        self._players[other(colour)].tell(_play(colour, vertex))
        clock = self._clocks.get(colour)
        left = (round(clock.left_s, 2), clock.stones) if clock is not None else None
        comment, is_cleanup = self._comment(player), command == CLEANUP
        self.moves.append(MoveRecord(colour, vertex, round(seconds, 6), comment, is_cleanup, left))
        return point

    def _ask_move(self, player: Player, colour: str, command: str) -> tuple[Point | None, float]:
        """Ask for a move and check it; return its point and its seconds."""
        name, clock = player.bot.name, self._clocks.get(colour)
        if clock is not None and self._is_told_time(player):
            player.tell(clock.command(colour.lower()))
        limit_s = None if clock is None or self.terms.time is None else clock.left_s + self.terms.time.lag_s
        answer = player.ask(f"{command} {colour.lower()}", limit_s=limit_s)
        if clock is not None and not clock.spend(answer.elapsed_s):
            detail = f"{name} took {answer.elapsed_s:.1f} s for a move, and had {limit_s:.1f} s"
            raise GameOver(lost(colour, Termination.TIME, detail))
        if not answer.success:
            detail = f"{name} answers {command} with the error {quote(answer.text)}"
            raise GameOver(lost(colour, Termination.ERROR, detail))
        text = answer.text.strip()
        if text.lower() == "resign":
            raise GameOver(Result(Termination.RESIGNATION, other(colour)))
        if text.lower() == "pass":
            return None, answer.elapsed_s
        point = parse_vertex(text, self.board.size)
        if point is None:
            detail = f"{name} answers {command} with {quote(text)}, which is no point of the board"
            raise GameOver(lost(colour, Termination.ILLEGAL, detail))
        if (illegal := self.board.play(_COLOURS[colour], point)) is not None:
            detail = f"{name} plays {format_vertex(point)} as move {len(self.moves) + 1}: {illegal}"
            raise GameOver(lost(colour, Termination.ILLEGAL, detail))
        return point, answer.elapsed_s

    def _comment(self, player: Player) -> str:
        """Return the player's comment on its move; empty if it answers with an error."""
        line = self.terms.comment
        if not line or not player.knows(line.split()[0]):
            return ""
        answer = player.ask(line)
        return f"{line} {printable(answer.text, _COMMENT_CHARS)}" if answer.success else ""

    def _is_told_time(self, player: Player) -> bool:
        return player.knows("time_settings") and player.knows("time_left")

    def _cpu_s(self, colour: str) -> float | None:
        if not self.knows(colour, "cputime"):
            return None
        answer = self._players[colour].ask("cputime")
        try:
            return float(answer.text) if answer.success else None
        except ValueError:
            return None

    def _ask_after_game(self) -> list[float | None]:
        """Ask for scores and return processor times.  A bot that fails here does not lose by it."""
        times: list[float | None] = []
        try:
            if self.terms.asks_score:
                for colour in "BW":
                    if self.knows(colour, "final_score"):
                        self.question(colour, "final_score")
            times = [self._cpu_s(colour) for colour in "BW"]
        except GameOver as over:
            self.notes.append(f"after the game: {over.result.detail}")
        return times


def play_game(
    seating: Seating,
    terms: Terms,
    opening: OpeningPosition,
    players: Mapping[str, Player],
    should_stop: Callable[[], bool] = lambda: False,
) -> GameRecord:
    """Play one game and return its record, whatever the players do.

    Raises:
        Stopped: the game was given up.
        UsageError: a bot refuses a start-up command of its settings.
    """
    begun, clock_s = datetime.now(UTC), time.monotonic()
    game = RefereedGame(terms, opening, players, should_stop)
    result, cpu_s = game.play(2 * seating.number - 1)
    return GameRecord(
        number=seating.number,
        black=seating.black,
        white=seating.white,
        opening=seating.opening,
        moves=game.moves,
        result=result,
        seconds=round(time.monotonic() - clock_s, 3),
        begun=begun.strftime("%Y-%m-%d %H:%M:%S"),
        said=game.said,
        breaks=game.breaks,
        dead=sorted(format_vertex(point) for point in game.dead),
        notes=game.notes,
        cpu_s=cpu_s,
    )


def _play(colour: str, vertex: str) -> str:
    return f"play {colour.lower()} {vertex}"
