"""Regression files as pytest nodes: each numbered test is an item, such as ``ladder.tst::10``."""

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
from harness.plugin.shared import do_once
from harness.tst.file import Line, Stray, TstFile, parse_tst
from harness.tst.result import FileResult, Refused, Tested, TstOutcome
from harness.tst.select import TstSelection

_RESULT = "result.json"
_NEW_BOARD = frozenset({"boardsize", "clear_board", "loadsgf"})


@dataclass(frozen=True)
class TstResources:
    """The bot, the options and the shared folder for running regression files."""

    bot: Bot
    bot_options: BotOptions
    shared: Path
    """A folder that all workers can read and write."""


class TstNode(pytest.File):
    """One regression file, run once in a process of its own."""

    def __init__(self, *, resources: TstResources, **values: Any) -> None:
        super().__init__(**values)
        self.resources = resources
        self.wanted: set[int] = set()
        """Numbers of the tests that are selected."""
        self._file: TstFile
        self._result: FileResult | None = None

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the numbered tests, and the lines that cannot be read."""
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
        """Return the results of the selected tests; the file is run if necessary.

        Raises:
            RefbotError: the file cannot be run.
        """
        if self._result is None:
            name = sha256(str(self.path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
            limit_s = self.resources.bot_options.wait_s
            folder = do_once(self.resources.shared / f"tst-{name}", lambda: self._run(name), limit_s)
            self._result = msgspec.json.decode((folder / _RESULT).read_bytes(), type=FileResult)
        return self._result

    def refused_set_up(self, line: Line, result: FileResult) -> Refused | None:
        """Return the refused command that makes a test's position wrong, if there is one."""
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

        resources = self.resources
        if resources.bot.takes_playouts and self._file.playouts is None:
            raise UsageError(
                f"{self.path} does not say how many playouts its answers are for, but the bot must know; "
                "add a comment '# playouts: N'"
            )
        selection = TstSelection(self._file, frozenset(self.wanted))
        with chdir(resources.bot_options.base):
            result = Runner(resources.bot, judge).run(selection)
        folder = resources.shared / f"tst-{name}"
        (folder / _RESULT).write_bytes(msgspec.json.encode(result))
        return folder


class StrayItem(pytest.Item):
    """A line that cannot be read and belongs to no test.  It is an error, as it may be a lost test."""

    def __init__(self, *, stray: Stray, **values: Any) -> None:
        super().__init__(**values)
        self.stray = stray

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location of the line, and the line itself."""
        return self.path, self.stray.place - 1, printable(self.stray.text, 60)

    def setup(self) -> None:
        """Report why the line cannot be read."""
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
            strict = self.parent.resources.bot_options.strict
            self.add_marker(pytest.mark.xfail(reason=reason, strict=strict, raises=NotConforming))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location of the test, and its number with its command."""
        return self.path, self.line.place - 1, f"{self.line.number} {printable(self.line.command, 60)}"

    def setup(self) -> None:
        """Run the file; if the bot did not reach this test, this is an error and not a failure."""
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
        if refused := self.parent.refused_set_up(self.line, result):
            raise NotJudged(
                f"its position was not set up: line {refused.line}, {printable(refused.command)}, "
                f"was refused: {quote(refused.answer)}",
            )

    def runtest(self) -> None:
        """Report the outcome.

        Raises:
            NotConforming: the bot's answer is not the expected one.
        """
        from harness.render.tst import answer_text, expected_text  # noqa: PLC0415 - loads rich

        test = self._test
        text = f"{printable(test.command)}: expected {expected_text(test)}, got {answer_text(test)}"
        match test.outcome:
            case TstOutcome.IGNORED:
                pytest.skip(f"not judged (&): {text}")
            case TstOutcome.FAILED | TstOutcome.KNOWN_FAILURE:
                notes = [f"note      {printable(note)}" for note in test.notes]
                again = tst_line(self.parent.resources.bot_options, self.path, test.number)
                raise NotConforming("\n".join([text, "", *notes, f"again     {again}"]))
