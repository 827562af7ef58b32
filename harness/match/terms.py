"""The terms of a match: board, komi, clock, ending.  Plain values, stored in the header of its record."""

from collections.abc import Collection
from enum import StrEnum
from typing import Final

import msgspec

GENMOVE: Final = "genmove"
CLEANUP: Final = "kgs-genmove_cleanup"
STATUS_LIST: Final = "final_status_list"


class Ending(StrEnum):
    """How a game comes to its score after two passes."""

    AUTO = "auto"
    """KGS if both bots of a game list its two commands, otherwise TROMP_TAYLOR."""
    TROMP_TAYLOR = "tromp-taylor"
    """Area of the board as it stands, everything alive, as on CGOS."""
    KGS = "kgs"
    """Dead stones by agreement, played out where there is none: the proposal of 2005 for KGS."""


class Kgs(StrEnum):
    """Which practice of the KGS ending."""

    TOURNAMENT = "tournament"
    """As proposed for tournaments: one claim, one cleanup, then everything counts as alive."""
    FREE = "free"
    """Outside tournaments the score is not settled by the second two passes: claims are made again."""
    SILENT = "silent-pass"
    """A program without kgs-genmove_cleanup is taken to pass in the cleanup (third KGS tournament)."""
    ONLY_LIST = "only-list"
    """Where only one of the two programs can list dead stones, its list is accepted (asked for in 2008)."""


class TimeControl(msgspec.Struct, frozen=True):
    """A clock for each player: main time, then so many stones in each period (Canadian byo-yomi)."""

    main_s: float
    byo_yomi_s: float = 0.0
    """Length of a period, in seconds; 0 for none: who has used up the main time has lost."""
    stones: int = 0
    """Moves in a period."""
    lag_s: float = 0.1
    """Taken off the time of every move: what the pipe and the machine may cost."""

    def command(self) -> str:
        """Return the GTP command that announces it; whole seconds, as the protocol has them."""
        return f"time_settings {int(self.main_s)} {int(self.byo_yomi_s)} {self.stones}"

    def describe(self) -> str:
        """Return it in a few words."""
        if not self.main_s and self.stones == 1:
            return f"{self.byo_yomi_s:g} s a move"
        if not self.stones:
            return f"{self.main_s:g} s"
        period = "move" if self.stones == 1 else f"{self.stones} moves"
        return f"{self.main_s:g} s + {self.byo_yomi_s:g} s per {period}"


class Terms(msgspec.Struct, frozen=True):
    """Everything the games of a match have in common."""

    size: int = 9
    """Board size for openings that do not bring their own."""
    komi: float = 7.5
    handicap: int = 0
    """Stones Black begins with, in every game; White then moves first."""
    ending: Ending = Ending.TROMP_TAYLOR
    kgs: Kgs = Kgs.TOURNAMENT
    time: TimeControl | None = None
    """None: no clock; the number of playouts is what both have alike."""
    playouts: int = 1000
    """Put in for ``{playouts}`` in the commands of bots."""
    move_cap: int = 0
    """Moves after which a game is given up as unfinished; 0 for ``default_cap``."""
    comment: str = "ref-score"
    """The command whose answer is kept with every move, of bots that know it; empty for none."""
    asks_score: bool = True
    """Whether bots that know final_score are asked for it after a scored game; shown, never counted."""
    crash_loses: bool = False
    """Whether a bot that breaks off has lost its game; otherwise that game is void."""
    is_fresh: bool = False
    """Whether every game gets new processes."""

    def cap_on(self, size: int) -> int:
        """Return the moves after which a game on a board of this size is unfinished."""
        return self.move_cap or default_cap(size)

    def ending_of(self, *commands: Collection[str]) -> Ending:
        """Return the ending of a game between bots that list these commands."""
        if self.ending is not Ending.AUTO:
            return self.ending
        can = all(command in known for known in commands for command in (CLEANUP, STATUS_LIST))
        return Ending.KGS if can else Ending.TROMP_TAYLOR

    def describe_ending(self, ending: Ending) -> str:
        """Return the ending of a game, with the practice of it where there are several."""
        return f"{ending}, {self.kgs}" if ending is Ending.KGS else str(ending)


def default_cap(size: int) -> int:
    """Return more moves than a game between bots that mean to end it takes."""
    return 4 * size * size + 100


class OpeningPosition(msgspec.Struct, frozen=True):
    """A position that games begin from."""

    name: str = ""
    stones: list[tuple[str, str]] = []
    """Colour letter and vertex of stones put on the board before the first move."""
    moves: list[tuple[str, str]] = []
    to_move: str = "B"
    size: int = 0
    """Size of its board; 0 for that of the match."""

    def size_in(self, terms: Terms) -> int:
        """Return the size of the board that its games are played on."""
        return self.size or terms.size
