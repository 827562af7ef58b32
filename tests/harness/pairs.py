"""Simulated pairs of games between two bots of known strength, colours and draws included."""

import random
from collections.abc import Callable, Iterator

from harness.word import Word

Judge = Callable[[list[float]], Word]


def pairs(draw: random.Random, black: float, white: float, drawn: float = 0.0) -> Iterator[int]:
    """Yield without end what pairs are worth to the first bot, in half points.

    Args:
        draw: where chance comes from.
        black: mean score of the first bot with Black.
        white: its mean score with White.
        drawn: share of drawn games.
    """

    def game(mean: float) -> int:
        chance = draw.random()
        return 1 if chance < drawn else 2 if chance < mean + drawn / 2 else 0

    while True:
        yield game(black) + game(white)


def words(judge: Judge, runs: int, most: int, every: int, *means: float, seed: int = 1) -> dict[Word, float]:
    """Return how often each word came of runs that end with the first answer, or after the most pairs."""
    found = dict.fromkeys((Word.PASS, Word.FAIL, Word.INCONCLUSIVE), 0)
    for run in range(runs):
        counts = [0.0] * 5
        source = pairs(random.Random(seed * 1_000_003 + run), *means)  # noqa: S311 - to be repeated
        word = Word.INCONCLUSIVE
        for number in range(1, most + 1):
            counts[next(source)] += 1
            if number % every == 0 and (word := judge(counts)) is not Word.INCONCLUSIVE:
                break
        found[word] += 1
    return {word: number / runs for word, number in found.items()}
