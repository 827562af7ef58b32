"""How often `refbot regress` cries wolf, and what it misses; docs/regress.md has the counts.

Prints one line of JSON for each repeat as it is done, and the counts at the end.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator

import msgspec
import numpy as np

from harness.cases.level import LEVELS
from harness.cases.suite import Suite, load_suite
from harness.comparison.drift import ALPHA, TOP_UP, shifts
from harness.comparison.regress import After, compare_runs
from harness.comparison.regression import DRIFTED
from harness.comparison.slower import MARGIN, compare_speeds
from harness.selftest.repeats import (
    Machine,
    as_baseline,
    chain,
    drawn_sums,
    run_once,
    shifted,
    simulated_rounds,
)
from harness.tables.tables import Tables

SLOWDOWN = 1.15
SHIFT = 0.1


def unchanged(suite: Suite, tables: Tables, repeats: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Hold whole runs of the engine against the run before, speed included."""

    def make(number: int) -> After:
        return run_once(suite, tables, number, rounds=simulated_rounds(Machine(), number))

    for before, after in chain(make, repeats, seed):
        found = compare_runs(before, after, suite, tables, {}, MARGIN)
        yield found.outcome, found.reasons


def sums(suite: Suite, tables: Tables, repeats: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Hold sums drawn from the tables against others, each stopped where they look worst."""
    random = np.random.default_rng(seed)
    for _ in range(repeats):
        then, now = (drawn_sums(suite, tables, random, TOP_UP) for _ in range(2))
        found = shifts(suite, tables, LEVELS["standard"], then, now, conforms=True)
        named = [f"{s.case} {s.measure} {s.sigma:+.1f}" for s in found if s.word == DRIFTED]
        yield "drifted" if named else "quiet", named


def longer(suite: Suite, tables: Tables, repeats: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Hold a bot whose playouts of one board are longer by a tenth of a deviation against the engine."""
    for number in range(seed, seed + 2 * repeats, 2):
        before = as_baseline(run_once(suite, tables, number))
        after = run_once(suite, tables, number + 1, shifted(SHIFT))
        reasons = compare_runs(before, after, suite, tables, {}, MARGIN).reasons
        named = [r for r in reasons if "opening-5x5" in r and "drifted" in r]
        yield "FAIL" if named else "missed", named


def slower(suite: Suite, tables: Tables, repeats: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Hold a bot that takes 15 % longer against itself, on a calm machine and on busier ones."""
    evidence = run_once(suite, tables, seed, level="smoke", top_up=0).evidence
    for share in (0.97, 0.9, 0.8):
        for number in range(seed, seed + repeats):
            machine = Machine(share=share)
            rounds = [
                simulated_rounds(machine, 3 * number),
                simulated_rounds(machine, 3 * number + 1),
                simulated_rounds(machine, 3 * number + 2, SLOWDOWN),
            ]
            then, same, slow = (msgspec.structs.replace(evidence, rounds=r) for r in rounds)
            for name, now in (("unchanged", same), ("slower", slow)):
                words = [change.word for change in compare_speeds(then, now, MARGIN)[0]]
                word = "slower" if "slower" in words else "quiet"
                yield f"{name} bot, {share:.0%} of a core: {word}", words


def main() -> None:
    """Run the repeats asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["unchanged", "sums", "longer", "slower"])
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    suite = load_suite()
    tables = Tables(suite.folder / "tables")
    make = {"unchanged": unchanged, "sums": sums, "longer": longer, "slower": slower}[options.what]
    counts: Counter[str] = Counter()
    for word, reasons in make(suite, tables, options.repeats, options.seed):
        counts[word] += 1
        sys.stdout.write(json.dumps([word, reasons]) + "\n")
        sys.stdout.flush()
    for word, count in sorted(counts.items()):
        sys.stdout.write(f"{count:5} {word}\n")
    sys.stdout.write(f"drift: alpha {ALPHA:g} over all measures; speed: margin {MARGIN:.0%}\n")


if __name__ == "__main__":
    main()
