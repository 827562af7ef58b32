"""The wait for the reply to one command: its deadline, and other output in the meantime.

It adds up and words; it neither reads nor looks at a clock.
"""

import msgspec

from harness.bots.exchange import Exchange
from harness.bots.wire import MOST_BYTES, Reply, decode, format_command, quote
from harness.records.bounded import head_of

MAX_NOISE_LINES = 1000
MAX_NOISE_BYTES = 1 << 20

OUTSIDE = "line outside any reply"
SURPLUS = "surplus reply"
"""Prefixes of the notes about other output."""

_QUOTED_NOISE_LINES = 5


class Wait(msgspec.Struct):
    """One command under way, and other output in the meantime."""

    command: str
    number: int | None
    """The id sent with it."""
    limit: str
    limit_s: float
    began_s: float
    must_skip: bool = False
    """Whether a reply had begun before the command was sent, which then is not its answer."""
    had_ended: bool = False
    is_flooded: bool = False
    first_excess: bytes = b""
    notes: list[str] = []
    _lines: int = 0
    _size: int = 0
    _swept: int = 0

    @property
    def sent(self) -> str:
        """The line as sent, id included."""
        if self.number is None and self.command.isascii():
            return self.command
        return decode(format_command(self.command, self.number)).removesuffix("\n")

    def add_swept(self, data: bytes) -> None:
        """Count bytes that were there before the command was sent."""
        self._swept += len(data)  # counted apart, since blank lines are neither noise nor surplus
        self.is_flooded = self.is_flooded or self._swept > MAX_NOISE_BYTES

    def add_surplus(self, raw: bytes, when: str = "before the command was sent") -> None:
        """Note a reply that answers something else, or nothing."""
        self._add(raw, f"{SURPLUS} {when}")

    def add_noise(self, raw: bytes, *, is_oversized: bool) -> None:
        """Note a line outside any reply."""
        self._add(raw, OUTSIDE)
        self.is_flooded = self.is_flooded or is_oversized

    def note_id(self, reply: Reply) -> None:
        """Note that the reply carries another id than was sent, if it does."""
        if reply.id == self.number:
            return
        came = "no id" if reply.id is None else f"id {reply.id}"
        sent = "none" if self.number is None else self.number
        self.notes.append(f"the reply carries {came}, and {sent} was sent")

    def exchange(self, reply: Reply, elapsed_s: float) -> Exchange:
        """Return the exchange that ``reply`` makes of it."""
        notes = self._all_notes() if self.notes else ()
        if len(reply.raw) > MOST_BYTES:
            raw, note = head_of(reply.raw, MOST_BYTES)
            notes = (*notes, note)
        else:
            raw = decode(reply.raw)
        return Exchange(
            sent=self.sent,
            raw=raw,
            success=reply.success,
            text=reply.text,
            notes=notes,
            elapsed_s=elapsed_s,
        )

    def _all_notes(self) -> tuple[str, ...]:
        more = self._lines - _QUOTED_NOISE_LINES
        return (*self.notes, *([f"{more} more of such lines or replies"] if more > 0 else []))

    def _add(self, raw: bytes, what: str) -> None:
        self._lines += 1
        self._size += len(raw)
        self.first_excess = self.first_excess or raw
        if self._lines <= _QUOTED_NOISE_LINES:
            self.notes.append(f"{what}: {quote(raw)}")
        self.is_flooded = self.is_flooded or self._lines > MAX_NOISE_LINES or self._size > MAX_NOISE_BYTES
