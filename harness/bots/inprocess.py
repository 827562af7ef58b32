"""The embedded engine asked in this process, through the same text as any bot: for tables and simulations."""

from collections.abc import Sequence
from typing import Final

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.process_tree import Usage
from harness.bots.processes import Starter
from harness.bots.transport import ProcessEnd
from harness.bots.wire import Reply, ReplyReader, decode
from harness.word import Word
from reference_engine.game import Game
from reference_engine.search import Searcher
from reference_engine.server import Server
from reference_engine.spec import SPEC, Protocol, Spec

_SETS_UP: Final = ("boardsize", "clear_board", "komi", "play")


_Played = tuple[list[Exchange | Failure], Game]
"""The answers to the lines of a set-up, and the game they lead to."""

_PLAYED: dict[tuple[Spec, float, tuple[str, ...]], _Played] = {}
"""Set-ups that were played before, by the rules and the komi before them.  The same few hundred come again
and again, and a server that keeps the protocol starts anew with each boardsize, but for the komi."""
_MOST_PLAYED: Final = 2000
"""Largest number of set-ups that are kept: those of the rules of some trials."""


def starter(spec: Spec = SPEC) -> Starter:
    """Return a way of starting "processes" of the engine in this one, with these rules."""
    return lambda _bot, playouts, seed: InProcess(playouts, seed, spec)


class InProcess:
    """One "process" of the engine; ``ask`` is that of a session."""

    def __init__(self, playouts: int, seed: int | None = None, spec: Spec = SPEC) -> None:
        self._server = Server(Searcher(playouts, seed, spec), spec)
        self._reader = ReplyReader()
        self._spec = spec
        self._is_repeatable = spec.protocol is Protocol.CORRECT

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002, ARG002
        """Answer one command, or several lines that get one reply together."""
        return self._answer(line if id is None else f"{id} {line}")

    def ask_all(self, lines: Sequence[str], *, playouts: int = 0) -> list[Exchange | Failure]:
        """Answer commands in order, up to the first failure."""
        others = (i for i, line in enumerate(lines) if line.partition(" ")[0] not in _SETS_UP)
        outcomes = self._set_up(tuple(lines[: next(others, len(lines))]))
        for line in lines[len(outcomes) :]:
            outcomes.append(self.ask(line, playouts=playouts))
            if isinstance(outcomes[-1], Failure):
                break
        return outcomes

    def _set_up(self, lines: tuple[str, ...]) -> list[Exchange | Failure]:
        """Return the answers to a set-up that was played before, or none."""
        if not self._is_repeatable or not lines or not lines[0].startswith("boardsize"):
            return []
        key = (self._spec, self._server.game.komi, lines)
        if (played := _PLAYED.get(key)) is not None:
            self._server.game = played[1]
            return list(played[0])
        outcomes = [self.ask(line) for line in lines]
        if len(_PLAYED) > _MOST_PLAYED:
            _PLAYED.clear()
        if not any(isinstance(outcome, Failure) for outcome in outcomes):
            _PLAYED[key] = (list(outcomes), self._server.game)
        return outcomes

    def _answer(self, line: str) -> Exchange | Failure:
        notes = []
        while (surplus := self._reader.next()) is not None:
            notes.append(f"surplus before the command: {surplus}")
        for part in line.split("\n"):
            self._reader.feed(self._server.answer(part.encode() + b"\n").encode())
        reply = self._reader.next()
        if not isinstance(reply, Reply):
            return Failure(Word.TIMEOUT, "engine", line, "ordinary", 0.0, 0.0, None, None, "", "no reply")
        return Exchange(line, decode(reply.raw), reply.success, reply.text, tuple(notes), 0.0)

    def usage(self) -> Usage | None:
        """Return nothing: what it uses cannot be told from what this process uses."""
        return None

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        """End it; nothing remains to be seen out."""
        return None, ProcessEnd(0, None, "", orphans=False, forced=None)
