"""Games by gomill 0.8.3 (Matthew Woodcraft, 2013), which is Python 2: translated by lib2to3, for a benchmark.

Four places that lib2to3 cannot know are mended: pipes of text instead of bytes, no encoding of what is text
already, and a table of characters.  Pipes of text are buffered, so the translation reads faster than gomill
under Python 2 did.  A game is what its ringmaster plays: `game_jobs.Game_job`, new processes for each.
"""

import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

VERSION = "0.8.3"
MENDED = {
    "gtp_controller.py": [
        ("stdout=subprocess.PIPE,\n", 'stdout=subprocess.PIPE, encoding="latin-1",\n'),
        ('argument.encode("utf-8")', "argument"),
    ],
    "sgf_grammar.py": [("string.maketrans", "str.maketrans")],
}


def load(folder: Path) -> Any:
    """Fetch gomill from the package index, translate it, and return its module of jobs.

    Args:
        folder: an empty one, to be kept as long as games are played.

    Raises:
        subprocess.CalledProcessError: the index was not reached, or this Python has no lib2to3 (3.13).
    """
    fetch = [
        sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder,
        f"gomill=={VERSION}",
    ]  # fmt: skip
    subprocess.run(fetch, check=True, stderr=subprocess.DEVNULL)
    with tarfile.open(folder / f"gomill-{VERSION}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    package = folder / f"gomill-{VERSION}" / "gomill"
    translate = [sys.executable, "-W", "ignore", "-m", "lib2to3", "-w", "-n", package]
    subprocess.run(translate, check=True, capture_output=True)
    for name, pairs in MENDED.items():
        text = (package / name).read_text("utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
        (package / name).write_text(text, "utf-8")
    sys.path.insert(0, str(package.parent))
    from gomill import game_jobs  # type: ignore[import-not-found]  # noqa: PLC0415 - was not there before

    return game_jobs


def play(game_jobs: Any, program: Path, games: int) -> None:
    """Play so many games of the program with itself, colours swapped after each."""
    for number in range(games):
        job = game_jobs.Game_job()
        job.game_id = str(number)
        players = []
        for code in ("one", "two"):
            player = game_jobs.Player()
            player.code, player.cmd_args = code, [str(program)]
            players.append(player)
        first = number % 2
        job.player_b, job.player_w = players[first], players[1 - first]
        job.board_size, job.komi, job.move_limit, job.handicap = 9, 7.5, 1000, None
        assert job.run().game_result.winning_colour == "w"
