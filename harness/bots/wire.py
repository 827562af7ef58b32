"""GTP framing: bytes in, replies out; and a command line in, bytes out.

Nothing here reads, writes, waits or knows what a command means, and no sequence of bytes makes it
raise: what is not a reply is handed over as noise.  The raw bytes of everything are kept, and the
readable text stands beside them.

An item of the stream is one of

- a reply: a line that begins with ``=`` or ``?``, and all that follows up to an empty line;
- noise: one line outside any reply that begins otherwise (a banner, a debug line, an echo);
- a blank line outside any reply, which says nothing and is dropped.
"""

import re
from dataclasses import dataclass

import msgspec

DEFAULT_LIMIT_BYTES = 1 << 20
"""The size above which a single reply or noise line is no longer kept."""

MOST_BYTES = 32_768
"""Bytes of a reply that are read; the longest list of commands has a few thousand."""

PRINTABLE_CHARS = 200
"""How much of a bot's text a sentence quotes."""

_HEAD_BYTES = 256
# All but tab and newline that moves a cursor, colours, or turns the direction of writing.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_TAB_TO_SPACE = bytes.maketrans(b"\t", b" ")
_DROPPED = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
# An id outside the protocol's 31-bit integers is no id, which also keeps int() away from digits without end.
_STATUS_LINE = re.compile(r"[=?](?:(\d{1,10})(?=[ \n]|\Z))?", re.ASCII)
# A whole reply of one line without control characters, as most replies are.
_PLAIN_REPLY = re.compile(rb"([=?])(?:(\d{1,10})(?=[ \n]))?([^\x00-\x1f\x7f]*)\n\n")

# Such replies with ids, one after another.
_PLAIN_RUN = re.compile(rb"(?:[=?]\d{1,10}(?: [^\x00-\x1f\x7f]*)?\n\n)+")


class Reply(msgspec.Struct, frozen=True, gc=False):
    """One reply of a bot, with or without success."""

    success: bool
    id: int | None
    text: str
    """The result or error message: status sign and id cut off, control characters gone, tabs as spaces."""
    raw: bytes
    """The reply exactly as it came, its terminator included."""


class Noise(msgspec.Struct, frozen=True):
    """One line outside any reply."""

    raw: bytes


class Overflow(msgspec.Struct, frozen=True):
    """A reply or noise line too large to be kept; only its first bytes are."""

    raw_head: bytes


Item = Reply | Noise | Overflow


class ReplyReader:
    """Cuts a bot's output into items; how the bytes were cut on their way in makes no difference.

    An item longer than ``limit_bytes`` is reported once as an ``Overflow`` and dropped up to its end (the
    newline of a noise line, the empty line of a reply), after which reading goes on as if it had not been.
    """

    def __init__(self, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self._limit = limit_bytes
        self._held = bytearray()
        self._line_start = 0
        self._searched = 0
        self._dropping: _Dropping | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is held and nothing is being dropped: the next byte begins an item."""
        return not self._held and self._dropping is None

    @property
    def pending(self) -> bytes:
        """The bytes of an item that has not ended yet (none of an item being dropped)."""
        return bytes(self._held)

    @property
    def has_open_reply(self) -> bool:
        """Whether a reply has begun and not ended."""
        if self._dropping is not None:
            return self._dropping.is_reply
        return _begins_reply(self._held)

    def feed(self, data: bytes) -> None:
        """Take in what a bot wrote; nothing is looked at before ``next``."""
        self._held += data

    def feed_whole(self, data: bytes) -> Reply | None:
        """Take in what a bot wrote; if that is one plain reply and no more, return it instead."""
        if self._held or self._dropping is not None or len(data) > self._limit:
            self._held += data
            return None
        match = _PLAIN_REPLY.fullmatch(data)
        if match is None:
            self._held += data
            return None
        sign, number, text = match.groups()
        return Reply(sign == b"=", None if number is None else int(number), _text_of(text), data)

    def next(self) -> Item | None:
        """Return the next complete item, or None when more bytes are needed."""
        while self._held:
            if self._dropping is not None:
                if not self._drop():
                    return None
                self._dropping = None
            if not self._searched and (reply := self._take_plain()) is not None:
                return reply
            end = self._find_end()
            if end is None or end > self._limit:
                return self._overflow() if len(self._held) > self._limit else None
            raw = self._take(end)
            if _begins_reply(raw):
                return _parse_reply(raw)
            if _clean(raw).strip():
                return Noise(raw)
        return None

    def feed_run(self, data: bytes, first_id: int, most: int) -> list[tuple[str, str]]:
        """Take in what a bot wrote; return the plain replies at the head of what is held by then.

        Only those whose ids count up from ``first_id``, and no more than ``most``.

        Returns:
            Of each the whole reply, which shows by its first sign whether it is one of success, and the text.
        """
        run: list[tuple[str, str]] = []
        if self._held:
            self._held += data
            if self._searched or self._dropping is not None:
                return run
            data = bytes(self._held)
            self._held.clear()
        found = _PLAIN_RUN.match(data) if self._dropping is None else None
        # Longer replies, and replies with more than ASCII, take the general path.
        if found is None or found.end() > self._limit or not (head := found.group()).isascii():
            self._held += data
            return run
        end, number = 0, first_id
        for reply in head.decode("ascii").split("\n\n", most)[:most]:
            status, _, text = reply.partition(" ")
            if status[1:] != str(number):
                break
            run.append((f"{reply}\n\n", text.strip(" ")))
            end += len(reply) + 2
            number += 1
        self._held += data[end:]
        return run

    def open_reply(self) -> Reply | None:
        """Return what has come of a reply that has not ended, and keep it."""
        return _parse_reply(bytes(self._held)) if self._held and self.has_open_reply else None

    def take_open_reply(self) -> Reply | None:
        """Return a reply that has begun as if it had ended here; for when no more bytes will come."""
        if self._dropping is not None or not self.has_open_reply:
            return None
        return _parse_reply(self._take(len(self._held)))

    def _take_plain(self) -> Reply | None:
        """Take a plain reply if a whole one is there: a fast path with the result of the general one."""
        match = _PLAIN_REPLY.match(self._held)
        if match is None or match.end() > self._limit:
            return None
        sign, number, text = match.groups()
        id_ = None if number is None else int(number)
        return Reply(sign == b"=", id_, _text_of(text), self._take(match.end()))

    def _find_end(self) -> int | None:
        """Find where the first item held ends, without looking at any line twice."""
        while (newline := self._held.find(b"\n", self._searched)) >= 0:
            line = self._held[self._line_start : newline]
            is_first = self._line_start == 0
            self._line_start = self._searched = newline + 1
            # GTP ends a response by two consecutive newlines: a line of spaces does not end it.
            if (is_first and not _begins_reply(line)) or not _clean(line):
                return newline + 1
        self._searched = len(self._held)
        return None

    def _take(self, end: int) -> bytes:
        raw = bytes(self._held[:end])
        del self._held[:end]
        self._line_start = self._searched = 0
        return raw

    def _overflow(self) -> Overflow:
        # Only the first limit_bytes may decide, for they are all that is there however the bytes were cut.
        head = bytes(self._held[: self._limit])
        self._dropping = _Dropping(is_reply=_begins_reply(head))
        self._line_start = self._searched = 0
        return Overflow(head[:_HEAD_BYTES])

    def _drop(self) -> bool:
        """Drop what is held of an oversized item, and say whether its end went too."""
        dropping = self._dropping
        assert dropping is not None  # noqa: S101 - the one caller has just looked
        while (newline := self._held.find(b"\n")) >= 0:
            is_empty = dropping.is_line_empty and not _clean(self._held[:newline])
            del self._held[: newline + 1]
            dropping.is_line_empty = True
            if is_empty or not dropping.is_reply:
                return True
        dropping.is_line_empty = dropping.is_line_empty and not _clean(self._held)
        self._held.clear()
        return False


def format_command(line: str, id: int | None = None) -> bytes:  # noqa: A002 - the protocol's own word
    r"""Return the bytes that send ``line``, preceded by ``id`` if there is one.

    The line goes out as it is: a check may hold comments, tabs, or ``\n`` on purpose, and then answers for
    the number of replies it asks for.  Bytes that are not UTF-8 are written as surrogate escapes.
    """
    numbered = line if id is None else f"{id} {line}"
    return f"{numbered}\n".encode("utf-8", "surrogateescape")


def printable(text: str | bytes, limit: int = PRINTABLE_CHARS) -> str:
    """Return ``text`` safe for one line of a report: controls escaped, cut to ``limit`` characters."""
    decoded = decode(text) if isinstance(text, bytes) else text
    shown = "".join(char if char.isprintable() else _escape(char) for char in decoded[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def visible(text: str) -> str:
    """Return a text of several lines with what steers a terminal escaped: controls, C1 and bidi."""
    return _STEERING.sub(lambda found: _escape(found[0]), text)


def quote(text: str | bytes) -> str:
    """Return a bot's words in quotes, safe for one line and without the end of their own."""
    line = decode(text) if isinstance(text, bytes) else text
    return f"'{printable(line.rstrip())}'"


def decode(raw: bytes | bytearray) -> str:
    """Return ``raw`` as text, each byte that is not UTF-8 as a backslash escape."""
    return raw.decode("utf-8", "backslashreplace")


@dataclass(slots=True)
class _Dropping:
    """What is known of an oversized item while it is being dropped."""

    is_reply: bool
    is_line_empty: bool = True
    """Whether all that was dropped of the line under way counts as nothing."""


def _text_of(raw: bytes) -> str:
    return decode(raw[:MOST_BYTES]).strip(" ")


def _clean(raw: bytes | bytearray) -> bytes:
    """Apply the controller's share of the preprocessing: drop control characters, turn tabs to spaces."""
    return bytes(raw.translate(_TAB_TO_SPACE, _DROPPED))


def _begins_reply(raw: bytes | bytearray) -> bool:
    # Control characters count as absent, so a status sign may stand behind some.
    return raw.startswith((b"=", b"?")) or raw.lstrip(_DROPPED).startswith((b"=", b"?"))


def _parse_reply(raw: bytes) -> Reply:
    """Split a complete reply; ``raw`` begins with a status sign once cleaned."""
    text = decode(_clean(raw)[:MOST_BYTES])
    status = _STATUS_LINE.match(text)
    assert status is not None  # noqa: S101 - the caller has looked at the first character
    number = status.group(1)
    return Reply(
        success=text[0] == "=",
        id=None if number is None else int(number),
        text=text[status.end() :].lstrip(" ").rstrip(" \n"),
        raw=raw,
    )


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
