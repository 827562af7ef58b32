"""One process of one bot: commands in, exchanges or failures out.

A session pairs each command with its reply, under a deadline, and says in which word it ended when there
was none.  It knows framing, limits and processes; it does not know what a reply ought to say.  Whatever
the bot does is a value: an ``Exchange``, or the ``Failure`` after which nothing more can be asked.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import msgspec

from harness.bots import pipe
from harness.bots.channel import Channel
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.limits import Limits, command_name
from harness.bots.masking import Mask
from harness.bots.pace import Pace
from harness.bots.pipelining import FIRST_ID, Pipeline, portion
from harness.bots.process_tree import Usage
from harness.bots.reproduction import format_invocation
from harness.bots.transport import ProcessEnd, Transport
from harness.bots.wait import Wait
from harness.bots.wire import Reply, format_command, quote
from harness.word import Word

# So many commands must be answered by their ids, one at a time, before any are sent ahead: two, for a bot
# may repeat for ever the first id it saw.
_TRIALS = 2
# While the commands before a genmove that takes long are answered, nobody waits for us: their replies are
# taken together, every so often, and not each as it comes.
_PAUSE_S = 50e-6
_LONG_S = 10 * _PAUSE_S


class Session:
    """A running bot, asked one command at a time."""

    def __init__(
        self,
        name: str,
        transport: Transport,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        *,
        send_ahead: bool = True,
        invocation: str = "",
        mask: Mask | None = None,
    ) -> None:
        """Take over a transport.

        Args:
            name: what the bot is called in sentences.
            transport: the way to it.
            limits: how long it may take.
            clock: the one that the transport's deadlines are measured on.
            sleep: lets time pass on it.
            send_ahead: whether it may be sent commands before it has answered those before.
            invocation: the line of shell that starts such a bot, for the failures.
            mask: hides the values of its environment in all that it says.
        """
        self._mask = mask
        self._name = name
        self._transport = transport
        self._limits = limits
        self._clock = clock
        self._sleep = sleep
        self._channel = Channel(name, transport, limits.quit_s, clock, invocation)
        self._pace = Pace()
        self._has_moved = False
        self._genmove_s = 0.0
        """Seconds of the last genmove; 0 if its reply came together with one before it."""
        self._has_quit = False
        self._is_closed = False
        self._next_id = FIRST_ID
        self._trials_left = _TRIALS if send_ahead else None
        """Number of commands still to be answered by their ids before pipelining; None if it is given up."""

    @classmethod
    def start(
        cls,
        name: str,
        command: Sequence[str],
        limits: Limits,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        *,
        send_ahead: bool = True,
        own_folder: bool = False,
        processes: int = 0,
        memory_bytes: int = 0,
        mask: Mask | None = None,
    ) -> Self | Failure:
        """Start a bot over pipes; it is asked nothing yet, so only a command that cannot run fails here."""
        started = pipe.start(
            command, cwd, env, own_folder=own_folder, processes=processes, memory_bytes=memory_bytes
        )
        invocation = format_invocation(command, cwd, env, own_folder=own_folder)
        if isinstance(started, pipe.StartFailure):
            return Failure(started.word, name, "", "", None, 0.0, None, None, "", started.reason, invocation)
        return cls(name, started, limits, send_ahead=send_ahead, invocation=invocation, mask=mask)

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
        """Send one command and wait for its reply.

        Args:
            line: the command, without id and newline.
            playouts: how many playouts the bot runs for one move, for the limit of a genmove.
            id: the id to send, if any.

        Returns:
            The exchange, or the failure that ended the session; every later call returns that same failure.

        Raises:
            RuntimeError: the session was closed, which is the caller's mistake and not the bot's.
        """
        return self._masked(self._ask(line, playouts, id))

    def _ask(self, line: str, playouts: int, number: int | None) -> Exchange | Failure:
        if self._is_closed or self._channel.failure is not None:
            return self._refuse()
        wait = self._make_wait(line, playouts, number)
        reply = self._converse(wait)
        if isinstance(reply, Failure):
            return reply
        if None not in (number, reply.id) and number != reply.id:
            detail = f"the reply carries id {reply.id}, and {number} was sent: {quote(reply.raw)}"
            return self._channel.fail(Word.PROTOCOL, wait, detail)
        return self._settle(reply, wait, playouts)

    def ask_all(self, lines: Sequence[str], *, playouts: int = 0) -> list[Exchange | Failure]:
        """Ask commands in order, pipelined if that is safe.

        It is safe with a bot that answers by ids: then a reply too many is never taken for another command's.
        Until that is known, and with a bot that does not, the commands are asked one at a time.  The limit of
        a command sent ahead runs from the reply before.

        Args:
            lines: the commands, one line each, without ids.
            playouts: see ``ask``.

        Returns:
            What came of each, up to the first failure.

        Raises:
            RuntimeError: see ``ask``.
        """
        outcomes: list[Exchange | Failure] = []
        while len(outcomes) < len(lines) and not (outcomes and self._channel.failure):
            line = lines[len(outcomes)]
            if self._is_closed or self._channel.failure is not None:
                outcomes.append(self._refuse())
            elif self._trials_left is None:
                outcomes.append(self._ask(line, playouts, None))
            elif self._trials_left:
                outcomes.append(self._try_id(line, playouts))
            else:
                outcomes += self._ask_ahead(lines[len(outcomes) :], playouts)
        return outcomes if self._mask is None else list(map(self._masked, outcomes))

    def ask_together(self, lines: Sequence[str], *, playouts: int = 0) -> list[Exchange | Failure]:
        """Send commands in one write, without ids, and wait for their replies in order.

        For a check of whether a bot takes them so: a bot that loses one is not asked it again.

        Returns:
            What came of each, up to the first failure.

        Raises:
            RuntimeError: see ``ask``.
        """
        return list(map(self._masked, self._ask_together(lines, playouts)))

    def _ask_together(self, lines: Sequence[str], playouts: int) -> list[Exchange | Failure]:
        if self._is_closed or self._channel.failure is not None:
            return [self._refuse()]
        wait = self._make_wait(lines[0], playouts, None)
        failure = self._channel.send(b"".join(map(format_command, lines)), wait)
        outcomes: list[Exchange | Failure] = [] if failure is None else [failure]
        for place, line in enumerate(lines):
            if outcomes and isinstance(outcomes[-1], Failure):
                break
            wait = self._make_wait(line, playouts, None) if place else wait
            reply = self._channel.listen(wait)
            outcomes.append(reply if isinstance(reply, Failure) else self._settle(reply, wait, playouts))
        return outcomes

    def ask_on(
        self, line: str, lines: int, ending: str | None, *, playouts: int = 0
    ) -> list[Exchange | Failure]:
        """Ask a command whose reply goes on until the next line, and send that one after a while.

        Args:
            line: the command, without newline.
            lines: how many lines of the reply to wait for, besides that of the status.
            ending: what is sent then, a command or a blank line, even if the reply has ended; None for
                nothing, which leaves the reply open and the session of no further use.
            playouts: see ``ask``.

        Returns:
            The exchange of the command, and that of ``ending`` unless it is blank; up to the first failure.

        Raises:
            RuntimeError: see ``ask``.
        """
        return list(map(self._masked, self._ask_on(line, lines, ending, playouts)))

    def _ask_on(self, line: str, lines: int, ending: str | None, playouts: int) -> list[Exchange | Failure]:
        if self._is_closed or self._channel.failure is not None:
            return [self._refuse()]
        wait = self._make_wait(line, playouts, None)
        reply = self._channel.send(format_command(line), wait) or self._channel.listen_on(wait, lines)
        if ending is None:
            reply = reply or self._channel.open_reply
        else:
            last = self._make_wait(ending, playouts, None)
            last.command = line
            if not isinstance(reply, Failure):
                failure = self._channel.send_on(format_command(ending), last)
                reply = failure or reply or self._channel.listen(last)
            last.command = ending
        assert reply is not None  # noqa: S101 - one that went on was ended, or is open
        if isinstance(reply, Failure):
            return [reply]
        outcomes: list[Exchange | Failure] = [self._settle(reply, wait, playouts)]
        if ending is not None and ending.strip():
            answer = self._channel.listen(last)
            outcomes.append(answer if isinstance(answer, Failure) else self._settle(answer, last, playouts))
        return outcomes

    def _masked(self, outcome: Exchange | Failure) -> Exchange | Failure:
        if self._mask is None:
            return outcome
        return self._mask.failure(outcome) if isinstance(outcome, Failure) else self._mask.exchange(outcome)

    def _refuse(self) -> Failure:
        if self._is_closed or self._channel.failure is None:
            raise RuntimeError(f"the session of {self._name} is closed")
        return self._channel.failure

    def _try_id(self, line: str, playouts: int) -> Exchange | Failure:
        """Ask with an id, to see whether the bot keeps it; if it refuses, once more without."""
        wait = self._make_wait(line, playouts, self._next_id)
        self._next_id += 1
        reply = self._converse(wait)
        if isinstance(reply, Failure):
            return reply
        if reply.id == wait.number:
            assert self._trials_left is not None  # noqa: S101 - the one caller has just looked
            self._trials_left -= 1
            return self._settle(reply, wait, playouts)
        self._trials_left = None
        exchange = self._settle(reply, wait, playouts)
        if exchange.success:
            return exchange
        again = self._ask(line, playouts, None)
        if isinstance(again, Failure):
            return again
        refused = f"with the id {wait.number} it was answered {quote(reply.raw)}"
        return msgspec.structs.replace(again, notes=(*exchange.notes, refused, *again.notes))

    def _ask_ahead(self, lines: Sequence[str], playouts: int) -> list[Exchange | Failure]:
        """Ask the first of the lines, as many as go together, in one write."""
        first = self._next_id
        part = portion(tuple(lines), len(str(first + len(lines))))
        ahead, idle = Pipeline(part, first), part.genmove if self._genmove_s >= _LONG_S else 0
        self._next_id += len(part.lines)
        wait = self._make_wait(part.lines[0], playouts, first)
        failure = self._channel.send(ahead.data, wait)
        while failure is None and ahead.place < len(part.lines):
            if ahead.place < idle:
                self._sleep(_PAUSE_S)
            heard = self._hear(part.lines, first, ahead, wait, playouts)
            if isinstance(heard, Failure):
                failure = heard
            elif heard and ahead.place < len(part.lines):
                wait = self._make_wait(part.lines[ahead.place], playouts, first + ahead.place)
        if not ahead.keeps_ids:
            self._trials_left = None
        return [*ahead.exchanges, *([failure] if failure else [])]

    def set_limits(self, limits: Limits) -> None:
        """Use other limits from now on: a player may use the time that its clock has left."""
        self._limits = limits

    def _hear(
        self, lines: Sequence[str], first: int, ahead: Pipeline, wait: Wait, playouts: int
    ) -> bool | Failure:
        """Read replies to pipelined commands; return whether the wait is over, or the failure."""
        place = ahead.place
        run = [] if wait.notes else self._channel.hear_run(wait, first + place, len(lines) - place)
        reply = None if run else self._channel.listen(wait)
        if isinstance(reply, Failure):
            return reply
        elapsed_s, is_over = self._clock() - wait.began_s, True
        if reply is None:
            ahead.take_run(run, elapsed_s)
        else:
            is_over = ahead.take(reply, wait, elapsed_s)
        if answered := lines[place : ahead.place]:
            if others := answered[1:]:
                self._channel.sent.add(others, first + place + 1)
            self._note_answers(answered, playouts, elapsed_s)
        return self._channel.flooded(wait) if wait.is_flooded and not is_over else is_over

    def usage(self) -> Usage | None:
        """Return the processor time and memory used so far; None if the system does not tell."""
        return self._transport.usage()

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        """Send quit, expect its reply, and end the process.

        Returns:
            The exchange or failure of quit, or None where quit was not sent because the session had failed,
            was closed, or had been asked to quit before; and the end of the process.
        """
        may_quit = not (self._is_closed or self._has_quit or self._channel.failure is not None)
        last = self.ask("quit") if may_quit else None
        self._is_closed = True
        end = self._channel.close()
        return last, end if self._mask is None else self._mask.end(end)

    def _make_wait(self, line: str, playouts: int, number: int | None) -> Wait:
        self._channel.sent.add((line,), number)
        pace_s = self._pace.expected_s(line, playouts) if "genmove" in line else None
        limit, limit_s = self._limits.for_command(
            line, playouts, first_genmove=not self._has_moved, pace_s=pace_s
        )
        if not self._channel.has_replied and self._limits.start_s >= limit_s:
            limit, limit_s = "start", self._limits.start_s
        return Wait(line, number, limit, limit_s, self._clock())

    def _converse(self, wait: Wait) -> Reply | Failure:
        data = format_command(wait.command, wait.number)
        return self._channel.send(data, wait) or self._channel.listen(wait)

    def _settle(self, reply: Reply, wait: Wait, playouts: int) -> Exchange:
        elapsed_s = self._clock() - wait.began_s
        self._note_answers((wait.command,), playouts, elapsed_s)
        if reply.id != wait.number:
            wait.note_id(reply)
        return wait.exchange(reply, elapsed_s)

    def _note_answers(self, lines: Sequence[str], playouts: int, elapsed_s: float) -> None:
        self._channel.has_replied = True
        self._pace.answered(lines, playouts, elapsed_s)
        text = "".join(lines)
        if "genmove" not in text and "quit" not in text:  # before anything slower is asked
            return
        for place, name in enumerate(map(command_name, lines)):
            if "genmove" in name:
                self._has_moved = True
                self._genmove_s = 0.0 if place else elapsed_s
            self._has_quit = self._has_quit or name == "quit"
