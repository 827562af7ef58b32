"""One process of one bot, as replies: bytes out, and replies in under a deadline, or a failure in words.

It knows framing, deadlines and ends of processes; ids, limits and what was asked are the session's business.
"""

import time
from collections.abc import Callable
from typing import Final

from harness.bots.crash_line import crash_line
from harness.bots.failure import Failure
from harness.bots.limits import command_name
from harness.bots.reproduction import SentHistory, reproduction_line
from harness.bots.transport import TIMED_OUT, Ended, ProcessEnd, TimedOut, Transport
from harness.bots.wait import Wait
from harness.bots.wire import Noise, Overflow, Reply, ReplyReader, quote
from harness.word import Word

_EXIT_GRACE_S = 1.0
"""Seconds that a failed bot has to exit by itself."""
COMPUTING: Final = "it was still computing: it needs more time, or does not come to an end"
_LOOK_S = 0.25
_BUSY = 0.03
"""A bot that uses more than this share of a processor is said to be computing.

Others may use most of it; a bot that waits for input uses none.
"""
UNFLUSHED: Final = "it answered once its input was closed; does it flush its output after every reply?"


class Channel:
    """The connection to a running bot: replies or failures, from a transport's bytes."""

    def __init__(
        self, name: str, transport: Transport, quit_s: float, clock: Callable[[], float], invocation: str
    ) -> None:
        self.has_replied = False
        """Whether any command was answered; set by the session, which knows what an answer is."""
        self.failure: Failure | None = None
        self.sent = SentHistory()
        """The commands sent, kept by the session, to reproduce a failure."""
        self._invocation = invocation
        self._began_s = clock()
        self._name = name
        self._transport = transport
        self._quit_s = quit_s
        self._clock = clock
        self._reader = ReplyReader()
        self._first_noise: bytes | None = None

    def hear_run(self, wait: Wait, first_id: int, most: int) -> list[tuple[str, str]]:
        """Return plain replies that came together, with the ids of the next commands; see ``feed_run``.

        None at all means that something else came, or nothing; what it is tells ``listen``.
        """
        received: bytes | Ended | TimedOut = b""
        if self._reader.is_empty:
            received = self._transport.receive(wait.began_s + wait.limit_s)
        return self._reader.feed_run(received, first_id, most) if isinstance(received, bytes) else []

    def close(self) -> ProcessEnd:
        """End the process, with the time for quit to leave by itself, or a moment after a failure."""
        return self._end(self._quit_s) if self.failure is None else self._end(_EXIT_GRACE_S)

    def _end(self, grace_s: float) -> ProcessEnd:
        return self._transport.close(min(grace_s, self._quit_s))

    def send(self, data: bytes, wait: Wait) -> Failure | None:
        """Send the bytes of commands, after taking in what the bot wrote before."""
        waiting = self._transport.receive(wait.began_s)  # already past: returns what is waiting
        if waiting is not TIMED_OUT or not self._reader.is_empty:
            self._sweep(waiting, wait)
            if wait.is_flooded:
                return self.flooded(wait)
            wait.began_s = self._clock()
        # A bot that has closed its input may still have answered, so only a full pipe is final here.
        if isinstance(self._transport.send(data, wait.began_s + wait.limit_s), TimedOut):
            return self.fail(Word.TIMEOUT, wait, "it does not read its input")
        return None

    def _sweep(self, waiting: bytes | Ended | TimedOut, wait: Wait) -> None:
        """Take in all output that came before the command was sent: it cannot be the answer."""
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

    def listen(self, wait: Wait) -> Reply | Failure:
        """Return the next reply, or the failure if none comes in time."""
        reader, deadline = self._reader, wait.began_s + wait.limit_s
        while True:
            while not reader.is_empty and (item := reader.next()) is not None:
                if not isinstance(item, Reply):
                    self._overhear(item, wait)
                    if wait.is_flooded:
                        return self.flooded(wait)
                elif wait.must_skip:
                    wait.must_skip = False
                    wait.add_surplus(item.raw)
                else:
                    return item
            # A bot that writes endlessly without completing an item must meet the deadline too.
            if self._clock() >= deadline:
                return self._timed_out(wait)
            received = self._transport.receive(deadline)
            if not isinstance(received, bytes):
                return self._ended(wait) if isinstance(received, Ended) else self._timed_out(wait)
            if (reply := reader.feed_whole(received)) is not None:
                return reply

    def listen_on(self, wait: Wait, lines: int) -> Reply | Failure | None:
        """Wait for so many lines of a reply that goes on, at most until the time is over.

        Returns:
            None once they are there: ``open_reply`` has what came, and ``listen`` will return the whole.  A
            reply that has ended by itself comes back like any other.
        """
        reader, deadline = self._reader, wait.began_s + wait.limit_s
        while True:
            while not reader.is_empty and (item := reader.next()) is not None:
                if isinstance(item, Reply):
                    return item
                self._overhear(item, wait)
                if wait.is_flooded:
                    return self.flooded(wait)
            if reader.has_open_reply and reader.pending.count(b"\n") > lines:
                return None
            received = self._transport.receive(deadline) if self._clock() < deadline else TIMED_OUT
            if isinstance(received, bytes):
                reader.feed(received)
            elif isinstance(received, Ended):
                return self._ended(wait)
            else:
                return None if reader.has_open_reply else self._timed_out(wait)

    @property
    def open_reply(self) -> Reply | None:
        """What has come of a reply that goes on."""
        return self._reader.open_reply()

    def send_on(self, data: bytes, wait: Wait) -> Failure | None:
        """Send a line while a reply goes on."""
        if isinstance(self._transport.send(data, wait.began_s + wait.limit_s), TimedOut):
            return self.fail(Word.TIMEOUT, wait, "it does not read its input")
        return None

    def _overhear(self, item: Noise | Overflow, wait: Wait) -> None:
        raw = item.raw if isinstance(item, Noise) else item.raw_head
        if self._first_noise is None:
            self._first_noise = raw
        wait.add_noise(raw, is_oversized=isinstance(item, Overflow))

    def flooded(self, wait: Wait) -> Failure:
        """Return the failure of a bot that writes without end."""
        # Without any reply so far it is not known that the bot speaks GTP at all.
        word = Word.PROTOCOL if self.has_replied else Word.NOT_GTP
        return self.fail(word, wait, f"it floods its output, beginning with {quote(wait.first_excess)}")

    def _timed_out(self, wait: Wait) -> Failure:
        held = self._reader.pending
        if self._reader.has_open_reply:
            if held.endswith(b"\n"):
                return self.fail(Word.PROTOCOL, wait, f"no empty line ended the reply {quote(held)}")
            return self.fail(Word.TIMEOUT, wait, f"the reply broke off after {quote(held)}")
        if (first := self._first_noise or held) and not self.has_replied:
            return self.fail(Word.NOT_GTP, wait, f"its first line was {quote(first)}")
        if self._is_computing():
            return self.fail(Word.TIMEOUT, wait, "; ".join([*wait.notes[:1], COMPUTING]))
        # A bot that buffers its replies flushes them when it exits.
        last = self._end(_EXIT_GRACE_S).last_output.lstrip()
        detail = [*wait.notes[:1], *([UNFLUSHED] if last.startswith((b"=", b"?")) else [])]
        return self.fail(Word.TIMEOUT, wait, "; ".join(detail))

    def _is_computing(self) -> bool:
        """Whether the bot uses the processor now; one that keeps its reply in a buffer does not."""
        before, began_s = self._transport.usage(), time.monotonic()
        time.sleep(_LOOK_S)
        after, spent_s = self._transport.usage(), time.monotonic() - began_s
        return before is not None and after is not None and after.cpu_s - before.cpu_s > _BUSY * spent_s

    def _ended(self, wait: Wait) -> Reply | Failure:
        """Judge a bot whose output has ended while it owed a reply."""
        end = self._end(_EXIT_GRACE_S)
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
        if not self.has_replied and first:
            return self.fail(Word.NOT_GTP, wait, f"its first line was {quote(first)}, then {detail}", end)
        last_line = end.stderr_tail.strip().rpartition("\n")[2]
        if (cause := crash_line(end.stderr_tail)) and cause != last_line:
            detail += f"; on stderr: {quote(cause)}"
        elif last_line:
            detail += f"; last line on stderr: {quote(last_line)}"
        if not self.has_replied:
            return self.fail(Word.START_FAILED, wait, detail, end)
        word = Word.PROTOCOL if is_quit and end.status == 0 else Word.CRASH
        return self.fail(word, wait, detail, end)

    def fail(self, word: Word, wait: Wait, detail: str, end: ProcessEnd | None = None) -> Failure:
        """Store and return the failure after which nothing can be asked."""
        # The effect of our own signals says nothing about the bot.
        by_itself = end if end and end.forced is None else None
        self.failure = Failure(
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
            again=reproduction_line(self._invocation, self.sent.lines, self._clock() - self._began_s),
        )
        return self.failure
