"""Certifies bots that have two mistakes of the catalogue at once.

    make pairs          or: python benchmarks/pairs.py --pairs 100 --seed 1

Each pair is drawn at random from all that one bot can have.  The certificate is simulated
(``harness.selftest.trial``), with a seed of its own.  A requirement is *told* if it is marked FAIL, or
INCONCLUSIVE: the certificate then says that it may be broken, or what it was not judged for.
"""

import argparse
import os
import random
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from certificates import shipped
from rich.console import Console

from harness.bots.inprocess import starter
from harness.judging.diagnosis import may_pair, spec_of
from harness.judging.judge import judge
from harness.judging.run_assessment import assess_run
from harness.render.gfm import pipe_table
from harness.render.selftest import Counter as Progress
from harness.runs.executors import PROCESSES, team
from harness.runs.run import Extras
from harness.selftest.kill_matrix import Rate
from harness.selftest.trial import simulate
from harness.word import Word
from reference_engine.deviations import BY_NAME, CATALOGUE


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the certificate of a pair said."""

    pair: tuple[str, str]
    word: str
    failed: tuple[str, ...]
    exercised: tuple[str, ...]
    """Requirements that may be broken, where it is not known which."""
    open: tuple[str, ...]
    """Requirements that are INCONCLUSIVE."""
    named: str
    confident: bool

    @property
    def own(self) -> set[str]:
        """Requirements of the two deviations."""
        return {BY_NAME[name].requirement for name in self.pair}

    @property
    def is_told(self) -> bool:
        """Whether one of the two at least is marked FAIL or named as possible, and the other one is told."""
        first = {*self.failed, self.named, *self.exercised}
        return self.own <= {*first, *self.open} and bool(self.own & first)

    @property
    def kept(self) -> list[str]:
        """Requirements marked FAIL that the bot keeps."""
        return sorted(set(self.failed) - self.own)

    @property
    def is_misled(self) -> bool:
        """Whether a requirement that the bot keeps is named with confidence."""
        return self.confident and self.named not in self.own


@cache
def possible_pairs() -> Sequence[tuple[str, str]]:
    """Return every pair of strict deviations that one bot can have."""
    names = [d.name for d in CATALOGUE if not d.tolerated]
    return [(one, other) for one, other in combinations(names, 2) if may_pair(one, other)]


def certify(pair: tuple[str, str], seed: int, level: str) -> Outcome:
    """Simulate one certificate."""
    suite, tables = shipped()
    evidence = simulate(suite, tables, level, seed, starter(spec_of(pair)), Extras())
    verdict = judge(suite, tables, evidence, assess_run(suite, tables, evidence))
    failed = tuple(r.id for r in verdict.requirements if r.verdict == Word.FAIL)
    open_ = tuple(r.id for r in verdict.requirements if r.verdict == Word.INCONCLUSIVE)
    exercised = tuple(verdict.exercised)
    return Outcome(pair, verdict.verdict, failed, exercised, open_, verdict.broken, verdict.confident)


def show(outcomes: Sequence[Outcome]) -> None:
    """Print rates, and every pair that was not told."""
    failed = [outcome for outcome in outcomes if outcome.word == Word.FAIL]
    rates = {
        "FAIL": Rate(len(failed), len(outcomes)),
        "FAIL: both marked FAIL": Rate(sum(o.own <= set(o.failed) for o in failed), len(failed)),
        "FAIL: both marked FAIL, or the other one told": Rate(sum(o.is_told for o in failed), len(failed)),
        "FAIL: a kept requirement marked FAIL": Rate(sum(bool(o.kept) for o in failed), len(failed)),
        "FAIL: another requirement named with confidence": Rate(
            sum(o.is_misled for o in failed), len(failed)
        ),
    }
    for name, rate in rates.items():
        low, high = rate.interval
        print(f"- {name}: {rate.count} of {rate.total} (95% interval {low:.1%} to {high:.1%})")
    wrong = [o for o in outcomes if o.word != Word.FAIL or not o.is_told or o.kept or o.is_misled]
    rows = [(" + ".join(o.pair), " ".join(sorted(o.own)), o.word, o.named, " ".join(o.failed)) for o in wrong]
    print("\n" + "\n".join(pipe_table(("pair", "requirements", "word", "named", "marked FAIL"), rows)))


def main() -> None:
    """Draw pairs and certify them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default="standard")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    everything = possible_pairs()
    drawn = random.Random(options.seed).sample(everything, options.pairs)  # noqa: S311 - to be repeated
    print(f"# Pairs of mistakes\n\n{options.pairs} of {len(everything):,} pairs, seed {options.seed}.\n")
    with (
        Progress(Console(stderr=True), quiet=options.quiet) as progress,
        team(PROCESSES, options.jobs) as workers,
    ):
        jobs = [
            workers.executor.submit(certify, pair, options.seed * 1_000_000 + number, options.level)
            for number, pair in enumerate(drawn)
        ]
        for done, _ in enumerate(as_completed(jobs), 1):
            progress.see(done, len(jobs))
    show([job.result() for job in jobs])


if __name__ == "__main__":
    main()
