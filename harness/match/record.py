"""The record of a match, match.jsonl: a header, and a line for every game.

A game's line holds its moves with their times and comments, the questions after the last pass with their
answers, and the result.  All other files in the folder of a match can be made from these lines again.
"""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import msgspec

from harness.errors import EvidenceError, UsageError
from harness.match.schedule import TournamentFormat
from harness.match.terms import OpeningPosition, Terms
from harness.regular_file import MEBIBYTE, open_file
from harness.word import Word

FILE_NAME: Final = "match.jsonl"
SCHEMA: Final = 1


class Termination(StrEnum):
    """How a game ended."""

    SCORE = "score"
    RESIGNATION = "resignation"
    ILLEGAL = "illegal move"
    TIME = "time"
    ERROR = "error reply"
    """The player answered a command with an error that a player must carry out, or made no sense."""
    BREAK = "break"
    """It crashed, hung or broke the protocol, where the terms say that this loses."""
    VOID = "void"
    """The game says nothing about strength: a bot could not be run to its end."""
    UNFINISHED = "unfinished"
    """The most moves were played and nobody had passed twice."""


COUNTED: Final = frozenset(
    {
        Termination.SCORE,
        Termination.RESIGNATION,
        Termination.ILLEGAL,
        Termination.TIME,
        Termination.ERROR,
        Termination.BREAK,
    }
)
"""Games that are results."""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a game."""

    how: Termination
    winner: str = ""
    """``B`` or ``W``; empty for a draw, and where there is no result."""
    margin: float | None = None
    """Black's score minus White's, komi included, of a game that was scored."""
    culprit: str = ""
    """Whose doing it was, where a player did something wrong."""
    word: Word | None = None
    """What became of a process that broke off."""
    detail: str = ""
    """In one line what happened."""

    @property
    def sgf(self) -> str:
        """The result as SGF's RE has it."""
        match self.how:
            case Termination.SCORE:
                return f"{self.winner}+{abs(self.margin or 0.0):g}" if self.winner else "0"
            case Termination.RESIGNATION:
                return f"{self.winner}+R"
            case Termination.TIME:
                return f"{self.winner}+T"
            case Termination.ILLEGAL | Termination.ERROR | Termination.BREAK:
                return f"{self.winner}+F"
            case Termination.VOID | Termination.UNFINISHED:
                return "Void"


class MoveRecord(msgspec.Struct, frozen=True, array_like=True):
    """One move of a game."""

    colour: str
    vertex: str
    """``pass`` for a pass."""
    seconds: float
    comment: str = ""
    is_cleanup: bool = False
    """Whether it was asked for by kgs-genmove_cleanup."""
    left: tuple[float, int] | None = None
    """What its clock shows after it: seconds, and stones of the period."""


class EndExchange(msgspec.Struct, frozen=True, array_like=True):
    """One exchange after the end of play."""

    colour: str
    sent: str
    is_error: bool
    reply: str


class GameRecord(msgspec.Struct, frozen=True, tag="game", tag_field="type", omit_defaults=True):
    """One game, as it went."""

    number: int
    black: int
    white: int
    opening: int
    moves: list[MoveRecord]
    result: Result
    seconds: float
    """Seconds of the whole game."""
    begun: str
    """When, in UTC."""
    said: list[EndExchange] = []
    """Every question after the end of play, and its answer: claims of dead stones, final scores."""
    breaks: list[int] = []
    """Numbers of moves played before each time that both had passed."""
    dead: list[str] = []
    """Stones taken off before the score was counted."""
    notes: list[str] = []
    cpu_s: tuple[float, float] | None = None
    """Processor time of Black and White by their own judged_run, where both know cputime."""


class Entrant(msgspec.Struct, frozen=True):
    """One bot of a match: how it is started, and who it says it is."""

    name: str
    settings: dict[str, Any]
    digest: str
    gtp_name: str
    version: str
    commands: list[str]

    @property
    def command(self) -> str:
        """The command line that starts it, placeholders included."""
        return str(self.settings.get("command", ""))


class Ask(StrEnum):
    """What is asked of the results."""

    NONE = "none"
    EVEN = "even"
    SPRT = "sprt"


class Question(msgspec.Struct, frozen=True):
    """What is asked of the results, and with which error rates."""

    kind: Ask = Ask.NONE
    margin: float = 0.0
    """With EVEN: the distance from one half that still counts as even."""
    elo: tuple[float, float] = (0.0, 0.0)
    """With SPRT: the two differences in strength (Elo) it decides between."""
    alpha: float = 0.01
    beta: float = 0.01


class MatchHeader(msgspec.Struct, frozen=True, tag="match", tag_field="type"):
    """The first line of a match."""

    schema: int
    refbot: str
    started: str
    host: str
    terms: Terms
    form: TournamentFormat
    games: int
    """Number of games of each pairing."""
    entrants: list[Entrant]
    openings: list[OpeningPosition]
    test: Question
    most_voids: int
    makes_sgf: bool = True


def sizes_of(header: MatchHeader) -> list[int]:
    """Return the sizes of the boards that a match is played on, ascending."""
    return sorted({opening.size_in(header.terms) for opening in header.openings})


class Continued(msgspec.Struct, frozen=True, tag="continued", tag_field="type"):
    """Stands where a match was gone on with."""

    at: str
    games: int
    """Number of games of each pairing from here on."""


Line = MatchHeader | GameRecord | Continued
_decoder = msgspec.json.Decoder(Line)


class MatchPart(msgspec.Struct, frozen=True):
    """What there is of a match that may not have come to its end."""

    header: MatchHeader
    games: int
    """Number of games of each pairing, as the last line says."""
    kept_bytes: int
    """Up to the end of the last whole line."""
    is_torn: bool


_LONGEST_LINE: Final = 64 * MEBIBYTE
"""Bytes read of one line."""


def read_header(folder: Path) -> MatchHeader:
    """Read what a match is.

    Raises:
        UsageError: the folder holds no match.
        EvidenceError: it cannot be read.
    """
    path, line = folder / FILE_NAME, b""
    try:
        with open_file(path) as file:
            line = file.readline(_LONGEST_LINE)
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{folder} holds no match ({FILE_NAME} is not there)") from None
    except OSError as error:
        raise EvidenceError(f"cannot read {path}: {error.strerror}") from error
    if not line.endswith(b"\n"):
        raise EvidenceError(f"{path}: the match was killed before anything was recorded; start it again")
    header = _decode(path, 1, line)
    if not isinstance(header, MatchHeader):
        raise EvidenceError(f"{path}: line 1 is no header")
    if header.schema != SCHEMA:
        raise EvidenceError(f"{path}: schema {header.schema}, and this refbot reads {SCHEMA}")
    return header


def read_match(folder: Path, see: Callable[[MatchHeader, GameRecord], None]) -> MatchPart:
    """Read a match, handing over one game after the other, so that none needs to be kept.

    Raises:
        UsageError: the folder holds no match.
        EvidenceError: it cannot be read, or is damaged elsewhere than in its last line.
    """
    path, header = folder / FILE_NAME, read_header(folder)
    games, kept, is_torn = header.games, 0, False
    seen: set[int] = set()
    try:
        with open_file(path) as file:
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), start=1):
                is_torn = not line.endswith(b"\n")
                if is_torn:
                    break
                kept += len(line)
                match _decode(path, number, line):
                    case MatchHeader() if number > 1:
                        raise EvidenceError(f"{path}: line {number} is a second header")
                    case Continued() as again:
                        games = again.games
                    case GameRecord() as game if game.number in seen:
                        raise EvidenceError(f"{path}: line {number}: game {game.number} is there twice")
                    case GameRecord() as game:
                        seen.add(game.number)
                        see(header, game)
    except OSError as error:
        raise EvidenceError(f"cannot read {path}: {error.strerror}") from error
    return MatchPart(header, games, kept, is_torn)


def _decode(path: Path, number: int, line: bytes) -> Line:
    try:
        value: Line = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EvidenceError(f"{path}: line {number}: {error}") from error
    return value
