"""Simulated bots for comparisons: sums of playouts drawn from the reference tables, without playing."""

from collections.abc import Iterable, Iterator

import numpy as np

from harness.cases.case import Case, Sample
from harness.cases.suite import Suite
from harness.comparison.contrasts import GenmoveMeans
from harness.judging.case_assessment import CaseAssessment
from harness.judging.run_assessment import RunAssessment
from harness.judging.sums import BatchSums
from harness.statistics.evalues import Histogram
from harness.tables.tables import Tables

LOOKS = (10, 20, 40, 80)
"""Genmoves of every case after which a simulated comparison is looked at."""


def sampled_cases(suite: Suite) -> list[Case]:
    """Return the cases about sums."""
    return [case for case in suite.cases.values() if isinstance(case.question, Sample)]


def draw_sums(rng: np.random.Generator, histogram: Histogram, playouts: int, genmoves: int) -> np.ndarray:
    """Return nodes and half wins of genmoves of a conforming bot (int64[genmoves, 2])."""
    chosen = np.searchsorted(np.cumsum(histogram.weights), rng.random((genmoves, playouts)))
    chosen = np.minimum(chosen, len(histogram.weights) - 1)
    return np.rint((histogram.values * [1, 2])[chosen].sum(axis=1)).astype(np.int64)


def draw_deviating(
    rng: np.random.Generator, mean: Iterable[float], covariance: Iterable[float], playouts: int, genmoves: int
) -> np.ndarray:
    """Return nodes and half wins of genmoves of a bot of which mean and covariance are known; normal."""
    a, b, c = covariance
    sums = rng.multivariate_normal(
        np.array(list(mean)) * playouts,
        np.array([[a, b], [b, c]]) * playouts,
        size=genmoves,
        check_valid="ignore",
    )
    return np.rint(np.clip(sums * [1, 2], 0, [np.inf, 2 * playouts])).astype(np.int64)


def weights_of(suite: Suite, drawn: dict[str, np.ndarray], genmoves: int) -> RunAssessment:
    """Return the assessment of a run of the first genmoves of each case."""
    cases = {}
    for name, rows in drawn.items():
        case, part = suite.cases[name], rows[:genmoves]
        n = np.full(len(part), case.file.playouts, np.int64)
        cases[name] = CaseAssessment(
            case, len(part), int(n.sum()), sums=BatchSums(n, part[:, 0], np.repeat(part[:, 1:], 2, axis=1))
        )
    return RunAssessment(cases, {}, None, 0.0, (), (), ())


def comparisons(
    suite: Suite, tables: Tables, bots: int, times: int, seed: int, deviation: str = ""
) -> Iterator[list[list[RunAssessment]]]:
    """Yield comparisons of equal bots, each as what is known of every bot at every look."""
    rng = np.random.default_rng(seed)
    for _ in range(times):
        drawn = []
        for _ in range(bots):
            rows = {}
            for case in sampled_cases(suite):
                shift = tables.sample(case).shifts.get(deviation)
                n = case.file.playouts
                rows[case.id] = (
                    draw_sums(rng, tables.histogram(case), n, LOOKS[-1])
                    if shift is None
                    else draw_deviating(rng, shift.mean, shift.covariance, n, LOOKS[-1])
                )
            drawn.append(rows)
        yield [[weights_of(suite, rows, look) for rows in drawn] for look in LOOKS]


def batches_of(rows: np.ndarray, playouts: int) -> list[GenmoveMeans]:
    """Return simulated sums as the batches of a check that needs no table."""
    return [
        GenmoveMeans(playouts, nodes / playouts, halves / 2 / playouts, 0.0)
        for nodes, halves in rows.tolist()
    ]
