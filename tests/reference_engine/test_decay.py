"""All moves as first, with weights that fall along the playout."""

import numpy as np
import pytest

from reference_engine import playouts
from reference_engine.board import Position
from reference_engine.decay import Decay
from reference_engine.playouts import Kernel, Root
from reference_engine.vocabulary import Colour


@pytest.mark.parametrize("komi", [7.5, 7.0])
@pytest.mark.parametrize("repeats", [False, True])
def test_weights_fall_from_one_to_nothing(*, repeats: bool, komi: float) -> None:
    """Every playout is weighed again by hand from its list of moves; chance never fails the test."""
    root, count = Root(Position(5), Colour.BLACK, 0, komi), 3000
    found = Decay(repeats)(root, [], count, 5, 0)
    hits, wins, won = np.zeros(25), np.zeros(25), 0.0
    records = playouts.record(root, count, 5, kernel=Kernel.CHAINS, moves=True)
    for row in range(count):
        score = int(records.margins[row]) - komi
        result = 0.5 if score == 0 else float(score > 0)
        won += result
        moves, seen = playouts.moves_of(5, records, row), set()
        for i, move in enumerate(moves):
            if move is None:
                continue
            if i % 2 == 0 and (repeats or move not in seen):
                hits[move[0] * 5 + move[1]] += 1 - i / len(moves)
                wins[move[0] * 5 + move[1]] += result * (1 - i / len(moves))
            seen.add(move)

    assert np.allclose(found.values, wins / hits)
    assert found.score == pytest.approx(won / count)
    assert found.nodes == int(records.lengths.sum())
