"""The embedded engine asked in this process, through the same text as any bot: for tables and tests."""

from harness.processes import Starter
from harness.session import Exchange, Failure
from harness.transport import ProcessEnd
from harness.wire import Reply, ReplyReader, decode
from harness.word import Word
from reference_engine.search import Searcher
from reference_engine.server import Server
from reference_engine.spec import SPEC, Spec


def starter(spec: Spec = SPEC) -> Starter:
    """Return a way of starting "processes" of the engine in this one, with these rules."""
    return lambda _bot, playouts, seed: InProcess(playouts, seed, spec)


class InProcess:
    """One "process" of the engine; ``ask`` is that of a session."""

    def __init__(self, playouts: int, seed: int | None = None, spec: Spec = SPEC) -> None:
        self._server = Server(Searcher(playouts, seed, spec), spec)
        self._reader = ReplyReader()

    def ask(self, line: str, *, playouts: int = 0) -> Exchange | Failure:  # noqa: ARG002
        """Answer one command, or several lines that get one reply together."""
        notes = []
        while (surplus := self._reader.next()) is not None:
            notes.append(f"surplus before the command: {surplus}")
        for part in line.split("\n"):
            self._reader.feed(self._server.answer(part.encode() + b"\n").encode())
        reply = self._reader.next()
        if not isinstance(reply, Reply):
            return Failure(Word.TIMEOUT, "engine", line, "ordinary", 0.0, 0.0, None, None, "", "no reply")
        return Exchange(line, decode(reply.raw), reply.success, reply.text, tuple(notes), 0.0)

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        """End it; nothing remains to be seen out."""
        return None, ProcessEnd(0, None, "", orphans=False, forced=None)
