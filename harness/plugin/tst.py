"""Regression files as pytest's nodes: each numbered test an item, ``ladder.tst::10``."""

from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.bots.bot import Bot
from harness.bots.wire import printable, quote
from harness.errors import RefbotError, UsageError
from harness.plugin.bot_options import BotOptions
from harness.plugin.items import NotConforming, NotJudged
from harness.plugin.reproduction import tst_line
from harness.plugin.shared import once
from harness.tst.file import Line, Stray, TstFile, parse_tst
from harness.tst.result import FileResult, Refused, Tested, TstOutcome
from harness.tst.select import TstSelection

_RESULT = "result.json"
_NEW_BOARD = frozenset({"boardsize", "clear_board", "loadsgf"})


@dataclass(frozen=True)
class TstMeans:
    """What running regression files takes."""

    bot: Bot
    bot_options: BotOptions
    shared: Path
    """A folder that all workers see."""


class TstNode(pytest.File):
    """One regression file, run once in a process of its own."""

    def __init__(self, *, means: TstMeans, **values: Any) -> None:
        super().__init__(**values)
        self.means = means
        self.wanted: set[int] = set()
        """Numbers of the tests that are selected."""
        self._file: TstFile
        self._result: FileResult | None = None

    def collect(self) -> Iterator[pytest.Item]:
        """Yield its numbered tests."""
        try:
            self._file = parse_tst(self.path, self.path.read_bytes())
        except OSError as error:
            raise self.CollectError(str(error)) from None
        if not self._file.tests:
            raise self.CollectError(f"{self.path} holds no test: no command in it has a number")
        seen: set[str] = set()
        for line in self._file.tests:
            name = str(line.number) if str(line.number) not in seen else f"{line.number}-line-{line.place}"
            seen.add(name)
            yield TstItem.from_parent(self, name=name, line=line)
        for stray in self._file.strays:
            yield StrayItem.from_parent(self, name=f"line-{stray.place}", stray=stray)

    def result(self) -> FileResult:
        """Return what came of the selected tests; the file is run now if it was not.

        Raises:
            RefbotError: it cannot be run.
        """
        if self._result is None:
            name = sha256(str(self.path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
            means = self.means
            folder = once(means.shared / f"tst-{name}", lambda: self._run(name), means.bot_options.wait_s)
            self._result = msgspec.json.decode((folder / _RESULT).read_bytes(), type=FileResult)
        return self._result

    def unset(self, line: Line, result: FileResult) -> Refused | None:
        """Return the refused command because of which a test stands on a wrong position, if there is one."""
        refused = {r.line: r for r in result.refused if r.is_set_up}
        found = None
        for other in self._file.lines:
            if other.place >= line.place:
                break
            if other.place in refused:
                found = refused[other.place]
            elif other.name in _NEW_BOARD:
                found = None
        return found

    def _run(self, name: str) -> Path:
        from harness.tst.result import judge  # noqa: PLC0415 - loads what only a run needs
        from harness.tst.run import Runner  # noqa: PLC0415

        means = self.means
        if means.bot.takes_playouts and self._file.playouts is None:
            raise UsageError(
                f"{self.path} does not say how many playouts its answers are for; the bot must know; "
                "write a comment '# playouts: N' into it"
            )
        selection = TstSelection(self._file, frozenset(self.wanted))
        with chdir(means.bot_options.base):
            result = Runner(means.bot, judge).run(selection)
        folder = means.shared / f"tst-{name}"
        (folder / _RESULT).write_bytes(msgspec.json.encode(result))
        return folder


class StrayItem(pytest.Item):
    """A line that cannot be read and belongs to no test: an error, for something was to be tested by it."""

    def __init__(self, *, stray: Stray, **values: Any) -> None:
        super().__init__(**values)
        self.stray = stray

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where it stands, and the line itself."""
        return self.path, self.stray.place - 1, printable(self.stray.text, 60)

    def setup(self) -> None:
        """Say why it cannot be read."""
        raise NotJudged(f"line {self.stray.place}: {printable(self.stray.reason)}")

    def runtest(self) -> None:
        """Do nothing: there is nothing to run."""


class TstItem(pytest.Item):
    """One numbered test."""

    parent: TstNode
    _test: Tested

    def __init__(self, *, line: Line, **values: Any) -> None:
        super().__init__(**values)
        self.line = line
        self.extra_keyword_matches.add(line.name)
        self.add_marker("refbot")
        self.add_marker("refbot_tst")
        if self.config.pluginmanager.hasplugin("timeout"):
            self.add_marker(pytest.mark.timeout(0))
        if line.expectation is not None and line.expectation.is_known_failure:
            reason = f"marked * in {self.path.name}, test {line.number}"
            strict = self.parent.means.bot_options.strict
            self.add_marker(pytest.mark.xfail(reason=reason, strict=strict, raises=NotConforming))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where it stands, and its number with its command."""
        return self.path, self.line.place - 1, f"{self.line.number} {printable(self.line.command, 60)}"

    def setup(self) -> None:
        """Have its file run; a bot that did not get so far is an error, not a failure."""
        try:
            result = self.parent.result()
        except RefbotError as error:
            raise NotJudged(str(error)) from None
        self._test = next(test for test in result.tests if test.line == self.line.place)
        for name, value in (("command", self._test.command), ("outcome", self._test.outcome)):
            self.user_properties.append((f"refbot_{name}", printable(value, 600)))
        if self._test.outcome is TstOutcome.NOT_RUN and result.stop is not None:
            stop = result.stop
            lines = [f"{stop.word}: {printable(stop.reason, 600)}"]
            lines += [f"at line {stop.line} of {self.path.name}"] if stop.line else []
            lines += [
                f"stderr  | {printable(line)}" for line in stop.stderr_tail.splitlines() if line.strip()
            ]
            raise NotJudged("\n".join(lines))
        if self._test.outcome is TstOutcome.UNREADABLE:
            raise NotJudged("; ".join(printable(note) for note in self._test.notes))
        if refused := self.parent.unset(self.line, result):
            raise NotJudged(
                f"its position was not set up: line {refused.line}, {printable(refused.command)}, "
                f"was refused: {quote(refused.answer)}",
            )

    def runtest(self) -> None:
        """Say how it ended.

        Raises:
            NotConforming: it was answered otherwise than the file says.
        """
        from harness.render.tst import answer_text, expected_text  # noqa: PLC0415 - loads rich

        test = self._test
        said = f"{printable(test.command)}: expected {expected_text(test)}, got {answer_text(test)}"
        match test.outcome:
            case TstOutcome.IGNORED:
                pytest.skip(f"not judged (&): {said}")
            case TstOutcome.FAILED | TstOutcome.KNOWN_FAILURE:
                notes = [f"note      {printable(note)}" for note in test.notes]
                again = tst_line(self.parent.means.bot_options, self.path, test.number)
                raise NotConforming("\n".join([said, "", *notes, f"again     {again}"]))
