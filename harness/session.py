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

from harness import pipe
from harness.ahead import FIRST_ID, Ahead, portion
from harness.exchange import Exchange
from harness.failure import Failure
from harness.limits import Limits, command_name
from harness.transport import TIMED_OUT, Ended, ProcessEnd, TimedOut, Transport
from harness.wait import Wait
from harness.wire import Noise, Overflow, Reply, ReplyReader, format_command, quote
from harness.word import Word

_EXIT_GRACE_S = 1.0
# So many commands must be answered by their ids, one at a time, before any are sent ahead: two, for a bot
# may repeat for ever the first id it saw.
_TRIALS = 2


class Session:
    """A running bot, asked one command at a time."""

    def __init__(
        self,
        name: str,
        transport: Transport,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        *,
        send_ahead: bool = True,
    ) -> None:
        """Take over a transport.

        Args:
            name: what the bot is called in sentences.
            transport: the way to it.
            limits: how long it may take.
            clock: the one that the transport's deadlines are measured on.
            send_ahead: whether it may be sent commands before it has answered those before.
        """
        self._name = name
        self._transport = transport
        self._limits = limits
        self._clock = clock
        self._reader = ReplyReader()
        self._first_noise: bytes | None = None
        self._has_replied = False
        self._has_moved = False
        self._has_quit = False
        self._is_closed = False
        self._failure: Failure | None = None
        self._next_id = FIRST_ID
        self._trials_left = _TRIALS if send_ahead else None
        """How many more commands must be answered by their ids; None if no more is ever sent ahead."""

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
    ) -> Self | Failure:
        """Start a bot over pipes; it is asked nothing yet, so only a command that cannot run fails here."""
        started = pipe.start(command, cwd, env)
        if isinstance(started, pipe.StartFailure):
            return Failure(started.word, name, "", "", None, 0.0, None, None, "", started.reason)
        return cls(name, started, limits, send_ahead=send_ahead)

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
        if self._is_closed or self._failure is not None:
            return self._refuse()
        wait = self._make_wait(line, playouts, id)
        reply = self._converse(wait)
        if isinstance(reply, Failure):
            return reply
        if None not in (id, reply.id) and id != reply.id:
            detail = f"the reply carries id {reply.id}, and {id} was sent: {quote(reply.raw)}"
            return self._fail(Word.PROTOCOL, wait, detail)
        return self._settle(reply, wait)

    def ask_all(self, lines: Sequence[str], *, playouts: int = 0) -> list[Exchange | Failure]:
        """Ask commands in order, and send them all before the first is answered where that is safe.

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
        while len(outcomes) < len(lines) and not (outcomes and self._failure):
            line = lines[len(outcomes)]
            if self._is_closed or self._failure is not None:
                outcomes.append(self._refuse())
            elif self._trials_left is None:
                outcomes.append(self.ask(line, playouts=playouts))
            elif self._trials_left:
                outcomes.append(self._try_id(line, playouts))
            else:
                outcomes += self._ask_ahead(lines[len(outcomes) :], playouts)
        return outcomes

    def _refuse(self) -> Failure:
        if self._is_closed or self._failure is None:
            raise RuntimeError(f"the session of {self._name} is closed")
        return self._failure

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
            return self._settle(reply, wait)
        self._trials_left = None
        exchange = self._settle(reply, wait)
        if exchange.success:
            return exchange
        again = self.ask(line, playouts=playouts)
        if isinstance(again, Failure):
            return again
        refused = f"with the id {wait.number} it was answered {quote(reply.raw)}"
        return msgspec.structs.replace(again, notes=(*exchange.notes, refused, *again.notes))

    def _ask_ahead(self, lines: Sequence[str], playouts: int) -> list[Exchange | Failure]:
        """Ask the first of the lines, as many as go together, in one write."""
        lines, data = portion(lines, self._next_id)
        ahead = Ahead(lines, self._next_id)
        self._next_id += len(lines)
        wait = self._make_wait(lines[0], playouts, ahead.next_id)
        failure = self._send(data, wait)
        while failure is None:
            place, is_over = ahead.place, True
            if run := self._reader.take_run(ahead.next_id, 0 if wait.notes else len(lines) - place):
                ahead.take_run(run, self._clock() - wait.began_s)
            elif isinstance(reply := self._listen(wait), Failure):
                failure = reply
                break
            else:
                is_over = ahead.take(reply, wait, self._clock() - wait.began_s)
            for line in lines[place : ahead.place]:
                self._note_answer(line)
            if wait.is_flooded and not is_over:
                failure = self._flooded(wait)
            elif ahead.place == len(lines):
                break
            elif is_over:
                wait = self._make_wait(lines[ahead.place], playouts, ahead.next_id)
        if not ahead.keeps_ids:
            self._trials_left = None
        return [*ahead.exchanges, *([failure] if failure else [])]

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        """Send quit, expect its reply, and see the process out.

        Returns:
            The exchange or failure of quit, or None where quit was not sent because the session had failed,
            was closed, or had been asked to quit before; and the end of the process.
        """
        may_quit = not (self._is_closed or self._has_quit or self._failure is not None)
        last = self.ask("quit") if may_quit else None
        self._is_closed = True
        return last, self._end_process(_EXIT_GRACE_S if self._failure else self._limits.quit_s)

    def _end_process(self, grace_s: float) -> ProcessEnd:
        return self._transport.close(min(grace_s, self._limits.quit_s))

    def _make_wait(self, line: str, playouts: int, number: int | None) -> Wait:
        limit, limit_s = self._limits.for_command(line, playouts, first_genmove=not self._has_moved)
        if not self._has_replied and self._limits.start_s >= limit_s:
            limit, limit_s = "start", self._limits.start_s
        return Wait(line, number, limit, limit_s, self._clock())

    def _converse(self, wait: Wait) -> Reply | Failure:
        data = format_command(wait.command, wait.number)
        return self._send(data, wait) or self._listen(wait)

    def _send(self, data: bytes, wait: Wait) -> Failure | None:
        waiting = self._transport.receive(wait.began_s)  # already past: returns what is waiting
        if waiting is not TIMED_OUT or not self._reader.is_empty:
            self._sweep(waiting, wait)
            if wait.is_flooded:
                return self._flooded(wait)
            wait.began_s = self._clock()
        # A bot that has closed its input may still have answered, so only a full pipe is final here.
        if isinstance(self._transport.send(data, wait.began_s + wait.limit_s), TimedOut):
            return self._fail(Word.TIMEOUT, wait, "it does not read its input")
        return None

    def _sweep(self, waiting: bytes | Ended | TimedOut, wait: Wait) -> None:
        """Take in all that is there before the command is sent: none of it can be the answer."""
        while True:
            if isinstance(waiting, bytes):
                self._reader.feed(waiting)
                wait.add_swept(waiting)
            while (item := self._reader.next()) is not None:
                if isinstance(item, Reply):
                    wait.add_surplus(item.raw)
                else:
                    self._overhear(item, wait)
            if wait.is_flooded or not isinstance(waiting, bytes):
                break
            waiting = self._transport.receive(wait.began_s)
        wait.had_ended = isinstance(waiting, Ended)
        wait.must_skip = self._reader.has_open_reply

    def _listen(self, wait: Wait) -> Reply | Failure:
        reader, deadline = self._reader, wait.began_s + wait.limit_s
        while True:
            while not reader.is_empty and (item := reader.next()) is not None:
                if not isinstance(item, Reply):
                    self._overhear(item, wait)
                    if wait.is_flooded:
                        return self._flooded(wait)
                elif wait.must_skip:
                    wait.must_skip = False
                    wait.add_surplus(item.raw)
                else:
                    return item
            # Without this look at the clock a bot could hold us for ever by writing what makes no item.
            if self._clock() >= deadline:
                return self._timed_out(wait)
            received = self._transport.receive(deadline)
            if not isinstance(received, bytes):
                return self._ended(wait) if isinstance(received, Ended) else self._timed_out(wait)
            if (reply := reader.feed_whole(received)) is not None:
                return reply

    def _overhear(self, item: Noise | Overflow, wait: Wait) -> None:
        raw = item.raw if isinstance(item, Noise) else item.raw_head
        if self._first_noise is None:
            self._first_noise = raw
        wait.add_noise(raw, is_oversized=isinstance(item, Overflow))

    def _settle(self, reply: Reply, wait: Wait) -> Exchange:
        self._note_answer(wait.command)
        if reply.id != wait.number:
            wait.note_id(reply)
        return wait.exchange(reply, self._clock() - wait.began_s)

    def _note_answer(self, line: str) -> None:
        self._has_replied = True
        if "genmove" in line or "quit" in line:  # before anything slower is asked
            name = command_name(line)
            self._has_moved = self._has_moved or "genmove" in name
            self._has_quit = self._has_quit or name == "quit"

    def _flooded(self, wait: Wait) -> Failure:
        # Before any reply there was no protocol that could have been broken.
        word = Word.PROTOCOL if self._has_replied else Word.NOT_GTP
        return self._fail(word, wait, f"it floods its output, beginning with {quote(wait.first_excess)}")

    def _timed_out(self, wait: Wait) -> Failure:
        held = self._reader.pending
        if self._reader.has_open_reply:
            if held.endswith(b"\n"):
                return self._fail(Word.PROTOCOL, wait, f"no empty line ended the reply {quote(held)}")
            return self._fail(Word.TIMEOUT, wait, f"the reply broke off after {quote(held)}")
        if (first := self._first_noise or held) and not self._has_replied:
            return self._fail(Word.NOT_GTP, wait, f"its first line was {quote(first)}")
        return self._fail(Word.TIMEOUT, wait, "; ".join(wait.notes[:1]))

    def _ended(self, wait: Wait) -> Reply | Failure:
        """Judge a bot whose output has ended while it owed a reply."""
        end = self._end_process(_EXIT_GRACE_S)
        held = self._reader.pending
        is_quit = command_name(wait.command) == "quit"
        if is_quit and not wait.must_skip and (reply := self._reader.take_open_reply()):
            wait.notes.append("no empty line ended the reply")
            return reply
        detail = f"it closed its output and {end.manner()}" if end.forced else f"it {end.manner()}"
        if wait.had_ended:
            detail += " before the command was sent"
        if self._reader.has_open_reply:
            detail += f" in the middle of the reply {quote(held)}"
        first = self._first_noise or (b"" if self._reader.has_open_reply else held)
        if not self._has_replied and first:
            return self._fail(Word.NOT_GTP, wait, f"its first line was {quote(first)}, then {detail}", end)
        if last_line := end.stderr_tail.strip().rpartition("\n")[2]:
            detail += f"; last line on stderr: {quote(last_line)}"
        if not self._has_replied:
            return self._fail(Word.START_FAILED, wait, detail, end)
        word = Word.PROTOCOL if is_quit and end.status == 0 else Word.CRASH
        return self._fail(word, wait, detail, end)

    def _fail(self, word: Word, wait: Wait, detail: str, end: ProcessEnd | None = None) -> Failure:
        # What our own signals did to a bot says nothing about it.
        by_itself = end if end and end.forced is None else None
        self._failure = Failure(
            word=word,
            bot=self._name,
            command=wait.command,
            limit=wait.limit,
            limit_s=wait.limit_s,
            elapsed_s=self._clock() - wait.began_s,
            status=by_itself.status if by_itself else None,
            signal=by_itself.signal if by_itself else None,
            stderr_tail=end.stderr_tail if end else self._transport.stderr_tail(),
            detail=detail,
        )
        return self._failure
