"""Games a second between two bots that do not think, beside a bare loop of the same exchanges; and memory.

    python benchmarks/match.py [--rounds 7] [--games 200] [--gomill]
    python benchmarks/match.py --memory 10000

Every round plays the same number of games each way, in turn, and ratios are taken within a round.  The bare
loop writes each command, reads to the empty line, and keeps no rules, no limits and no record.  "Fresh"
starts both programs anew for every game, as some match programs do; gomill does, which ``--gomill`` plays
with, too (see gomill_games.py).  Two rates are shown: by the clock, and by the processor time of all
processes together, which other programs on the machine disturb less.

With ``--memory`` one match is played, and the memory of this process is printed on the way.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gomill_games

sys.path.insert(0, str(Path(__file__).parent.parent))

from harness.bots.bot import Bot
from harness.match.identification import identify_entrant
from harness.match.record import Entrant, MatchHeader, Question
from harness.match.run import Match, new_tally
from harness.match.schedule import TournamentFormat
from harness.match.tally import MatchTally
from harness.match.terms import OpeningPosition, Terms

SOURCE = Path(__file__).parent / "instant_bot.c"
MOVES = 38
"""Of each game, the two passes included."""


def header(program: Path, games: int, *, is_fresh: bool, makes_sgf: bool) -> tuple[MatchHeader, list[Bot]]:
    """Return a match of the program with itself."""
    bots = [Bot(name, str(program)) for name in ("one", "two")]
    entrants = [entrant for bot in bots if isinstance(entrant := identify_entrant(bot, 1), Entrant)]
    terms = Terms(is_fresh=is_fresh)
    top = MatchHeader(
        1, "", "", "", terms, TournamentFormat.ROUND_ROBIN, games, entrants, [OpeningPosition()], Question(),
        most_voids=1, makes_sgf=makes_sgf,
    )  # fmt: skip
    return top, bots


def play(
    program: Path,
    games: int,
    see: Callable[[MatchTally], None] = lambda _: None,
    *,
    is_fresh: bool = False,
    makes_sgf: bool = False,
    jobs: int = 1,
) -> None:
    """Play a match of so many games."""
    top, bots = header(program, games, is_fresh=is_fresh, makes_sgf=makes_sgf)
    with tempfile.TemporaryDirectory() as folder:
        summary = Match(top, bots, new_tally(top, games), Path(folder)).go(jobs, see)
    assert summary.played == games
    assert summary.meetings[0].not_counted == 0


class Bare:
    """One process, asked in the barest way."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self._process.stdin
        assert self._process.stdout
        self._into, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()

    def ask(self, line: str) -> bytes:
        """Write a line and read to the empty one."""
        os.write(self._into, line.encode() + b"\n")
        came = os.read(self._out, 65536)
        while not came.endswith(b"\n\n"):
            came += os.read(self._out, 65536)
        return came

    def close(self) -> None:
        """End it."""
        self.ask("quit")
        self._process.communicate()


def bare_games(program: Path, games: int, *, is_fresh: bool) -> None:
    """Play the same games by bare exchanges."""
    players = [Bare(program), Bare(program)]
    for game in range(games):
        if is_fresh and game:
            for player in players:
                player.close()
            players = [Bare(program), Bare(program)]
        for player in players:
            for line in ("boardsize 9", "clear_board", "komi 7.5"):
                player.ask(line)
        for move in range(MOVES):
            colour = "bw"[move % 2]
            vertex = players[move % 2].ask(f"genmove {colour}")[2:].split()[0].decode()
            players[1 - move % 2].ask(f"play {colour} {vertex}")
    for player in players:
        player.close()


def rates(program: Path, rounds: int, games: int, jobs: Any = None) -> None:
    """Print games a second each way, and how they compare; with gomill's module of jobs gomill's, too."""
    few = max(2, games // 10 // 2 * 2)
    ways: dict[str, tuple[int, Callable[[int], None]]] = {
        "bare loop": (games, lambda n: bare_games(program, n, is_fresh=False)),
        "match": (games, lambda n: play(program, n)),
        "match, with SGF": (games, lambda n: play(program, n, makes_sgf=True)),
        "bare loop, fresh": (few, lambda n: bare_games(program, n, is_fresh=True)),
        "match, fresh": (few, lambda n: play(program, n, is_fresh=True)),
    }
    if jobs is not None:
        ways["gomill, fresh"] = (few, lambda n: gomill_games.play(jobs, program, n))
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (number, way) in ways.items():
            wall, cpu = time.perf_counter(), spent()
            way(number)
            found[name].append((number / (time.perf_counter() - wall), number / (spent() - cpu)))
    print(f"{'':18} {'by the clock':>24} {'by processor time':>32}")
    for name, values in found.items():
        beside = found["bare loop, fresh" if name.endswith("fresh") else "bare loop"]
        cells = []
        for kind in (0, 1):
            ratios = [value[kind] / base[kind] for value, base in zip(values, beside, strict=True)]
            rate = statistics.median(value[kind] for value in values)
            cells.append(f"{rate:8.1f} games/s, {statistics.median(ratios):5.2f} of bare")
        print(f"{name:18} {cells[0]:>30} {cells[1]:>30}")
    for name in [name for name in ways if jobs is not None and name.startswith("match")]:
        pairs = zip(found[name], found["gomill, fresh"], strict=True)
        times = [(mine[0] / its[0], mine[1] / its[1]) for mine, its in pairs]
        clock, work = (statistics.median(pair[kind] for pair in times) for kind in (0, 1))
        print(f"{name}: {clock:.1f} times gomill's by the clock, {work:.1f} times by processor time")


def spent() -> float:
    """Return the processor time of this process and of the bots that have ended, in seconds."""
    return sum(os.times()[:4])


def memory(program: Path, games: int) -> None:
    """Print the resident memory of this process as a match goes on."""
    step = max(1, games // 10)

    def see(tally: MatchTally) -> None:
        if tally.played % step == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            kib = pages * os.sysconf("SC_PAGE_SIZE") / 1024
            print(f"{tally.played:7} games  {kib / 1024:7.1f} MiB", flush=True)

    began = time.perf_counter()
    play(program, games, see)
    print(f"{games / (time.perf_counter() - began):.1f} games/s")


def main() -> None:
    """Compile the bot and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--memory", type=int, default=0, metavar="GAMES")
    parser.add_argument("--gomill", action="store_true", help="fetch it and play with it, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "instant_bot"
        subprocess.run(["cc", "-O2", "-o", program, SOURCE], check=True)
        if options.memory:
            memory(program, options.memory)
        else:
            jobs = gomill_games.load(Path(folder)) if options.gomill else None
            rates(program, options.rounds, options.games, jobs)


if __name__ == "__main__":
    main()
