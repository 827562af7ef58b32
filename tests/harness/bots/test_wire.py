"""Framing: the same items however the bytes are cut, and never an exception."""

import random
from itertools import pairwise
from typing import Any

import hostile
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.bots.wire import Item, Noise, Overflow, Reply, ReplyReader, format_command, printable, quote

LIMIT = 40


def good(number: int | None, text: str, raw: bytes) -> Reply:
    """Make the reply of a success."""
    return Reply(success=True, id=number, text=text, raw=raw)


def bad(number: int | None, text: str, raw: bytes) -> Reply:
    """Make the reply of an error."""
    return Reply(success=False, id=number, text=text, raw=raw)


# What a bot writes, and the items it must be read as.  Every row ends where an item ends.
STREAMS: dict[str, tuple[bytes, list[Item]]] = {
    "success": (b"= D4\n\n", [good(None, "D4", b"= D4\n\n")]),
    "error": (b"? illegal move\n\n", [bad(None, "illegal move", b"? illegal move\n\n")]),
    "empty result": (b"=\n\n", [good(None, "", b"=\n\n")]),
    "id": (b"=12 D4\n\n", [good(12, "D4", b"=12 D4\n\n")]),
    "id alone": (b"?7\n\n", [bad(7, "", b"?7\n\n")]),
    "no space, so no id": (b"=12x\n\n", [good(None, "12x", b"=12x\n\n")]),
    "number after a space": (b"= 12\n\n", [good(None, "12", b"= 12\n\n")]),
    "too many digits": (b"=12345678901 a\n\n", [good(None, "12345678901 a", b"=12345678901 a\n\n")]),
    "several lines": (b"= a\nb\n\n", [good(None, "a\nb", b"= a\nb\n\n")]),
    "a drawing": (b"=\n  A B\n1 . .\n\n", [good(None, "\n  A B\n1 . .", b"=\n  A B\n1 . .\n\n")]),
    "later sign is text": (b"= a\n= b\n\n", [good(None, "a\n= b", b"= a\n= b\n\n")]),
    "spaces end nothing": (b"= a\n \nb\n\n", [good(None, "a\n \nb", b"= a\n \nb\n\n")]),
    "carriage returns": (b"=1 a\r\nb\r\n\r\n", [good(1, "a\nb", b"=1 a\r\nb\r\n\r\n")]),
    "controls and tabs": (
        b"\x07=\ta\x1bb\x7f\tc\n\n",
        [good(None, "ab c", b"\x07=\ta\x1bb\x7f\tc\n\n")],
    ),
    "controls alone are empty": (b"= a\n\x00\r\n", [good(None, "a", b"= a\n\x00\r\n")]),
    "utf-8": (b"= \xc3\xa9\xff\n\n", [good(None, "é\\xff", b"= \xc3\xa9\xff\n\n")]),
    "noise": (b"hello\n", [Noise(b"hello\n")]),
    "blank lines": (b"\n\r\n \t\n", []),
    "banner": (b"hi\n\n=\n\n", [Noise(b"hi\n"), good(None, "", b"=\n\n")]),
    "two replies": (
        b"= a\n\n\n? b\n\n",
        [good(None, "a", b"= a\n\n"), bad(None, "b", b"? b\n\n")],
    ),
    "largest reply": (b"=" + b"x" * 37 + b"\n\n", [good(None, "x" * 37, b"=" + b"x" * 37 + b"\n\n")]),
    "oversized reply": (
        b"=" + b"x" * 38 + b"\n\n= b\n\n",
        [Overflow(b"=" + b"x" * 38 + b"\n"), good(None, "b", b"= b\n\n")],
    ),
    "oversized reply of lines": (
        b"= 1\n" * 20 + b"\r\n= b\n\n",
        [Overflow(b"= 1\n" * 10), good(None, "b", b"= b\n\n")],
    ),
    "oversized noise": (b"x" * 99 + b"\n= b\n\n", [Overflow(b"x" * 40), good(None, "b", b"= b\n\n")]),
    "oversized blank": (b" " * 99 + b"\n= b\n\n", [Overflow(b" " * 40), good(None, "b", b"= b\n\n")]),
}


def read_all(reader: ReplyReader) -> list[Item]:
    """Take every complete item out of a reader."""
    return list(iter(reader.next, None))


def read_pieces(pieces: list[bytes]) -> tuple[list[Item], bytes]:
    """Feed pieces one by one, reading after each; return the items and what is pending."""
    reader = ReplyReader(LIMIT)
    items = []
    for piece in pieces:
        reader.feed(piece)
        items += read_all(reader)
    return items, reader.pending


@pytest.mark.parametrize("name", STREAMS)
def test_whole(name: str) -> None:
    """Bytes that come at once are cut into the items of the table, with nothing left."""
    data, want = STREAMS[name]
    assert (want, b"") == read_pieces([data])


@pytest.mark.parametrize("name", STREAMS)
def test_byte_at_a_time(name: str) -> None:
    """Bytes that come one by one make the same items, the last of them no later than its last byte."""
    data, want = STREAMS[name]
    assert (want, b"") == read_pieces([data[i : i + 1] for i in range(len(data))])


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("trailing", [b"= un", b"noi", b"=\n"])
def test_trailing_bytes(name: str, trailing: bytes) -> None:
    """The beginning of a next item changes nothing before it and is held back."""
    data, want = STREAMS[name]
    assert (want, trailing) == read_pieces([data + trailing])


GTP_LIKE = st.lists(
    st.sampled_from([b"=", b"?", b"\n", b"\n\n", b"\r", b"\t", b" ", b"\x00", b"1", b"a", b"\xc3", b"x" * 50])
    | st.binary(max_size=4),
).map(b"".join)


@given(GTP_LIKE, st.lists(st.integers(0, 400)))
def test_any_bytes_any_cuts(data: bytes, cuts: list[int]) -> None:
    """Any bytes, cut anywhere, make the same items as whole, and the kept ones are a part of the stream."""
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    items, pending = read_pieces([data[a:b] for a, b in pairwise(edges)])
    assert read_pieces([data]) == (items, pending)
    at = 0
    for item in items:
        raw = item.raw_head if isinstance(item, Overflow) else item.raw
        at = data.index(raw, at) + len(raw)
        assert len(raw) <= LIMIT


@given(GTP_LIKE)
def test_bounded_memory(data: bytes) -> None:
    """A reader that is read after every byte never holds more than its limit."""
    reader = ReplyReader(LIMIT)
    for i in range(len(data)):
        reader.feed(data[i : i + 1])
        read_all(reader)
        assert len(reader.pending) <= LIMIT


@given(st.integers(0, 2**32), st.sampled_from(hostile.LIMITS))
def test_hostile_streams_are_read_as_the_protocol_says(seed: int, limit: int) -> None:
    """Hostile bytes, cut anywhere, the long way and the short ones: what the plain reading makes of them."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    data = hostile.hostile(rng, limit)
    hostile.check(data, hostile.cut(rng, data), limit)


class Counted(bytearray):
    """Held bytes that count how many of them are looked at or copied."""

    looked = 0

    def find(self, sub: Any, start: Any = 0, *_: Any) -> int:
        """Search, and count what is searched."""
        found = super().find(sub, start)
        self.looked += (len(self) if found < 0 else found) - start
        return found

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        self.looked += len(part)
        return part

    def translate(self, *args: Any) -> Any:
        """Clean, and count it."""
        self.looked += len(self)
        return super().translate(*args)


def looks_per_byte(data: bytes, size: int) -> float:
    """Return how often a byte is looked at when a stream comes in pieces of a size."""
    reader = ReplyReader(len(data) + 1)
    held = reader._held = Counted()
    for at in range(0, len(data), size):
        reader.feed(data[at : at + size])
        read_all(reader)
    assert reader._held is held
    return held.looked / len(data)


@pytest.mark.parametrize(
    "part", [b"x", b"=", b"= a\n", b"\x00", b" ", b"noise\n", b"= ok\n\n", b"=1\r\n\r\n"]
)
@pytest.mark.parametrize("size", [1, 7])
def test_cost_does_not_grow_with_what_is_held(part: bytes, size: int) -> None:
    """However long an item becomes, and in however small pieces, no byte is looked at again and again."""
    small, large = (looks_per_byte(part * (n // len(part)), size) for n in (500, 8000))
    assert large <= small * 1.1 + 0.1
    assert large < 5


def test_oversized_item_is_reported_before_it_ends() -> None:
    """A bot that writes one line without end is found out at the limit, and dropped from there on."""
    reader = ReplyReader(LIMIT)
    reader.feed(b"x" * (LIMIT + 1))
    assert Overflow(b"x" * LIMIT) == reader.next()
    reader.feed(b"x" * 1000)
    assert reader.next() is None
    assert reader.pending == b""


@pytest.mark.parametrize(
    ("data", "is_open", "taken"),
    [
        (b"", False, None),
        (b"noise", False, None),
        (b"noise\n=3 a\n", True, good(3, "a", b"=3 a\n")),
        (b"?", True, bad(None, "", b"?")),
        (b"= a\n\n", False, None),
        (b"=" + b"x" * LIMIT, True, None),
        (b"=" + b"x" * LIMIT + b"\n\n", False, None),
    ],
)
def test_open_reply(data: bytes, *, is_open: bool, taken: Reply | None) -> None:
    """A reply under way is known as such and can be taken as it is, unless it is too large to be kept."""
    reader = ReplyReader(LIMIT)
    reader.feed(data)
    read_all(reader)
    assert reader.has_open_reply is is_open
    assert reader.take_open_reply() == taken


def test_format_command() -> None:
    """A command goes out as it is, one newline behind it and its id before it."""
    assert format_command("genmove b") == b"genmove b\n"
    assert format_command("name", 0) == b"0 name\n"
    assert format_command("# é\udcff") == b"# \xc3\xa9\xff\n"


def test_printable() -> None:
    """Quoted text has no control characters, no direction marks, and no more than its limit."""
    assert printable(b"a\x1b[0m\nb\xe2\x80\xae\xff") == r"a\x1b[0m\nb\u202e\xff"
    assert printable("x" * 200) == "x" * 200
    assert printable("x" * 201) == "x" * 199 + "…"
    assert len(printable("\0" * 201)) == 200
    assert quote(b"usage:\r\n") == "'usage:'"
