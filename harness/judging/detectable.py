"""The power of a run: for each measure of each case the smallest shift that would have convicted.

For a case of sums the shift is that of a mean, and the bot supposed to be off draws each playout from the
reference tilted exponentially: of all distributions with that mean the one nearest to it.  For chosen moves
it is the share of genmoves in which the second likeliest move is played in place of the likeliest.  All other
cases are as they came in the run, and as many genmoves are asked as were.  The probability of a conviction is
found by simulation, with the same random numbers for every shift; it is ``SURELY`` at the shift given.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import sqrt
from typing import Final

import numpy as np
import scipy  # its parts are loaded when they are first used

from harness.cases.case import Case, Moves, Sample
from harness.cases.level import ALPHA
from harness.judging.case_assessment import CaseAssessment
from harness.judging.certificate_e_value import EValueParts, parts_of
from harness.judging.choices import CONCENTRATIONS, RANDOM_SHARES, uniform
from harness.judging.verdict import Detectable
from harness.statistics.evalues import Categories, Histogram, Vector, log_means
from harness.tables.tables import Tables

SURELY: Final = 0.95
"""Probability that a bot with a printed shift would have been convicted."""
_RUNS_OF_SUMS: Final = 256
_RUNS_OF_CHOICES: Final = 256
"""Simulated runs: the probability has a standard error of 0.014, of sums less."""
_STEPS: Final = 7
"""Bisections of a shift, after it is known to a factor of two: to a part in a hundred."""
_FEW: Final = 50
"""Expected wins, or losses, below which sums of wins are drawn from the binomial distribution itself."""
_SEED: Final = 20081013
_NEVER_SEEN: Final = "another"
"""Name for any move that is not in a table."""


def detectable_of(cases: Mapping[str, CaseAssessment], suite: list[Case], tables: Tables) -> list[Detectable]:
    """Return what a run could have seen, case by case and measure by measure.

    Args:
        cases: what was asked, as it was assessed.
        suite: every case, which fixes the weights of the certificate's e-value.
        tables: the references.
    """
    return [
        found
        for assessed in cases.values()
        if assessed.estimates
        for found in _of_case(
            assessed, parts_of([w for w in cases.values() if w is not assessed], suite), tables
        )
    ]


def _of_case(assessed: CaseAssessment, rest: EValueParts, tables: Tables) -> Iterator[Detectable]:
    case = assessed.case
    if isinstance(case.question, Moves):
        genmoves = sum(assessed.moves.values())
        choices = _Choices(assessed, rest, tables)
        shift = _least(choices.convicts, 1 / sqrt(genmoves), choices.room)
        yield Detectable(case.id, "chosen moves", "total variation", genmoves, shift, SURELY)
    elif isinstance(case.question, Sample) and assessed.sums is not None:
        sums = _Sums(assessed, rest, tables)
        for place, (quantity, unit) in enumerate((("length", "moves"), ("score", "wins"))):
            ways = [
                (_least(partial(sums.convicts, place, way), sums.guess(place), room), way)
                for way, room in sums.rooms(place)
            ]
            if ways:
                # Of the two directions the less visible one is printed.
                found = [way * shift for shift, way in ways if shift is not None]
                shift = max(found, key=abs) if len(found) == len(ways) else None
                yield Detectable(case.id, quantity, unit, assessed.sums.total, shift, SURELY)


def _least(convicts: Callable[[float], float], guess: float, largest: float) -> float | None:
    """Return the smallest shift that convicts with probability ``SURELY``; None if none does."""
    least, most = 0.0, min(guess, largest)
    while convicts(most) < SURELY:
        if most >= largest:
            return None
        least, most = most, min(2 * most, largest)
    for _ in range(_STEPS):
        middle = (least + most) / 2
        if convicts(middle) >= SURELY:
            most = middle
        else:
            least = middle
    return most


class _Sums:
    """Simulated sums of one case, and how often they convict."""

    def __init__(self, assessed: CaseAssessment, rest: EValueParts, tables: Tables) -> None:
        assert assessed.sums is not None  # noqa: S101 - the caller asked
        self._null = tables.histogram(assessed.case)
        self._n = assessed.sums.total
        self._rest = rest
        self._mixture = tables.mixture(assessed.case)
        self._bets = tables.bets(assessed.case).convict
        self._spread = assessed.log_e_spread or 0.0
        # Points of the plane spread evenly (Roberts 2018, the R2 sequence): fewer do than at random.
        numbers = np.arange(1, _RUNS_OF_SUMS + 1)[:, None] * np.array(
            [0.7548776662466927, 0.5698402909980532]
        )
        self._even = (0.5 + numbers) % 1.0
        self._normal = scipy.special.ndtri(self._even)

    def rooms(self, place: int) -> Iterator[tuple[int, float]]:
        """Yield the directions of a shifted mean, +1 and -1, and the largest shift that the rules allow."""
        mean = float(self._null.mean[place])
        for way, bound in ((1, self._null.corners[:, place].max()), (-1, self._null.corners[:, place].min())):
            if (room := way * (float(bound) - mean)) > 1e-9:
                yield way, 0.999 * room

    def guess(self, place: int) -> float:
        """Return a shift to begin with: some standard errors, or some draws at the bound."""
        return max(3 * sqrt(float(self._null.covariance[place, place]) / self._n), 1 / self._n)

    def convicts(self, place: int, way: int, shift: float) -> float:
        """Return the share of runs that convict a bot whose mean is shifted up (+1) or down (-1)."""
        totals = self._totals(shifted(self._null, place, way * shift))
        gains = self._mixture.tilts @ totals.T - self._n * self._mixture.log_mgf[:, None]
        unknown = log_means(gains)
        named = self._bets.tilts @ totals.T - self._n * self._bets.log_mgf[:, None]
        known = dict(zip(self._bets.names, named, strict=True))
        log_e = self._rest.log_e([unknown, self._spread], known, ())
        return float((log_e >= -np.log(ALPHA)).mean())

    def _totals(self, one: Histogram) -> Vector:
        """Return float64[_RUNS_OF_SUMS, 2], sums of as many draws as the run had."""
        n, (mean, covariance) = self._n, (one.mean, one.covariance)
        sd = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        correlation = covariance[0, 1] / max(float(sd[0] * sd[1]), 1e-300) if sd.min() > 0 else 0.0
        second = self._normal[:, 1]
        first = correlation * second + sqrt(max(0.0, 1 - correlation**2)) * self._normal[:, 0]
        totals = np.stack([_sum_of(one, 0, n, first), _sum_of(one, 1, n, second)], axis=1)
        win = float(mean[1])
        if n * min(win, 1 - win) < _FEW:
            # The rarer of wins and losses; few of them is low on one side and high on the other.
            place = self._even[:, 1] if win < 0.5 else 1 - self._even[:, 1]
            # The points lie within 1/_RUNS_OF_SUMS of certainty, where no count is ten times the expected.
            counts = np.arange(min(n, 10 * _FEW) + 1)
            rare = np.searchsorted(scipy.special.bdtr(counts, n, min(win, 1 - win)), place).astype(np.float64)
            totals[:, 1] = rare if win < 0.5 else n - rare
        return totals


def _sum_of(one: Histogram, place: int, n: int, normal: Vector) -> Vector:
    """Return float64[m], sums of ``n`` draws by Cornish and Fisher's expansion to the skewness."""
    variance = float(one.covariance[place, place])
    if variance <= 0:
        return np.full(len(normal), n * float(one.mean[place]))
    centred = one.values[:, place] - one.mean[place]
    skewness = float(one.weights @ centred**3) / variance**1.5 / sqrt(n)
    sums: Vector = n * one.mean[place] + sqrt(n * variance) * (normal + skewness * (normal**2 - 1) / 6)
    return sums


def shifted(null: Histogram, place: int, shift: float) -> Histogram:
    """Return a distribution whose mean is shifted in one quantity, as near to ``null`` as can be.

    It is the exponential tilt of ``null`` with that mean.  Where no tilt has it, because the quantity does
    not go that far in the sample, the rest of the shift comes from draws at the bound of what is possible.
    """
    x = null.values[:, place]
    target = float(null.mean[place]) + shift
    low, high = float(x.min()), float(x.max())
    bound = float(null.corners[:, place].max() if shift > 0 else null.corners[:, place].min())
    reach = float(null.mean[place]) + 0.9 * ((high if shift > 0 else low) - float(null.mean[place]))
    inside = min(target, reach) if shift > 0 else max(target, reach)
    weights = _tilted(null, x, inside)
    share = (target - inside) / (bound - inside) if abs(target - inside) > 1e-12 else 0.0
    far = null.mean.copy()
    far[place] = bound
    return Histogram(
        np.vstack([null.values, far]), np.append((1 - share) * weights, share), null.corners, error=0.0
    )


def _tilted(null: Histogram, x: Vector, target: float) -> Vector:
    """Return float64[k], weights with the mean ``target`` that are an exponential tilt of the sample's."""
    if float(x.max()) - float(x.min()) < 1e-12:
        return null.weights
    scaled = x / (float(x.max()) - float(x.min()))
    log_weights = np.log(np.maximum(null.weights, 1e-300))
    least, most = -2000.0, 2000.0
    weights = null.weights
    for _ in range(60):
        middle = (least + most) / 2
        logs = log_weights + middle * scaled
        weights = np.exp(logs - logs.max())
        weights /= weights.sum()
        if float(weights @ x) < target:
            least = middle
        else:
            most = middle
    return weights


class _Choices:
    """Simulated genmoves of one case, and how often they convict."""

    def __init__(self, assessed: CaseAssessment, rest: EValueParts, tables: Tables) -> None:
        case = assessed.case
        table, moves = tables.choice(case), tables.moves(case)
        self._rest = rest
        self._genmoves = sum(assessed.moves.values())
        self._cells = list(table.counts)
        self._moves = sorted(moves.counts)
        self._chances = np.array(list(table.counts.values()), np.float64) / sum(table.counts.values())
        at_random = uniform(case, table)
        if len(self._moves) == 1:
            # The engine always gives the same answer; a bot that is off gives a move never seen.
            unseen = next((move for move in at_random if move not in moves.counts), _NEVER_SEEN)
            self._moves.append(unseen)
            self._cells.append(unseen)
            self._chances = np.append(self._chances, 0.0)
        self._move_of = np.array([self._moves.index(cell.split()[0]) for cell in self._cells])
        raw = np.random.PCG64(_SEED).random_raw(_RUNS_OF_CHOICES * self._genmoves)
        uniform_draws = ((raw >> np.uint64(11)) * 2.0**-53).reshape(_RUNS_OF_CHOICES, self._genmoves)
        # Sorted, one run after another, so that one search for a cell's edge counts the draws below it.
        self._draws = (np.arange(_RUNS_OF_CHOICES)[:, None] + np.sort(uniform_draws, axis=1)).ravel()
        others = len(table.counts) + 1
        self._of_moves = _Around(moves, self._moves, others)
        self._of_cells = None if table.moves_only else _Around(Categories(table.counts), self._cells, others)
        null = Categories(table.counts)
        self._rivals = {
            name: np.array([null.log_e_of(rival.categories, cell, others) for cell in self._cells])
            for name, rival in tables.rivals(case).items()
            if rival.convict_rate > 0
        }
        spread = np.array([at_random.get(move, 0.0) for move in self._moves])
        self._at_random = [
            np.log(((1 - share) * self._of_moves.estimates + share * spread) / self._of_moves.uppers)
            for share in RANDOM_SHARES
        ]

    def convicts(self, distance: float) -> float:
        """Return the share of simulated runs that convict a bot which is off by a distance."""
        chances = self._shifted(distance)
        runs = np.arange(_RUNS_OF_CHOICES)[:, None]
        edges = runs + np.cumsum(chances)[:-1] / chances.sum()
        below = np.searchsorted(self._draws, edges) - runs * self._genmoves
        cells = np.diff(below, prepend=0, append=self._genmoves).astype(np.float64)
        moves = np.zeros((_RUNS_OF_CHOICES, len(self._moves)))
        np.add.at(moves.T, self._move_of, cells.T)
        bets = self._of_moves.log_e(moves) + (self._of_cells.log_e(cells) if self._of_cells else [])
        unknown = log_means(np.stack(bets))
        known = {name: cells @ gains for name, gains in self._rivals.items()}
        log_e = self._rest.log_e([unknown], known, tuple(moves @ gains for gains in self._at_random))
        return float((log_e >= -np.log(ALPHA)).mean())

    @property
    def room(self) -> float:
        """The greatest distance: the second likeliest move is played always."""
        return 1 - float(np.sort(np.bincount(self._move_of, self._chances))[-2])

    def _shifted(self, distance: float) -> Vector:
        """Return float64[k], the chances of cells of a bot that is off by a distance."""
        by_move = np.bincount(self._move_of, self._chances)
        second = int(np.argsort(-by_move, kind="stable")[1])
        share = distance / (1 - by_move[second])
        chances: Vector = (1 - share) * self._chances
        place = {cell: i for i, cell in enumerate(self._cells)}
        for cell, chance in zip(self._cells, self._chances, strict=True):
            # A score that the move never came with goes to one that it did come with.
            other = place.get(" ".join([self._moves[second], *cell.split()[1:]]))
            target = other if other is not None else int(np.flatnonzero(self._move_of == second)[0])
            chances[target] += share * chance
        return chances


class _Around:
    """The bets on distributions around a reference, for many runs at once."""

    def __init__(self, categories: Categories, names: list[str], others: int) -> None:
        self.estimates = np.array([categories.estimate(name, others) for name in names])
        self.uppers = np.array([categories.upper(name) for name in names])

    def log_e(self, counts: Vector) -> list[Vector]:
        """Return float64[m] for each concentration: log e-values of counts (float64[m, k])."""
        n = counts.sum(axis=1)
        against = counts @ np.log(self.uppers)
        return [
            scipy.special.gammaln(trust)
            - scipy.special.gammaln(trust + n)
            + (
                scipy.special.gammaln(trust * self.estimates + counts)
                - scipy.special.gammaln(trust * self.estimates)
            ).sum(axis=1)
            - against
            for trust in CONCENTRATIONS
        ]
