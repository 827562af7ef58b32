"""The evidence file: JSON Lines with a header, a line for each unit or round of measured speed, a footer.

Raw replies are recorded unchanged.  Verdicts are functions of this file and the suite only.  ``journal``
writes the file.
"""

import hashlib
import shlex
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from harness.cases.level import LEVELS, MOST_PLAYOUTS
from harness.errors import EvidenceError, UsageError
from harness.regular_file import MEBIBYTE, read_file

SCHEMA = 1
FILE_NAME = "evidence.jsonl"
_MOST_BYTES = 1024 * MEBIBYTE
"""Size of the largest evidence file that is read; that of a certificate has some megabytes."""


class SuiteRef(msgspec.Struct, frozen=True):
    """The identification of the suite that was used."""

    version: str
    digest: str
    """Digest of every fixture: requirements, cases and reference tables."""
    tables: str = ""
    """Digest of the reference tables alone."""


class BotRef(msgspec.Struct, frozen=True):
    """The identification of the bot, as far as it is visible from outside."""

    name: str
    """The bot's name in reports."""
    command: str
    gtp_name: str = ""
    version: str = ""
    executable_digest: str = ""
    """Digest of the file that the first word of the command names, and of a script among its arguments."""
    commands: list[str] = []
    """The commands that it lists."""
    fixed_playouts: int | None = None
    """Playouts of each genmove if the command takes no ``{playouts}``."""
    files: dict[str, str] = {}
    """Digest of each file that the command names, by the word of the command."""
    sizes: list[int] | None = None
    """Board sizes from 2 to 25 that it accepts; None if this was not asked."""


class PlanRef(msgspec.Struct, frozen=True):
    """The division of a spread run into work items."""

    works: int
    """Number of work items of the first stage, the handshake included."""
    digest: str
    """Digest of these work items."""
    shard: tuple[int, int] | None = None
    """The number of this shard of the first stage, and the number of shards; None for the whole stage."""


class Header(msgspec.Struct, frozen=True, tag="header", tag_field="type", omit_defaults=True):
    """The first line: the facts about a run.  Defaults are left out, so that digests survive new fields."""

    schema: int
    command: str
    """certify, check, compare, bench or regress."""
    refbot: str
    engine: str
    suite: SuiteRef
    level: str
    bot: BotRef
    started: str
    """UTC, ISO 8601."""
    host: str
    cases: list[str]
    """Ids of the cases that the run was to ask."""
    settings: dict[str, Any] = {}
    """The bot's settings from the command line and the settings file, environment included."""
    top_up: int = 0
    """Playouts to which every case of sums is brought at the end, for comparisons."""
    plan: PlanRef | None = None
    """The first stage of a spread run; None if cases are asked one after another."""


class Broken(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reason why a unit could not be finished: the word, and the cause in one line."""

    word: str
    sentence: str
    stderr_tail: str = ""
    command: str = ""
    """The line without a reply; empty if the bot could not be executed."""
    limit: str = ""
    """The name of the time limit that applied."""
    limit_s: float | None = None
    elapsed_s: float = 0.0
    status: int | None = None
    """The exit status, if the bot ended by itself."""
    signal: str | None = None
    """The signal that ended the bot, unless the harness sent it."""
    again: str = ""
    """The shell command that shows it again."""


UNDO = "undo"
"""The command that restores the position, so that a question can be asked again."""


class Unit(msgspec.Struct, frozen=True, tag="unit", tag_field="type", omit_defaults=True):
    """One case asked once."""

    case: str
    process: int
    """Number of the bot's process, from 1."""
    playouts: int
    """Playouts of each genmove."""
    exchanges: list[tuple[str, str]]
    """Line sent, raw reply.  If refbot added an id to the line, only the reply shows it."""
    seconds: float
    notes: list[str] = []
    broken: Broken | None = None
    is_minimal: bool = False
    """Whether the unit is a dialogue that failed, and would pass without any one of its lines."""

    @property
    def is_repeated(self) -> bool:
        """Whether ``undo`` restored the position of the unit before it in the same process."""
        return bool(self.exchanges) and self.exchanges[0][0] == UNDO


class SpeedTurn(msgspec.Struct, frozen=True):
    """The part of one program in one round of a speed measurement."""

    genmoves: int
    """Number of genmoves on the empty board, each with its own command."""
    playouts: int
    """Number of playouts of all genmoves together."""
    nodes: int | None
    """Moves of these playouts by ref-nodes; None if its answer is not a number."""
    seconds: float
    """Seconds from each genmove to its answer, in all."""
    cpu_s: float | None
    """Processor time of the bot and its descendants; None if the system does not report it."""
    peak_bytes: int | None
    """Sum of the peak memory of those processes; a shared page counts for each of them."""


class Round(msgspec.Struct, frozen=True, tag="round", tag_field="type"):
    """One round of a speed measurement: new processes of bot and engine, which take turns."""

    number: int
    """From 1."""
    size: int
    """Lines of the board."""
    first: str
    """bot or engine: the program that began."""
    bot: SpeedTurn
    engine: SpeedTurn
    broken: Broken | None = None
    """The reason why the bot did not finish the round; then the round does not count."""


class WorkLine(msgspec.Struct, frozen=True, tag="work", tag_field="type"):
    """The end of a work item of a spread run; its units are on the lines before, since the last such line."""

    number: int
    """Number of the work item, from 1 (the handshake); each is there at most once."""
    units: int
    asks: list[tuple[str, int]]
    """The cases, and how often each was to be asked."""
    host: str
    pid: int
    """Id of the process that asked."""
    bot: str
    """Digest of the bot's program on that host."""
    seconds: float


class Resumed(msgspec.Struct, frozen=True, tag="resumed", tag_field="type"):
    """A line that marks where a killed or interrupted run was resumed; later lines are from new processes."""

    at: str
    """UTC, ISO 8601."""
    refbot: str
    host: str
    elapsed_s: float
    """Seconds of the earlier parts; of a killed part, the seconds of its units."""


class Footer(msgspec.Struct, frozen=True, tag="footer", tag_field="type"):
    """The last line: the end of the run."""

    units: int
    elapsed_s: float
    reason: str


Line = Header | Unit | Round | WorkLine | Resumed | Footer
_decoder = msgspec.json.Decoder(Line)
encoder = msgspec.json.Encoder()


class Evidence(msgspec.Struct, frozen=True):
    """A whole evidence file."""

    header: Header
    units: list[Unit]
    footer: Footer | None
    resumed: list[Resumed] = []
    rounds: list[Round] = []
    works: list[WorkLine] = []
    """The closing lines of the work items of a spread run, in the order of their units."""

    @property
    def done(self) -> list[tuple[WorkLine, list[Unit]]]:
        """Every work item with its units."""
        ends = list(accumulate(work.units for work in self.works))
        return [
            (work, self.units[end - work.units : end]) for work, end in zip(self.works, ends, strict=True)
        ]

    @property
    def digest(self) -> str:
        """Digest of the units and rounds in any order, 16 hexadecimal digits."""
        return _digest(sorted(encoder.encode(line) for line in (*self.units, *self.rounds)))

    @property
    def frame(self) -> str:
        """Digest of all other lines: the header, the lines of resumption, the footer."""
        return _digest([encoder.encode(line) for line in (self.header, *self.resumed, self.footer)])


class Part(msgspec.Struct, frozen=True):
    """The part of an evidence file that was written before its run was killed, interrupted or ended."""

    evidence: Evidence
    """The evidence, without a footer if there is none yet."""
    kept_bytes: int
    """Length of the complete lines in bytes, without the footer."""
    torn: int
    """Number of the first useless line (incomplete, or of an unfinished work item); 0 if there is none."""
    elapsed_s: float
    """Seconds of all parts so far; of a killed part, the seconds of its units."""


def read_evidence(path: Path) -> Evidence:
    """Read a complete evidence file, or the one in a run's folder.

    Raises:
        EvidenceError: it is missing, incomplete or damaged; the message names the line.
    """
    path, data = _bytes_of(path)
    lines = data.split(b"\n")
    if lines[-1]:
        raise EvidenceError(
            f"{path}: line {len(lines)} is cut off; the {len(lines) - 1} lines before it are complete; "
            f"{_how_to_go_on(path, lines[0])}",
        )
    evidence = _evidence_of(path, list(_decoded(path, lines[:-1])))
    if evidence.footer is None:
        raise EvidenceError(
            f"{path}: no footer after line {len(lines) - 1}; the run did not end; "
            f"{_how_to_go_on(path, lines[0])}"
        )
    return evidence


def read_part(path: Path) -> Part:
    """Read the evidence of a run that may not be complete.

    Raises:
        EvidenceError: it is missing, holds no complete line, or is damaged elsewhere than in its last line.
    """
    path, data = _bytes_of(path)
    *lines, rest = data.split(b"\n")
    if not lines:
        raise EvidenceError(f"{path}: the run was killed before it had recorded anything; start it again")
    values = list(_decoded(path, lines))
    if (kept_lines := _count_kept(values)) < len(values):
        rest = lines[kept_lines]
        lines, values = lines[:kept_lines], values[:kept_lines]
    evidence = _evidence_of(path, values)
    if evidence.footer is not None and rest:
        raise EvidenceError(f"{path}: line {len(lines) + 1} comes after the footer")
    kept = sum(len(line) + 1 for line in (lines[:-1] if evidence.footer else lines))
    elapsed_s = evidence.footer.elapsed_s if evidence.footer else _since_last_resumed(values)
    return Part(evidence, kept, len(lines) + 1 if rest else 0, elapsed_s)


def _count_kept(values: Sequence[Line]) -> int:
    """Return the number of lines to keep: in a spread run, without those of an unfinished work item."""
    if not values or not isinstance(values[0], Header) or values[0].plan is None:
        return len(values)
    return max(number for number, value in enumerate(values, start=1) if not isinstance(value, Unit))


def _since_last_resumed(values: Iterable[Line]) -> float:
    """Return the seconds of a run: those of its earlier parts, and those of the last part's units."""
    elapsed_s = 0.0
    for value in values:
        if isinstance(value, Resumed):
            elapsed_s = value.elapsed_s
        elif isinstance(value, Unit):
            elapsed_s += value.seconds
    return round(elapsed_s, 3)


def _digest(lines: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\n".join(lines)).hexdigest()[:16]


def _bytes_of(path: Path) -> tuple[Path, bytes]:
    if not path.exists():
        raise UsageError(f"there is no run {path}; give the folder of one, such as reports/...")
    path = path / FILE_NAME if path.is_dir() else path
    try:
        return path, read_file(path, _MOST_BYTES)
    except OSError as error:
        raise EvidenceError(f"cannot read evidence {path}: {error.strerror}") from error


def _how_to_go_on(path: Path, first: bytes) -> str:
    if b'"command":"compare"' in first:
        whole = shlex.quote(str(path.parent.parent))
        return f"`refbot compare --resume {whole}` with the same bots goes on with it"
    return (
        f"`refbot certify --resume {shlex.quote(str(path.parent))} BOT`, with the same bot, goes on with it"
    )


def _check_header(path: Path, header: Header) -> None:
    if header.schema != SCHEMA:
        raise EvidenceError(
            f"{path}: line 1: schema {header.schema}, and this refbot ({SCHEMA}) cannot read it"
        )
    if header.level not in LEVELS:
        raise EvidenceError(f"{path}: line 1: no level {header.level[:20]!r}")
    fixed = header.bot.fixed_playouts
    if fixed is not None and not 1 <= fixed <= MOST_PLAYOUTS:
        raise EvidenceError(f"{path}: line 1: {fixed} playouts a genmove; there are 1 to {MOST_PLAYOUTS:,}")


def _evidence_of(path: Path, values: list[Line]) -> Evidence:
    """Return the evidence in these lines, with or without a footer."""
    if not values or not isinstance(values[0], Header):
        raise EvidenceError(f"{path}: line 1 is not a header")
    header, rest = values[0], values[1:]
    _check_header(path, header)
    units: list[Unit] = []
    resumed: list[Resumed] = []
    rounds: list[Round] = []
    for number, value in enumerate(rest, start=2):
        match value:
            case Header():
                raise EvidenceError(f"{path}: line {number} is a second header; one file holds one run")
            case Unit():
                units.append(value)
            case Round():
                rounds.append(value)
            case Resumed():
                resumed.append(value)
            case Footer() if number < len(values):
                raise EvidenceError(f"{path}: line {number} is a footer, but more lines follow it")
            case Footer() if value.units != len(units):
                raise EvidenceError(
                    f"{path}: line {number} (the footer) counts {value.units} units, "
                    f"but there are {len(units)} before it",
                )
    footer = values[-1] if isinstance(values[-1], Footer) else None
    return Evidence(header, units, footer, resumed, rounds, _works_of(path, values))


def _works_of(path: Path, values: Iterable[Line]) -> list[WorkLine]:
    """Return the closing lines of the work items; each is there once, and counts the units before it."""
    works: dict[int, WorkLine] = {}
    units = 0
    for number, value in enumerate(values, start=1):
        if isinstance(value, Unit):
            units += 1
        elif isinstance(value, WorkLine):
            if value.number in works:
                raise EvidenceError(f"{path}: line {number}: work item {value.number} is there already")
            if value.units != units:
                raise EvidenceError(
                    f"{path}: line {number} (work item {value.number}) counts {value.units} units, "
                    f"but there are {units} before it"
                )
            works[value.number], units = value, 0
    return list(works.values())


def _decoded(path: Path, lines: Iterable[bytes]) -> Iterable[Line]:
    for number, line in enumerate(lines, start=1):
        try:
            yield _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise EvidenceError(f"{path}: line {number}: {error}") from error
