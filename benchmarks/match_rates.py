"""Error rates of the questions `refbot match` asks, by simulation: the table in docs/match.md.

    python benchmarks/match_rates.py [--runs 400]

Pairs of games are drawn for two bots of known strength, where Black wins 42 % (as reference bots do at komi
7.5), and the question is put after every pair, or after every fifth or twentieth where a run is long, up to
the most games.
"""

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "harness"))

from pairs import pairs

from harness.statistics.even import Even
from harness.statistics.sprt import Sprt, expected_score
from harness.word import Word

BLACK = 0.08
"""By how much a bot does worse with Black, and better with White."""


def simulate(judge: Callable[[list[float]], Word], mean: float, runs: int, most: int, every: int) -> str:
    """Return shares of the three words and quantiles of the number of games."""
    words, games = dict.fromkeys((Word.PASS, Word.FAIL, Word.INCONCLUSIVE), 0), []
    for run in range(runs):
        draw, word, number = random.Random(run), None, 0  # noqa: S311 - to be repeated
        source, counts = pairs(draw, mean - BLACK, mean + BLACK), [0.0] * 5
        while number < most // 2:
            number += 1
            counts[next(source)] += 1
            if number % every == 0 and (word := judge(counts)) is not Word.INCONCLUSIVE:
                break
        words[word or Word.INCONCLUSIVE] += 1
        games.append(2 * number)
    games.sort()
    shares = " | ".join(f"{100 * n / runs:.1f} %" for n in words.values())
    return f"{shares} | {games[runs // 10]:,} / {games[runs // 2]:,} / {games[9 * runs // 10]:,}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=400)
    runs = parser.parse_args().runs
    print("| question | true score | PASS | FAIL | INCONCLUSIVE | games: 10 % / 50 % / 90 % of the runs |")
    print("| --- | --- | --- | --- | --- | --- |")
    for margin, most, every in ((0.05, 4800, 1), (0.03, 13334, 5)):
        even = Even(margin, 0.01, 0.01)
        for mean in (0.5, 0.5 + margin / 2, 0.5 + margin, 0.5 + 2 * margin, 0.75):
            row = simulate(even.judge, mean, runs, most, every)
            print(f"| even within {100 * margin:g} % | {100 * mean:g} % | {row} |", flush=True)
    for low, high in ((0, 10), (0, 35)):
        sprt = Sprt(low, high, 0.05, 0.05)
        for elo in (low, high, high + 100):
            mean = expected_score(elo)
            row = simulate(sprt.judge, mean, runs, 100_000, 20 if high == 10 else 1)
            print(f"| {low} or {high} Elo | {100 * mean:.2f} % ({elo} Elo) | {row} |", flush=True)


if __name__ == "__main__":
    main()
