"""What is kept of replies: all of the ordinary ones, and of a flood a bounded head and a digest."""

import hashlib

from harness.records.bounded import SHORT_CHARS, STORE_CHARS, Bounded, head_of
from harness.records.evidence import Unit


def unit(raw: str, times: int = 1) -> Unit:
    """Return a unit with replies."""
    return Unit("c", 1, 8, [("genmove b", raw)] * times, 0.1)


def test_ordinary_units_are_kept_as_they_are() -> None:
    """Nothing is changed, however many there are."""
    bounded, ordinary = Bounded(), unit("= A1\n\n", 5)
    assert all(bounded.cut(ordinary) is ordinary for _ in range(10_000))


def test_a_run_is_bounded() -> None:
    """Once the store is used up only heads are kept, with length and digest of the whole."""
    bounded, raw = Bounded(), "= A1" + "\x01" * 30_000 + "\n\n"
    kept = [bounded.cut(unit(raw)) for _ in range(500)]
    size = sum(len(text) for one in kept for _, text in one.exchanges)
    assert size <= STORE_CHARS + 500 * (SHORT_CHARS + 2)
    assert kept[0].exchanges[0][1] == raw
    assert kept[-1].exchanges[0][1] == raw[:SHORT_CHARS] + "\n\n"
    assert hashlib.sha256(raw.encode()).hexdigest() in kept[-1].notes[0]
    again = Bounded(kept)
    assert again.cut(unit(raw)) == kept[-1], "a resumed run goes on with the same store"


def test_bytes_that_are_no_text() -> None:
    """The head is text, and the digest that of the bytes."""
    head, note = head_of(b"= \xff" + b"x" * 100, 5)
    assert head == "= \\xffxx\n\n"
    assert hashlib.sha256(b"= \xff" + b"x" * 100).hexdigest() in note
