"""The bonus for points whose owner is open."""

import numpy as np
import pytest

from reference_engine import playouts
from reference_engine.board import Position
from reference_engine.futures import SHARPNESS, Form, Futures, Scale, uncertainty
from reference_engine.playouts import Root
from reference_engine.vocabulary import Colour

ROOT = Root(Position(7).after(Colour.BLACK, (3, 3)), Colour.WHITE, 1, 4.5)


@pytest.mark.parametrize(
    ("black", "white", "linear"),
    [(100, 0, 0.0), (0, 100, 0.0), (50, 50, 1.0), (75, 25, 0.5), (0, 0, 1.0), (60, 20, 0.6)],
)
def test_uncertainty_is_one_minus_the_tally_over_the_playouts(black: int, white: int, linear: float) -> None:
    """1 where a point is split evenly, 0 where it is always the same side's; nobody's counts for neither."""
    owned = np.array([[black], [white]])

    assert uncertainty(owned, 100)[0] == pytest.approx(linear)
    assert uncertainty(owned, 100, Form.TANH)[0] == pytest.approx(
        np.tanh(SHARPNESS * linear) / np.tanh(SHARPNESS)
    )


@pytest.mark.parametrize(("scale", "factor"), [(Scale.FRACTION, 1.0), (Scale.SIGNED, 0.5)])
def test_a_move_is_worth_its_rate_and_the_bonus(scale: Scale, factor: float) -> None:
    """Every playout is counted again by hand from its list of moves; chance never fails the test."""
    count, area = 400, 49
    found = Futures(0.1, scale=scale)(ROOT, [], count, 11, 0)
    visits, wins, tally, nodes, won = np.zeros(area), np.zeros(area), np.zeros(area), 0, 0.0
    records = playouts.record(ROOT, count, 11, owners=True, moves=True)
    for row in range(count):
        score = int(records.margins[row]) - 4.5
        result = 1.0 if score < 0 else 0.0
        seen: set[object] = set()
        for i, move in enumerate(playouts.moves_of(7, records, row)):
            nodes += 1
            if move is not None and move not in seen:
                seen.add(move)
                if i % 2 == 0:
                    visits[move[0] * 7 + move[1]] += 1
                    wins[move[0] * 7 + move[1]] += result
        owners = records.owners[row]
        tally += (owners == 1).astype(int) - (owners == 2).astype(int)
        won += result
    expected = wins / np.where(visits, visits, np.nan) + factor * 0.1 * (1 - np.abs(tally) / count)

    assert np.allclose(found.values, expected, equal_nan=True)
    assert (found.nodes, found.score) == (nodes, won / count)
