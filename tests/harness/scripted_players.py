"""Players without a process, and games between them: what a bot would answer, given as a function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.limits import Limits
from harness.bots.transport import ProcessEnd
from harness.match.game import play_game
from harness.match.player import Player
from harness.match.record import GameRecord
from harness.match.schedule import Seating
from harness.match.terms import OpeningPosition, Terms
from harness.word import Word

BASIC = ("boardsize", "clear_board", "komi", "play", "genmove", "quit")


@dataclass
class Script:
    """A bot that plays a list of moves, then passes; and answers other commands from a table.

    An answer that begins with ``?`` is an error, and ``!WORD`` ends the process with that word.
    """

    moves: Sequence[str] = ()
    answers: dict[str, str | Callable[[str], str]] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    seconds: Sequence[float] = ()
    """How long each of its moves takes."""
    heard: list[str] = field(default_factory=list)
    limits: list[Limits] = field(default_factory=list)

    @property
    def commands(self) -> frozenset[str]:
        """What it lists."""
        return frozenset({*BASIC, *self.answers} - set(self.lacks))

    def starter(self) -> Callable[[Bot, int, int], "ScriptProcess"]:
        """Return what starts it."""
        return lambda _bot, _playouts, _seed: ScriptProcess(self)

    def player(self, name: str, terms: Terms) -> Player:
        """Return it as a player."""
        return Player(Bot(name, name), self.commands, terms, self.starter())


class ScriptProcess:
    """One "process" of a script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._played = 0

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002, ARG002
        """Answer one command."""
        script, name = self._script, line.split(maxsplit=1)[0]
        script.heard.append(line)
        text: str | Callable[[str], str] = ""
        seconds = 0.0
        if name == "clear_board":
            self._played = 0
        if name in script.answers:
            text = script.answers[name]
        elif name == "genmove":
            text = script.moves[self._played] if self._played < len(script.moves) else "pass"
        if "genmove" in name:
            seconds = script.seconds[self._played] if self._played < len(script.seconds) else 0.0
            self._played += 1
        if callable(text):
            text = text(line)
        if text.startswith("!"):
            return Failure(Word(text[1:]), "script", line, "genmove", 1.0, 1.0, None, None, "", "as told")
        return Exchange(line, "", not text.startswith("?"), text.lstrip("?"), (), seconds)

    def set_limits(self, limits: Limits) -> None:
        """Keep them, for a test to look at."""
        self._script.limits.append(limits)

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        """End it."""
        return None, ProcessEnd(0, None, "", orphans=False, forced=None)


def played(black: Script, white: Script, terms: Terms, opening: OpeningPosition | None = None) -> GameRecord:
    """Return the record of one game."""
    players = {"B": black.player("first", terms), "W": white.player("second", terms)}
    seating = Seating(1, 0, 0, 0, 1, is_swapped=False, opening=0)
    return play_game(seating, terms, opening or OpeningPosition(), players)
