"""Weighted all-moves-as-first counts from recorded playouts, in compiled code."""

import numpy as np

from reference_engine.compiled import compiled
from reference_engine.records import ENDED
from reference_engine.tally import doubled_result


@compiled
def weigh(records, colour, komi, repeats, hits, wins):
    """Add the weights of all moves of recorded playouts.

    Args:
        records: ``Records`` with moves.
        colour: 1 Black, 2 White to move at the root.
        komi: points for White.
        repeats: whether every play of the root's colour counts, not only the first of either on its point.
        hits: float64[points]; weights are added.
        wins: float64[points]; weights times the worth of the playout, 0 to 1, are added.

    Returns:
        (moves of all playouts; twice the playouts won by the colour).
    """
    seen = np.zeros(hits.size, np.int64)
    nodes, won = 0, 0
    for row in range(records.lengths.size):
        result = doubled_result(np.int64(records.margins[row]), komi, colour, None)
        length = np.int64(records.lengths[row])
        nodes += length
        won += result
        for i in range(length):
            point = records.moves[row, i]
            if point == ENDED:
                break
            if point < 0:
                continue
            by_root = i % 2 == 0
            if by_root and (repeats or seen[point] != row + 1):
                weight = 1.0 - i / length
                hits[point] += weight
                wins[point] += weight * result / 2.0
            seen[point] = row + 1
    return nodes, won
