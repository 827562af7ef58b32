"""Files of strangers: real ones, changed at random from a seed, and every reader of files held to one line.

    make fuzz             or: python tests/harness/file_fuzz.py [--mutations 1000000] [--seed 1] [--only NAME]

A reader may return something or raise one of refbot's own errors, with a message of one line, within ten
seconds of processor time.  Anything else is a fault, and is printed with the seed that shows it again.
"""

import argparse
import gzip
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from harness.bots.bot import load_settings  # noqa: E402
from harness.bots.settings import bot_of  # noqa: E402
from harness.cases import suite as suite_files  # noqa: E402
from harness.cases.known import read_known  # noqa: E402
from harness.cases.sgf import read_record  # noqa: E402
from harness.cases.suite import load_suite  # noqa: E402
from harness.errors import RefbotError  # noqa: E402
from harness.match.openings import read_openings  # noqa: E402
from harness.match.record import read_header, read_match  # noqa: E402
from harness.records.evidence import read_evidence, read_part  # noqa: E402
from harness.records.private import read_environments  # noqa: E402
from harness.runs.merge import join  # noqa: E402
from harness.runs.record import judged  # noqa: E402
from harness.runs.verify import out_of_order, recorded_verdict  # noqa: E402
from harness.tst.file import parse_tst  # noqa: E402

ROOT = Path(__file__).parents[2]
LONGEST_S = 10.0
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""A folder in memory, where there is one: a million files are written."""
TOKENS = [
    *(b"\0", b"\xff\xfe", b"\x1b[31m", "\u0663\u00b2\u202e".encode(), b"\\ud800", b"\n", b"\r\n"),
    *(b'"', b"'", b"\\", b"]", b"}", b")", b";", b":", b",", b"=", b"[[", b"]]", b"#? [", b"10 "),
    *(b"-1", b"0", b"9" * 400, b"1e400", b"-1e-400", b"NaN", b"Infinity", b"18446744073709551616"),
    *(b"4611686018427387904", b"null", b"true", b"{}", b"[]", b"[" * 3000, b'{"a":' * 3000, b"(" * 3000),
    *(b"B[aa]", b"SZ[99]", b"KM[1e9]", b'"type":"footer"', b'"units":', b'"plan":{}'),
]
SETTINGS = b"""[a]
command = "./bot --playouts {playouts}"
env = {TOKEN = "x", N = "1"}
cwd = "."
startup = ["komi 7"]
memory_mb = 100
processes = 7
wrap = "nice -n 19"
[a.limits]
start_s = 1.5
[b]
command = "gnugo"
playouts = 8
"""
KNOWN = b'[[failure]]\nid = "G2"\nreason = "ids"\n'
SGF = b"(;GM[1]SZ[9]KM[6.5]AB[aa:cc][dd]AW[ee]PL[B];B[ff];W[tt](;B[gg];W[])(;B[hh]))"


@dataclass(frozen=True)
class Reader:
    """What reads a kind of file."""

    name: str
    seeds: Sequence[bytes]
    """Real files."""
    file: str
    """What it is called in its folder."""
    read: Callable[[Path, int], object]
    """Reads the file in a folder; is given the number of the mutation."""


def readers(folder: Path) -> list[Reader]:
    """Return every reader, with files made small."""
    suite = load_suite()
    gallery = ROOT / "reports" / "gallery"
    evidence = [_shortened(_packed(path)) for path in sorted(gallery.glob("*/evidence.jsonl.gz"))[:3]]
    shard = [_as_shard(evidence[0])]
    cases = [path.read_bytes() for path in sorted((ROOT / "fixtures" / "cases").glob("*/*.toml"))[::12]]
    tst = [path.read_bytes()[:1500] for path in sorted((ROOT / "fixtures" / "tst").glob("*.tst"))[:4]]
    games = [
        b"".join(_packed(path).splitlines(keepends=True)[:3]) for path in gallery.glob("*/match.jsonl.gz")
    ]
    verdicts = [path.read_bytes() for path in sorted(gallery.glob("*/verdict.json"))[:1]]
    whole = folder / "whole"
    whole.mkdir()
    (whole / "evidence.jsonl").write_bytes(shard[-1].replace(b'"shard":[1,2]', b'"shard":[2,2]'))

    def read_run(place: Path, number: int) -> None:
        with suppress(RefbotError):
            read_part(place)
        found = read_evidence(place)
        list(out_of_order(found))
        with suppress(RefbotError):
            bot_of(found.header)
        if number % 50 == 0 and found.header.bot.fixed_playouts is None:
            judged(suite, found)

    def read_case(place: Path, _: int) -> None:
        suite_files._read_cases(place, "*.toml", suite.requirements)

    return [
        Reader("evidence", evidence, "evidence.jsonl", read_run),
        Reader("shard", shard, "evidence.jsonl", lambda place, _: join([place, whole])),
        Reader("verdict", verdicts, "verdict.json", lambda place, _: recorded_verdict(place)),
        Reader("settings", [SETTINGS], "bots.toml", lambda place, _: load_settings(place / "bots.toml")),
        Reader("case", cases, "case.toml", read_case),
        Reader("tst", tst, "a.tst", _read_tst),
        Reader("sgf", [SGF], "a.sgf", _read_sgf),
        Reader("match", games, "match.jsonl", _read_match),
        Reader("known", [KNOWN], "known.toml", lambda place, _: read_known(place / "known.toml", ["G2"])),
        Reader(
            "environment", [b'[{"A":"b"},{}]'], "environment.json", lambda place, _: read_environments(place)
        ),
    ]


def _read_tst(place: Path, _: int) -> None:
    parse_tst(place / "a.tst", (place / "a.tst").read_bytes())


def _read_private(place: Path, _: int) -> None:
    read_environments(place)


def _read_sgf(place: Path, number: int) -> None:
    with suppress(RefbotError):
        read_record((place / "a.sgf").read_bytes())
    read_openings(place / "a.sgf", 9 if number % 2 else 19)


def _read_match(place: Path, _: int) -> None:
    with suppress(RefbotError):
        read_header(place)
    read_match(place, lambda _header, _game: None)


def _packed(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


def _shortened(data: bytes) -> bytes:
    lines = data.splitlines()
    kept = [line for line in lines[1:-1] if len(line) < 1500][:6]
    footer = lines[-1].replace(b'"units":%d' % (len(lines) - 2), b'"units":%d' % len(kept))
    return b"\n".join([lines[0], *kept, footer, b""])


def _as_shard(data: bytes) -> bytes:
    header, *units, footer, _ = data.split(b"\n")
    plan = b',"plan":{"works":2,"digest":"0","shard":[1,2]}}'
    work = b'{"type":"work","number":1,"units":%d,"asks":[["a",1]],"host":"h","pid":1,"bot":"","seconds":1.0}'
    return b"\n".join([header[:-1] + plan, *units, work % len(units), footer, b""])


def mutate(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    """Return a file changed in one to four places."""
    out = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(out) + 1)
        end = min(len(out), at + dice.choice((1, 1, 4, 20, 200)))
        match dice.randrange(8):
            case 0:
                out[at:end] = b""
            case 1:
                out[at:at] = out[at:end] * dice.randint(1, 3)
            case 2:
                out[at:end] = dice.choice(TOKENS)
            case 3:
                out[at:at] = dice.choice(TOKENS)
            case 4 if at < len(out):
                out[at] = dice.randrange(256)
            case 5:
                lines = bytes(out).split(b"\n")
                lines.insert(dice.randrange(len(lines)), dice.choice(lines))
                out = bytearray(b"\n".join(lines))
            case 6:
                other = dice.choice(others)
                start = dice.randrange(len(other) + 1)
                out[at:at] = other[start : start + 300]
            case _:
                del out[at:]
    return bytes(out)


def fuzz(mutations: int, seed: int, only: str = "", say: Callable[[str], None] = lambda _: None) -> list[str]:
    """Try so many mutations, shared out among the readers; return a line for every fault."""
    faults: list[str] = []
    with TemporaryDirectory(prefix="refbot-fuzz-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        folder = Path(name)
        every = [reader for reader in readers(folder) if only in ("", reader.name)]
        for reader in every:
            began, words, slowest = time.monotonic(), Counter[str](), 0.0
            place = folder / reader.name
            place.mkdir()
            for number in range(mutations // len(every)):
                dice = random.Random(f"{seed} {reader.name} {number}")  # noqa: S311 - changes, not secrets
                (place / reader.file).write_bytes(mutate(dice.choice(reader.seeds), reader.seeds, dice))
                since = time.process_time()
                try:
                    reader.read(place, number)
                    words["read"] += 1
                except RefbotError as error:
                    words["refused"] += 1
                    if "\n" in str(error):
                        faults.append(
                            f"{reader.name} {number}: a message of several lines: {str(error)[:200]!r}"
                        )
                except Exception as error:  # noqa: BLE001 - what is looked for
                    faults.append(f"{reader.name} {number}: {type(error).__name__}: {str(error)[:200]}")
                taken = time.process_time() - since
                slowest = max(slowest, taken)
                if taken > LONGEST_S:
                    faults.append(f"{reader.name} {number}: took {taken:.1f} s")
            say(
                f"{reader.name}: {sum(words.values()):,} in {time.monotonic() - began:.0f} s, "
                f"{words['refused']:,} refused, slowest {slowest:.3f} s, {len(faults)} faults so far"
            )
    return faults


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    faults = fuzz(asked.mutations, asked.seed, asked.only, print)
    for line in faults[:50]:
        print(line)
    print(f"{len(faults)} faults; {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
