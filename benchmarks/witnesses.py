"""A search for positions in which the catalogue's deviations show, the farther the better.

    make witnesses        or: python benchmarks/witnesses.py [--climbs 12000] [--only three-bit-random]

Candidates: games played at random by the rules and cut anywhere, ko bans included; finished playouts with
some points emptied again; boards filled at random; empty boards; and small changes of the best found.  Each
is played by the specification and by the deviations with few playouts.  What looks better than the best so
far is measured again with more, from other random numbers, before it takes its place.  The winners are
measured once more at the end, so that luck in being chosen (the winner's curse) does not count.

Two figures, both to one scale (standard deviations of a draw; d**2 / 2 nats):

- of a playout: Mahalanobis distance of the mean (length, win) by the specification's covariance, at the half
  komi that shows most among those at which either side wins a twentieth of the playouts;
- of a genmove, for deviations in the choice of the move: sqrt(2 nats) of (move, wins).

Deviations of komi, draws, views and counts are left out: no position is needed to see them.  Playouts, not
seconds, end the search: the same options give the same answer.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from positions import Candidate, Source

from harness.cases.suite import load_suite
from harness.selftest.matrix import ComparedQuantity, MatrixRow, matrix_of
from harness.statistics.evalues import Categories
from harness.tables.tables import Tables
from reference_engine.board import Position
from reference_engine.deviations import CATALOGUE, Deviation
from reference_engine.playout import playable_points
from reference_engine.playouts import Kernel, choice_counts, histogram_for, run
from reference_engine.server import draw
from reference_engine.spec import CODE, SPEC, Generator, Spec
from reference_engine.vocabulary import Colour, Point, format_vertex

IN_PLAYOUTS = (
    *("choice", "ko", "ending_passes", "cap", "cap_origin", "eye_centre", "eye_edge", "eye_corner"),
    *("eye_diagonals", "eye_owner", "scoring", "generator", "suicide"),
)
IN_CHOICES = ("amaf", "selection", "unseen")
FIRST, AGAIN, LAST = 500, 8_000, 200_000
"""Playouts of a first look, of a second one, and of the figures printed."""
GENMOVES = (500, 4_000, 60_000)
"""The same in genmoves."""
PLENTY = 5.0
"""Standard deviations from which on a handful of playouts is enough and nothing better is looked for."""
COVERED = 1.0
"""Standard deviations from which on a position counts as a witness in the set cover: 18 playouts."""
FLOOR = np.array([1e-4, 0.0, 1e-6])
"""What the tables' distance adds to the covariance: a quantity that never varies is given a little room."""


@dataclass(frozen=True)
class Found:
    """How far a deviation is off in a position."""

    distance: float = 0.0
    error: float = float("inf")
    komi: float = 0.5


@dataclass
class Leader:
    """The best position so far of one deviation."""

    deviation: Deviation
    candidate: Candidate | None = None
    found: Found = field(default_factory=Found)


Outcomes = NDArray[np.float64]
"""float64[3, 2 * area + 1] by Black's final margin: playouts, their moves, their squared moves."""


class Search:
    """One search; counts what it spends."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.positions = 0
        self.playouts = 0

    def seed(self) -> int:
        """Return a seed that was not used before."""
        return int(self.rng.integers(2**62))

    def outcomes(
        self, candidate: Candidate, spec: Spec, playouts: int, kernel: Kernel | None = None
    ) -> Outcomes:
        """Play, and return what came of it by margin."""
        histogram = histogram_for(candidate.position.size, spec)
        root = replace(candidate, komi=0.0).root
        run(root, playouts, self.seed(), spec=spec, kernel=kernel, histogram=histogram)
        self.playouts += playouts
        lengths = np.arange(len(histogram), dtype=np.float64)
        return np.stack([lengths**power @ histogram for power in range(3)])

    def sums(self, candidate: Candidate, deviation: Deviation, playouts: int) -> Found:
        """Return how far a deviation's playouts are off."""
        return self.beside(self.outcomes(candidate, SPEC, playouts), candidate, deviation, playouts)

    def beside(self, null: Outcomes, candidate: Candidate, deviation: Deviation, playouts: int) -> Found:
        """Return how far a deviation's playouts are off from those of the specification.

        What a coarse generator never draws depends on the order of a bot's list of points.  The kernels have
        different ones, and the lesser distance counts: a witness against one order only shows a program, not
        a mistake.
        """
        kernels = [None] if deviation.spec.generator is Generator.FULL else list(Kernel)
        return distance_between(
            null, *(self.outcomes(candidate, deviation.spec, playouts, kernel) for kernel in kernels)
        )

    def choices(self, candidate: Candidate, deviation: Deviation, playouts: int, genmoves: int) -> Found:
        """Return how far a deviation's chosen moves are off, a genmove."""
        points = candidates_of(candidate)
        if len(points) < 2:
            return Found()
        null, other = (
            {
                f"{move} {wins}": n
                for (move, wins), n in choice_counts(
                    candidate.root, playouts, genmoves, self.seed(), 0, points, spec
                ).items()
            }
            for spec in (SPEC, deviation.spec)
        )
        self.playouts += 2 * playouts * genmoves
        return information(null, other, candidate.komi)


def moments(outcomes: Outcomes) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Return the number of playouts, float64[2, komis] means and float64[3, komis] covariances.

    A playout is won where Black's margin is above the komi, half a point above each margin in turn;
    covariances are length, mixed, win.
    """
    count, moves, squares = outcomes
    n = count.sum()
    won = np.cumsum(count[::-1])[::-1] - count
    won_moves = np.cumsum(moves[::-1])[::-1] - moves
    length, win = moves.sum() / n, won / n
    spread = squares.sum() / n - length**2
    means = np.stack([np.full(len(win), length), win])
    return float(n), means, np.stack([np.full(len(win), spread), won_moves / n - length * win, win - win**2])


def distance_between(null: Outcomes, *others: Outcomes) -> Found:
    """Return the distance of samples from ``null`` at the best half komi, with its standard error.

    Of several samples the nearest counts.
    """
    n, mean, covariance = moments(null)
    a, b, d = np.maximum(covariance[0], 0) + FLOOR[0], covariance[1], covariance[2] + FLOOR[2]
    determinant = a * d - b * b
    squares, variances = [], []
    for other in others:
        m, shifted, spread = moments(other)
        x, y = shifted - mean
        u, v = (d * x - b * y) / determinant, (a * y - b * x) / determinant
        squares.append(u * x + v * y)
        variances.append(
            sum(
                (c[0] * u * u + 2 * c[1] * u * v + c[2] * v * v) / k
                for c, k in ((spread, m), (covariance, n))
            )
        )
    nearest = np.argmin(squares, axis=0), np.arange(len(a))
    square, variance = np.array(squares)[nearest], np.array(variances)[nearest]
    is_open = (mean[1] >= 0.05) & (mean[1] <= 0.95)
    k = int(np.where(is_open | ~is_open.any(), square, -1.0).argmax())
    if square[k] <= 0:
        return Found()
    error = np.sqrt(max(variance[k], 0.0) / square[k])
    return Found(float(np.sqrt(square[k])), float(error), k - len(a) // 2 + 0.5)


def information(null: dict[str, int], other: dict[str, int], komi: float) -> Found:
    """Return sqrt(2 nats) of one draw of ``other`` against ``null``, less what their size alone makes."""
    p, q = Categories(null), Categories(other)
    cells = len({*null, *other})
    logs = [
        (n / q.total, float(np.log(q.estimate(c, cells) / p.estimate(c, cells)))) for c, n in other.items()
    ]
    nats = sum(share * value for share, value in logs)
    variance = sum(share * value**2 for share, value in logs) - nats**2
    # A sample of the same distribution seems to differ by (cells - 1) / n: half for either sample.
    nats -= (cells - 1) / p.total
    if nats <= 0:
        return Found(komi=komi)
    distance = float(np.sqrt(2 * nats))
    return Found(distance, float(np.sqrt(max(variance, 0.0) / q.total)) / distance, komi)


def candidates_of(candidate: Candidate) -> list[Point]:
    """Return the points genmove may answer: no game came before, so superko is the ban of a ko."""
    ban = candidate.position.ko
    banned = {ban.point} if ban and ban.colour is candidate.colour else set()
    return [p for p in playable_points(candidate.position, candidate.colour) if p not in banned]


Measure = Callable[[Candidate, Deviation, int], Found]
"""Candidate, deviation, and which of the three looks it is."""


def compete(leader: Leader, candidate: Candidate, first: Found, measure: Measure) -> None:
    """Let a candidate that looks better than the leader take its place, if a second look bears it out."""
    if first.distance - first.error <= leader.found.distance:
        return
    second = measure(candidate, leader.deviation, 1)
    if second.distance - 2 * second.error > leader.found.distance:
        leader.candidate, leader.found = candidate, second


def explore(search: Search, source: Source, leaders: list[Leader], positions: int) -> None:
    """Try random candidates on all deviations of playouts."""
    starts = [Candidate(Position(size), Colour.BLACK, 0, origin="empty") for size in source.sizes]
    for number in range(positions):
        candidate = starts[number] if number < len(starts) else source.any()
        search.positions += 1
        null = search.outcomes(candidate, SPEC, 2 * FIRST)
        for leader in leaders:
            if leader.found.distance < PLENTY:
                first = search.beside(null, candidate, leader.deviation, FIRST)
                compete(leader, candidate, first, look_at_sums(search))


def climb(search: Search, source: Source, leaders: list[Leader], steps: int, measure: Measure) -> None:
    """Change the best positions a little, those of the weakest deviations most often."""
    for _ in range(steps):
        weak = [leader for leader in leaders if leader.candidate and leader.found.distance < PLENTY]
        if not weak:
            return
        weights = np.array([1 / (0.2 + leader.found.distance) for leader in weak])
        leader = weak[search.rng.choice(len(weak), p=weights / weights.sum())]
        # Another deviation's best position is tried now and then.
        other = leaders[search.rng.integers(len(leaders))] if search.rng.random() < 0.15 else leader
        candidate = source.near(other.candidate or leader.candidate) if leader.candidate else None
        if candidate is not None:
            search.positions += 1
            compete(leader, candidate, measure(candidate, leader.deviation, 0), measure)


def look_at_sums(search: Search) -> Measure:
    """Return the measure of playouts."""
    return lambda candidate, deviation, look: search.sums(candidate, deviation, (FIRST, AGAIN, LAST)[look])


def look_at_choices(search: Search, playouts: int) -> Measure:
    """Return the measure of genmoves."""
    return lambda candidate, deviation, look: search.choices(candidate, deviation, playouts, GENMOVES[look])


def changes(deviation: Deviation, names: tuple[str, ...]) -> bool:
    """Whether a deviation's changes are all among some fields of the specification."""
    return {*deviation.changes} <= {*names} <= {*CODE}


def packaged() -> dict[str, MatrixRow]:
    """Return what the packaged cases show of each deviation."""
    suite = load_suite()
    return {row.deviation: row for row in matrix_of(suite, Tables(suite.folder / "tables")).rows}


def best_packaged(row: MatrixRow, kind: ComparedQuantity) -> str:
    """Return the best packaged witness of a kind, and whether an exact case makes it superfluous."""
    found = [cell for cell in row.cells if cell.kind is kind]
    best = max(found, key=lambda cell: cell.distance, default=None)
    shown = f"{best.distance:.2f} ({best.case}, {best.playouts})" if best else "none"
    return f"{shown}; exact cases {len(row.certain)}"


def picture(candidate: Candidate, komi: float) -> Iterator[str]:
    """Yield the drawing of a candidate."""
    ban = candidate.position.ko
    banned = f", {ban.colour} may not retake {format_vertex(ban.point)}" if ban else ""
    about = f"{candidate.colour} to move after {candidate.moves_played} moves, komi {komi:g}{banned}"
    for line in draw(candidate.position, f"{about} ({candidate.origin})").splitlines():
        yield f"    {line}"


def report(
    leaders: list[Leader], measure: Measure, kind: ComparedQuantity, rows: dict[str, MatrixRow]
) -> None:
    """Measure the winners once more and print them."""
    for leader in leaders:
        name = leader.deviation.name
        if leader.candidate is None:
            print(f"\n{name}: nothing found; packaged {best_packaged(rows[name], kind)}")
            continue
        leader.found = measure(leader.candidate, leader.deviation, 2)
        found = leader.found
        print(
            f"\n{name}: {found.distance:.4f} +- {found.error:.4f}; packaged {best_packaged(rows[name], kind)}"
        )
        print("\n".join(picture(leader.candidate, found.komi)), flush=True)


def cover(search: Search, leaders: list[Leader]) -> None:
    """Print a small set of the positions found that shows every deviation which any of them shows."""
    places = [leader for leader in leaders if leader.candidate]
    seen: dict[str, set[str]] = {}
    for place in places:
        assert place.candidate
        null = search.outcomes(place.candidate, SPEC, AGAIN)
        for leader in leaders:
            found = search.beside(null, place.candidate, leader.deviation, AGAIN)
            if found.distance - 3 * found.error >= COVERED:
                seen.setdefault(place.deviation.name, set()).add(leader.deviation.name)
    left = set().union(*seen.values())
    missing = [leader.deviation.name for leader in leaders if leader.deviation.name not in left]
    print(f"\nset cover, {COVERED:g} standard deviations a playout; nowhere so far off: {', '.join(missing)}")
    while left:
        name = max(seen, key=lambda key: len(seen[key] & left))
        print(
            f"  the position of {name}: {len(seen[name] & left)} more: {', '.join(sorted(seen[name] & left))}"
        )
        left -= seen[name]


def main() -> None:
    """Run the search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=int, default=400, help="random candidates, tried on all")
    parser.add_argument("--climbs", type=int, default=8_000, help="small changes of the best, tried on one")
    parser.add_argument("--choices", type=int, default=800, help="the same for chosen moves")
    parser.add_argument("--genmove", type=int, default=4, help="playouts of a genmove")
    parser.add_argument("--sizes", default="2,3,4,5,6,7,8,9")
    parser.add_argument("--only", default="", help="deviations, separated by commas")
    parser.add_argument("--seed", type=int, default=20081013)
    options = parser.parse_args()
    only = {*options.only.split(",")} - {""}
    asked = [d for d in CATALOGUE if not only or d.name in only]
    search = Search(options.seed)
    source, rows = Source(search, tuple(int(n) for n in options.sizes.split(","))), packaged()
    started, used = time.monotonic(), time.process_time

    def told(what: str) -> None:
        shown = f"{search.positions:,} positions, {search.playouts:,} playouts, {used():.0f} s of CPU"
        print(f"{what}: {shown}, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)

    leaders = [Leader(d) for d in asked if changes(d, IN_PLAYOUTS)]
    explore(search, source, leaders, options.positions)
    told("random positions")
    climb(search, source, leaders, options.climbs, look_at_sums(search))
    told("climbed")
    movers = [Leader(d) for d in asked if changes(d, IN_CHOICES)]
    if movers:
        measure = look_at_choices(search, options.genmove)
        for _ in range(options.choices // 5):
            candidate = source.any()
            search.positions += 1
            for leader in movers:
                compete(leader, candidate, measure(candidate, leader.deviation, 0), measure)
        climb(search, source, movers, options.choices, measure)
        told("chosen moves")
    print("distances of a playout")
    report(leaders, look_at_sums(search), ComparedQuantity.SUMS, rows)
    if leaders:
        cover(search, leaders)
    if movers:
        print(f"\ndistances of a genmove of {options.genmove} playouts")
        report(movers, look_at_choices(search, options.genmove), ComparedQuantity.MOVES, rows)
    told("all")


if __name__ == "__main__":
    main()
