"""Time limits of a bot, by kind of command.  Plain values: nothing here waits or reads a clock."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Final, Self

LONGEST_S = 1_000_000.0
"""The longest possible limit, in seconds: eleven days.  System calls reject much longer times."""
SCORING: Final = ("final_score", "final_status", "final_status_list")
"""GTP commands besides genmoves for which a bot may have to analyse a whole position."""
PACE_SLACK = 20.0
"""Beyond ``genmove_s``, a genmove may take this many times as long as the bot's own speed predicts."""
PACE_MOST = 10.0
"""The most by which a bot's own speed can raise ``genmove_per_1000_playouts_s``: every limit is finite."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The time limits of one bot, in seconds."""

    start_s: float = 10.0
    """Seconds from the first command to the first reply: a bot loads in this time."""
    ordinary_s: float = 10.0
    first_genmove_s: float = 120.0
    """The least limit of a first genmove, since many bots compile or load a network then."""
    genmove_s: float = 30.0
    genmove_per_1000_playouts_s: float = 30.0
    """Seconds added to ``genmove_s`` for every thousand playouts, until the bot's own speed is known."""
    quit_s: float = 5.0
    """Seconds for the answer to quit, and again for the process to exit."""
    thinking_s: float = 120.0
    """Limit of each command in ``thinking``: GNU Go takes more than 10 s for some scores on 19x19."""
    thinking: tuple[str, ...] = SCORING
    """Names of the commands that a bot has to think about, besides genmoves."""
    commands: dict[str, float] = field(default_factory=dict)
    """Limits of single commands by their names; they go before all others."""

    def scaled(self, factor: float) -> Self:
        """Return these limits, each multiplied by ``factor``: the one knob for a slow machine."""

        def stretched(seconds: float) -> float:
            return min(seconds * factor, LONGEST_S)

        scaled: dict[str, Any] = {
            one.name: stretched(getattr(self, one.name)) for one in fields(self) if one.type is float
        }
        return replace(self, **scaled, commands={n: stretched(s) for n, s in self.commands.items()})

    def with_commands(self, seconds: Mapping[str, float]) -> Self:
        """Return these limits with others for single commands."""
        return replace(self, commands={**self.commands, **seconds})

    def with_thinking(self, names: Iterable[str]) -> Self:
        """Return these limits with more commands that a bot has to think about."""
        return replace(self, thinking=tuple(sorted({*self.thinking, *names})))

    def for_command(
        self, line: str, playouts: int = 0, *, first_genmove: bool = False, pace_s: float | None = None
    ) -> tuple[str, float]:
        """Return the name and the seconds of the limit for a command line.

        Args:
            line: the command as it will be sent.
            playouts: how many playouts the bot runs for one move; 0 when not known.
            first_genmove: whether no genmove has been answered yet.
            pace_s: how long the genmove should take by the bot's own speed; None when not known.

        Returns:
            One of ordinary, quit, genmove, first_genmove and thinking, or the command's own name; and its
            length.
        """
        name = command_name(line)
        if name in self.commands:
            return name, self.commands[name]
        if name == "quit":
            return "quit", self.quit_s
        if "genmove" not in name:
            return ("thinking", self.thinking_s) if name in self.thinking else ("ordinary", self.ordinary_s)
        share_s = self.genmove_per_1000_playouts_s * playouts / 1000
        if pace_s is not None:
            # A fast bot has a short limit; a slow one gets its time, up to a bound.
            share_s = min(PACE_SLACK * pace_s, PACE_MOST * share_s)
        genmove_s = self.genmove_s + share_s
        if first_genmove and self.first_genmove_s > genmove_s:
            return "first_genmove", self.first_genmove_s
        return "genmove", genmove_s


@lru_cache(maxsize=4096)
def command_name(text: str) -> str:
    """Return the name of the last command in ``text``: no id, no arguments; empty if there is no command."""
    name = ""
    for line in text.split("\n"):
        words = line.partition("#")[0].split()
        if words and words[0].isdecimal():
            words = words[1:]
        name = words[0] if words else name
    return name
