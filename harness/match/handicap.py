"""The points of fixed handicap stones (GTP 2, 4.1.1): on the third line, from 13x13 on the fourth."""

from harness.errors import UsageError
from harness.match.board import Point


def handicap_points(size: int, stones: int) -> list[Point]:
    """Return the points, in the protocol's order.

    Raises:
        UsageError: a board of this size has no fixed points for so many stones.
    """
    if not stones:
        return []
    most = 0 if size < 7 else 4 if size == 7 or size % 2 == 0 else 9
    if not 2 <= stones <= most:
        can = f"takes 2 to {most} handicap stones" if most else "has no places for handicap stones"
        raise UsageError(f"--handicap {stones}: a board of size {size} {can}")
    low = 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    points = corners[: min(stones, 4)]
    if stones >= 6:
        points += sides[: 4 if stones >= 8 else 2]
    if stones in (5, 7, 9):
        points.append((middle, middle))
    return points
