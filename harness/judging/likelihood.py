"""Log likelihood ratios to the specification: how well a hypothesis explains one assessed case.

Estimates for the diagnosis, which claim no error rate.  Batch sums are taken for normal, with each
hypothesis's own mean and covariance; chosen moves for draws from its table; exact checks for coins with
the rates measured.  A hypothesis is a set of deviations of the catalogue: of several, what each does to
means is added, what each does to probabilities multiplied (and made to add up to one again).
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import scipy  # its parts are loaded when they are first used
from numpy.typing import NDArray

from harness.cases.case import Case, Moves
from harness.judging.case_assessment import CaseAssessment
from harness.judging.sums import BatchSums
from harness.statistics.evalues import Categories, Vector
from harness.tables.predict import leaves_sums_alone, predicts_choices, predicts_sums
from harness.tables.tables import Tables

_LEAST: Final = -1e4
_LEAST_EXPECTED: Final = 5.0
"""A cell with at least so many expected draws is a group of its own in a chi-square test."""
_GRAIN: Final = np.array([1 / 12, 0.0, 1 / 48])
"""Variance of sums that rounding to moves and half wins hides; keeps likelihoods finite."""

Hypothesis = tuple[str, ...]
"""Names of the deviations that a hypothesis gives a bot; empty for the specification."""


def ratios(assessed: CaseAssessment, hypotheses: Sequence[Hypothesis], tables: Tables) -> Vector:
    """Return log likelihood ratios of hypotheses to the specification, by sums or chosen moves.

    Returns:
        float64[h]; NaN where the tables do not hold what a hypothesis does, 0 for an exact case.
    """
    if assessed.sums is not None:
        return _sums(assessed, assessed.sums, hypotheses, tables)
    if assessed.draws:
        return _moves(assessed, hypotheses, tables)
    return np.zeros(len(hypotheses))


def unlisted_ratio(assessed: CaseAssessment, tables: Tables) -> float:
    """Return the same for an unlisted deviation, averaged over all that it may do."""
    if assessed.sums is not None:
        n, gap = _batches(assessed.sums)
        means, spreads = _predicted(assessed.case, [()], tables)
        logs, _ = _log_normal(gap - n[:, None] * means[0], n[:, None] * spreads[0])
        null = np.maximum(logs, _LEAST).sum()
        return float(np.logaddexp(0.0, _unlisted_sums(gap, n, spreads[0]) - null) - np.log(2))
    if assessed.draws:
        return float(np.logaddexp(0.0, _unlisted_moves(assessed, tables)) - np.log(2))
    return 0.0


def fit(assessed: CaseAssessment, hypothesis: Hypothesis, tables: Tables) -> float:
    """Return the p-value of a statistical case under a hypothesis; 1 where that says nothing of it."""
    case = assessed.case
    if assessed.sums is not None and all(predicts_sums(n) or leaves_sums_alone(n) for n in hypothesis):
        whole, halves = assessed.sums.total, float(assessed.sums.halves.mean(axis=1).sum())
        means, spreads = _predicted(case, [hypothesis], tables)
        # The table of a deviation is a sample itself, so expectations have an error of their own.
        wide = spreads * (whole + whole**2 / max(1, tables.sample(case).playouts))
        gap = np.array([[float(assessed.sums.nodes.sum()), halves / 2]]) - whole * means
        return float(scipy.special.chdtrc(2, _log_normal(gap, wide)[1][0]))
    if assessed.draws and _predicts_moves(case, hypothesis, tables):
        rivals = tables.rivals(case)
        shown = [rivals[name].categories for name in hypothesis if name in rivals]
        if len(shown) <= 1:
            expected = shown[0] if shown else Categories(tables.choice(case).counts)
            # A deviation that showed no change was asked as few genmoves as those that did: far fewer than
            # the specification.  What it does more rarely than that is not known.
            asked = min((rival.categories.total for rival in rivals.values()), default=expected.total)
            return _fit_of_moves(assessed.draws, expected, asked if hypothesis else expected.total)
    return 1.0


def _fit_of_moves(draws: Mapping[str, int], expected: Categories, asked: int) -> float:
    """Return the p-value of draws under a table: the least of three, times three.

    Among cells in which enough is expected, chi-square; of all others together, those that the table never
    saw among them, the binomial chances of as many and of as few.

    Args:
        draws: genmoves of the bot, by cell.
        expected: the table.
        asked: number of genmoves that the table's shares rest on, if this is less than the table's total.
    """
    n, total = sum(draws.values()), min(asked, expected.total)
    share = total / expected.total
    counts = {name: count * share for name, count in expected.counts.items()}
    frequent = [name for name, count in counts.items() if n * count >= _LEAST_EXPECTED * total]
    seen = np.array([draws.get(name, 0) for name in frequent], np.float64)
    known = np.array([counts[name] for name in frequent], np.float64)
    rare = n - int(seen.sum())
    # The table is a sample too: one more of it might have been rare, or one less.
    others = total - float(known.sum())
    many = float(scipy.special.bdtrc(rare - 1, n, min(1.0, (others + 1) / total))) if rare else 1.0
    few = float(scipy.special.bdtr(rare, n, max(0.0, others - 1) / total))
    chi = 1.0
    if len(frequent) > 1 and rare < n:
        wanted = known / known.sum() * (n - rare)
        squares = ((seen - wanted) ** 2 / (wanted * (1 + (n - rare) / known.sum()))).sum()
        chi = float(scipy.special.chdtrc(len(frequent) - 1, squares))
    return min(1.0, 3 * min(many, few, chi))


def divergence(case: Case, one: Hypothesis, other: Hypothesis, playouts: int, tables: Tables) -> float:
    """Return the nats by which one genmove is expected to tell one hypothesis from another, if it is true.

    The Kullback-Leibler divergence of what a genmove of a statistical case shows.
    """
    if isinstance(case.question, Moves):
        if not _predicts_moves(case, (*one, *other), tables):
            return 0.0
        return _divergence_of_moves(case, one, other, tables)
    if not all(predicts_sums(name) or leaves_sums_alone(name) for name in (*one, *other)):
        return 0.0
    means, spreads = _predicted(case, (one, other), tables)
    spreads = playouts * spreads + _GRAIN
    matrices = [np.array([[a, b], [b, d]]) for a, b, d in spreads]
    inverse, gap = np.linalg.inv(matrices[1]), playouts * (means[1] - means[0])
    ratio = inverse @ matrices[0]
    return float(0.5 * (np.trace(ratio) - 2 + gap @ inverse @ gap - np.log(max(np.linalg.det(ratio), 1e-12))))


def _predicts_moves(case: Case, hypothesis: Hypothesis, tables: Tables) -> bool:
    table = tables.choice(case)
    return all(predicts_choices(name) and table.tells_of(name) for name in hypothesis)


def _divergence_of_moves(case: Case, one: Hypothesis, other: Hypothesis, tables: Tables) -> float:
    counts, rivals = tables.choice(case).counts, tables.rivals(case)
    null, others = Categories(counts), len(counts) + 1
    shown = [[rivals[name].categories for name in h if name in rivals][:1] for h in (one, other)]
    true, false = ((found or [null])[0] for found in shown)
    return true.divergence(false, others)


def _predicted(case: Case, hypotheses: Sequence[Hypothesis], tables: Tables) -> tuple[Vector, Vector]:
    """Return mean (float64[h, 2]) and covariance (float64[h, 3]) of one playout under each hypothesis."""
    null, table = tables.histogram(case), tables.sample(case)
    base = np.array([null.covariance[0, 0], null.covariance[0, 1], null.covariance[1, 1]])
    means, spreads = np.tile(null.mean, (len(hypotheses), 1)), np.tile(base, (len(hypotheses), 1))
    for place, hypothesis in enumerate(hypotheses):
        shown = [table.shifts[name] for name in hypothesis if name in table.shifts]
        for shift in shown:
            means[place] += np.array(shift.mean) - null.mean
            spreads[place] = shift.covariance
        if len(shown) > 1:
            # It is unknown how the spreads of two deviations combine: the widest of each, uncorrelated.
            widest = np.stack([base, *(np.array(shift.covariance) for shift in shown)]).max(axis=0)
            spreads[place] = widest * [1, 0, 1]
    return means, spreads


def _batches(sums: BatchSums) -> tuple[NDArray[np.int64], Vector]:
    """Return int64[b], playouts of each batch, and float64[b, 2], its sums."""
    return sums.playouts, np.stack([sums.nodes, sums.halves.mean(axis=1) / 2], axis=1)


def _sums(
    assessed: CaseAssessment, sums: BatchSums, hypotheses: Sequence[Hypothesis], tables: Tables
) -> Vector:
    predicted = np.array([all(predicts_sums(n) or leaves_sums_alone(n) for n in h) for h in hypotheses])
    means, spreads = _predicted(assessed.case, [*hypotheses, ()], tables)
    n, gap = _batches(sums)
    logs, _ = _log_normal(gap[None] - n[None, :, None] * means[:, None], n[None, :, None] * spreads[:, None])
    value = np.maximum(logs, _LEAST).sum(axis=1)
    return np.where(predicted, value[:-1] - value[-1], np.nan)


def _unlisted_moves(assessed: CaseAssessment, tables: Tables) -> float:
    """Return the log likelihood ratio of whatever distribution fits the moves, less what fitting gains.

    Each move that came but one is a number that was fitted; it costs what those of sums do.
    """
    moves, total = tables.moves(assessed.case), sum(assessed.moves.values())
    others = len(moves.counts) + 1
    fitted = sum(
        count * (np.log(count / total) - np.log(moves.estimate(move, others)))
        for move, count in assessed.moves.items()
    )
    return float(fitted - (len(assessed.moves) - 1) * (0.5 * np.log(total) + 1))


def _unlisted_sums(sums: Vector, n: NDArray[np.int64], spread: Vector) -> float:
    """Return the log likelihood of sums under whatever mean and covariance fit them, less what fitting gains.

    Five numbers are fitted; each costs half the log of the number of batches (Schwarz 1978), and one nat
    more for each, since with few batches that is too little.

    Args:
        sums: float64[b, 2].
        n: int64[b], draws behind each.
        spread: float64[3], covariance of one draw under the specification, which keeps the fit from
            collapsing where all batches are alike.
    """
    batches, mean = len(sums), sums.sum(axis=0) / n.sum()
    gap = sums - n[:, None] * mean
    products = np.stack([gap[:, 0] ** 2, gap[:, 0] * gap[:, 1], gap[:, 1] ** 2], axis=1) / n[:, None]
    fitted = (products.sum(axis=0) + spread) / (batches + 1)
    logs, _ = _log_normal(gap, n[:, None] * fitted)
    return float(np.maximum(logs, _LEAST).sum()) - 2.5 * float(np.log(batches)) - 5.0


def _log_normal(gap: Vector, spread: Vector) -> tuple[Vector, Vector]:
    """Return log densities, but for a constant, and squared distances; last axes 2 and 3."""
    a, b, d = np.moveaxis(spread + _GRAIN, -1, 0)
    determinant = np.maximum(a * d - b * b, 1e-6 * a * d)
    x, y = gap[..., 0], gap[..., 1]
    squares = (d * x * x - 2 * b * x * y + a * y * y) / determinant
    return -0.5 * (squares + np.log(determinant)), squares


def _moves(assessed: CaseAssessment, hypotheses: Sequence[Hypothesis], tables: Tables) -> Vector:
    counts, rivals = tables.choice(assessed.case).counts, tables.rivals(assessed.case)
    null, others = Categories(counts), len(counts) + 1
    cells = sorted({*assessed.draws, *counts, *(c for r in rivals.values() for c in r.categories.counts)})
    chances = np.array([null.estimate(cell, others) for cell in cells])
    times = np.array([assessed.draws.get(cell, 0) for cell in cells], np.float64)
    logs = {name: _log_ratios(r.categories, cells, chances) for name, r in rivals.items()}
    found = np.full(len(hypotheses), np.nan)
    for place, hypothesis in enumerate(hypotheses):
        if _predicts_moves(assessed.case, hypothesis, tables):
            shown = [logs[name] for name in hypothesis if name in logs]
            both = np.sum(shown, axis=0) if shown else np.zeros(len(cells))
            # A product of changes must still add up to one.
            whole = np.log(chances @ np.exp(both)) if len(shown) > 1 else 0.0
            found[place] = times @ both - times.sum() * whole
    return found


def _log_ratios(rival: Categories, cells: Sequence[str], chances: Vector) -> Vector:
    """Return float64[c], log probabilities under a deviation less those by the specification.

    What a deviation's smaller table never showed is taken to be no likelier there than by the
    specification: it is not to gain by what neither has seen.
    """
    counts = np.array([rival.counts.get(cell, 0) for cell in cells], np.float64)
    unseen = np.minimum(0.5 / rival.total, chances)
    logs: Vector = np.log(np.where(counts > 0, counts / rival.total, unseen)) - np.log(chances)
    return logs
