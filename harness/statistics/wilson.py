"""The interval of a win rate from a number of games that was fixed beforehand (Wilson 1927)."""

from math import sqrt
from statistics import NormalDist


def wilson(won: float, games: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return bounds of the probability to win; draws count half, for which they are a little too wide.

    Without games they are 0 and 1.
    """
    if not games:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = won / games
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    middle, scale = share + z * z / (2 * games), 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
