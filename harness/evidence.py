"""The evidence file: JSON Lines, a header, one line per unit of work, a footer.

Raw replies are kept as they came.  Verdicts are functions of this file and the suite, nothing else.
"""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Self

import msgspec

from harness.errors import EvidenceError

SCHEMA = 1
FILE_NAME = "evidence.jsonl"


class SuiteRef(msgspec.Struct, frozen=True):
    """Which suite was used."""

    version: str
    digest: str


class BotRef(msgspec.Struct, frozen=True):
    """Which bot was asked, as far as it can be told from outside."""

    name: str
    """The name it goes by in reports."""
    command: str
    gtp_name: str = ""
    version: str = ""
    executable_digest: str = ""
    """Of the first word of the command, and of a script among its arguments."""
    commands: list[str] = []
    """What it says it knows."""
    fixed_playouts: int | None = None
    """Playouts of each genmove where the command takes no ``{playouts}``."""


class Header(msgspec.Struct, frozen=True, tag="header", tag_field="type"):
    """What a run is about; the first line."""

    schema: int
    command: str
    """certify or check."""
    refbot: str
    engine: str
    suite: SuiteRef
    level: str
    bot: BotRef
    started: str
    """UTC, ISO 8601."""
    host: str
    cases: list[str]
    """Ids of the cases the run set out to do."""


class Broken(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a unit could not be finished: the word, and the whole cause in one line."""

    word: str
    sentence: str
    stderr_tail: str = ""
    command: str = ""
    """The line that got no reply; empty where the bot could not be executed."""
    limit: str = ""
    """Which time limit held."""
    limit_s: float | None = None
    elapsed_s: float = 0.0
    status: int | None = None
    """The exit status, if the bot ended by itself with one."""
    signal: str | None = None
    """The signal that ended the bot, if it was not the harness that sent it."""
    again: str = ""
    """The line of shell that shows it again."""


class Unit(msgspec.Struct, frozen=True, tag="unit", tag_field="type", omit_defaults=True):
    """One case asked once."""

    case: str
    process: int
    """Number of the bot's process, from 1."""
    playouts: int
    """Playouts of each genmove."""
    exchanges: list[tuple[str, str]]
    """Line sent, raw reply.  Where refbot put an id before the line by itself, only the reply shows it."""
    seconds: float
    notes: list[str] = []
    broken: Broken | None = None


class Footer(msgspec.Struct, frozen=True, tag="footer", tag_field="type"):
    """How the run ended; the last line."""

    units: int
    elapsed_s: float
    reason: str


Line = Header | Unit | Footer
_decoder = msgspec.json.Decoder(Line)
_encoder = msgspec.json.Encoder()


class Evidence(msgspec.Struct, frozen=True):
    """A whole evidence file."""

    header: Header
    units: list[Unit]
    footer: Footer | None

    @property
    def digest(self) -> str:
        """Digest of the units, whatever their order, 16 hexadecimal digits."""
        lines = sorted(_encoder.encode(unit) for unit in self.units)
        return hashlib.sha256(b"\n".join(lines)).hexdigest()[:16]


class EvidenceWriter:
    """Appends lines to a new evidence file; each is handed to the system before the next begins."""

    def __init__(self, path: Path, header: Header) -> None:
        try:
            self._file = path.open("xb")
        except OSError as error:
            raise EvidenceError(f"cannot write evidence to {path}: {error.strerror}") from error
        self._path = path
        self._units = 0
        self._append(header)

    def add(self, unit: Unit) -> None:
        """Append one unit."""
        self._append(unit)
        self._units += 1

    def finish(self, reason: str, elapsed_s: float) -> Footer:
        """Append the footer and close the file."""
        footer = Footer(self._units, round(elapsed_s, 3), reason)
        self._append(footer)
        self._file.close()
        return footer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._file.closed:
            self._file.close()

    def _append(self, line: Line) -> None:
        try:
            self._file.write(_encoder.encode(line) + b"\n")
            self._file.flush()
            if not isinstance(line, Unit):
                os.fsync(self._file.fileno())
        except OSError as error:
            raise EvidenceError(
                f"cannot write evidence to {self._path}: {error.strerror}; what was written so far is kept",
            ) from error


def read_evidence(path: Path) -> Evidence:
    """Read a complete evidence file, or the one in a run's folder.

    Raises:
        EvidenceError: it is missing, cut, or damaged; the message names the line.
    """
    path = path / FILE_NAME if path.is_dir() else path
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EvidenceError(f"cannot read evidence {path}: {error.strerror}") from error
    lines = data.split(b"\n")
    if lines[-1]:
        raise EvidenceError(
            f"{path}: line {len(lines)} is cut off; the {len(lines) - 1} lines before it are whole",
        )
    values = list(_decoded(path, lines[:-1]))
    for number, value in enumerate(values[1:], start=2):
        if isinstance(value, Header):
            raise EvidenceError(f"{path}: line {number} is a second header; one file holds one run")
    if values and isinstance(values[0], Header) and values[0].schema != SCHEMA:
        raise EvidenceError(
            f"{path}: line 1: schema {values[0].schema}, and this refbot ({SCHEMA}) cannot read it"
        )
    match values:
        case [Header() as header, *units, Footer() as footer]:
            if footer.units != len(units) or not all(isinstance(unit, Unit) for unit in units):
                raise EvidenceError(
                    f"{path}: line {len(values)} (the footer) counts {footer.units} units, "
                    f"and {len(units)} lines stand before it",
                )
            return Evidence(header, [unit for unit in units if isinstance(unit, Unit)], footer)
        case [Header(), *_]:
            raise EvidenceError(f"{path}: no footer after line {len(values)}; the run did not end")
        case _:
            raise EvidenceError(f"{path}: line 1 is not a header")


def _decoded(path: Path, lines: Iterable[bytes]) -> Iterable[Line]:
    for number, line in enumerate(lines, start=1):
        try:
            yield _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise EvidenceError(f"{path}: line {number}: {error}") from error
