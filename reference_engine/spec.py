"""One reading of the rules as a frozen value: every clause is a field.

The conforming bot is one ``Spec``; every known mistake is another one that differs in a field (see
``deviations``).  The clauses R1-R12 are those of Don Dailey's specification of 13 October 2008, the
others are refbot's requirement ids.  The numbers of the enumerations are what the kernels read.
"""

from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Any, Final


class Game(IntEnum):
    """R1: how a game may end."""

    COMPLETE = 0
    RESIGNS = 1
    """Resigns when the best move wins less than one playout in ten."""


class Choice(IntEnum):
    """R2: how a playout draws a move."""

    UNIFORM = 0
    BOARD_SCAN = 1
    """From a random point, the next playable one in board order."""
    LIST_SCAN = 2
    """From a random place in the list of empty points, the next playable one."""
    PASS_DRAWN = 3
    """A pass is one of the draws."""
    LAST_NEVER = 4
    """Off by one: the last entry of the list of empty points is never drawn."""
    BESIDE_LAST = 5
    """Every other draw is among the playable neighbours of the stone the playout has just set, if any."""


class Ko(IntEnum):
    """R2: the ko rule inside playouts."""

    SIMPLE = 0
    NONE = 1
    LOST_AT_ROOT = 2
    """A ko taken by the last move of the game is forgotten when the playout starts."""
    ANY_SINGLE_CAPTURE = 3
    """Any capture of one stone bans its point, whatever the capturing chain looks like (snapbacks)."""
    OUTLIVES_TURN = 4
    """The ban is lifted only by the next capture or the banned side's second turn."""
    SURVIVES_PASS = 5
    """A pass does not lift the ban."""
    SUPERKO = 6
    """No position since the playout's start may come again."""


class CapOrigin(IntEnum):
    """R3: where the moves that count towards the cap begin."""

    GAME = 0
    PLAYOUT = 1
    SECOND_MOVE = 2
    """Moves are numbered from zero, so the cap comes one move late."""


class EyeDiagonals(IntEnum):
    """R4: what on a diagonal counts against an eye."""

    ENEMY = 0
    NOT_OWN = 1


class EyeOwner(IntEnum):
    """R4: whose eyes are not filled."""

    MOVER = 0
    EITHER = 1
    NOBODY = 2
    BLACK = 3
    """Black's, whoever moves: White fills its own."""
    OPPONENT = 4
    """Colours mixed up: own eyes are filled, the opponent's are not."""


class Scoring(IntEnum):
    """R5: what is counted when a playout ends."""

    AREA = 0
    STONES = 1
    TERRITORY = 2
    NEIGHBOURS = 3
    """An empty point belongs to the one colour among its neighbours; no flood fill."""


class Komi(IntEnum):
    """R5: what becomes of the komi."""

    USED = 0
    IGNORED = 1
    NEGATED = 2
    TRUNCATED = 3
    FOR_BLACK_ONLY = 4
    """Taken off the side to move, whoever that is."""


class Draw(IntEnum):
    """N2: twice the worth of a draw."""

    LOST = 0
    HALF = 1
    WON = 2


class Amaf(IntEnum):
    """R6: which moves of a playout are data for the root."""

    FIRST_BY_EITHER = 0
    FIRST_BY_SELF = 1
    """The opponent's earlier play on the point is overlooked."""
    EVERY_PLAY = 2
    BOTH_COLOURS = 3
    FIRST_MOVE_ONLY = 4
    WRONG_VIEW = 5
    """Wins are counted for the opponent."""
    EARLY_TWICE = 6
    """What counts by the specification counts twice in the first half of the playout."""


class Selection(IntEnum):
    """R7: which candidate is played."""

    BEST_RATE = 0
    MOST_VISITED = 1
    FIRST_OF_TIES = 2
    RANDOM = 3
    LAST_OF_TIES = 4
    SECOND_BEST = 5
    MOST_VISITED_OF_TIES = 6


class Passes(IntEnum):
    """R8: when the game move is a pass."""

    FORCED = 0
    WHEN_LOSING = 1
    AFTER_OPPONENT = 2
    NEVER = 3
    """Fills an own eye rather than pass."""


class Generator(IntEnum):
    """R9: the grain of the random numbers."""

    FULL = 0
    THREE_BITS = 1
    EIGHT_BITS_MODULO = 2
    """Eight bits, reduced to the number of points by the remainder: the first entries come too often."""


class Suicide(IntEnum):
    """R10: who may take the own last liberty."""

    FORBIDDEN = 0
    SEVERAL_STONES = 1
    """Chains of two and more stones."""
    BEFORE_CAPTURE = 2
    """Over-strict: a move without an empty neighbour or a free own chain is refused though it captures."""


class Superko(IntEnum):
    """R11: repetition in the game."""

    POSITIONAL = 0
    SITUATIONAL = 1
    NONE = 2
    SHORT_MEMORY = 3
    """Only the last four positions are remembered."""


class Unseen(IntEnum):
    """R12: the worth of a candidate without data."""

    IGNORED = 0
    EVEN = 1


class Nodes(IntEnum):
    """N1: what ref-nodes counts."""

    WITH_PASSES = 0
    WITHOUT_PASSES = 1
    WITHOUT_LAST_PASS = 2
    LAST_PLAYOUT = 3
    """Those of the last playout alone."""
    MEAN = 4
    """Those of a playout on average, rounded down."""


class ScoreView(IntEnum):
    """N2: whose wins ref-score counts."""

    MOVER = 0
    BLACK = 1
    BEST_MOVE = 2
    """The win rate of the move played, not of all playouts."""
    OPPONENT = 3


class Statistics(IntEnum):
    """N3: what the reference commands describe."""

    LAST_GENMOVE = 0
    CUMULATIVE = 1
    LOST_WHEN_READ = 2
    FIRST_GENMOVE = 3


class PlayoutsRun(IntEnum):
    """N4: how many playouts are run."""

    DECLARED = 0
    HALF = 1
    ONE_MORE = 2


class Randomness(IntEnum):
    """X1: where the random numbers come from."""

    FRESH = 0
    FIXED_PER_PROCESS = 1
    FIXED_PER_GENMOVE = 2
    REPEATED_PLAYOUTS = 3
    """Every playout is run twice with the same numbers."""
    SEEDED_BY_SECOND = 4
    """Every genmove starts from the clock, in whole seconds."""


class GenmoveColour(IntEnum):
    """G: what genmove's argument does."""

    GIVEN = 0
    ALTERNATES = 1
    """The 2008 Java bot: the colours simply take turns, whatever is asked."""


class Protocol(IntEnum):
    """G: one way of getting the protocol wrong."""

    CORRECT = 0
    DROPS_IDS = 1
    ANSWERS_BLANK_LINES = 2
    KEEPS_COMMENTS = 3
    ACCEPTS_UNKNOWN = 4
    HAS_COLUMN_I = 5
    CASE_SENSITIVE = 6
    REFUSES_SAME_COLOUR = 7
    ACCEPTS_OCCUPIED = 8
    GENMOVE_ONLY_THINKS = 9
    KEEPS_STONES = 10
    """clear_board leaves the stones."""
    KEEPS_HISTORY = 11
    """clear_board leaves the positions that superko remembers."""
    ONE_SIZE = 12
    """boardsize is accepted and ignored."""
    ACCEPTS_ANY_SIZE = 13
    INTEGER_KOMI = 14
    """komi takes integers only."""
    UNDO_KEEPS_KO = 15
    UNDO_KEEPS_STONE = 16
    QUIT_IS_SILENT = 17
    HIDES_COMMANDS = 18
    """list_commands leaves out the private commands."""
    ACCEPTS_SUICIDE = 19
    KOMI_WAITS = 20
    """A komi counts from the next boardsize or clear_board on."""
    KOMI_IS_CLEARED = 21
    """boardsize and clear_board set the komi to 0."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A complete reading of the rules; the defaults are the specification of 13 October 2008."""

    game: Game = Game.COMPLETE
    choice: Choice = Choice.UNIFORM
    ko: Ko = Ko.SIMPLE
    ending_passes: int = 2
    """R3: consecutive passes that end a playout."""
    cap: int = 3
    """R3: a playout ends when this many times N*N moves were made; 0 for never."""
    cap_origin: CapOrigin = CapOrigin.GAME
    eye_centre: int = 1
    """R4: enemy diagonals an eye off the edge tolerates; with -1 there is no eye."""
    eye_edge: int = 0
    eye_corner: int = 0
    eye_diagonals: EyeDiagonals = EyeDiagonals.ENEMY
    eye_owner: EyeOwner = EyeOwner.MOVER
    scoring: Scoring = Scoring.AREA
    komi: Komi = Komi.USED
    draw: Draw = Draw.HALF
    amaf: Amaf = Amaf.FIRST_BY_EITHER
    selection: Selection = Selection.BEST_RATE
    passes: Passes = Passes.FORCED
    generator: Generator = Generator.FULL
    suicide: Suicide = Suicide.FORBIDDEN
    superko: Superko = Superko.POSITIONAL
    unseen: Unseen = Unseen.IGNORED
    nodes: Nodes = Nodes.WITH_PASSES
    score_view: ScoreView = ScoreView.MOVER
    statistics: Statistics = Statistics.LAST_GENMOVE
    playouts_run: PlayoutsRun = PlayoutsRun.DECLARED
    randomness: Randomness = Randomness.FRESH
    genmove_colour: GenmoveColour = GenmoveColour.GIVEN
    protocol: Protocol = Protocol.CORRECT

    def changed(self, **changes: Any) -> "Spec":
        """Return a copy with the named fields changed.

        Raises:
            TypeError: a name is no field.
        """
        return replace(self, **changes)

    def codes(self) -> tuple[int, ...]:
        """Return every field as an integer, in field order: the kernels' view of the rules."""
        return tuple(int(getattr(self, field.name)) for field in fields(self))


CODE: Final[dict[str, int]] = {field.name: place for place, field in enumerate(fields(Spec))}
"""Place of each field in ``Spec.codes()``."""

SPEC: Final = Spec()
"""The specification of 13 October 2008, as read in fixtures/requirements.toml."""

PRESETS: Final[dict[str, Spec]] = {
    "2008-10-13": SPEC,
    "2008-10-11": SPEC.changed(cap=0, amaf=Amaf.FIRST_BY_SELF),
}
"""Both published versions.  The first had no move cap, and counted a move when the side to move
played it first, without the later words "by either side"."""
