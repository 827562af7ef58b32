"""Commands sent ahead, all in one write, and which reply belongs to which of them.

Pairs by id, and reads, waits and fails nothing.  A reply with the id of a command that was answered before is
surplus; one with no id, or with one that nobody sent, stands for the next command in order until a reply
with that command's own id shows that it was surplus too.
"""

from collections.abc import Iterator, Sequence

from harness.exchange import Exchange
from harness.wait import Wait
from harness.wire import Reply, format_command

MAX_BYTES = 4096
"""The most that is sent ahead: what any pipe holds, so that a bot which has read all before blocks nobody."""
FIRST_ID = 1001
"""Ids count up from here through a session, so that small ones of a bot's own are known as such."""


class Ahead:
    """Some commands sent ahead, with ids that count up, and what has come for them."""

    def __init__(self, first: int) -> None:
        """Begin with the first command's id."""
        self.exchanges: list[Exchange] = []
        """One for each command answered so far, in order."""
        self.keeps_ids = True
        """Whether every reply taken has carried the id of its command."""
        self._first = first
        self._taken: list[tuple[Wait, Reply]] = []

    def take(self, reply: Reply, wait: Wait, elapsed_s: float) -> bool:
        """Take a reply that came while ``wait`` was next; return whether that wait is over."""
        if reply.id == wait.number:
            self._append(reply, wait, elapsed_s)
            return True
        self.keeps_ids = False
        if reply.id is None or not FIRST_ID <= reply.id < self._first + len(self._taken):
            wait.note_id(reply)
            self._append(reply, wait, elapsed_s)
            return True
        place = reply.id - self._first
        if place < 0 or self._taken[place][1].id == reply.id:
            wait.add_surplus(reply.raw, "to a command that was answered before")
            return False
        self._take_back(place, reply, wait, elapsed_s)
        return True

    def _append(self, reply: Reply, wait: Wait, elapsed_s: float) -> None:
        self._taken.append((wait, reply))
        self.exchanges.append(wait.exchange(reply, elapsed_s))

    def _take_back(self, place: int, reply: Reply, wait: Wait, elapsed_s: float) -> None:
        """Let a reply have the place of one that had no id, and let go what came between."""
        earlier = self._taken[place][0]
        earlier.notes = [*wait.notes]
        for _, surplus in self._taken[place:]:
            earlier.add_surplus(surplus.raw, "without the id of any command")
        del self._taken[place:], self.exchanges[place:]
        self._append(reply, earlier, elapsed_s)


def portions(lines: Sequence[str], first: int) -> Iterator[tuple[list[str], bytes]]:
    """Yield lines, as many as may be sent ahead together, with the bytes that send them."""
    together: list[str] = []
    data = b""
    for number, line in enumerate(lines, first):
        more = format_command(line, number)
        if together and len(data) + len(more) > MAX_BYTES:
            yield together, data
            together, data = [], b""
        together.append(line)
        data += more
    if together:
        yield together, data
