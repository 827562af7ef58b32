"""Whether verdicts keep what they claim, measured by bots made for it; prints Markdown tables.

    make verdicts         or: python benchmarks/verdicts.py near --certificates 60 --times 1.02

- innocent: the engine, its scores printed in other forms.  FAIL must not come.
- near: bots off by a little more than a tolerance in one case of sums.  PASS and NON-STRICT deny it.
- power: bots off by two tolerances.  FAIL should come, and by the case itself.
- claims: bots off by exactly what a certificate says it would have convicted, asked as many genmoves.
- choices: ways of choosing the move that nobody listed.  FAIL should come.
- distances: how far those are from the reference, and from the nearest listed mistake.
- displaced: bots that play one move too often in one case, by distance in total variation.

Each certificate is simulated (``harness.selftest.trial``) and has a seed of its own; the same options give
the same tables, but for the seconds.  Intervals are Clopper and Pearson's at 95%.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from adversaries import Bot, Chooser, Order, Outcome, Printer, ask_all, claims, numbered
from certificates import shipped
from choosers import CHOOSERS, Displaced
from distances import Distance, Measured, choice_cases, measure
from offsets import QUANTITIES, SHAPES, STUDIED, offsets
from printers import PRINTED
from rich.console import Console
from verdict_tables import show

from harness.render.gfm import pipe_table
from harness.render.selftest import Counter
from harness.runs.executors import PROCESSES, Team, team
from harness.selftest.kill_matrix import Rate
from harness.word import Word

CERTIFICATES = {"innocent": 100, "near": 300, "power": 60, "choices": 15, "displaced": 60}
"""Of each row, if nobody says otherwise."""


class Runner:
    """Makes certificates on all cores and shows how far they are."""

    def __init__(self, options: argparse.Namespace, workers: Team) -> None:
        self.options = options
        self.level: str = options.level
        self.workers = workers

    def times(self, study: str) -> int:
        """Return how many certificates a study makes of each row."""
        return self.options.certificates or CERTIFICATES[study]

    def ask(self, orders: Sequence[Order]) -> list[Outcome]:
        """Make them."""
        with Counter(Console(stderr=True), quiet=self.options.quiet) as counter:
            return ask_all(orders, self.workers.executor, counter.see)

    def rows(self, study: str, rows: Sequence[tuple[str, Sequence[Bot]]]) -> list[Outcome]:
        """Make so many certificates of each row."""
        return self.ask(numbered(rows, self.times(study), self.level, self.options.seed))

    def offsets(self, times: float) -> Iterator[tuple[str, Sequence[Bot]]]:
        """Yield a row of bots for each shape that was asked for."""
        suite, tables = shipped()
        for shape in self.options.shapes:
            yield (
                f"{shape}, {times:g} tolerances",
                [
                    offset
                    for offset in offsets(suite, tables, self.level, shape, times)
                    if offset.quantity in self.options.quantities
                    and (not self.options.cases or offset.case in self.options.cases)
                    and self.options.direction in ("both", "up" if offset.shift > 0 else "down")
                ],
            )


def innocent(run: Runner) -> None:
    """Print how often an innocent bot is convicted, by the form of its scores."""
    outcomes = run.rows("innocent", [(form, [Printer(form)]) for form in run.options.forms])
    head(run, "Innocent bots, ref-score printed in other forms", "FAIL must be 0")
    show(outcomes, {"FAIL": is_convicted}, is_convicted)


def near(run: Runner) -> None:
    """Print how often a bot passes that is off by more than a tolerance."""
    rows = [row for times in run.options.times for row in run.offsets(times)]
    outcomes = run.rows("near", rows)
    head(run, "Off by a little more than a tolerance, in one case", "PASS and NON-STRICT are wrong")
    print("*inside*: the interval of the mean that is off lay inside its tolerance at the end.\n")
    shares = {"passed": lambda o: o.is_passed, "inside": lambda o: o.is_inside}
    show(outcomes, shares, lambda o: o.is_passed)


def power(run: Runner) -> None:
    """Print how often a bot is convicted that is off by two tolerances."""
    outcomes = run.rows("power", list(run.offsets(2.0)))
    head(run, "Off by two tolerances, in one case", "FAIL is right")
    shares = {"FAIL": is_convicted, "of the case itself": lambda o: o.case_word == Word.FAIL}
    show(outcomes, shares, lambda o: not is_convicted(o))


def claimed(run: Runner) -> None:
    """Print how often bots are convicted that are off by exactly what certificates would have convicted."""
    seeds = range(run.options.seed, run.options.seed + run.options.runs)
    waiting = [run.workers.executor.submit(claims, run.level, seed, 3) for seed in seeds]
    made = [claim for job in waiting for claim in job.result()]
    head(run, "Off by what a certificate would have convicted", "as often as the certificate says")
    rows = []
    for quantity in ("length", "score", "chosen moves"):
        tried = [claim for claim in made if claim.found.quantity == quantity]
        rate = Rate(sum(claim.is_convicted for claim in tried), len(tried))
        low, high = rate.interval
        said = sum(claim.found.probability for claim in tried) / max(1, len(tried))
        rows.append(
            (
                quantity,
                f"{said:g}",
                f"{rate.count} of {rate.total}",
                f"{rate.value:.3f}",
                f"{low:.3f} to {high:.3f}",
            )
        )
    print("\n".join(pipe_table(("measure", "said", "convicted", "share", "95% interval"), rows)))


def choices(run: Runner) -> None:
    """Print how often bots are convicted that choose their moves wrongly."""
    outcomes = run.rows("choices", [(name, [Chooser(name)]) for name in run.options.choosers])
    head(run, "Ways of choosing the move that nobody listed", "FAIL is right")
    show(outcomes, {"FAIL": is_convicted}, lambda o: not is_convicted(o))


def displaced(run: Runner) -> None:
    """Print what comes of bots that play one move too often in one case."""
    suite, tables = shipped()
    rows = [
        (
            f"{distance:g}, {'favourite' if favourite else 'outsider'}",
            [
                Displaced(case.id, distance, favourite)
                for case in choice_cases(suite)
                if Displaced(case.id, distance, favourite).fits(case, tables)
                and case.id in (run.options.cases or suite.cases)
            ],
        )
        for distance in run.options.distances
        for favourite in (True, False)
    ]
    outcomes = run.rows("displaced", rows)
    head(run, "One move played too often in one case, by distance in total variation", "")
    show(outcomes, {"passed": lambda o: o.is_passed, "FAIL": is_convicted}, lambda _: False)


def distances(run: Runner) -> None:
    """Print how far the ways of choosing wrongly are from the reference."""
    jobs = [
        run.workers.executor.submit(measure, name, run.options.genmoves, run.options.seed)
        for name in run.options.choosers
    ]
    with Counter(Console(stderr=True), quiet=run.options.quiet) as counter:
        found: list[Measured] = []
        for job in jobs:
            found.append(job.result())
            counter.see(len(found), len(jobs))
    print("\n## Distances in total variation, of moves and wins together\n")
    print(
        f"{run.options.genmoves:,} genmoves in the best case, from seed {run.options.seed}.  *noise*: what as"
    )
    print("many genmoves of the reference itself show on average; *sigma*: standard deviations above it.\n")
    columns = ("distance", "noise", "sigma")
    names = ("mistake", "best case", *columns, "nearest listed", "told apart in", *columns)
    rows = [
        (m.name, m.best.case, *_figures(m.best), m.nearest, m.apart.case, *_figures(m.apart)) for m in found
    ]
    print("\n".join(pipe_table(names, rows)))


def is_convicted(outcome: Outcome) -> bool:
    """Whether an outcome is FAIL."""
    return outcome.word == Word.FAIL


def head(run: Runner, title: str, note: str) -> None:
    """Print what a table is of."""
    print(f"\n## {title}\n\nLevel {run.level}{'; ' + note if note else ''}.\n")


def _figures(distance: Distance) -> tuple[str, ...]:
    return f"{distance.value:.4f}", f"{distance.noise:.4f}", f"{distance.sigma:.0f}"


STUDIES: dict[str, Callable[[Runner], None]] = {
    "innocent": innocent,
    "near": near,
    "power": power,
    "claims": claimed,
    "choices": choices,
    "distances": distances,
    "displaced": displaced,
}


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("studies", nargs="+", choices=STUDIES)
    parser.add_argument("--level", default="standard", choices=("standard", "full", "reference"))
    parser.add_argument("--certificates", type=int, help="of each row")
    parser.add_argument("--runs", type=int, default=10, help="conforming certificates whose claims are tried")
    parser.add_argument("--seed", type=int, default=1, help="of the first certificate")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument(
        "--times", type=float, nargs="+", default=[1.02, 1.5], help="tolerances off, for near"
    )
    parser.add_argument("--shapes", nargs="+", default=STUDIED, choices=SHAPES)
    parser.add_argument("--quantities", nargs="+", default=QUANTITIES, choices=QUANTITIES)
    parser.add_argument("--direction", default="both", choices=("up", "down", "both"))
    parser.add_argument("--cases", nargs="+", default=[])
    parser.add_argument("--forms", nargs="+", default=PRINTED, choices=PRINTED)
    parser.add_argument("--choosers", nargs="+", default=CHOOSERS, choices=CHOOSERS)
    parser.add_argument("--genmoves", type=int, default=20_000, help="of a distance")
    parser.add_argument("--distances", type=float, nargs="+", default=[0.1, 0.2, 0.3], help="for displaced")
    return parser.parse_args()


def main() -> None:
    """Make the studies asked for."""
    options = parse()
    with team(PROCESSES, options.jobs) as workers:
        for name in options.studies:
            STUDIES[name](Runner(options, workers))


if __name__ == "__main__":
    main()
