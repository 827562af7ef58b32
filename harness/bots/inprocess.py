"""The embedded engine asked in this process, through the same text as any bot: for tables and simulations."""

from dataclasses import dataclass, field
from typing import Final

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.family import Usage
from harness.bots.processes import Starter
from harness.bots.transport import ProcessEnd
from harness.bots.wire import Reply, ReplyReader, decode
from harness.word import Word
from reference_engine.game import Game
from reference_engine.search import Searcher
from reference_engine.server import Server
from reference_engine.spec import SPEC, Protocol, Spec

_SETS_UP: Final = ("clear_board", "komi", "play")


@dataclass
class _Known:
    """What a line of a set-up did, and what the lines after it did."""

    exchange: Exchange
    game: Game
    next: dict[str, "_Known"] = field(default_factory=dict)


_KNOWN: dict[tuple[Spec, float], dict[str, _Known]] = {}
"""Set-ups that were played before, by the komi before them and their first line.  The same few hundred come
again and again, and a server that keeps the protocol starts anew with each boardsize, but for the komi."""
_MOST_KNOWN: Final = 64
"""Of them at a time: the rules of some trials."""


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
        self._place: dict[str, _Known] | None = None

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002, ARG002
        """Answer one command, or several lines that get one reply together."""
        line = line if id is None else f"{id} {line}"
        word = line.partition(" ")[0]
        if word == "boardsize":
            if len(_KNOWN) > _MOST_KNOWN:
                _KNOWN.clear()
            self._place = _KNOWN.setdefault((self._spec, self._server.game.komi), {})
        elif word not in _SETS_UP or "\n" in line:
            self._place = None
        if self._place is None or not self._is_repeatable:
            return self._answer(line)
        if (known := self._place.get(line)) is None:
            exchange = self._answer(line)
            if isinstance(exchange, Failure):
                return exchange
            known = self._place[line] = _Known(exchange, self._server.game)
        self._server.game, self._place = known.game, known.next
        return known.exchange

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
