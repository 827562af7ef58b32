"""What `refbot match` says of bots that repeat games, by simulation: a table in docs/match.md.

    python benchmarks/match_repeats.py [--runs 400]

The question is put after every pair of games, as in a match.  Beside its word stands how often a wrong one
would have come of every game alone, and how often of the games alone that repeat none before.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "harness"))

from repeated import Source, book, copies, cycle, played

from harness.match.record import Ask, Question
from harness.statistics.sprt import expected_score
from harness.word import Word

EVEN = Question(Ask.EVEN, 0.05, alpha=0.01, beta=0.01)
SPRT = Question(Ask.SPRT, elo=(0.0, 35.0), alpha=0.05, beta=0.05)
STRONGER = expected_score(35)
MOST = 4800
"""Games: what `--expect even --margin 0.05` may take by default."""

Case = tuple[str, Source, Word]
"""Bots in words, their games, and the word that would be wrong."""


def even_cases() -> list[Case]:
    """Return the bots that are asked whether they are even within 5 %."""
    return [
        *((f"{100 * mean:g} %; none", book(mean, 0), Word.FAIL) for mean in (0.5, 0.55)),
        *((f"{100 * mean:g} %; none", book(mean, 0), Word.PASS) for mean in (0.6, 0.75)),
        *(
            (f"50 %; {100 * share:g} % of the first bot's wins", book(0.5, share), Word.FAIL)
            for share in (0.02, 0.1, 0.2, 0.4, 0.6)
        ),
        *(
            (f"50 %; {100 * share:g} % of either bot's wins", book(0.5, share, share), Word.FAIL)
            for share in (0.1, 0.2, 0.4)
        ),
        *(
            (f"{100 * mean:g} %; 40 % of the first bot's wins", book(mean, 0.4), Word.PASS)
            for mean in (0.6, 0.75)
        ),
        *(
            (f"50 %; no chance, {pairs:,} opening{'s' * (pairs > 1)}", cycle(0.5, pairs), Word.FAIL)
            for pairs in (1, 10, 100, 1000)
        ),
        *(
            (f"{100 * mean:g} %; the same seeds {times} times", copies(mean, times), Word.FAIL)
            for mean in (0.5, 0.55)
            for times in (2, 8)
        ),
    ]


def sprt_cases() -> list[Case]:
    """Return the bots of which it is asked whether the first is 35 Elo stronger, or no better."""
    return [
        ("0 Elo; none", book(0.5, 0), Word.PASS),
        ("35 Elo; none", book(STRONGER, 0), Word.FAIL),
        ("0 Elo; 40 % of the second bot's wins", book(0.5, 0, 0.4), Word.PASS),
        ("35 Elo; 40 % of the first bot's wins", book(STRONGER, 0.4), Word.FAIL),
        ("0 Elo; no chance, 100 openings", cycle(0.5, 100), Word.PASS),
        ("0 Elo; the same seeds 8 times", copies(0.5, 8), Word.PASS),
    ]


def simulate(question: Question, case: Case, runs: int) -> str:
    """Return shares of the three words, of wrong words by either count alone, and the median of the games."""
    _, play, wrong = case
    words = dict.fromkeys((Word.PASS, Word.FAIL, Word.INCONCLUSIVE), 0)
    every = new = 0
    games = []
    for seed in range(runs):
        tally = played(question, play, MOST, seed)
        one = tally.pairings[0]
        words[tally.word or Word.INCONCLUSIVE] += 1
        every += one.every.word is wrong
        new += one.new.word is wrong
        games.append(tally.played)
    shares = [100 * n / runs for n in (*words.values(), every, new)]
    return f"{' | '.join(f'{share:.1f} %' for share in shares)} | {sorted(games)[runs // 2]:,}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=400)
    runs = parser.parse_args().runs
    print("| question | true score; games repeated | PASS | FAIL | INCONCLUSIVE | all | new | games |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, question, cases in (("even", EVEN, even_cases()), ("0 or 35 Elo", SPRT, sprt_cases())):
        for case in cases:
            print(f"| {name} | {case[0]} | {simulate(question, case, runs)} |", flush=True)


if __name__ == "__main__":
    main()
