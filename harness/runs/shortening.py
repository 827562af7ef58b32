"""Shortens a failed dialogue to the commands that the failure needs (delta debugging, Zeller 2002).

Every attempt is asked of a new process and is evidence like any other unit: the shortest dialogue that failed
is the counter-example.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final

from harness.bots.limits import command_name
from harness.cases.case import Dialogue
from harness.cases.suite import Suite
from harness.judging.answers import parse_reply
from harness.judging.dialogue import failure_in
from harness.judging.replayed import game_before
from harness.judging.run_assessment import RunAssessor
from harness.records.evidence import Unit
from reference_engine.vocabulary import format_vertex

_MOST_ATTEMPTS: Final = 200
_MOST_COMMANDS: Final = 6_000
"""Lines sent in all attempts; a bot that takes 10 ms for each is asked for a minute."""
_CONTROLS: Final = 2
"""How often they are tried so without what came before in the game."""


_MOST_PLAYOUTS: Final = 64
"""Dialogues with more playouts a genmove are not shortened: there it is most often a mean that is wrong."""


def failed_dialogue(suite: Suite, assessor: RunAssessor) -> Unit | None:
    """Return the shortest of the dialogues that failed; None if none did, or none can be shortened."""
    names = [n for n, case in suite.cases.items() if isinstance(case.question, Dialogue)]
    units = [unit for name in names if assessor.failed_exactly(name) for unit, _ in assessor.read(name)]
    found = [(failure_in(unit), unit) for unit in units if unit.playouts <= _MOST_PLAYOUTS]
    # What only many genmoves together show cannot be shortened.
    failed = [(f.exchange or 0, unit) for f, unit in found if f is not None and f.quantity != "moves"]
    return min(failed, key=lambda pair: pair[0])[1] if failed else None


def lines_before(unit: Unit, units: Sequence[Unit]) -> list[str]:
    """Return the lines that the process of a dialogue was sent before it."""
    earlier = takewhile(lambda each: each is not unit, units)
    return [line for each in earlier if each.process == unit.process for line, _ in each.exchanges]


def tries_of(lines: Sequence[str]) -> int:
    """Return how often lines are tried: with a genmove several times, for its answer is random."""
    return 3 if any("genmove" in line for line in lines) else 1


class _EnoughError(Exception):
    """No more attempts are to be made."""


class Shortening:
    """Shortens one dialogue.

    Args:
        ask: sends lines to a new process; its second argument says whether the unit is recorded as minimal.
        fails: returns the number, from 0, of the exchange at which a unit fails; None if it does not.
    """

    def __init__(
        self, ask: Callable[[Sequence[str], bool], Unit], fails: Callable[[Unit], int | None]
    ) -> None:
        self._ask = ask
        self._fails = fails
        self._failed: list[tuple[str, str]] = []
        """Exchanges of the last attempt that failed, up to where it did."""
        self._attempts = 0
        self._sent = 0

    def shorten(self, unit: Unit, earlier: Sequence[str] = ()) -> None:
        """Make attempts until no line can be left out, or there were enough of them.

        Args:
            unit: the dialogue that failed.
            earlier: what its process was sent before.  If the dialogue does not fail in a new process,
                something of this was needed for the failure.
        """
        exchanges = self._failing_part(unit)
        try:
            sent = [line for line, _ in exchanges]
            if earlier and self._try(sent) is None:
                if self._try([*earlier, *sent]) is None:
                    return
                exchanges = self._failed
            lines = self._without_genmoves(self._last_game(exchanges))
            part = max(1, len(lines) // 2)
            while True:
                lines, was_shortened = self._leave_out(lines, part)
                if part == 1 and not was_shortened:
                    break
                part = max(1, min(part // 2, len(lines) // 2))
            if not self._fails_without_history(lines):
                self._try(lines, is_minimal=True)
        except _EnoughError:
            return

    def _fails_without_history(self, lines: Sequence[str]) -> bool:
        """Whether the failure shows as well if its position is set up by plays alone.

        If it does not, the commands that led there have left a wrong state behind.
        """
        control = _set_up_by_plays(self._failed)
        if not control or control == list(lines):
            return False
        return any(self._try(control) is not None for _ in range(_CONTROLS))

    def _failing_part(self, unit: Unit) -> list[tuple[str, str]]:
        place = self._fails(unit)
        exchanges = unit.exchanges if place is None else unit.exchanges[: place + 1]
        return [*exchanges, (unit.broken.command, "")] if unit.broken is not None else exchanges

    def _last_game(self, exchanges: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the last game of a dialogue alone, if it fails too; else the dialogue."""
        begins = [place for place, (line, _) in enumerate(exchanges) if command_name(line) == "boardsize"]
        if len(begins) < 2 or self._try([line for line, _ in exchanges[begins[-1] :]]) is None:
            return exchanges
        return exchanges[begins[-1] :]

    def _without_genmoves(self, exchanges: list[tuple[str, str]]) -> list[str]:
        """Return lines that fail: if possible with plays in the place of all genmoves but the last."""
        sent = [line for line, _ in exchanges]
        last = max((n for n, line in enumerate(sent) if command_name(line) == "genmove"), default=-1)
        for keep_last in (False, True):
            played = [
                line if number == last and keep_last else _as_play(line, raw)
                for number, (line, raw) in enumerate(exchanges)
            ]
            if played != sent and (shorter := self._try(played)) is not None:
                return shorter
        return sent

    def _leave_out(self, lines: list[str], part: int) -> tuple[list[str], bool]:
        """Return the lines without every part that is not needed, and whether there was one."""
        was_shortened, first = False, len(lines) - 1
        # From the end: what is left out last are the set-up's lines, without which nothing is known.
        while first > 0:
            begin = max(0, first - part)
            shorter = self._try(lines[:begin] + lines[first:])
            if shorter is not None:
                lines, was_shortened = shorter, True
            first = min(begin, len(lines) - 1)
        return lines, was_shortened

    def _try(self, lines: Sequence[str], *, is_minimal: bool = False) -> list[str] | None:
        """Return the lines up to where they fail; None if they do not."""
        for _ in range(tries_of(lines)):
            self._attempts += 1
            self._sent += len(lines)
            if self._attempts > _MOST_ATTEMPTS or self._sent > _MOST_COMMANDS:
                raise _EnoughError
            unit = self._ask(lines, is_minimal)
            if self._fails(unit) is not None:
                self._failed = self._failing_part(unit)
                return [line for line, _ in self._failed]
            if unit.broken is not None:
                raise _EnoughError
        return None


def _set_up_by_plays(exchanges: Sequence[tuple[str, str]]) -> list[str]:
    """Return lines that ask the same at the end, in the same position; none if they are of no game."""
    asked = [n for n, (line, _) in enumerate(exchanges) if command_name(line) == "genmove"]
    begin = asked[-1] if asked else len(exchanges) - 1
    game = game_before(list(exchanges[: begin + 1]))
    if game is None:
        return []
    komis = [line for line, _ in exchanges[:begin] if command_name(line) == "komi"]
    plays = [f"play {colour} {format_vertex(move)}" for colour, move in game.moves]
    set_up = [f"boardsize {game.position.size}", *komis[-1:], "clear_board", *plays]
    return [*set_up, *(line for line, _ in exchanges[begin:])]


def _as_play(line: str, raw: str) -> str:
    """Return a genmove as a play of the move it answered; return any other line unchanged."""
    reply = parse_reply(raw)
    if command_name(line) != "genmove" or reply is None or not reply.success:
        return line
    return f"play {line.rsplit(maxsplit=1)[-1]} {reply.text.strip()}"
