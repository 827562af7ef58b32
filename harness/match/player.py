"""One player of a match: a running bot, and the exchange of commands and replies with it.

A failure ends the game.  It is raised as ``GameOver``, which carries the result, and is caught in ``game``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

import msgspec

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.processes import Process, Processes, Starter, start_session
from harness.bots.transport import ProcessEnd
from harness.bots.wire import quote
from harness.match.record import Result, Termination
from harness.match.terms import Terms
from harness.word import Word

_PURPOSE = "match"
_GRACE_S = 0.5
"""Seconds that refbot waits for a move after its time is up: a late move is told from silence."""


class GameOver(Exception):  # noqa: N818 - the end of a game is not an error
    """A game has ended."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.detail)
        self.result = result


class Player:
    """A bot that plays one game after another."""

    def __init__(
        self, bot: Bot, commands: frozenset[str], terms: Terms, start: Starter = start_session
    ) -> None:
        self.bot = bot
        self.commands = commands
        """The commands that the bot lists."""
        self._terms = terms
        self._start = start
        self._playouts = terms.playouts if bot.takes_playouts else bot.fixed_playouts or 0
        self._processes: Processes | None = None
        self._process: Process | None = None
        self.colour = "B"
        self._pending: list[str] = []
        """Commands that can wait until the next question, such as the opponent's moves."""

    def knows(self, command: str) -> bool:
        """Whether the bot lists a command."""
        return command in self.commands

    def sit_down(self, colour: str, process_number: int) -> None:
        """Take a colour for a game, and start the bot if it is not running.

        Args:
            colour: ``B`` or ``W``.
            process_number: number of the process if a new one is started; its seed depends on it.

        Raises:
            GameOver: the bot does not start.
            UsageError: the bot refuses a start-up command of its settings.
        """
        self.colour = colour
        self._pending.clear()
        if self._process is not None:
            return
        self._processes = Processes(self._start, used=process_number - 1)
        opened = self._processes.open(self.bot, _PURPOSE, self._playouts)
        if isinstance(opened, Failure):
            self._break_off(opened)
        else:
            self._process = opened[0]

    def leave(self) -> ProcessEnd | None:
        """End the process."""
        processes, self._processes, self._process = self._processes, None, None
        return processes.close(_PURPOSE, self._playouts) if processes is not None else None

    def tell(self, line: str) -> None:
        """Queue a command to be sent before the next question."""
        self._pending.append(line)

    def settle(self) -> None:
        """Send the queued commands now.

        Raises:
            GameOver: the bot refuses a command, or its process fails.
        """
        if self._pending:
            self._send_pending([])

    def set_up(self, lines: Sequence[str]) -> None:
        """Send the commands that begin a game.

        Raises:
            GameOver: the bot refuses a command, or its process fails.  The game is void.
        """
        for exchange in self._ask_all(lines):
            if not exchange.success:
                word, sent = Word.REFUSED, quote(_command(exchange.sent))
                detail = f"{self.bot.name} refuses {sent}: {quote(exchange.text)}"
                raise GameOver(Result(Termination.VOID, culprit=self.colour, word=word, detail=detail))

    def ask(self, line: str, *, limit_s: float | None = None) -> Exchange:
        """Send the queued commands, then ask one question.

        Without a clock all lines are sent together, and the time of the answer is that of all of them, as a
        bot may write its replies together too.  With a clock the question is sent alone.

        Args:
            line: the command.
            limit_s: seconds that a move may take by the clock; None without a clock.

        Raises:
            GameOver: the bot refuses a queued command, its process fails, or it is silent when its time
                is up.
        """
        if limit_s is not None:
            self.settle()
            self._limit_move(limit_s)
        return self._send_pending([line], is_timed=limit_s is not None)

    def _send_pending(self, lines: list[str], *, is_timed: bool = False) -> Exchange:
        """Send the queued commands and further lines; return the last exchange."""
        pending, self._pending = self._pending, []
        exchanges = self._ask_all([*pending, *lines], is_timed=is_timed)
        for exchange in exchanges[: len(pending)]:
            if not exchange.success:
                sent = quote(_command(exchange.sent))
                detail = f"{self.bot.name} refuses the legal {sent}: {quote(exchange.text)}"
                raise GameOver(lost(self.colour, Termination.ERROR, detail))
        together_s = sum(exchange.elapsed_s for exchange in exchanges)
        return msgspec.structs.replace(exchanges[-1], elapsed_s=together_s)

    def _ask_all(self, lines: Sequence[str], *, is_timed: bool = False) -> list[Exchange]:
        process = self._process
        assert process is not None  # noqa: S101 - sit_down has started it
        ask_all: Callable[..., list[Exchange | Failure]] | None = getattr(process, "ask_all", None)
        if ask_all is not None and len(lines) > 1:
            outcomes = ask_all(lines, playouts=self._playouts)
        else:
            outcomes = []
            for line in lines:
                outcomes.append(process.ask(line, playouts=self._playouts))
                if isinstance(outcomes[-1], Failure):
                    break
        exchanges = []
        for outcome in outcomes:
            if isinstance(outcome, Failure):
                self._break_off(outcome, is_timed=is_timed)
            else:
                exchanges.append(outcome)
        return exchanges

    def _limit_move(self, seconds: float) -> None:
        limit_s = seconds + _GRACE_S
        # The clock replaces the limits of the bot's settings.
        limits = replace(
            self.bot.limits, genmove_s=limit_s, first_genmove_s=limit_s, genmove_per_1000_playouts_s=0.0
        )
        if (set_limits := getattr(self._process, "set_limits", None)) is not None:
            set_limits(limits)

    def _break_off(self, failure: Failure, *, is_timed: bool = False) -> NoReturn:
        """End the process after a failure, and the game with it."""
        self.leave()
        if is_timed and failure.word is Word.TIMEOUT and "genmove" in failure.command:
            raise GameOver(
                lost(self.colour, Termination.TIME, f"{self.bot.name} was silent when its time was up")
            )
        if self._terms.crash_loses and failure.word is not Word.START_FAILED:
            winner, detail = other(self.colour), failure.sentence()
            raise GameOver(Result(Termination.BREAK, winner, None, self.colour, failure.word, detail))
        raise GameOver(
            Result(Termination.VOID, culprit=self.colour, word=failure.word, detail=failure.sentence())
        )


def lost(colour: str, how: Termination, detail: str) -> Result:
    """Return the result of a game that a colour has lost by its own fault."""
    return Result(how, other(colour), culprit=colour, detail=detail)


def other(colour: str) -> str:
    """Return the other colour letter."""
    return "W" if colour == "B" else "B"


def _command(sent: str) -> str:
    """Return a command without its id."""
    first, _, rest = sent.partition(" ")
    return rest if first.isdecimal() else sent
