"""Certifies bots with mistakes that no catalogue holds (tests/harness/unlisted.toml).

    make unlisted          or: python benchmarks/unlisted.py --level standard

Each mistake is a change of examples/refbot.c.  It is built and certified over a pipe, as a user would do it.
"""

import argparse
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants import Mutant, Outcome, build, certify
from rich.console import Console

from harness.render.gfm import pipe_table
from harness.render.selftest import Counter as Progress
from harness.selftest.kill_matrix import Rate

ROOT = Path(__file__).parents[1]
MISTAKES = ROOT / "tests/harness/unlisted.toml"
SOURCE = ROOT / "examples/refbot.c"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake.

    Attributes:
        name: its name.
        kind: its class.
        requirements: those of which one is broken.
        source: the program's text with the mistake.
    """

    name: str
    kind: str
    requirements: tuple[str, ...]
    source: str


def changed(name: str, changes: Sequence[tuple[str, str]]) -> str:
    """Return the text of the example with some changes.

    Raises:
        ValueError: a change does not fit the program exactly once.
    """
    text = SOURCE.read_text()
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(f"{name}: {old!r} stands {text.count(old)} times in {SOURCE.name}")
        text = text.replace(old, new)
    return text


def mistakes() -> list[Mistake]:
    """Return every mistake."""
    return [
        Mistake(name, entry["class"], tuple(entry["requirements"]), changed(name, entry["changes"]))
        for name, entry in tomllib.loads(MISTAKES.read_text()).items()
    ]


def run(mistake: Mistake, folder: Path, level: str) -> Outcome:
    """Build and certify one bot.

    Raises:
        ValueError: it does not compile.
    """
    path = folder / f"{mistake.name}.c"
    path.write_text(mistake.source)
    command = build(path, folder)
    if command is None:
        raise ValueError(f"{mistake.name} does not compile")
    return certify(
        Mutant(0, mistake.name, mistake.requirements, path),
        command,
        folder / mistake.name,
        ("--level", level),
    )


def show(done: Sequence[tuple[Mistake, Outcome]]) -> str:
    """Return what came of all as Markdown."""
    lines = [
        "# Mistakes that no catalogue holds",
        "",
        f"{len(done)} mistakes made in examples/refbot.c (tests/harness/unlisted.toml), one certificate each",
        "at level standard: `make unlisted`. All but those of class text were written before the dialogues",
        "([dialogues.md](dialogues.md)) were tuned; class text breaks sentences of the requirements that no",
        "deviation of the catalogue breaks (tests/harness/sentences.toml). A requirement is kept if the",
        "mistake does not break it; it may still fail as a consequence. Ten that passed were then used to",
        "make the dialogues harder (classes large, many, choice, time): their share tells nothing of others.",
        "",
    ]
    for kind in dict.fromkeys(m.kind for m, _ in done):
        those = [o for m, o in done if m.kind == kind]
        lines.append(f"- {kind}: {sum(o.word == 'FAIL' for o in those)} of {len(those)} convicted")
    failed = [o for _, o in done if o.word == "FAIL"]
    alone = sum(o.broken in o.mutant.clauses for o in failed)
    rates = [
        ("convicted", Rate(len(failed), len(done))),
        (
            "convicted: a right requirement named, or may be broken",
            Rate(sum(o.is_right for o in failed), len(failed)),
        ),
        ("convicted: a right requirement named alone", Rate(alone, len(failed))),
        (
            "convicted: another requirement named with confidence",
            Rate(sum(o.is_misled for o in failed), len(failed)),
        ),
        (
            "convicted: a requirement that is kept marked FAIL",
            Rate(sum(bool(o.kept) for o in failed), len(failed)),
        ),
    ]
    for text, rate in rates:
        low, high = rate.interval
        lines.append(f"- {text}: {rate.count} of {rate.total} (95% interval {low:.1%} to {high:.1%})")
    rows = [
        (
            m.name,
            m.kind,
            " ".join(m.requirements),
            o.word,
            f"{o.broken}{' (sure)' if o.confident else ''}",
            " ".join(o.failed),
            " ".join(o.exercised),
        )
        for m, o in done
    ]
    head = ("mistake", "class", "breaks one of", "word", "named", "marked FAIL", "may be broken")
    return "\n".join([*lines, "", *pipe_table(head, rows)]) + "\n"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="mistakes; all if none is named")
    parser.add_argument("--level", default="standard")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reasons", action="store_true", help="print every verdict's reason, too")
    options = parser.parse_args()
    chosen = [m for m in mistakes() if not options.names or m.name in options.names]
    with (
        tempfile.TemporaryDirectory(prefix="unlisted-") as name,
        Progress(Console(stderr=True), quiet=False) as progress,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        waiting = [(m, pool.submit(run, m, Path(name), options.level)) for m in chosen]
        done = []
        for number, (mistake, job) in enumerate(waiting, start=1):
            done.append((mistake, job.result()))
            progress.see(number, len(waiting))
    print(show(done))
    if options.reasons:
        for mistake, outcome in done:
            print(f"{mistake.name}: {outcome.word} {outcome.reason[:500]}")


if __name__ == "__main__":
    main()
