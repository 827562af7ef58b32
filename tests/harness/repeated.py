"""Simulated matches in which games repeat earlier ones, for one reason or another."""

import random
from collections.abc import Callable

from harness.match.record import Question, Result, Termination
from harness.match.schedule import Schedule, TournamentFormat
from harness.match.tally import GameOutcome, MatchTally

Game = tuple[bool, bytes]
"""Whether the first bot wins, and what only the same games have in common."""
Source = Callable[[random.Random, int], Game]
"""Plays the game of a number, from 1."""


def book(mean: float, first: float, second: float = 0.0, games: int = 20) -> Source:
    """Return bots whose games are independent draws.

    Args:
        mean: how often the first bot wins, with either colour.
        first: share of its wins that are one of a few games, each as likely as the others.
        second: the same of the second bot's wins.
        games: how many these few are, of either bot.
    """

    def play(draw: random.Random, number: int) -> Game:
        wins = draw.random() < mean
        is_booked = draw.random() < (first if wins else second)
        return wins, (f"{wins} {draw.randrange(games)}" if is_booked else f"{number}").encode()

    return play


def cycle(mean: float, pairs: int) -> Source:
    """Return bots without chance that begin from so many openings in turn: the games come round again.

    The first bot wins each of the first games with probability ``mean``.
    """
    return _again(mean, lambda pair: pair % pairs)


def copies(mean: float, times: int) -> Source:
    """Return bots whose seeds do not change: each of so many workers plays the same pair of games."""
    return _again(mean, lambda pair: pair // times)


def _again(mean: float, place_of: Callable[[int], int]) -> Source:
    seen: dict[tuple[int, int], bool] = {}

    def play(draw: random.Random, number: int) -> Game:
        pair, half = divmod(number - 1, 2)
        if number == 1:
            seen.clear()
        place = (place_of(pair), half)
        if place not in seen:
            seen[place] = draw.random() < mean
        return seen[place], f"{place}".encode()

    return play


def played(question: Question, play: Source, most: int, seed: int) -> MatchTally:
    """Return a match of at most so many games, looked at after every pair."""
    draw = random.Random(seed)  # noqa: S311 - to be repeated
    tally = MatchTally(Schedule(2, TournamentFormat.ROUND_ROBIN, most), question)
    for number in range(1, most + 1):
        wins, digest = play(draw, number)
        seating = tally.schedule.seating(number)
        result = Result(Termination.SCORE, "B" if wins is not seating.is_swapped else "W", 0.5)
        tally.add(GameOutcome(seating, result, digest, 50, 1.0, (0.5, 0.5), None, ("?", "?")))
        if tally.decided_at is not None:
            break
    return tally
