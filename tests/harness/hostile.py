"""Hostile bot output in any amount, from a seed, and the check that framing stands it.

    make fuzz             or: python tests/harness/hostile.py [--bytes 20000000] [--seed 1]

Streams are made of near-valid replies, ids of every kind, mixed line ends, control characters, items at the
limit and one beside it, bytes that are no text, and of mutations of real transcripts.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

import plain_framing  # noqa: E402

from harness.bots.wire import Item, Overflow, Reply, ReplyReader  # noqa: E402

LIMITS = (7, 40, 300)
ENDS = (
    b"\n\n",
    b"\n",
    b"\r\n\r\n",
    b"\r\n\n",
    b"\n\r\n",
    b"\n \n",
    b"\n\t\n",
    b"\n\x00\n",
    b"\n\n\n",
    b"\r\r",
    b"",
)
IDS = (
    b"",
    b"0",
    b"1",
    b"007",
    b"12",
    b"2147483647",
    b"2147483648",
    b"9999999999",
    b"12345678901",
    b"-1",
    b"1.5",
)
TEXTS = (
    b"",
    b" ",
    b" D4",
    b" pass",
    b" 0.5",
    b"x",
    b" a\nb",
    b" = 1",
    b"\t?",
    b"  A B\n1 . X\n",
    b" \xc3\xa9\xff\xfe",
)
ODD = (
    b"\x1b[2J",
    b"\x1b]0;x\x07",
    b"\x00",
    b"\x7f",
    b"\x0b\x0c",
    b"\xe2\x80\xae",
    b"\xf0\x9f",
    b"<b>&amp;",
    b"=",
    b"?",
    b"\n",
)
TRANSCRIPT = (
    b"= 2\n\n= refbot engine\n\n= 0.1.0\n\n= protocol_version\nname\nversion\nplay\n\n=\n\n=\n\n"
    b"=1001\n\n=1002\n\n=1003 D4\n\n=1004 1112\n\n=1005 0.625\n\n? illegal move\n\n?7 what\n\n= pass\n\n"
    b"=\n   A B C\n 3 . X . 3\n 2 O . . 2\n 1 . . X 1\n   A B C\n\nthinking\n= resign\n\n"
)  # fmt: skip


def hostile(rng: random.Random, limit: int) -> bytes:
    """Return one stream of some hundred bytes to some thousand."""
    return b"".join(_part(rng, limit) for _ in range(rng.randint(1, 30)))


def cut(rng: random.Random, data: bytes) -> list[bytes]:
    """Cut a stream into pieces: whole, one byte at a time, or anywhere."""
    how = rng.random()
    if how < 0.2:
        return [data[i : i + 1] for i in range(len(data))]
    edges = sorted(rng.randint(0, len(data)) for _ in range(rng.randint(0, 12)))
    return [data[a:b] for a, b in zip([0, *edges], [*edges, len(data)], strict=True)]


def read(pieces: list[bytes], limit: int, *, way: int = 0) -> tuple[list[plain_framing.Frame], bytes]:
    """Read pieces with ``wire`` in one of four ways: at the end, after each piece, by its two shortcuts."""
    reader = ReplyReader(limit)
    items: list[Item] = []
    for piece in pieces:
        if way == 2:
            whole = reader.feed_whole(piece)
            items += [whole] if whole else []
        elif way == 3:
            run_id = next((i.id + 1 for i in reversed(items) if isinstance(i, Reply) and i.id is not None), 1)
            items += [
                Reply(raw[0] == "=", number, text, raw.encode())
                for number, (raw, text) in enumerate(reader.feed_run(piece, run_id, 5), run_id)
            ]
        else:
            reader.feed(piece)
        if way:
            items += iter(reader.next, None)
    items += iter(reader.next, None)
    return [_frame(item) for item in items], reader.pending


def check(data: bytes, pieces: list[bytes], limit: int) -> None:
    """Hold ``wire`` against the plain reading, whole and in pieces."""
    want = plain_framing.frames(data, limit)
    for way in range(4):
        assert want == read([data], limit, way=way), (way, data)
        assert want == read(pieces, limit, way=way), (way, pieces)


def _frame(item: Item) -> plain_framing.Frame:
    if isinstance(item, Reply):
        return "reply", item.success, item.id, item.text, item.raw
    return ("overflow", item.raw_head) if isinstance(item, Overflow) else ("noise", item.raw)


def _part(rng: random.Random, limit: int) -> bytes:
    how = rng.randrange(8)
    if how == 0:
        return rng.randbytes(rng.randint(0, 12))
    if how == 1:
        return rng.choice(ODD) * rng.choice((1, 1, 2, 9))
    if how == 2:
        head, tail = rng.choice((b"=", b"= ", b"x", b"\x00", b" ")), rng.choice(ENDS)
        fill = rng.choice((b"x", b" ", b"\x00", b"=\n", b"\xff", b"\t"))
        size = max(0, limit + rng.randint(-2, 2) - len(head) - len(tail))
        return head + (fill * size)[:size] + tail
    if how == 3:
        return _mutated(rng)
    if how == 4:
        return b"".join(
            b"=%d %s\n\n" % (number, rng.choice((b"", b"A1"))) for number in range(1, rng.randint(1, 8))
        )
    lead = rng.choice((b"", b"", b"", b"\x00", b" ", b"\r", b"banner\n", b"\n"))
    return lead + rng.choice((b"=", b"?")) + rng.choice(IDS) + rng.choice(TEXTS) + rng.choice(ENDS)


def _mutated(rng: random.Random) -> bytes:
    data = bytearray(TRANSCRIPT)
    for _ in range(rng.randint(0, 6)):
        at = rng.randrange(len(data))
        what = rng.randrange(3)
        if what == 0:
            data[at] = rng.randrange(256)
        elif what == 1:
            del data[at : at + rng.randint(1, 9)]
        else:
            data[at:at] = rng.choice((b"\n", b"\r", b"\x00", b"=", b"?", b"9", b"\xff"))
    start = rng.randrange(len(data))
    return bytes(data[start : start + rng.randint(1, 200)])


def main() -> None:
    """Fuzz, and print how much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bytes", type=int, default=20_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)  # noqa: S311 - not for secrets
    done, streams, began = 0, 0, time.monotonic()
    while done < options.bytes:
        limit = rng.choice(LIMITS)
        data = hostile(rng, limit)
        check(data, cut(rng, data), limit)
        done += len(data)
        streams += 1
    seconds = time.monotonic() - began
    print(
        f"{done:,} hostile bytes in {streams:,} streams, each read eight times; "
        f"seed {options.seed}, {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
