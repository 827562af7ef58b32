"""The engine without the optional commands."""

import msgspec

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess


class Bare(InProcess):
    """The engine without the optional commands."""

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
        """Answer as a bot that offers neither undo nor ref-playouts."""
        outcome = super().ask(line, playouts=playouts, id=id)
        if line == "list_commands" and isinstance(outcome, Exchange):
            kept = [word for word in outcome.text.split() if word not in {"undo", "ref-playouts"}]
            text = "\n".join(kept)
            return msgspec.structs.replace(outcome, text=text, raw=f"= {text}\n\n")
        return outcome


def bare(_bot: Bot, playouts: int, seed: int) -> Bare:
    """Start it."""
    return Bare(playouts, seed)
