"""The running of regression files: each with a new process of the bot, and a time limit for every command.

The caller passes the function that judges an answer.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.limits import command_name
from harness.bots.processes import Process, Processes, Starter, start_session
from harness.errors import UsageError
from harness.tst.file import Line
from harness.tst.result import (
    FileResult,
    FileStop,
    Refused,
    Tested,
    TstOutcome,
    Unreadable,
    encodable,
    not_run,
    not_sent,
    shown_command,
    tested,
)
from harness.tst.select import TstSelection
from harness.word import Word

Judge = Callable[[Line, Exchange], TstOutcome]

SETS_UP = frozenset(
    {
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "black",
        "white",
        "genmove",
        "genmove_black",
        "genmove_white",
        "kgs-genmove_cleanup",
        "undo",
        "loadsgf",
        "fixed_handicap",
        "place_free_handicap",
        "set_free_handicap",
        "quit",
    }
)
"""Commands that set up the position: if one is refused, later tests may mean nothing."""
_SENT_ALWAYS = SETS_UP | {"kgs-rules", "level", "set_random_seed"}
"""Commands that are sent even if they are tests that were not asked for."""
_NO_THOUGHT = _SENT_ALWAYS | {"protocol_version", "name", "version", "known_command", "list_commands"}
"""Commands that a bot answers at once, even if they are tests."""

_PURPOSE = "regression"


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs files with one bot."""

    bot: Bot
    judge: Judge
    playouts: int | None = None
    """Number that replaces ``{playouts}``, whatever a file says."""
    start: Starter = start_session
    see: Callable[[int, str], None] = lambda _done, _where: None
    """A function that is called after every test with the number done in this file, and the test's name."""

    def check(self, selections: Sequence[TstSelection]) -> None:
        """Check before anything is run that all files can be run.

        Raises:
            UsageError: a number of playouts is needed and not given.
        """
        for selection in selections:
            if selection.count and self.bot.takes_playouts and self._playouts(selection) is None:
                raise UsageError(
                    f"{selection.file.path} does not say how many playouts its answers are for (no comment "
                    f"'# playouts: N'), and {self.bot.name}'s command takes {{playouts}}; give --playouts N"
                )

    def run(self, selection: TstSelection) -> FileResult:
        """Run one file in a process of its own; a failure of the bot is a part of the result.

        Raises:
            UsageError: the bot refuses a start-up command of its settings.
        """
        began_s = time.monotonic()
        playouts = self._playouts(selection) or self.bot.fixed_playouts or 0
        work = _Work(selection, self, playouts)
        if selection.count:
            self._ask(work, selection, playouts)
        return FileResult(
            file=encodable(str(selection.file.path)),
            tests=[*work.tests, *work.unanswered()],
            refused=work.refused,
            stop=work.stop,
            notes=[*selection.file.notes, *self._remarks(selection)],
            elapsed_s=round(time.monotonic() - began_s, 3),
            unreadable=[
                Unreadable(stray.place, encodable(stray.text), encodable(stray.reason))
                for stray in selection.file.strays
            ],
        )

    def _ask(self, work: "_Work", selection: TstSelection, playouts: int) -> None:
        """Start the bot and send it the lines of the file."""
        thinking = {line.name for line in selection.file.tests} - _NO_THOUGHT
        bot = replace(self.bot, limits=self.bot.limits.with_thinking(thinking))
        processes = Processes(self.start)
        try:
            opened = processes.open(bot, _PURPOSE, playouts)
            if isinstance(opened, Failure):
                work.stop_at(0, opened)
            else:
                work.send_all(opened[0])
        finally:
            processes.close_all()

    def _playouts(self, selection: TstSelection) -> int | None:
        return self.playouts or selection.file.playouts

    def _remarks(self, selection: TstSelection) -> list[str]:
        if not selection.count:
            return ["it holds no test: no command in it has a number"]
        declared, fixed = selection.file.playouts, self.bot.fixed_playouts
        if self.bot.takes_playouts:
            fixed = self.playouts
        if declared is None or fixed is None or declared == fixed:
            return []
        return [f"its answers are for genmoves of {declared} playouts, and the bot runs {fixed}"]


@dataclass(slots=True)
class _Work:
    """One file that is being run."""

    selection: TstSelection
    runner: Runner
    playouts: int
    tests: list[Tested] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    stop: FileStop | None = None

    def send_all(self, bot: Process) -> None:
        """Send every line, up to the end or to the first one without a reply."""
        for line in self.selection.file.lines:
            is_wanted = line.number is not None and self.selection.has(line.number)
            if line.number is not None and not is_wanted and line.name not in _SENT_ALWAYS:
                continue
            if line.number is not None and not line.is_sent:
                if is_wanted:
                    self.tests.append(not_sent(line, line.number))
                continue
            command = with_absolute_sgf(line.command, self.selection.file.path.parent)
            outcome = bot.ask(command, playouts=self.playouts, id=line.number)
            if isinstance(outcome, Failure):
                self.stop_at(line.place, outcome)
                return
            if line.number is not None and is_wanted:
                self.tests.append(self._judge(line, line.number, outcome))
                self.runner.see(len(self.tests), f"{self.selection.file.path.name}:{line.number}")
            elif line.number is None and not outcome.success:
                is_set_up = line.name in SETS_UP
                self.refused.append(Refused(line.place, shown_command(line), outcome.text, is_set_up))

    def _judge(self, line: Line, number: int, exchange: Exchange) -> Tested:
        try:
            return tested(line, number, exchange, self.runner.judge(line, exchange))
        except TimeoutError as error:
            noted = msgspec.structs.replace(exchange, notes=(*exchange.notes, str(error)))
            return tested(line, number, noted, TstOutcome.FAILED)

    def stop_at(self, place: int, failure: Failure) -> None:
        """Note the reason why nothing more can be asked."""
        reason = failure.sentence()
        if failure.word is Word.TIMEOUT and failure.limit_s is not None and failure.limit != "start":
            name = command_name(failure.command)
            reason += f"; --limit {name}={2 * failure.limit_s:g} gives {name} twice the time"
        self.stop = FileStop(failure.word, place, reason, failure.stderr_tail)

    def unanswered(self) -> list[Tested]:
        """Return the tests that were asked for but not answered."""
        if self.stop is None:
            return []
        answered = {test.line for test in self.tests}
        return [
            not_run(line, line.number)
            for line in self.selection.file.tests
            if line.number is not None and self.selection.has(line.number) and line.place not in answered
        ]


def with_absolute_sgf(command: str, folder: Path) -> str:
    """Return a ``loadsgf`` command with the full path of a game record beside the regression file.

    Records are named relative to the folder of the file, but the bot runs in its user's working directory.
    GTP cannot write a space in an argument: if the full path has one, the path from the working directory is
    used.  A missing record stays as it is, and the bot refuses it.
    """
    found = re.fullmatch(r"(loadsgf[ \t]+)([^ \t#]+)(.*)", command, re.DOTALL)
    if found is None or Path(found[2]).is_absolute():
        return command
    path = folder / found[2]
    try:
        if not path.is_file():
            return command
        full = str(path.resolve())
    except (OSError, ValueError):
        return command
    shown = full if not re.search(r"[\s#]", full) else str(path)
    return f"{found[1]}{shown}{found[3]}"
