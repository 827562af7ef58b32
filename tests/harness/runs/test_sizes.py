"""Which boards a bot accepts, whatever it answers twice."""

from harness.bots.bot import Bot, parse_bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.processes import Process, Processes
from harness.bots.transport import ProcessEnd
from harness.runs.sizes import accepted_sizes


class _Shifted:
    """Refuses a board by an error and a success, of which the second comes too late to be told apart."""

    def __init__(self) -> None:
        self._waiting: list[str] = []

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002, ARG002
        """Answer with the oldest reply that was not yet taken."""
        if line == "name":
            self._waiting.append("= x")
        else:
            self._waiting += ["="] if line in {"boardsize 9", "boardsize 19"} else ["? no", "="]
        raw = self._waiting.pop(0)
        return Exchange(line, f"{raw}\n\n", raw[0] == "=", raw[1:].strip(), (), 0.0)

    def usage(self) -> None:
        """Tell nothing."""

    def close(self) -> tuple[None, ProcessEnd]:
        """End it."""
        return None, ProcessEnd(0, None, "", orphans=False, forced=None)


def _start(_bot: Bot, _playouts: int, _seed: int) -> Process | Failure:
    return _Shifted()


def test_sizes_of_a_bot_that_answers_twice() -> None:
    """A reply too many is not taken for the answer to the next size."""
    processes = Processes(_start)
    sizes, units = accepted_sizes(parse_bot("x", 8, None, 1.0), processes, "x")
    assert sizes == [9, 19]
    assert len(units) == 1
