"""The evidence file: JSON Lines, a header, one line per unit of work or round of a measured speed, a footer.

Raw replies are kept as they came.  Verdicts are functions of this file and the suite, nothing else.
Writing is in ``journal``.
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
"""Size of the largest evidence file that is read; a certificate writes some megabytes."""


class SuiteRef(msgspec.Struct, frozen=True):
    """Which suite was used."""

    version: str
    digest: str
    """Digest of every fixture: requirements, cases and reference tables."""
    tables: str = ""
    """Digest of the reference tables among them."""


class BotRef(msgspec.Struct, frozen=True):
    """Which bot was asked, as far as it can be told from outside."""

    name: str
    """The name it goes by in reports."""
    command: str
    gtp_name: str = ""
    version: str = ""
    executable_digest: str = ""
    """Digest of the file that the first word of the command names, and of a script among its arguments."""
    commands: list[str] = []
    """What it says it knows."""
    fixed_playouts: int | None = None
    """Playouts of each genmove where the command takes no ``{playouts}``."""
    files: dict[str, str] = {}
    """Digest of each file that the command names, by the word of the command."""
    sizes: list[int] | None = None
    """Boards that it accepts, of those with 2 to 25 lines; None where it was not asked."""


class PlanRef(msgspec.Struct, frozen=True):
    """How a run was divided into works, where it was spread."""

    works: int
    """Number of work items of the first stage, the handshake included."""
    digest: str
    """Digest of these work items."""
    shard: tuple[int, int] | None = None
    """Which part of the first stage is asked here, of how many; None if all is."""


class Header(msgspec.Struct, frozen=True, tag="header", tag_field="type", omit_defaults=True):
    """What a run is about; the first line.  What is as usual is left out: digests outlive new fields."""

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
    """Ids of the cases the run set out to do."""
    settings: dict[str, Any] = {}
    """How the bot is started: all that its command line and its settings file said, environment included."""
    top_up: int = 0
    """Playouts that every case of sums gets in the end, whatever the verdict needed: for comparisons."""
    plan: PlanRef | None = None
    """First stage of a spread run; None if one case is asked after another."""


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


UNDO = "undo"
"""The line with which a question is asked again in the position of the one before."""


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
    is_minimal: bool = False
    """True for a dialogue that failed and passes as soon as any of its lines is left out."""

    @property
    def is_repeated(self) -> bool:
        """Whether ``undo`` gave back the position of the unit before it in its process."""
        return bool(self.exchanges) and self.exchanges[0][0] == UNDO


class SpeedTurn(msgspec.Struct, frozen=True):
    """What one program did in one round of a measured speed."""

    genmoves: int
    """Number of genmoves on the empty board, each by a command of its own."""
    playouts: int
    """Playouts of all of them together."""
    nodes: int | None
    """Moves of those playouts, as ref-nodes has them; None where it does not answer with a number."""
    seconds: float
    """From each genmove to its answer."""
    cpu_s: float | None
    """Processor time of the bot and all that came from it; None where the system does not tell."""
    peak_bytes: int | None
    """Most memory that those processes held, each by its own peak; pages they share count for each."""


class Round(msgspec.Struct, frozen=True, tag="round", tag_field="type"):
    """One round of a measured speed: new processes of bot and engine, their turns in between one another."""

    number: int
    """From 1."""
    size: int
    """Lines of the board."""
    first: str
    """bot or engine: who began."""
    bot: SpeedTurn
    engine: SpeedTurn
    broken: Broken | None = None
    """Why the bot did not come to the end of the round; then nothing of it counts."""


class WorkLine(msgspec.Struct, frozen=True, tag="work", tag_field="type"):
    """A work of a spread run has been done: the units on the lines before it, since the last such line."""

    number: int
    """From 1, the handshake; a number stands in a file once."""
    units: int
    asks: list[tuple[str, int]]
    """Cases and how often each was to be asked."""
    host: str
    pid: int
    """Id of the process that asked."""
    bot: str
    """Digest of the bot's program there."""
    seconds: float


class Resumed(msgspec.Struct, frozen=True, tag="resumed", tag_field="type"):
    """A run that had been killed or interrupted went on here; what follows is from new processes."""

    at: str
    """UTC, ISO 8601."""
    refbot: str
    host: str
    elapsed_s: float
    """Seconds of the parts before; for a killed part, the seconds that its units took."""


class Footer(msgspec.Struct, frozen=True, tag="footer", tag_field="type"):
    """How the run ended; the last line."""

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
    """Closing lines of the work items of a spread run, in the order of their units."""

    @property
    def done(self) -> list[tuple[WorkLine, list[Unit]]]:
        """Every work with its units."""
        ends = list(accumulate(work.units for work in self.works))
        return [
            (work, self.units[end - work.units : end]) for work, end in zip(self.works, ends, strict=True)
        ]

    @property
    def digest(self) -> str:
        """Digest of the units and rounds, whatever their order, 16 hexadecimal digits."""
        return _digest(sorted(encoder.encode(line) for line in (*self.units, *self.rounds)))

    @property
    def frame(self) -> str:
        """Digest of all other lines: the header, where the run was resumed, the footer."""
        return _digest([encoder.encode(line) for line in (self.header, *self.resumed, self.footer)])


class Part(msgspec.Struct, frozen=True):
    """The part of an evidence file that was written before its run was killed, interrupted or ended."""

    evidence: Evidence
    """Without a footer where there is none yet."""
    kept_bytes: int
    """Length of the whole lines, the footer not counted."""
    torn: int
    """Number of the first line that is worth nothing, half written or of a work not finished; otherwise 0."""
    elapsed_s: float
    """Seconds of all parts so far; for a killed part, the seconds that its units took."""


def read_evidence(path: Path) -> Evidence:
    """Read a complete evidence file, or the one in a run's folder.

    Raises:
        EvidenceError: it is missing, cut, or damaged; the message names the line.
    """
    path, data = _bytes_of(path)
    lines = data.split(b"\n")
    if lines[-1]:
        raise EvidenceError(
            f"{path}: line {len(lines)} is cut off; the {len(lines) - 1} lines before it are whole; "
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
    """Read what there is of a run that may not have come to its end.

    Raises:
        EvidenceError: it is missing, holds no whole line, or is damaged elsewhere than in its last line.
    """
    path, data = _bytes_of(path)
    *lines, rest = data.split(b"\n")
    if not lines:
        raise EvidenceError(f"{path}: the run was killed before it had recorded anything; start it again")
    values = list(_decoded(path, lines))
    if (whole := _whole(values)) < len(values):
        rest = lines[whole]
        lines, values = lines[:whole], values[:whole]
    evidence = _evidence_of(path, values)
    if evidence.footer is not None and rest:
        raise EvidenceError(f"{path}: line {len(lines) + 1} comes after the footer")
    kept = sum(len(line) + 1 for line in (lines[:-1] if evidence.footer else lines))
    elapsed_s = evidence.footer.elapsed_s if evidence.footer else _since_last_resumed(values)
    return Part(evidence, kept, len(lines) + 1 if rest else 0, elapsed_s)


def _whole(values: Sequence[Line]) -> int:
    """Return how many lines to keep: of a spread run none of a work that was not finished."""
    if not values or not isinstance(values[0], Header) or values[0].plan is None:
        return len(values)
    return max(number for number, value in enumerate(values, start=1) if not isinstance(value, Unit))


def _since_last_resumed(values: Iterable[Line]) -> float:
    """Return the seconds of a run by what the last part says of those before it, and by its own units."""
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
    """Put lines together, whether or not a footer closes them."""
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
                raise EvidenceError(f"{path}: line {number} is a footer, and more lines come after it")
            case Footer() if value.units != len(units):
                raise EvidenceError(
                    f"{path}: line {number} (the footer) counts {value.units} units, "
                    f"and {len(units)} lines stand before it",
                )
    footer = values[-1] if isinstance(values[-1], Footer) else None
    return Evidence(header, units, footer, resumed, rounds, _works_of(path, values))


def _works_of(path: Path, values: Iterable[Line]) -> list[WorkLine]:
    """Return the works of a spread run; each is there once, and counts the units before it."""
    works: dict[int, WorkLine] = {}
    units = 0
    for number, value in enumerate(values, start=1):
        if isinstance(value, Unit):
            units += 1
        elif isinstance(value, WorkLine):
            if value.number in works:
                raise EvidenceError(f"{path}: line {number}: work {value.number} is there already")
            if value.units != units:
                raise EvidenceError(
                    f"{path}: line {number} (work {value.number}) counts {value.units} units, "
                    f"and {units} lines stand before it"
                )
            works[value.number], units = value, 0
    return list(works.values())


def _decoded(path: Path, lines: Iterable[bytes]) -> Iterable[Line]:
    for number, line in enumerate(lines, start=1):
        try:
            yield _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise EvidenceError(f"{path}: line {number}: {error}") from error
