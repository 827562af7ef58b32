"""Certifies mutants of the examples, which no catalogue knows: one token or statement is changed at a time.

    make mutants          or: python benchmarks/mutants.py examples/refbot.c --mutants 40 --seed 1

The mutants are universalmutator's (Groce and others 2018; `pip install universalmutator`).  One that does not
compile, or answers a long dialogue byte for byte as the original under the same seed, is set aside.  Every
other one is certified as a user would do it, over a pipe.  A comment ``Clauses:`` in the source says which
requirements the lines after it implement: a requirement outside them that is marked FAIL, or named with
confidence, is one that the mutant keeps.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rich.console import Console

from harness.render.gfm import pipe_table
from harness.render.selftest import Counter as Progress
from harness.selftest.kill_matrix import Rate

_CLAUSES = re.compile(r"Clauses: ([A-Z0-9, ]+)\.")
_DIALOGUE_S = 120.0
"""Patience for the dialogue: a mutant that takes longer hangs, and is not like the original."""
_SIZES = (2, 3, 5, 7, 9, 13, 19)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed line."""

    number: int
    """Of the line, from 1."""
    line: str
    clauses: tuple[str, ...]
    """Requirements that the lines around it implement."""
    path: Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a certificate said of a mutant."""

    mutant: Mutant
    word: str
    broken: str
    confident: bool
    failed: tuple[str, ...]
    exercised: tuple[str, ...]
    reason: str

    @property
    def kept(self) -> list[str]:
        """Requirements marked FAIL that the changed lines have nothing to do with."""
        return [name for name in self.failed if name not in self.mutant.clauses]

    @property
    def is_misled(self) -> bool:
        """Whether another requirement is named with confidence."""
        return self.confident and self.broken not in self.mutant.clauses

    @property
    def is_right(self) -> bool:
        """Whether a right requirement is named or marked FAIL, or may be broken where that is not known."""
        return not {self.broken, *self.failed, *self.exercised}.isdisjoint(self.mutant.clauses)


def mutants_of(source: Path, folder: Path, seed: int) -> Iterator[Mutant]:
    """Yield the mutants of a source in a random order, those that are the same code but once."""
    command = (
        shutil.which("mutate", path=f"{Path(sys.executable).parent}:{Path(sys.prefix) / 'bin'}") or "mutate"
    )
    copy = folder / source.name
    shutil.copy(source, copy)
    (folder / "mutants").mkdir()
    subprocess.run(
        [command, str(copy), "--noCheck", "--mutantDir", str(folder / "mutants")],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    original = source.read_text().splitlines()
    clauses = list(_clauses_by_line(original))
    paths = sorted((folder / "mutants").iterdir())
    random.Random(seed).shuffle(paths)  # noqa: S311 - a sample
    for path in paths:
        changed = path.read_text().splitlines()
        places = [i for i, (a, b) in enumerate(zip(original, changed, strict=False)) if a != b]
        if len(changed) == len(original) and len(places) == 1:
            yield Mutant(places[0] + 1, changed[places[0]].strip(), clauses[places[0]], path)


def _clauses_by_line(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    now: tuple[str, ...] = ()
    for line in lines:
        if found := _CLAUSES.search(line):
            now = tuple(name.strip() for name in found[1].split(","))
        yield now


def build(source: Path, folder: Path) -> list[str] | None:
    """Return the command of a program, compiled if need be; None if it does not compile."""
    if source.suffix == ".py":
        done = subprocess.run(
            [sys.executable, "-m", "py_compile", str(source)], capture_output=True, check=False
        )
        return None if done.returncode else [sys.executable, str(source)]
    program = folder / f"{source.stem}-bot"
    command = ["cc", "-O1", "-std=c99", "-o", str(program), str(source), "-lm"]
    done = subprocess.run(command, capture_output=True, check=False)
    return None if done.returncode else [str(program)]


def dialogue() -> str:
    """Return a long dialogue that takes a bot through its commands."""
    lines = ["protocol_version", "list_commands", "known_command play", "known_command nothing", "12 name"]
    lines += ["# comment", "", "nothing", "boardsize 1", "boardsize 26", "komi word", "play black", "undo"]
    for size in _SIZES:
        lines += [
            f"boardsize {size}",
            "clear_board",
            "komi 6.5",
            "play white A1",
            "play black a1",
            "play b Z9",
        ]
        lines += ["genmove white", "ref-nodes", "ref-score", "undo", "genmove black", "ref-nodes", "komi -3"]
        for move in range(min(3 * size * size, 120)):
            lines += [f"genmove {'bw'[move % 2]}", "ref-nodes", "ref-score"]
            if move % 7 == 3:
                lines += ["undo", f"{move} play w B2", "play b B2", "genmove b", "play w pass"]
    return "".join(f"{line}\n" for line in [*lines, "showboard", "quit"])


def answers(command: Sequence[str], playouts: int) -> bytes | None:
    """Return what a program answers to the dialogue; None if it hangs or crashes."""
    try:
        done = subprocess.run(
            [*command, "--playouts", str(playouts), "--seed", "5"],
            input=dialogue().encode(),
            capture_output=True,
            timeout=_DIALOGUE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode else done.stdout


def certify(mutant: Mutant, command: Sequence[str], folder: Path, options: Sequence[str] = ()) -> Outcome:
    """Certify a mutant over a pipe, with options of ``refbot certify``."""
    bot = " ".join([*command, "--playouts", "{playouts}"])
    line = [
        sys.executable,
        "-m",
        "harness",
        "certify",
        bot,
        "--quiet",
        "--json",
        "--time-scale",
        "0.2",
        *options,
    ]
    done = subprocess.run([*line, "--out", str(folder)], capture_output=True, check=False, cwd=folder.parent)
    try:
        verdict = json.loads(done.stdout)
    except ValueError:
        return Outcome(
            mutant, "NONE", "", confident=False, failed=(), exercised=(), reason=done.stderr.decode()[-300:]
        )
    failed = tuple(r["id"] for r in verdict["requirements"] if r["verdict"] == "FAIL")
    return Outcome(
        mutant,
        verdict["verdict"],
        verdict["broken"],
        verdict["confident"],
        failed,
        tuple(verdict["exercised"]),
        verdict["reason"],
    )


def run(source: Path, wanted: int, seed: int, jobs: int, playouts: int) -> tuple[list[Outcome], int, int]:
    """Return the outcomes of so many mutants, and how many were set aside: not compiled, and alike."""
    broken = alike = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        command = build(source, folder)
        if command is None or (right := answers(command, playouts)) is None:
            raise SystemExit(f"{source} cannot be built, or does not answer the dialogue")
        chosen: list[tuple[Mutant, list[str]]] = []
        for mutant in mutants_of(source, folder, seed):
            if len(chosen) == wanted:
                break
            if (own := build(mutant.path, folder / "mutants")) is None:
                broken += 1
            elif answers(own, playouts) == right:
                alike += 1
            else:
                chosen.append((mutant, own))
        with Progress(Console(stderr=True), quiet=False) as progress, ThreadPoolExecutor(jobs) as pool:
            waiting = [
                pool.submit(certify, mutant, own, folder / f"run-{place}")
                for place, (mutant, own) in enumerate(chosen)
            ]
            outcomes = []
            for done, job in enumerate(waiting, start=1):
                outcomes.append(job.result())
                progress.see(done, len(waiting))
    return outcomes, broken, alike


def show(source: Path, outcomes: Sequence[Outcome], broken: int, alike: int) -> str:
    """Return the table of one source as Markdown."""
    failed = [o for o in outcomes if o.word == "FAIL"]
    words = ", ".join(f"{count} {word}" for word, count in Counter(o.word for o in outcomes).most_common())
    rates = [
        ("killed (any word but PASS)", Rate(sum(o.word != "PASS" for o in outcomes), len(outcomes))),
        ("FAIL: a kept requirement marked FAIL", Rate(sum(bool(o.kept) for o in failed), len(failed))),
        (
            "FAIL: another requirement named with confidence",
            Rate(sum(o.is_misled for o in failed), len(failed)),
        ),
        (
            "FAIL: a right requirement named, or may be broken",
            Rate(sum(o.is_right for o in failed), len(failed)),
        ),
    ]
    lines = [f"## {source.name}", "", f"{len(outcomes)} mutants: {words}. Set aside: {broken} that do not"]
    lines += [f"compile, {alike} that answer the dialogue as the original does.", ""]
    for text, rate in rates:
        low, high = rate.interval
        lines.append(f"- {text}: {rate.count} of {rate.total} (95% interval {low:.1%} to {high:.1%})")
    wrong = [
        o
        for o in outcomes
        if o.word == "PASS" or o.kept or o.is_misled or (o.word == "FAIL" and not o.is_right)
    ]
    rows = [
        (
            str(o.mutant.number),
            f"`{o.mutant.line.replace('|', '/')[:70]}`",
            " ".join(o.mutant.clauses),
            o.word,
            f"{o.broken}{' (sure)' if o.confident else ''}",
            " ".join(o.failed),
        )
        for o in sorted(wrong, key=lambda o: o.mutant.number)
    ]
    lines += ["", "Survivors, and mutants of which something was said wrongly:", ""]
    lines += pipe_table(("line", "changed to", "clauses", "word", "named", "marked FAIL"), rows)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path, nargs="+")
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--playouts", type=int, default=20, help="of a genmove of the dialogue")
    parser.add_argument("--reasons", action="store_true", help="print every verdict's reason, too")
    options = parser.parse_args()
    for source in options.source:
        found = run(source, options.mutants, options.seed, options.jobs, options.playouts)
        print(show(source, *found))
        if options.reasons:
            for o in found[0]:
                print(f"{o.mutant.number} {o.mutant.line[:80]} [{' '.join(o.mutant.clauses)}]")
                print(f"    {o.word} {o.broken} {o.confident} {o.failed} {o.exercised}: {o.reason[:400]}")


if __name__ == "__main__":
    main()
