"""What chance decides in playouts: every line of first moves has the share the oracle gives it.

Replays (see ``replay``) show that no playout makes an impossible move.  Here no possible one is made too
often, too rarely or never, which is how a rule that forbids too much shows itself in the middle of a
playout.  Playouts are started a few moves before the cap and their whole lines counted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from replay import SEED, starts
from scipy.stats import chi2

from reference_engine import playouts
from reference_engine.board import neighbours
from reference_engine.playouts import Kernel, Root
from reference_engine.reading import Turn, first_turn
from reference_engine.records import ENDED, PASSED
from reference_engine.spec import SPEC, Choice, Spec
from reference_engine.vocabulary import PASS, Move

ALPHA = 1e-6
"""The chance of refuting a right kernel, for one set of fits; as far as chi-square approximates."""
LEAST = 40
"""Playouts expected of the rarest line: chance misses it with probability e**-40."""
MOST = 2**17
"""Playouts from one root; one whose rarest line needs more is passed over."""
BATCH = 2**14

Line = tuple[Move, ...]
Plan = Mapping[int, tuple[int, int]]
"""By size: how many roots, and how many moves from each."""


class MisfitError(AssertionError):
    """Moves that do not have their shares."""


def shares_of(turn: Turn) -> dict[Move, float]:
    """Return how likely each move of a turn is by the reading's choice (R2).

    A scan begins anywhere and takes the next playable point.  Where neighbours of the last stone are
    preferred, half of the chance is theirs.  The two choices that look at a list of empty points are
    foreseen for the first turn of a playout only, when the list is in board order.
    """
    playable, empty = turn.playable(), turn.position.empty_points()
    weights: Counter[Move] = Counter(playable)
    match turn.spec.choice:
        case Choice.PASS_DRAWN:
            weights[PASS] = 1
        case Choice.LAST_NEVER if len(empty) > 1:
            del weights[empty[-1]]
        case Choice.BESIDE_LAST if turn.last is not None:
            beside = [point for point in neighbours(turn.position.size, turn.last) if point in playable]
            if beside:
                weights = Counter(dict.fromkeys(playable, len(beside)))
                weights.update(dict.fromkeys(beside, len(playable)))
        case Choice.BOARD_SCAN | Choice.LIST_SCAN if playable:
            points = empty if turn.spec.choice is Choice.LIST_SCAN else list(turn.position.points())
            weights = Counter(
                next(p for p in points[start:] + points[:start] if p in playable)
                for start in range(len(points))
            )
    if not weights:
        weights[PASS] = 1
    return {move: weight / weights.total() for move, weight in weights.items()}


def lines_of(turn: Turn, plies: int) -> dict[Line, float]:
    """Return the probability of every line of so many moves, or fewer where the playout ends."""
    if plies == 0 or turn.is_over():
        return {(): 1.0}
    return {
        (move, *rest): share * chance
        for move, share in shares_of(turn).items()
        for rest, chance in lines_of(turn.after(move), plies - 1).items()
    }


def drawn(root: Root, spec: Spec, kernel: Kernel, plies: int, count: int) -> Counter[Line]:
    """Return how often playouts began with each line of so many moves."""
    names = dict(enumerate(root.position.points())) | {PASSED: PASS}
    found: Counter[Line] = Counter()
    for first in range(0, count, BATCH):
        rows = min(BATCH, count - first)
        records = playouts.record(root, rows, SEED, first, spec=spec, kernel=kernel, moves=True)
        for line, times in Counter(zip(*records.moves[:, :plies].T.tolist(), strict=True)).items():
            found[tuple(names[index] for index in line if index != ENDED)] += times
    return found


@dataclass(frozen=True, slots=True)
class Fit:
    """How well counts fit probabilities: the statistic of a chi-square test, and its degrees of freedom."""

    statistic: float
    freedom: int

    @classmethod
    def of(cls, counts: Mapping[Line, int], chances: Mapping[Line, float]) -> "Fit":
        """Compare counts with the probabilities of all possible lines.

        Raises:
            MisfitError: a line is impossible, or was never drawn though LEAST were to be expected.
        """
        total = sum(counts.values())
        assert min(chances.values()) * total >= LEAST, "more playouts are needed"
        if counts.keys() != chances.keys():
            raise MisfitError(
                f"impossible: {counts.keys() - chances.keys()}, never drawn: {chances.keys() - counts.keys()}"
            )
        return cls(
            sum((counts[line] - chance * total) ** 2 / (chance * total) for line, chance in chances.items()),
            len(chances) - 1,
        )

    def probability(self) -> float:
        """Return the probability that chance fits as badly."""
        return float(chi2.sf(self.statistic, self.freedom)) if self.freedom else 1.0


def require(fits: Iterable[Fit]) -> int:
    """Require that chance explains the worst of the fits, and all of them together; return their number.

    Raises:
        MisfitError: one of the two is rarer than half of ALPHA.
    """
    found = list(fits)
    together = Fit(sum(fit.statistic for fit in found), sum(fit.freedom for fit in found))
    worst = min(fit.probability() for fit in found)
    if worst <= ALPHA / 2 / len(found) or together.probability() <= ALPHA / 2:
        raise MisfitError(f"the worst of {len(found)}: {worst}; all: {together.probability()}, {together}")
    return len(found)


def prove_draws(kernel: Kernel, spec: Spec, plan: Plan) -> int:
    """Prove the shares of the first lines from random roots; return the number of roots.

    Raises:
        MisfitError: they are not those of the oracle.
    """

    def fits() -> Iterable[Fit]:
        for size, (roots, plies) in plan.items():
            cap = (spec.cap or SPEC.cap) * size * size
            for start in starts(size, roots, spec):
                root = replace(start, moves_played=cap - plies)
                chances = lines_of(first_turn(root.position, root.colour, root.moves_played, spec), plies)
                count = int(LEAST / min(chances.values())) + 1
                if count <= MOST:
                    yield Fit.of(drawn(root, spec, kernel, plies, max(count, 2**12)), chances)

    return require(fits())
