"""The record of a match, match.jsonl: a header, and a line for every game.

A game's line holds its moves with their times and comments, the questions after the last pass with their
answers, and the result.  All other files in the folder of a match can be made again from these lines.
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
    """A player answered a command that it must carry out with an error, or its answer made no sense."""
    BREAK = "break"
    """A bot crashed, hung or broke the protocol, where the terms say that this loses the game."""
    VOID = "void"
    """A bot could not be run to the end, so the game says nothing about strength."""
    UNFINISHED = "unfinished"
    """The limit on moves was reached before both players had passed."""


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
"""The endings that are results; other games are not counted."""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a game."""

    how: Termination
    winner: str = ""
    """``B`` or ``W``; empty for a draw, and where there is no result."""
    margin: float | None = None
    """Black's score minus White's, komi included; only of a scored game."""
    culprit: str = ""
    """The colour letter of the player at fault, if any."""
    word: Word | None = None
    """The word for the failure of a process, if one failed."""
    detail: str = ""
    """One line that says what happened."""

    @property
    def sgf(self) -> str:
        """The result in the form of SGF's property RE."""
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
    """Whether the move was asked for by kgs-genmove_cleanup."""
    left: tuple[float, int] | None = None
    """The player's clock after the move: seconds left, and stones left in the period."""


class EndExchange(msgspec.Struct, frozen=True, array_like=True):
    """One exchange after the end of play."""

    colour: str
    sent: str
    is_error: bool
    reply: str


class GameRecord(msgspec.Struct, frozen=True, tag="game", tag_field="type", omit_defaults=True):
    """One game."""

    number: int
    black: int
    white: int
    opening: int
    moves: list[MoveRecord]
    result: Result
    seconds: float
    """Seconds of the whole game."""
    begun: str
    """The time when the game began, in UTC."""
    said: list[EndExchange] = []
    """Every question after the end of play, and its answer: claims of dead stones, final scores."""
    breaks: list[int] = []
    """For each time that both players had passed, the number of moves played until then."""
    dead: list[str] = []
    """Stones taken off before the score was counted."""
    notes: list[str] = []
    cpu_s: tuple[float, float] | None = None
    """Processor seconds of Black and of White as they report them, if both know cputime."""


class Entrant(msgspec.Struct, frozen=True):
    """One bot of a match: its settings, and the name, version and commands that it reported."""

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
    """The kind of question that the results are to answer."""

    NONE = "none"
    EVEN = "even"
    SPRT = "sprt"


class Question(msgspec.Struct, frozen=True):
    """The question that the results are to answer, with its error rates."""

    kind: Ask = Ask.NONE
    margin: float = 0.0
    """With EVEN: the greatest distance of the share from one half that still counts as even."""
    elo: tuple[float, float] = (0.0, 0.0)
    """With SPRT: the two differences in strength (Elo) that the test decides between."""
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
    """Return the board sizes of a match, in ascending order."""
    return sorted({opening.size_in(header.terms) for opening in header.openings})


class Continued(msgspec.Struct, frozen=True, tag="continued", tag_field="type"):
    """A line that marks where a match was resumed."""

    at: str
    games: int
    """Number of games of each pairing from here on."""


Line = MatchHeader | GameRecord | Continued
_decoder = msgspec.json.Decoder(Line)


class MatchPart(msgspec.Struct, frozen=True):
    """The recorded part of a match, which may not be complete."""

    header: MatchHeader
    games: int
    """Number of games of each pairing, from the header or the last ``Continued`` line."""
    kept_bytes: int
    """Length of the file up to the end of its last complete line."""
    is_torn: bool
    """Whether an incomplete line follows."""


_LONGEST_LINE: Final = 64 * MEBIBYTE
"""Greatest number of bytes read of one line."""


def read_header(folder: Path) -> MatchHeader:
    """Read the header of a match.

    Raises:
        UsageError: the folder holds no match.
        EvidenceError: the file cannot be read.
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
        raise EvidenceError(f"{path}: line 1 is not a header")
    if header.schema != SCHEMA:
        raise EvidenceError(f"{path}: schema {header.schema}, and this refbot reads {SCHEMA}")
    return header


def read_match(folder: Path, see: Callable[[MatchHeader, GameRecord], None]) -> MatchPart:
    """Read a match, and pass each game to a function, so that the games need not be kept in memory.

    Raises:
        UsageError: the folder holds no match.
        EvidenceError: the file cannot be read, or is damaged elsewhere than in its last line.
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
