"""Asks a bot a case: set-up, question, private commands.  Records; judges nothing.

Works with anything that has ``ask``: a session over pipes, or the engine in this process.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.cases.case import Case, Complete, Step, said
from harness.records.evidence import UNDO, Broken, Unit
from reference_engine.vocabulary import Colour

NEEDED = ("ref-nodes", "ref-score")
STATISTICS = (*NEEDED, "ref-playouts")


class Asker(Protocol):
    """One process of a bot."""

    def ask(self, line: str, *, playouts: int = 0) -> Exchange | Failure:
        """Send one command and wait for its reply."""


class AskAll(Protocol):
    """A process that can be sent several commands before it has answered: it has ``ask_all``."""

    def __call__(self, lines: Sequence[str], *, playouts: int = 0) -> list[Exchange | Failure]:
        """Ask commands in order, up to the first failure."""


class AskOn(Protocol):
    """What a process over pipes has for replies that go on until the next line: ``ask_on``."""

    def __call__(
        self, line: str, lines: int, ending: str | None, *, playouts: int = 0
    ) -> list[Exchange | Failure]:
        """Ask a command, and send the line that ends its reply."""


def ask_case(
    bot: Asker,
    case: Case,
    playouts: int,
    process: int,
    knows: Callable[[str], bool],
    *,
    is_repeated: bool = False,
) -> Unit:
    """Ask one case once.

    Args:
        bot: the process to ask.
        case: what to ask.
        playouts: playouts of each genmove, for the time limit and the record.
        process: number of the process, for the record.
        knows: whether the bot claims a command; private commands it lacks are not sent.
        is_repeated: whether the last command that changed the board was this case's genmove; then ``undo``
            sets its position up.

    Returns:
        Everything sent and received, up to the end or to the first failure.
    """
    recorder = Recorder(bot, playouts)
    started = time.monotonic()
    if case.is_script:
        # A script tests how the bot handles one line after another.
        _ask_script(recorder, case, case.steps)
    elif isinstance(case.question, Complete):
        if recorder.send_all(case.commands()):
            _play_game(recorder, case.colour, case.question.limit)
    else:
        # How many playouts a process runs does not change from one question to its repetition.
        wanted = NEEDED if is_repeated else STATISTICS
        statistics = [name for name in wanted if knows(name)]
        set_up = [UNDO] if is_repeated else case.commands()
        recorder.send_all([*set_up, f"genmove {case.colour}", *statistics])
    return Unit(
        case=case.id,
        process=process,
        playouts=playouts,
        exchanges=recorder.exchanges,
        seconds=round(time.monotonic() - started, 6),
        notes=recorder.notes,
        broken=recorder.broken,
    )


def broken_by(failure: Failure) -> Broken:
    """Return a failure as evidence."""
    return Broken(
        str(failure.word),
        failure.sentence(),
        failure.stderr_tail,
        failure.command,
        failure.limit,
        failure.limit_s,
        round(failure.elapsed_s, 6),
        failure.status,
        failure.signal,
        # A command line may hold bytes that are not text; the record escapes them.
        failure.again.encode("utf-8", "backslashreplace").decode(),
    )


def _ask_script(recorder: "Recorder", case: Case, steps: tuple[Step, ...]) -> None:
    """Send the lines of a script; a line that gets no reply is sent together with the next one."""
    if not recorder.send_each(case.commands()):
        return
    results: dict[int, str] = {}
    held, over = "", 0
    ahead: list[str] = []
    with _written(case.file.files) as folder:
        for number, step in enumerate(steps):
            if number < over:
                continue
            line = said(step.send, results)
            if step.expect == "silence":
                held += line + "\n"
                continue
            if step.ahead:
                ahead.append(line)
                continue
            first = number
            if ahead:
                texts = recorder.send_together([*ahead, line])
                first, ahead = number - len(ahead), []
            elif step.goes_on:
                following = [said(other.send, results) for other in steps[number + 1 : number + 2]]
                texts = recorder.send_on(line, step.goes_on, *following)
                over = number + 1 + len(following)
            else:
                texts = [recorder.last_text] if recorder.send(held + line, folder) else []
            if recorder.broken is not None:
                return
            results.update(enumerate(texts, first))
            held = ""


@contextmanager
def _written(files: Mapping[str, str]) -> Iterator[str]:
    """Write the files of a script into a temporary folder, and provide its path; empty without files."""
    if not files:
        yield ""
        return
    with TemporaryDirectory(prefix="refbot-") as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, "ascii")
        yield folder


def _play_game(recorder: "Recorder", colour: Colour, limit: int) -> None:
    passes = 0
    for _ in range(limit):
        if not recorder.send(f"genmove {colour}"):
            return
        answer = recorder.last_text.lower()
        passes = passes + 1 if answer == "pass" else 0
        if passes == 2 or answer == "resign":
            return
        colour = colour.other


class Recorder:
    """Sends lines until one fails, and keeps what came."""

    def __init__(self, bot: Asker, playouts: int) -> None:
        self._bot = bot
        self._playouts = playouts
        self.exchanges: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.broken: Broken | None = None
        self.last_text = ""

    def send_all(self, lines: Sequence[str]) -> bool:
        """Send lines that depend on no answer, pipelined if the process allows it; False at a failure."""
        # isinstance with a protocol takes longer than all the rest of a short case.
        ask_all: AskAll | None = getattr(self._bot, "ask_all", None)
        if ask_all is None:
            return self.send_each(lines)
        outcomes = ask_all(lines, playouts=self._playouts)
        answered = [outcome for outcome in outcomes if isinstance(outcome, Exchange)]
        self.exchanges += [(line, exchange.raw) for line, exchange in zip(lines, answered, strict=False)]
        self.notes += [note for exchange in answered for note in exchange.notes]
        if len(answered) < len(outcomes):
            return self._keep(lines[len(answered)], outcomes[-1])
        self.last_text = answered[-1].text.strip()
        return True

    def send_each(self, lines: Sequence[str]) -> bool:
        """Send lines one by one; False at a failure."""
        return all(self.send(line) for line in lines)

    def send(self, line: str, folder: str = "") -> bool:
        """Send one line; False at a failure.

        ``folder`` is sent for ``{folder}``, which is what the record has: its name is another in every run.
        """
        sent = line.replace("{folder}", folder) if folder else line
        return self._keep(line, self._bot.ask(sent, playouts=self._playouts))

    def send_together(self, lines: list[str]) -> list[str]:
        """Send lines in one write, where there is a pipe to write to; return the results, up to a failure."""
        ask_together: AskAll | None = getattr(self._bot, "ask_together", None)
        if ask_together is None:
            return [self.last_text for line in lines if self.broken is None and self.send(line)]
        outcomes = ask_together(lines, playouts=self._playouts)
        return [
            self.last_text
            for line, outcome in zip(lines, outcomes, strict=False)
            if self._keep(line, outcome)
        ]

    def send_on(self, line: str, lines: int, ending: str | None = None) -> list[str]:
        """Send a line whose reply goes on until ``ending``; return the results of both, see ``ask_on``."""
        ask_on: AskOn = self._bot.ask_on  # type: ignore[attr-defined]
        outcomes = ask_on(line, lines, ending, playouts=self._playouts)
        texts = []
        for sent, outcome in zip([line, ending or ""], outcomes, strict=False):
            if self._keep(sent, outcome):
                texts.append(self.last_text)
        return texts

    def _keep(self, line: str, outcome: Exchange | Failure) -> bool:
        if isinstance(outcome, Failure) and line.endswith("quit"):
            # The case asks what a bot does at quit; the process ends either way.
            self.exchanges.append((line, ""))
            self.notes.append(outcome.sentence())
            return True
        if isinstance(outcome, Failure):
            self.broken = broken_by(outcome)
            return False
        # An id that the session put before the line is in the reply too.
        self.exchanges.append((line, outcome.raw))
        self.notes.extend(outcome.notes)
        self.last_text = outcome.text.strip()
        return True
