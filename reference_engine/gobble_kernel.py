"""Playouts of Gobble: each side has its moves in an order, and plays the first of them that it can.

Bernd Bruegmann, "Monte Carlo Go", 1993.  The board is that of ``chain_board``, the rules of a move are
those of the reference bot's playouts: no own eye is filled, no suicide, simple ko, a pass only where
nothing else is left.  The paper's eye ("no more than 1 stone of the opposite color" on the diagonals,
"0 for border and corner fields") is that of the specification of 2008.
"""

import numpy as np
from numba import uint64

from reference_engine.chain_board import (
    CELLS,
    EMPTY,
    ONE,
    SIZE,
    WEIGHTS,
    ZERO,
    cell_of,
    other_of,
    place,
    point_of,
    set_up,
    stone_on,
    touch,
)
from reference_engine.chain_count import count_up
from reference_engine.chain_kernel import _is_playable as is_playable
from reference_engine.compiled import compiled
from reference_engine.records import ENDED, PASSED
from reference_engine.streams import below, next64, seed_stream

_UNIT = 1.0 / (1 << 53)
CAP = 3
"""A game ends after this many times N*N moves, or two passes; the paper knows passes only, and without
superko a game need not end."""


@compiled
def sweep(rng, order, pswap):
    """Go through an order once, from best to worst, and switch neighbours with probability ``pswap``.

    Args:
        rng: 4 words of generator state.
        order: int64[n], changed.
        pswap: the probability.
    """
    for i in range(order.size - 1):
        if (next64(rng) >> uint64(11)) * _UNIT < pswap:
            order[i], order[i + 1] = order[i + 1], order[i]


@compiled
def arrange(rng, values, order, pswap):
    """Put points in the order they will be tried in: by value, the best first, then shaken.

    Args:
        rng: 4 words of generator state.
        values: float64[points]; ties fall in any order, all equally likely.
        order: int64[points], filled.
        pswap: the probability of a switch.
    """
    n = order.size
    for i in range(n):  # shuffled first, and sorted without changing what is even
        j = below(rng, i + 1)
        order[i] = order[j]
        order[j] = i
    keys = np.empty(n, np.float64)
    for i in range(n):
        keys[i] = -values[order[i]]
    ranks = np.argsort(keys, kind="mergesort")
    order[:] = order[ranks]
    sweep(rng, order, pswap)


@compiled
def _first_playable(b, libs, order, colour, ko, size, shapes):
    """Return the cell of the first point of an order that the colour may play, or 0."""
    for point in order:
        cell = cell_of(point, size)
        if stone_on(b, cell) == ZERO and is_playable(
            b, libs, touch(b, libs, cell, colour), colour, ko, None, shapes
        ):
            return cell
    return ZERO


@compiled
def anneal(
    board,
    size,
    to_move,
    ko_point,
    ko_colour,
    moves_played,
    komi,
    seed,
    first,
    schedule,
    opening,
    shapes,
    sums,
    hits,
    moves,
):
    """Play games in which each side's order follows from the values of the games before.

    Args:
        board: int8[size * size], 0 empty, 1 Black, 2 White, in board order.
        size: of the board.
        to_move: 1 Black, 2 White.
        ko_point: the point banned by simple ko, or -1.
        ko_colour: the colour it is banned for.
        moves_played: moves of the game so far.
        komi: points for White.
        seed: uint64; with a game's number it fixes the game, its forerunners given.
        first: number of the first game.
        schedule: float64[games], the probability of a switch in each.
        opening: point that the first move is, or -1 for the first of the order.
        shapes: ``shapes_of`` the specification.
        sums: float64[2, points]; for Black and for White, scores of the games in which it played the
            point, once each, in points for that colour, are added.
        hits: int64[2, points]; how many those are.
        moves: int16[games, most], filled with the points played, ``PASSED`` and after the last ``ENDED``;
            or int16[games, 0].

    Returns:
        (moves of all games; twice the games won by ``to_move``; the sum of scores for it, in points).
    """
    area, root = size * size, uint64(to_move)
    cap = max(CAP * area - moves_played, 1)
    b, libs = np.zeros(SIZE, np.uint16), np.zeros(CELLS, np.uint64)
    start, start_libs = np.zeros(SIZE, np.uint16), np.zeros(CELLS, np.uint64)
    start_empties = set_up(board, size, start, start_libs)
    start_margin = 0
    for point in range(area):
        start_margin += np.int64(board[point] == 1) - np.int64(board[point] == 2)
    region, marks = np.zeros(area, np.uint64), np.zeros(CELLS, np.int64)
    owners = np.zeros((schedule.size, 0), np.uint8)
    rng = np.zeros(4, np.uint64)
    values, orders = np.zeros((2, area), np.float64), np.zeros((2, area), np.int64)
    played = np.zeros((2, area), np.bool_)
    nodes, won, points = 0, 0, 0.0
    for game in range(schedule.size):
        seed_stream(rng, seed, first + game)
        for side in range(2):
            total, games = 0.0, 0
            for p in range(area):
                total += sums[side, p]
                games += hits[side, p]
            # A move never played is worth what moves were worth on average.
            usual = total / games if games > 0 else 0.0
            for p in range(area):
                values[side, p] = sums[side, p] / hits[side, p] if hits[side, p] > 0 else usual
            arrange(rng, values[side], orders[side], schedule[game])
        played[:] = False
        b[:] = start
        libs[:] = start_libs
        empties, margin, colour = start_empties, start_margin, root
        ko = cell_of(ko_point, size) if ko_point >= 0 and ko_colour == to_move else ZERO
        length, trailing = 0, 0
        while True:
            cell = cell_of(opening, size) if length == 0 and opening >= 0 else ZERO
            if cell == ZERO:
                cell = _first_playable(b, libs, orders[np.int64(colour) - 1], colour, ko, size, shapes)
            if moves.shape[1] > 0:
                moves[game, length] = PASSED if cell == ZERO else np.int64(point_of(cell, size))
            length += 1
            ko = ZERO
            if cell == ZERO:
                trailing += 1
                if trailing == 2:
                    break
            else:
                trailing = 0
                i = ZERO
                while uint64(b[EMPTY + i]) != cell:
                    i += ONE
                played[np.int64(colour) - 1, point_of(cell, size)] = True
                contact = touch(b, libs, cell, colour)
                first_taken = empties - ONE
                empties = place(b, libs, empties, i, colour, contact)
                taken = empties - first_taken
                margin += (3 - 2 * np.int64(colour)) * (1 + np.int64(taken))
                if taken == ONE and contact.own == ZERO:
                    captured = uint64(b[EMPTY + first_taken])
                    if libs[cell] == WEIGHTS[captured]:
                        ko = captured
            if length >= cap:
                break
            colour = other_of(colour)
        if moves.shape[1] > 0:
            moves[game, length] = ENDED
        nodes += length
        score = count_up(b, libs, empties, size, margin, region, marks, owners, game, None) - komi
        mine = score if root == ONE else -score
        points += mine
        won += 2 if mine > 0 else (1 if mine == 0 else 0)
        for p in range(area):
            for side in range(2):
                if played[side, p]:
                    sums[side, p] += score if side == 0 else -score
                    hits[side, p] += 1
    return nodes, won, points
