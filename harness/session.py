"""One process of one bot: commands in, exchanges or failures out.

A session pairs each command with its reply, under a deadline, and says in which word it ended when there
was none.  It knows framing, limits and processes; it does not know what a reply ought to say.  Whatever
the bot does is a value: an ``Exchange``, or the ``Failure`` after which nothing more can be asked.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from harness import pipe
from harness.again import again, format_invocation
from harness.exchange import Exchange
from harness.failure import Failure
from harness.limits import Limits, command_name
from harness.pace import Pace
from harness.transport import Ended, ProcessEnd, TimedOut, Transport
from harness.wire import Noise, Overflow, Reply, ReplyReader, decode, format_command, quote
from harness.word import Word

MAX_NOISE_LINES = 1000
MAX_NOISE_BYTES = 1 << 20
OUTSIDE = "line outside any reply"
SURPLUS = "surplus reply before the command was sent"
"""How the notes begin about what was overheard."""

_QUOTED_NOISE_LINES = 5
_EXIT_GRACE_S = 1.0


class Session:
    """A running bot, asked one command at a time."""

    def __init__(
        self,
        name: str,
        transport: Transport,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        invocation: str = "",
    ) -> None:
        """Take over a transport; ``clock`` must be the one its deadlines are measured on.

        ``invocation`` is the line of shell that starts such a bot, for the failures.
        """
        self._name = name
        self._transport = transport
        self._limits = limits
        self._clock = clock
        self._invocation = invocation
        self._began_s = clock()
        self._sent: list[str] = []
        self._pace = Pace()
        self._reader = ReplyReader()
        self._first_noise: bytes | None = None
        self._has_replied = False
        self._has_moved = False
        self._has_quit = False
        self._is_closed = False
        self._failure: Failure | None = None

    @classmethod
    def start(
        cls,
        name: str,
        command: Sequence[str],
        limits: Limits,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        *,
        own_folder: bool = False,
    ) -> Self | Failure:
        """Start a bot over pipes; it is asked nothing yet, so only a command that cannot run fails here."""
        started = pipe.start(command, cwd, env, own_folder=own_folder)
        invocation = format_invocation(command, cwd, env, own_folder=own_folder)
        if isinstance(started, pipe.StartFailure):
            return Failure(started.word, name, "", "", None, 0.0, None, None, "", started.reason, invocation)
        return cls(name, started, limits, invocation=invocation)

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
        if self._is_closed:
            raise RuntimeError(f"the session of {self._name} is closed")
        if self._failure is not None:
            return self._failure
        outcome = self._converse(self._make_wait(line, playouts, id))
        self._failure = outcome if isinstance(outcome, Failure) else None
        return outcome

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

    def _make_wait(self, line: str, playouts: int, number: int | None) -> "_Wait":
        self._sent.append(line if number is None else f"{number} {line}")
        self._pace.ask(line, playouts)
        limit, limit_s = self._limits.for_command(
            line, playouts, first_genmove=not self._has_moved, pace_s=self._pace.expected_s
        )
        if not self._has_replied and self._limits.start_s >= limit_s:
            limit, limit_s = "start", self._limits.start_s
        return _Wait(line, number, limit, limit_s, self._clock())

    def _converse(self, wait: "_Wait") -> Exchange | Failure:
        if self._sweep(wait).is_flooded:
            return self._flooded(wait)
        wait.began_s = self._clock()
        # A bot that has closed its input may still have answered, so only a full pipe is final here.
        if isinstance(self._transport.send(wait.data, wait.deadline), TimedOut):
            return self._fail(Word.TIMEOUT, wait, "it does not read its input")
        return self._listen(wait)

    def _sweep(self, wait: "_Wait") -> "_Wait":
        """Take in all that is there before the command is sent: none of it can be the answer."""
        while not wait.is_flooded:
            received = self._transport.receive(wait.began_s)  # already past: returns what is waiting
            if isinstance(received, bytes):
                self._reader.feed(received)
                wait.add_swept(received)
            while (item := self._reader.next()) is not None:
                if isinstance(item, Reply):
                    wait.add_surplus(item.raw)
                else:
                    self._overhear(item, wait)
            if not isinstance(received, bytes):
                wait.had_ended = isinstance(received, Ended)
                break
        wait.must_skip = self._reader.has_open_reply
        return wait

    def _listen(self, wait: "_Wait") -> Exchange | Failure:
        while True:
            outcome: Exchange | Failure | None = None
            match self._reader.next():
                case None:
                    outcome = self._read_more(wait)
                case Reply() as reply if wait.must_skip:
                    wait.must_skip = False
                    wait.add_surplus(reply.raw)
                case Reply() as reply:
                    outcome = self._pair(reply, wait)
                case Noise() | Overflow() as item:
                    self._overhear(item, wait)
                    outcome = self._flooded(wait) if wait.is_flooded else None
            if outcome is not None:
                return outcome

    def _read_more(self, wait: "_Wait") -> Exchange | Failure | None:
        # Without this look at the clock a bot could hold us for ever by writing what makes no item.
        if self._clock() >= wait.deadline:
            return self._timed_out(wait)
        received = self._transport.receive(wait.deadline)
        if isinstance(received, bytes):
            self._reader.feed(received)
            return None
        return self._ended(wait) if isinstance(received, Ended) else self._timed_out(wait)

    def _overhear(self, item: Noise | Overflow, wait: "_Wait") -> None:
        raw = item.raw if isinstance(item, Noise) else item.raw_head
        if self._first_noise is None:
            self._first_noise = raw
        wait.add_noise(raw, is_oversized=isinstance(item, Overflow))

    def _pair(self, reply: Reply, wait: "_Wait") -> Exchange | Failure:
        self._has_replied = True
        name = command_name(wait.command)
        self._pace.answer(self._clock() - wait.began_s)
        self._has_moved = self._has_moved or "genmove" in name
        self._has_quit = self._has_quit or name == "quit"
        if wait.number is None and reply.id is not None:
            wait.notes.append(f"the reply carries id {reply.id}, and none was sent")
        elif wait.number is not None and reply.id is None:
            wait.notes.append(f"the reply carries no id, and {wait.number} was sent")
        elif wait.number != reply.id:
            detail = f"the reply carries id {reply.id}, and {wait.number} was sent: {quote(reply.raw)}"
            return self._fail(Word.PROTOCOL, wait, detail)
        return Exchange(
            sent=decode(wait.data).removesuffix("\n"),
            raw=decode(reply.raw),
            success=reply.success,
            text=reply.text,
            notes=wait.all_notes(),
            elapsed_s=self._clock() - wait.began_s,
        )

    def _flooded(self, wait: "_Wait") -> Failure:
        # Before any reply there was no protocol that could have been broken.
        word = Word.PROTOCOL if self._has_replied else Word.NOT_GTP
        return self._fail(word, wait, f"it floods its output, beginning with {quote(wait.first_excess)}")

    def _timed_out(self, wait: "_Wait") -> Failure:
        held = self._reader.pending
        if self._reader.has_open_reply:
            if held.endswith(b"\n"):
                return self._fail(Word.PROTOCOL, wait, f"no empty line ended the reply {quote(held)}")
            return self._fail(Word.TIMEOUT, wait, f"the reply broke off after {quote(held)}")
        if (first := self._first_noise or held) and not self._has_replied:
            return self._fail(Word.NOT_GTP, wait, f"its first line was {quote(first)}")
        return self._fail(Word.TIMEOUT, wait, "; ".join(wait.notes[:1]))

    def _ended(self, wait: "_Wait") -> Exchange | Failure:
        """Judge a bot whose output has ended while it owed a reply."""
        end = self._end_process(_EXIT_GRACE_S)
        held = self._reader.pending
        is_quit = command_name(wait.command) == "quit"
        if is_quit and not wait.must_skip and (reply := self._reader.take_open_reply()):
            wait.notes.append("no empty line ended the reply")
            return self._pair(reply, wait)
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

    def _fail(self, word: Word, wait: "_Wait", detail: str, end: ProcessEnd | None = None) -> Failure:
        # What our own signals did to a bot says nothing about it.
        by_itself = end if end and end.forced is None else None
        return Failure(
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
            again=again(self._invocation, self._sent, self._clock() - self._began_s),
        )


@dataclass(slots=True)
class _Wait:
    """One command under way, and what was overheard meanwhile."""

    command: str
    number: int | None
    limit: str
    limit_s: float
    began_s: float
    must_skip: bool = False
    """Whether a reply had begun before the command was sent, which then is not its answer."""
    had_ended: bool = False
    is_flooded: bool = False
    first_excess: bytes = b""
    notes: list[str] = field(default_factory=list)
    _lines: int = 0
    _size: int = 0
    _swept: int = 0

    @property
    def data(self) -> bytes:
        return format_command(self.command, self.number)

    @property
    def deadline(self) -> float:
        return self.began_s + self.limit_s

    def add_swept(self, data: bytes) -> None:
        self._swept += len(data)  # counted apart, since blank lines are neither noise nor surplus
        self.is_flooded = self.is_flooded or self._swept > MAX_NOISE_BYTES

    def add_surplus(self, raw: bytes) -> None:
        self._add(raw, SURPLUS)

    def add_noise(self, raw: bytes, *, is_oversized: bool) -> None:
        self._add(raw, OUTSIDE)
        self.is_flooded = self.is_flooded or is_oversized

    def all_notes(self) -> tuple[str, ...]:
        more = self._lines - _QUOTED_NOISE_LINES
        return (*self.notes, *([f"{more} more of such lines or replies"] if more > 0 else []))

    def _add(self, raw: bytes, what: str) -> None:
        self._lines += 1
        self._size += len(raw)
        self.first_excess = self.first_excess or raw
        if self._lines <= _QUOTED_NOISE_LINES:
            self.notes.append(f"{what}: {quote(raw)}")
        self.is_flooded = self.is_flooded or self._lines > MAX_NOISE_LINES or self._size > MAX_NOISE_BYTES
