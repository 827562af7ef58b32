"""A certificate held against this installation: everything that was recorded, beside what is found here.

Reads the verdict document beside the evidence and, where they are on this machine, the bot's files; runs
nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from harness.bots.bot import INTERPRETERS, Bot
from harness.bots.settings import bot_of
from harness.cases.suite import Suite
from harness.document import as_written
from harness.errors import EvidenceError, UsageError
from harness.judging.verdict import Verdict
from harness.records.evidence import Evidence, Header
from harness.regular_file import MEBIBYTE, read_file
from harness.runs.record import VERDICT_NAME
from reference_engine.digest import source_digest


class Agreement(StrEnum):
    """How something recorded compares with what is found."""

    SAME = "same"
    DIFFERS = "DIFFERS"
    NOT_RECORDED = "not recorded"
    NOT_HERE = "not on this machine"


class DifferenceKind(StrEnum):
    """What a difference would mean."""

    RECORD = "record"
    """The certificate was changed after it was made."""
    GROUNDS = "grounds"
    """The verdict was reached by something else than is installed here."""
    BOT = "bot"
    """The program here is not the one that was certified."""
    AROUND = "around"
    """Nothing: another version of what runs the bot."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing that a certificate rests on."""

    what: str
    recorded: str
    found: str
    kind: DifferenceKind

    @property
    def finding(self) -> Agreement:
        """How the two compare."""
        if not self.recorded:
            return Agreement.NOT_RECORDED
        if not self.found:
            return Agreement.NOT_HERE
        return Agreement.SAME if self.recorded == self.found else Agreement.DIFFERS

    @property
    def line(self) -> str:
        """What was recorded and found, in one line."""
        match self.finding:
            case Agreement.DIFFERS:
                said = f"recorded {self.recorded}, found {self.found}"
            case Agreement.NOT_RECORDED:
                said = f"found {self.found}" if self.found else ""
            case Agreement.NOT_HERE:
                said = f"recorded {self.recorded}"
            case _:
                said = self.found
        return f"{self.finding:<{_WIDTH}} {self.what}{': ' if said else ''}{said}"


_NUMBERED: Final = re.compile(r"[=?]([0-9]{4,10})(?=[ \n])")
_INTERPRETERS: Final = {name.rstrip("0123456789") for name in INTERPRETERS}
_WIDTH: Final = max(len(finding) for finding in Agreement)
_DIGESTS: Final = ("evidence", "frame", "suite", "engine", "bot")
"""Fields of a verdict document that are compared by themselves."""


def recorded_verdict(run: Path) -> Verdict | None:
    """Return the verdict document beside the evidence; None where there is none.

    Raises:
        EvidenceError: it is no verdict document.
    """
    path = (run if run.is_dir() else run.parent) / VERDICT_NAME
    try:
        return msgspec.json.decode(read_file(path, 64 * MEBIBYTE), type=Verdict)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EvidenceError(f"{path}: {error}") from error


def compare_digests(evidence: Evidence, recorded: Verdict | None, suite: Suite) -> Iterator[Compared]:
    """Yield every digest that a certificate holds beside the one computed here.

    Args:
        evidence: as it was read.
        recorded: the verdict document beside it.
        suite: the one installed.
    """
    header = evidence.header
    given = recorded.suite if recorded else header.suite
    units, frame = (recorded.evidence, recorded.frame) if recorded else ("", "")
    yield Compared("evidence, its units", units, evidence.digest, DifferenceKind.RECORD)
    yield Compared("evidence, header and footer", frame, evidence.frame, DifferenceKind.RECORD)
    yield Compared("suite", given.digest, suite.digest, DifferenceKind.GROUNDS)
    yield Compared("reference tables", given.tables, suite.tables_digest, DifferenceKind.GROUNDS)
    engine = recorded.engine if recorded else header.engine
    yield Compared("reference engine", engine, source_digest(), DifferenceKind.GROUNDS)
    yield from _program(header, recorded)


def out_of_order(evidence: Evidence) -> Iterator[str]:
    """Yield a line for every unit that stands there twice, or before one that was asked earlier.

    A bot's process is sent ids that count up, and they come back in its replies.
    """
    last: dict[int, int] = {}
    for number, unit in enumerate(evidence.units, start=1):
        ids = [int(found[1]) for sent, raw in unit.exchanges if (found := _own_id(sent, raw))]
        if ids and ids[0] <= last.get(unit.process, 0):
            yield (
                f"unit {number} ({unit.case}) stands there twice, or not where it was asked: its replies "
                f"begin with id {ids[0]}, and process {unit.process} had come to {last[unit.process]}"
            )
        last[unit.process] = max([*ids, last.get(unit.process, 0)])


def _own_id(sent: str, raw: str) -> re.Match[str] | None:
    """Return the id of a reply to a command that refbot numbered by itself."""
    return None if sent[:1].isdigit() else _NUMBERED.match(raw)


def compare_verdicts(recorded: Verdict | None, computed: Verdict) -> Iterator[Compared]:
    """Yield the recorded word beside the computed one, and the fields of the document that differ."""
    yield Compared("verdict", recorded.verdict if recorded else "", computed.verdict, DifferenceKind.RECORD)
    computed = as_written(computed)
    if recorded is None or recorded == computed:
        return
    for name in Verdict.__struct_fields__:
        old, new = getattr(recorded, name), getattr(computed, name)
        if old != new and name not in {*_DIGESTS, "verdict"}:
            yield Compared(f"verdict.json, {name}", _short(old), _short(new), DifferenceKind.RECORD)
    if (recorded.suite, recorded.engine, recorded.bot) != (computed.suite, computed.engine, computed.bot):
        # The computed document has these from the header of the evidence.
        what = "verdict.json, suite, engine and bot"
        yield Compared(what, "others than in the evidence", "those of the evidence", DifferenceKind.RECORD)


def _program(header: Header, recorded: Verdict | None) -> Iterator[Compared]:
    """Yield each file of the bot that its command names; the embedded engine is its source."""
    bot = recorded.bot if recorded else header.bot
    here = _bot(header)
    if here is None or here.is_embedded:
        return
    try:
        found = here.file_digests()
    except (OSError, UsageError):
        found = {}
    if not bot.files:
        yield Compared("the bot's program", "", "", DifferenceKind.BOT)
    for word, digest in bot.files.items():
        runs_it = len(bot.files) > 1 and Path(word).name.rstrip(".0123456789") in _INTERPRETERS
        kind = DifferenceKind.AROUND if runs_it else DifferenceKind.BOT
        yield Compared(f"the bot's file {word}", digest, found.get(word, ""), kind)


def _bot(header: Header) -> Bot | None:
    """Return the bot as it was started; None where the header does not say how."""
    try:
        return bot_of(header)
    except EvidenceError:
        return None


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."
