"""Strengths of several players from their games (Bradley and Terry 1952), in Elo points, with errors.

The model is logistic: the log-odds of a win are the difference of two strengths, plus the advantage of Black.
A draw is half a win.  A weak normal prior gives a finite strength to a player who has won every game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
import scipy  # its parts are loaded when they are first used
from numpy.typing import NDArray

PER_NAT: Final = 400 / log(10)
"""Elo points of one unit of log-odds."""
PRIOR_ELO: Final = 1000.0
"""Standard deviation of the prior; it is too wide to matter once both players have won a game."""

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Score:
    """Games of one pair of players with the same colours."""

    black: int
    white: int
    games: float
    won: float
    """Points of Black; draws count half."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Strengths in Elo points, with mean 0, and standard errors."""

    elo: tuple[float, ...]
    error: tuple[float, ...]
    """Standard error of each strength relative to the mean of all."""
    black: float
    """The advantage of Black, komi included."""
    black_error: float


def rate(scores: Sequence[Score], players: int) -> Ratings:
    """Fit strengths to the games of a match."""
    design = np.zeros((len(scores), players + 1))
    for row, score in enumerate(scores):
        design[row, score.black] = 1.0
        design[row, score.white] = -1.0
        design[row, players] = 1.0
    won = np.array([score.won for score in scores])
    lost = np.array([score.games - score.won for score in scores])
    precision = (PER_NAT / PRIOR_ELO) ** 2

    def loss(x: Vector) -> float:
        odds = design @ x
        return float(
            -won @ scipy.special.log_expit(odds)
            - lost @ scipy.special.log_expit(-odds)
            + precision * x @ x / 2
        )

    def slope(x: Vector) -> Vector:
        chance = scipy.special.expit(design @ x)
        gradient: Vector = design.T @ ((won + lost) * chance - won) + precision * x
        return gradient

    found = scipy.optimize.minimize(
        loss, np.zeros(players + 1), jac=slope, method="BFGS", options={"gtol": 1e-8}
    )
    chance = scipy.special.expit(design @ found.x)
    weight = (won + lost) * chance * (1 - chance)
    covariance = np.linalg.inv(design.T @ (weight[:, None] * design) + precision * np.eye(players + 1))
    centre = np.eye(players + 1)
    centre[:players, :players] -= 1 / players
    elo = PER_NAT * (centre @ found.x)
    error = PER_NAT * np.sqrt(np.diag(centre @ covariance @ centre.T))
    return Ratings(
        tuple(map(float, elo[:players])),
        tuple(map(float, error[:players])),
        float(elo[players]),
        float(error[players]),
    )
