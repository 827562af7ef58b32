"""Pipelining: several commands sent in one write, and which reply belongs to which of them.

Pairs replies with commands by their ids; it does no input or output and judges no failure.  A bot is asked
this way once it has answered two commands by their ids; a bot that keeps no ids, and every script, is asked
one command at a time.

A reply with the id of a command that was answered before is surplus; one with no id, or with one that nobody
sent, stands for the next command in order until a reply with that command's own id shows that it was surplus
too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from harness.bots.exchange import Exchange
from harness.bots.wait import Wait
from harness.bots.wire import MOST_BYTES, Reply, decode
from harness.records.bounded import head_of

MAX_BYTES = 4096
"""The most that is sent ahead: what any pipe holds, so that a bot which has read all before blocks nobody."""
FIRST_ID = 1001
"""Ids count up from here through a session, so that small ones of a bot's own are known as such."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Commands that are sent together."""

    lines: Sequence[str]
    form: str
    """The text that is sent, with a %d for the id of each command."""
    genmove: int
    """Number of commands before the first genmove; 0 where there is no genmove."""

    def text(self, first: int) -> str:
        """Return what is sent when the first of the ids is this."""
        return self.form % tuple(range(first, first + len(self.lines)))


class Pipeline:
    """Commands sent together, with ids that count up, and the replies so far."""

    def __init__(self, portion: Portion, first: int) -> None:
        """Begin with the commands and the id of the first."""
        self.exchanges: list[Exchange] = []
        """The exchanges of the commands answered so far, in order."""
        self.keeps_ids = True
        """Whether every reply taken has carried the id of its command."""
        self.data = portion.text(first).encode("utf-8", "surrogateescape")
        """The bytes that send them."""
        self._lines = portion.lines
        self._sent = decode(self.data).split("\n")
        self._first = first
        self._loose: dict[int, tuple[Wait, Reply]] = {}
        """Replies that came without the id of their command, by the place of the command."""

    @property
    def place(self) -> int:
        """The place of the first command that is not answered."""
        return len(self.exchanges)

    @property
    def next_id(self) -> int:
        """The id of that command."""
        return self._first + len(self.exchanges)

    def take_run(self, replies: Sequence[tuple[str, str]], elapsed_s: float) -> None:
        """Take plain replies that came together, with the ids of the next commands in order."""
        for sent, (raw, text) in zip(self._sent[self.place :], replies, strict=False):
            notes: tuple[str, ...] = ()
            whole, kept = raw, text
            if len(raw) > MOST_BYTES:
                whole, note = head_of(raw.encode(), MOST_BYTES)
                kept, notes = text[:MOST_BYTES], (note,)
            self.exchanges.append(Exchange(sent, whole, raw[0] == "=", kept, notes, elapsed_s))
            elapsed_s = 0.0

    def take(self, reply: Reply, wait: Wait, elapsed_s: float) -> bool:
        """Take a reply that came while ``wait`` was for the next command; return whether it is over."""
        if reply.id == wait.number:
            self.exchanges.append(wait.exchange(reply, elapsed_s))
            return True
        self.keeps_ids = False
        if reply.id is None or not FIRST_ID <= reply.id < self.next_id:
            wait.note_id(reply)
            self._loose[self.place] = wait, reply
            self.exchanges.append(wait.exchange(reply, elapsed_s))
            return True
        place = reply.id - self._first
        if any(later not in self._loose for later in range(place, self.place)):
            wait.add_surplus(reply.raw, "to a command that was answered before")
            return False
        self._take_back(place, reply, wait, elapsed_s)
        return True

    def _take_back(self, place: int, reply: Reply, wait: Wait, elapsed_s: float) -> None:
        """Let a reply have the place of one without its id; that one and those after it were surplus."""
        for later in range(place, self.place):
            _, surplus = self._loose.pop(later)
            wait.add_surplus(surplus.raw, "without the id of a command")
        del self.exchanges[place:]
        number = self._first + place
        own = Wait(self._lines[place], number, wait.limit, wait.limit_s, wait.began_s, notes=wait.notes)
        self.exchanges.append(own.exchange(reply, elapsed_s))


@lru_cache(maxsize=1024)
def portion(lines: tuple[str, ...], digits: int) -> Portion:
    """Return the first lines, as many as may be sent ahead together, with ids of at most so many digits."""
    count = size = 0
    for line in lines:
        size += digits + len(line.encode("utf-8", "surrogateescape")) + 2
        if count and size > MAX_BYTES:
            break
        count += 1
    form = "".join(f"%d {line.replace('%', '%%')}\n" for line in lines[:count])
    genmove = next((place for place, line in enumerate(lines[:count]) if line.startswith("genmove")), 0)
    return Portion(lines[:count], form, genmove)
