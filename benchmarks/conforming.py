"""Certifies bots that conform, each in a way of its own (tests/harness/conforming.toml).

    make conforming          or: python benchmarks/conforming.py --times 20

Each is examples/refbot.c with some changes, built and certified over a pipe, as a user would do it.  Both
examples are certified as they are, too.  Every run draws other random numbers.
"""

import argparse
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants import Mutant, Outcome, build, certify
from rich.console import Console
from unlisted import ROOT, SOURCE, changed

from harness.render.gfm import pipe_table
from harness.render.selftest import Counter as Progress
from harness.selftest.kill_matrix import Rate

VARIANTS = ROOT / "tests/harness/conforming.toml"
PASSES = ("PASS", "NON-STRICT")


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of keeping to the specification."""

    name: str
    about: str
    command: list[str]


def variants(folder: Path) -> Iterator[Variant]:
    """Build and yield every variant, both examples first.

    Raises:
        ValueError: one does not compile, or a change does not fit.
    """
    texts = {"refbot-c": ("examples/refbot.c as it is", SOURCE.read_text())}
    for name, entry in tomllib.loads(VARIANTS.read_text()).items():
        texts[name] = (entry["about"], changed(name, entry["changes"]))
    yield Variant(
        "refbot-py", "examples/refbot.py as it is", [sys.executable, str(ROOT / "examples/refbot.py")]
    )
    for name, (about, text) in texts.items():
        path = folder / f"{name}.c"
        path.write_text(text)
        command = build(path, folder)
        if command is None:
            raise ValueError(f"{name} does not compile")
        yield Variant(name, about, command)


def show(done: list[tuple[Variant, Outcome]]) -> str:
    """Return what came of all as Markdown."""
    words = {v.name: Counter(o.word for w, o in done if w.name == v.name) for v, _ in done}
    failed = sum(o.word not in (*PASSES, "INCONCLUSIVE") for _, o in done)
    unsure = sum(o.word == "INCONCLUSIVE" for _, o in done)
    lines = [
        "# Bots that conform, each in its own way",
        "",
        f"{len(done)} certificates at level standard over a pipe: examples/refbot.py, examples/refbot.c,",
        "and variants of the latter (tests/harness/conforming.toml). `make conforming`. Each run draws other",
        "random numbers.",
        "",
    ]
    for text, count in (("convicted", failed), ("INCONCLUSIVE", unsure)):
        low, high = Rate(count, len(done)).interval
        lines.append(f"- {text}: {count} of {len(done)} (95% interval {low:.1%} to {high:.1%})")
    about = {v.name: v.about for v, _ in done}
    rows = [(n, about[n], ", ".join(f"{w} {k}" for w, k in sorted(c.items()))) for n, c in words.items()]
    reasons = [f"- {v.name}: {o.word}: {o.reason[:300]}" for v, o in done if o.word not in PASSES]
    table = pipe_table(("bot", "what is different", "words"), rows)
    return (
        "\n".join([*lines, "", *table, *(["", "What was not a PASS:", "", *reasons] if reasons else [])])
        + "\n"
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="variants; all if none is named")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="conforming-") as name,
        Progress(Console(stderr=True), quiet=False) as progress,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        folder = Path(name)
        chosen = [v for v in variants(folder) if not options.names or v.name in options.names]
        waiting = []
        for number in range(options.times):
            for variant in chosen:
                out = folder / f"{variant.name}-{number}"
                mutant = Mutant(0, variant.name, (), folder)
                job = pool.submit(certify, mutant, variant.command, out, ("--time-scale", "3"))
                waiting.append((variant, job))
        done = []
        for number, (variant, job) in enumerate(waiting, start=1):
            done.append((variant, job.result()))
            progress.see(number, len(waiting))
    print(show(done), end="")


if __name__ == "__main__":
    main()
