"""A GTP session with the server, in process."""

from reference_engine.search import Searcher
from reference_engine.server import Server

SEED = 20081013
PLAYOUTS = 40


class Session:
    """A server that is spoken to in text."""

    def __init__(self, size: int = 9, playouts: int = PLAYOUTS, seed: int | None = SEED) -> None:
        self.server = Server(Searcher(playouts, seed))
        self.ok(f"boardsize {size}")

    def ok(self, command: str) -> str:
        """Return the result of a command that must succeed."""
        answer = self.server.answer(f"{command}\n".encode())
        assert answer.startswith("="), f"{command}: {answer}"
        assert answer.endswith("\n\n")
        return answer[1:].strip()

    def error(self, command: str) -> str:
        """Return the error text of a command that must fail."""
        answer = self.server.answer(f"{command}\n".encode())
        assert answer.startswith("? "), f"{command}: {answer}"
        assert answer.endswith("\n\n")
        return answer[2:].strip()

    def play(self, moves: str) -> None:
        """Play moves such as ``bA1 wB2``."""
        for move in moves.split():
            self.ok(f"play {move[0]} {move[1:]}")
