"""How far conforming bots are from what dialogues compare them with: the error rates of docs/statistics.md.

    python benchmarks/dialogues.py means --genmoves 4000      # distances of figures, in standard errors
    python benchmarks/dialogues.py answers --genmoves 4000    # e-values of answers
    python benchmarks/dialogues.py draws --runs 4000          # e-values of 60 even draws on 19x19

Random positions; the engine is the bot, with other random numbers than the reference has.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from harness.judging.draw_bets import DrawBets
from harness.judging.simulated import BETS, log_e_of_answer, means_of, standard_error
from reference_engine.board import Position
from reference_engine.game import Game
from reference_engine.search import Searcher
from reference_engine.vocabulary import Colour

_KOMIS = (0.5, 0.0, 6.5, 7.0, -3.5, 30.5, 100.5, -100.5)


def positions(sizes: Sequence[int], seed: int) -> Iterator[tuple[Game, Colour, int]]:
    """Yield random games, the side to move, and a seed for the bot."""
    while True:
        seed += 1
        random = Random(seed)  # noqa: S311 - no secret
        size = random.choice(sizes)
        game = Game.new(size, komi=random.choice(_KOMIS))
        for _ in range(random.randrange(size * size * 3 // 4)):
            colour, point = random.choice(list(Colour)), random.choice(game.position.empty_points())
            if game.allows(colour, point):
                game = game.after(colour, point)
        yield game, random.choice(list(Colour)), seed


def show_means(genmoves: int, seed: int, playouts: int) -> None:
    """Print how far lengths and scores of a conforming bot are from the engine's."""
    lengths, scores = [], []
    for game, colour, number in positions((7, 9, 13), seed):
        means, report = means_of(game, colour), Searcher(playouts, number).genmove(game, colour).report
        if spread := means.length[1]:
            lengths.append((report.nodes / playouts - means.length[0]) / standard_error(spread, playouts))
        scores.append((report.score - means.wins[0]) / standard_error(means.wins[1], playouts))
        if len(scores) == genmoves:
            break
    for name, values in (("length", lengths), ("score", scores)):
        farthest = ", ".join(f"{abs(value):.2f}" for value in sorted(values, key=abs)[-5:])
        print(
            f"{name}: {len(values):,} genmoves, standard deviation {np.std(values):.3f}, farthest {farthest}"
        )


def show_answers(genmoves: int, seed: int) -> None:
    """Print the mean of each bet's e-value, over answers of a conforming bot: that farthest above 1."""
    found: dict[int, list[tuple[float, ...]]] = {}
    done = 0
    for game, colour, number in positions((3, 4, 5), seed):
        playouts = (8, 64, 600)[number % 3]
        answer = Searcher(playouts, number).genmove(game, colour).move
        if answer is not None and (log_es := log_e_of_answer(game, colour, answer, playouts, done)):
            found.setdefault(playouts, []).append(log_es)
            done += 1
        if done == genmoves:
            break
    for playouts, log_es in sorted(found.items()):
        values = np.exp(log_es)
        error = values.std(axis=0) / len(values) ** 0.5
        most = int(((values.mean(axis=0) - 1) / error).argmax())
        mean = values[:, most].mean()
        print(
            f"{playouts} playouts: {len(values):,} genmoves; of {BETS} means the one most standard errors "
            f"above 1: {mean:.3f} +- {error[most]:.3f}"
        )


def show_draws(runs: int, seed: int, draws: int = 60) -> None:
    """Print the e-values of even draws on an empty 19x19 board: their mean, and how often they are large."""
    position = Position(19)
    points = position.empty_points()
    e_values = []
    for number in range(runs):
        random, bets = Random(seed + number), DrawBets()  # noqa: S311 - no secret
        for _ in range(draws):
            bets.add(position, Colour.BLACK, points, random.choice(points))
        e_values.append(np.exp(bets.log_e))
    large = ", ".join(f"{sum(e >= least for e in e_values)} reach {least}" for least in (10, 20, 100))
    print(
        f"{runs:,} runs of {draws} draws: mean {np.mean(e_values):.3f}, greatest {max(e_values):.1f}; {large}"
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("means", "answers", "draws"))
    parser.add_argument("--genmoves", type=int, default=4000)
    parser.add_argument("--playouts", type=int, default=2500, help="of the figures")
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what == "means":
        show_means(options.genmoves, options.seed, options.playouts)
    elif options.what == "draws":
        show_draws(options.runs, options.seed)
    else:
        show_answers(options.genmoves, options.seed)


if __name__ == "__main__":
    main()
