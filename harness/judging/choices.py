"""Chosen moves: the interval of their distribution, and the bets on them.

What is seen of a genmove is a *cell*: the chosen move and the half wins of its playouts, or the move alone
where a small table knows no more.  A score that is printed with few digits leaves several cells possible;
every bet is then paid the least that any of them would yield.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, log

from harness.cases.case import Case, Moves
from harness.cases.level import BETA, Level
from harness.judging.answers import GenmoveStatistics
from harness.judging.verdict import Estimate
from harness.statistics.evalues import Categories, Gains, log_mean
from harness.statistics.variation import distance, distance_limit, sampling_error
from harness.tables.tables import ChoiceTable, Tables
from reference_engine.vocabulary import format_vertex

RANDOM_SHARES = (0.01, 0.03, 0.1, 0.3)
"""Shares of genmoves with a random legal move: one bet for each, over all cases together."""
CONCENTRATIONS = (10.0, 100.0, 1000.0)
"""Concentrations (in draws) of the Dirichlet mixtures around the reference that are bet on."""
INTERVAL_METHOD = (
    "betting on every set of moves, valid at every look and for every distribution "
    "(Waudby-Smith and Ramdas 2024), and the table's error"
)
"""Name of the method that bounds the distance of chosen moves."""


@dataclass(frozen=True)
class Choices:
    """The moves that the genmoves of a case chose.

    Attributes:
        cells: the cells that each kind of genmove leaves possible, and how often it came.
        moves: chosen moves as the table names them, and how often each came.
    """

    cells: Mapping[tuple[str, ...], int]
    moves: Mapping[str, int]

    @classmethod
    def of(
        cls, asked: Iterable[tuple[str, GenmoveStatistics]], table: ChoiceTable, *, draws: bool
    ) -> "Choices":
        """Collect genmoves, given as answer and statistics.

        Args:
            asked: with a move that could be read.
            table: whose cells are counted.
            draws: whether the komi lets a playout be drawn; if not, half wins come in pairs.
        """
        cells: Counter[tuple[str, ...]] = Counter()
        moves: Counter[str] = Counter()
        for move, statistics in asked:
            if table.moves_only:
                possible = [table.cell(move, 0)]
            elif statistics.wins is not None:
                least, greatest = statistics.wins
                possible = [table.cell(move, n) for n in range(least, greatest + 1, 1 if draws else 2)]
            else:
                continue  # an answer without a score is a finding of its own
            cells[tuple(possible)] += 1
            moves[table.move_cell(move)] += 1
        return cls(dict(sorted(cells.items())), dict(sorted(moves.items())))

    @cached_property
    def draws(self) -> dict[str, int]:
        """Counts of cells; of several possible cells the middle one is counted."""
        found: Counter[str] = Counter()
        for possible, count in self.cells.items():
            found[possible[len(possible) // 2]] += count
        return dict(sorted(found.items()))

    def log_e(self, gains: Gains) -> float:
        """Return the log e-value of a bet on cells: the least over all possible cells."""
        return sum(count * min(map(gains.of, possible)) for possible, count in self.cells.items())

    @property
    def is_exact(self) -> bool:
        """Whether every genmove leaves one cell possible."""
        return all(len(possible) == 1 for possible in self.cells)


def log_e_unknown(choices: Choices, table: ChoiceTable, tables: Tables, case: Case) -> float:
    """Return the log e-value for any other distribution: mixtures around the reference's.

    Half of them are of moves alone, half of cells.  The latter are lost once a genmove leaves more than one
    cell possible: what is lost is not won back, whatever came.
    """
    others = len(table.counts) + 1
    moves = tables.moves(case)
    values = [moves.log_e_unknown(choices.moves, others, trust) for trust in CONCENTRATIONS]
    if not table.moves_only:
        cells = Categories(table.counts)
        values += [
            cells.log_e_unknown(choices.draws, others, trust) if choices.is_exact else -inf
            for trust in CONCENTRATIONS
        ]
    return log_mean(values)


def log_e_random(choices: Choices, case: Case, tables: Tables) -> tuple[float, ...]:
    """Return log e-values for a legal move at random in each of ``RANDOM_SHARES`` of the genmoves."""
    moves, others = tables.moves(case), len(case.legal_points) + 1
    at_random = uniform(case, tables.choice(case))
    return tuple(
        sum(
            count
            * log(
                ((1 - share) * moves.estimate(move, others) + share * at_random.get(move, 0.0))
                / moves.upper(move)
            )
            for move, count in choices.moves.items()
        )
        for share in RANDOM_SHARES
    )


def uniform(case: Case, table: ChoiceTable) -> dict[str, float]:
    """Return the probability of each move of a table, if a legal point is drawn at random."""
    found: Counter[str] = Counter()
    for point in case.legal_points:
        found[table.move_cell(format_vertex(point))] += 1
    return {move: count / len(case.legal_points) for move, count in found.items()}


def interval_of(choices: Choices, case: Case, tables: Tables, level: Level) -> tuple[Estimate]:
    """Return the interval of the distance of the chosen moves from the reference, in total variation."""
    question, table, moves = case.question, tables.choice(case), tables.moves(case)
    assert isinstance(question, Moves)  # noqa: S101 - the caller chose by this type
    weights = {move: count / moves.total for move, count in moves.counts.items()}
    value = distance(choices.moves, weights)
    limit = distance_limit(choices.moves, weights, BETA) + sampling_error(weights, moves.total)
    estimate = Estimate(
        "chosen moves",
        "total variation",
        value,
        max(0.0, limit - value),
        0.0,
        question.tolerance * level.choice,
        sum(choices.moves.values()),
        0.0,
        table.genmoves,
        INTERVAL_METHOD,
    )
    return (estimate,)
