"""What playouts add up to, recomputed in plain Python from the records of each."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from random_games import random_game

from reference_engine import lockstep, playouts
from reference_engine.deviations import CATALOGUE
from reference_engine.playouts import Kernel, Root
from reference_engine.records import PASSED
from reference_engine.spec import SPEC, Amaf, Draw, Komi, Nodes, ScoreView, Spec
from reference_engine.tally import doubled_result
from reference_engine.vocabulary import Colour, Point, format_vertex

SEED = 20081013
FIELDS = {"komi", "draw", "amaf", "nodes", "score_view", "scoring"}
READINGS = {"specification": SPEC} | {d.name: d.spec for d in CATALOGUE if FIELDS & set(d.changes)}


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("margin", [-81, -1, 0, 1, 7, 81])
@pytest.mark.parametrize("komi", [-7.5, -1.0, 0.0, 0.5, 7.0, 7.5, 81.0])
def test_the_worth_of_a_playout(margin: int, komi: float, colour: Colour) -> None:
    """A win is worth two, a draw one, a loss nothing, seen by the side to move."""
    score = margin - komi if colour is Colour.BLACK else komi - margin
    expected = 2 if score > 0 else 0 if score < 0 else 1

    assert doubled_result(margin, komi, int(colour), None) == expected


def worth(margin: int, komi: float, colour: Colour, spec: Spec) -> int:
    """Return twice what a playout is worth to the colour, by any reading."""
    given = {
        Komi.USED: komi,
        Komi.IGNORED: 0.0,
        Komi.NEGATED: -komi,
        Komi.TRUNCATED: float(int(komi)),
        Komi.FOR_BLACK_ONLY: komi if colour is Colour.BLACK else -komi,
    }[spec.komi]
    if margin == given:
        return {Draw.LOST: 0, Draw.HALF: 1, Draw.WON: 2}[spec.draw]
    return 2 if (margin > given) == (colour is Colour.BLACK) else 0


def root_of(size: int, seed: int, komi: float) -> Root:
    """Return a random position in the middle of a game."""
    game = random_game(size, size * size // 2, np.random.default_rng(seed))
    last = game.moves[-1][0] if game.moves else Colour.WHITE
    return Root(game.position, last.other, len(game.moves), komi)


@pytest.mark.parametrize("kernel", Kernel)
@pytest.mark.parametrize("name", READINGS)
def test_tallies_recomputed_from_move_lists(name: str, kernel: Kernel) -> None:
    """Visits, wins, nodes and score are those of the moves and margins, one playout after the other."""
    spec = READINGS[name]
    if kernel is Kernel.LOCKSTEP and not lockstep.knows(spec):
        pytest.skip("the lock-step kernel keeps sets, which know neither repeats nor times")
    for seed, (size, komi) in enumerate([(3, 1.0), (5, 2.0), (7, 7.5), (9, 0.5)]):
        root = root_of(size, SEED + seed, komi)
        records = playouts.record(root, 60, SEED, spec=spec, kernel=kernel, moves=True)
        visits, wins = Counter[Point](), Counter[Point]()
        nodes, score = 0, 0
        for row in range(60):
            moves = playouts.moves_of(size, records, row)
            result = worth(int(records.margins[row]), komi, root.colour, spec)
            credit = 2 - result if spec.amaf is Amaf.WRONG_VIEW else result
            for point, times in counted(moves, spec).items():
                visits[point] += times
                wins[point] += times * credit
            passes = int((records.moves[row] == PASSED).sum())
            trailing = 2 if moves[-2:] == [None, None] else 1 if moves[-1] is None else 0
            nodes += (
                len(moves)
                - {
                    Nodes.WITH_PASSES: 0,
                    Nodes.LAST_PLAYOUT: 0,
                    Nodes.MEAN: 0,
                    Nodes.WITHOUT_PASSES: passes,
                    Nodes.WITHOUT_LAST_PASS: min(1, trailing),
                }[spec.nodes]
            )
            is_turned = spec.score_view is ScoreView.OPPONENT or (
                spec.score_view is ScoreView.BLACK and root.colour is Colour.WHITE
            )
            score += 2 - result if is_turned else result

        tally = playouts.run(root, 60, SEED, spec=spec, kernel=kernel)

        assert (tally.nodes, tally.doubled_wins) == (nodes, score)
        points = list(root.position.points())
        assert tally.visits.tolist() == [visits[point] for point in points]
        assert tally.wins.tolist() == [wins[point] for point in points]


def counted(moves: list[Point | None], spec: Spec) -> Counter[Point]:
    """Return how often each point is data for the root (R6), read off a list of moves."""
    found = Counter[Point]()
    for ply, move in enumerate(moves):
        if move is None:
            continue
        mine, before = ply % 2 == 0, moves[:ply]
        is_counted = {
            Amaf.FIRST_BY_EITHER: mine and move not in before,
            Amaf.WRONG_VIEW: mine and move not in before,
            Amaf.FIRST_BY_SELF: mine and move not in before[::2],
            Amaf.EVERY_PLAY: mine,
            Amaf.BOTH_COLOURS: move not in before,
            Amaf.FIRST_MOVE_ONLY: ply == 0,
            Amaf.EARLY_TWICE: mine and move not in before,
        }[spec.amaf]
        weight = 2 if spec.amaf is Amaf.EARLY_TWICE and ply < len(moves) // 2 else 1
        found[move] += weight * int(is_counted)
    return found


@pytest.mark.parametrize("kernel", Kernel)
@pytest.mark.parametrize("number", [1, 4, 8])
def test_choices_are_best_rates(number: int, kernel: Kernel) -> None:
    """Each genmove of a batch plays one of its best moves and reports its own wins."""
    root = root_of(5, SEED, 2.5)
    candidates = playouts.playable(root.position, root.colour)
    for genmove in range(40):
        records = playouts.record(root, number, SEED, genmove * number, kernel=kernel)
        results = [worth(int(margin), root.komi, root.colour, SPEC) for margin in records.margins]
        rates: dict[str, Fraction] = {}
        for point in candidates:
            index = playouts.index_of(5, point)
            data = [r for r, row in zip(results, records.credits, strict=True) if row[index]]
            if data:
                rates[format_vertex(point)] = Fraction(sum(data), len(data))
        best = {name for name, rate in rates.items() if rate == max(rates.values())} or {"pass"}

        found = playouts.choice_counts(root, number, 1, SEED, genmove, candidates, kernel=kernel)

        ((vertex, won),) = found
        assert vertex in best
        assert won == sum(results)


def test_a_batch_of_genmoves_is_all_of_them() -> None:
    """Genmoves counted together are those counted one at a time."""
    root = root_of(4, SEED, 0.5)
    candidates = playouts.playable(root.position, root.colour)
    together = playouts.choice_counts(root, 3, 50, SEED, 7, candidates)
    apart = Counter[tuple[str, int]]()
    for genmove in range(7, 57):
        apart.update(playouts.choice_counts(root, 3, 1, SEED, genmove, candidates))

    assert together == dict(apart)
