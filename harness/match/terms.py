"""The terms of a match: board, komi, clock, ending.  The header of the record holds them."""

from collections.abc import Collection
from enum import StrEnum
from typing import Final

import msgspec

GENMOVE: Final = "genmove"
CLEANUP: Final = "kgs-genmove_cleanup"
STATUS_LIST: Final = "final_status_list"


class Ending(StrEnum):
    """The way in which a game is scored after two passes."""

    AUTO = "auto"
    """KGS if both bots of a game list its two commands, otherwise TROMP_TAYLOR."""
    TROMP_TAYLOR = "tromp-taylor"
    """The area of the board as it stands, all stones alive, as on CGOS."""
    KGS = "kgs"
    """Dead stones are taken off by agreement; without agreement play goes on (proposal of 2005 for KGS)."""


class Kgs(StrEnum):
    """The variant of the KGS ending."""

    TOURNAMENT = "tournament"
    """As proposed for tournaments: one claim, one cleanup, then every stone counts as alive."""
    FREE = "free"
    """Outside tournaments: after a cleanup, both programs claim dead stones again."""
    SILENT = "silent-pass"
    """A program without kgs-genmove_cleanup passes in the cleanup (third KGS tournament)."""
    ONLY_LIST = "only-list"
    """If only one of the two programs can list dead stones, its list is accepted (asked for in 2008)."""


class TimeControl(msgspec.Struct, frozen=True):
    """The time of each player: main time, then periods with a number of moves each (Canadian byo-yomi)."""

    main_s: float
    """Main time, in seconds."""
    byo_yomi_s: float = 0.0
    """Length of a period, in seconds; 0 for no periods: a player loses when the main time is used up."""
    stones: int = 0
    """Number of moves in a period."""
    lag_s: float = 0.1
    """Seconds subtracted from the time of every move, for the delays of the pipe and the machine."""

    def command(self) -> str:
        """Return the GTP command that announces the time settings, in the protocol's whole seconds."""
        return f"time_settings {int(self.main_s)} {int(self.byo_yomi_s)} {self.stones}"

    def describe(self) -> str:
        """Return the time settings in a few words."""
        if not self.main_s and self.stones == 1:
            return f"{self.byo_yomi_s:g} s a move"
        if not self.stones:
            return f"{self.main_s:g} s"
        period = "move" if self.stones == 1 else f"{self.stones} moves"
        return f"{self.main_s:g} s + {self.byo_yomi_s:g} s per {period}"


class Terms(msgspec.Struct, frozen=True):
    """The terms that all games of a match share."""

    size: int = 9
    """Board size for openings that have none of their own."""
    komi: float = 7.5
    handicap: int = 0
    """Number of handicap stones of Black in every game; with a handicap White moves first."""
    ending: Ending = Ending.TROMP_TAYLOR
    kgs: Kgs = Kgs.TOURNAMENT
    time: TimeControl | None = None
    """None for no clock: the bots then only share the number of playouts."""
    playouts: int = 1000
    """Number that replaces ``{playouts}`` in the commands of bots."""
    move_cap: int = 0
    """Number of moves after which a game is given up as unfinished; 0 for ``default_cap``."""
    comment: str = "ref-score"
    """A command that a bot is asked after each of its moves, if it knows it; empty for none."""
    asks_score: bool = True
    """Whether bots that know final_score are asked for it after a scored game.  It is only shown."""
    crash_loses: bool = False
    """Whether a bot whose process fails loses the game; otherwise the game is void."""
    is_fresh: bool = False
    """Whether every game gets new processes."""

    def cap_on(self, size: int) -> int:
        """Return the number of moves after which a game on a board of this size is unfinished."""
        return self.move_cap or default_cap(size)

    def ending_of(self, *commands: Collection[str]) -> Ending:
        """Return the ending of a game between bots that list these commands."""
        if self.ending is not Ending.AUTO:
            return self.ending
        has_both = all(command in known for known in commands for command in (CLEANUP, STATUS_LIST))
        return Ending.KGS if has_both else Ending.TROMP_TAYLOR

    def describe_ending(self, ending: Ending) -> str:
        """Return the name of an ending, with the variant if it has several."""
        return f"{ending}, {self.kgs}" if ending is Ending.KGS else str(ending)


def default_cap(size: int) -> int:
    """Return a limit on moves that no game reaches between bots that try to end it."""
    return 4 * size * size + 100


class OpeningPosition(msgspec.Struct, frozen=True):
    """A position that games begin from."""

    name: str = ""
    stones: list[tuple[str, str]] = []
    """Colour letter and vertex of each stone put on the board before the first move."""
    moves: list[tuple[str, str]] = []
    """Colour letter and vertex of each move played before the game begins."""
    to_move: str = "B"
    size: int = 0
    """Board size; 0 for the size of the terms."""

    def size_in(self, terms: Terms) -> int:
        """Return the board size of games from this position."""
        return self.size or terms.size
