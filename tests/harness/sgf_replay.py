"""A game record read back and played again by sgfmill, which shares no board with the referee.

python tests/harness/sgf_replay.py FOLDER...     replays every game of these matches
"""

import sys
from pathlib import Path

from sgfmill import sgf, sgf_moves


def replay(data: bytes) -> tuple[str, str]:
    """Return the result a record states, and the one its moves lead to; the latter only if it was scored."""
    game = sgf.Sgf_game.from_bytes(data)
    root = game.get_root()
    board, plays = sgf_moves.get_setup_and_moves(game)
    for colour, point in plays:
        if point is not None:
            board.play(*point, colour)  # raises where a point is occupied
    last = game.get_last_node()
    board.apply_setup([], [], last.get("MA") if last.has_property("MA") else [])
    margin = board.area_score() - root.get("KM")
    return root.get("RE"), f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def main() -> None:
    """Replay the games of some matches, and say how many agree."""
    for folder in map(Path, sys.argv[1:]):
        games = [replay(path.read_bytes()) for path in sorted((folder / "games").glob("*.sgf"))]
        scored = [pair for pair in games if pair[0][2:3].isdigit() or pair[0] == "0"]
        wrong = [pair for pair in scored if pair[0] != pair[1]]
        print(f"{folder}: {len(games)} games, {len(scored)} scored, {len(wrong)} not what they say {wrong}")


if __name__ == "__main__":
    main()
