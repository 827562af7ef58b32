"""The catalogue of known mistakes: each a named change of ``Spec`` with the requirement it breaks.

Three jobs: it tests the tester, it is the list a PASS must exclude, and it is the set of hypotheses of
a diagnosis.  Adding a mistake is one entry here (and, where no field can say it, a value of one in
``spec``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from reference_engine.spec import (
    SPEC,
    Amaf,
    CapOrigin,
    Choice,
    Draw,
    EyeDiagonals,
    EyeOwner,
    Game,
    Generator,
    GenmoveColour,
    Ko,
    Komi,
    Nodes,
    Passes,
    PlayoutsRun,
    Protocol,
    Randomness,
    ScoreView,
    Scoring,
    Selection,
    Spec,
    Statistics,
    Suicide,
    Superko,
    Unseen,
)


@dataclass(frozen=True, slots=True)
class Deviation:
    """One known way of not being the reference bot."""

    name: str
    requirement: str
    """The id of the requirement it breaks."""
    about: str
    """What the bot does, in one line."""
    changes: Mapping[str, Any] = field(hash=False)
    seen: str = ""
    """Where an author really did this, if known."""
    tolerated: bool = False
    """The text leaves room for it: NON-STRICT, not FAIL."""
    command: str = ""
    """The optional command it is about: a bot that does not offer it cannot have it."""

    @property
    def spec(self) -> Spec:
        """The rules of a bot with this deviation and no other."""
        return SPEC.changed(**self.changes)


def _of(
    name: str,
    requirement: str,
    about: str,
    seen: str = "",
    *,
    tolerated: bool = False,
    command: str = "",
    **changes: Any,
) -> Deviation:
    return Deviation(name, requirement, about, MappingProxyType(changes), seen, tolerated, command)


_SCAN = "libego, michi and many after them"

CATALOGUE: Final[tuple[Deviation, ...]] = (
    _of("resigns", "R1", "resigns when its best move wins under a tenth of the playouts", game=Game.RESIGNS),
    _of(
        "board-scan",
        "R2",
        "plays the next playable point in board order from a random start",
        "michi-c, keean/Go-Board",
        choice=Choice.BOARD_SCAN,
    ),
    _of(
        "list-scan",
        "R2",
        "plays the next playable entry of the list of empty points from a random start",
        _SCAN,
        choice=Choice.LIST_SCAN,
    ),
    _of(
        "pass-drawn",
        "R2",
        "a pass is one of the uniform draws",
        "href (Haskell, 2011)",
        choice=Choice.PASS_DRAWN,
    ),
    _of(
        "last-never-drawn",
        "R2",
        "off by one: the last entry of the list of empty points is never drawn",
        choice=Choice.LAST_NEVER,
    ),
    _of(
        "contact-bias",
        "R2",
        "every other draw is among the neighbours of the stone just played",
        choice=Choice.BESIDE_LAST,
    ),
    _of("no-ko", "R2", "playouts have no ko rule", ko=Ko.NONE),
    _of(
        "ko-lost-at-root",
        "R2",
        "a ko taken by the game's last move is forgotten when playouts start",
        ko=Ko.LOST_AT_ROOT,
    ),
    _of(
        "ko-any-capture",
        "R2",
        "any capture of a single stone bans its point, snapbacks included",
        ko=Ko.ANY_SINGLE_CAPTURE,
    ),
    _of("ko-outlives-turn", "R2", "a ko ban lasts for two turns of the banned side", ko=Ko.OUTLIVES_TURN),
    _of("ko-survives-pass", "R2", "a pass does not lift the ko ban", ko=Ko.SURVIVES_PASS),
    _of("superko-in-playouts", "R2", "playouts forbid every repetition, not simple ko alone", ko=Ko.SUPERKO),
    _of("one-pass-ends", "R3", "a playout ends at the first pass", ending_passes=1),
    _of("three-passes-end", "R3", "a playout ends after three passes in a row", ending_passes=3),
    _of("no-cap", "R3", "playouts have no move cap", cap=0),
    _of("cap-NN", "R3", "the move cap is N*N", cap=1),
    _of("cap-2NN", "R3", "the move cap is 2*N*N", "libego", cap=2),
    _of("cap-4NN", "R3", "the move cap is 4*N*N", cap=4),
    _of(
        "cap-off-by-one",
        "R3",
        "the move cap comes one move late, for moves are numbered from zero",
        cap_origin=CapOrigin.SECOND_MOVE,
    ),
    _of(
        "cap-from-playout",
        "R3",
        "the move cap counts the playout's moves only, not the game's",
        tolerated=True,
        cap_origin=CapOrigin.PLAYOUT,
    ),
    _of(
        "eye-no-diagonals",
        "R4",
        "any point between own stones is an eye, whatever the diagonals hold",
        eye_centre=4,
        eye_edge=4,
        eye_corner=4,
    ),
    _of(
        "eye-edge-as-centre",
        "R4",
        "one enemy diagonal is tolerated on the edge and in the corner too",
        eye_edge=1,
        eye_corner=1,
    ),
    _of("eye-edge-tolerant", "R4", "one enemy diagonal is tolerated on the edge", eye_edge=1),
    _of("eye-corner-tolerant", "R4", "the enemy diagonal of a corner eye is tolerated", eye_corner=1),
    _of("eye-centre-strict", "R4", "no enemy diagonal is tolerated anywhere", eye_centre=0),
    _of("eye-centre-lax", "R4", "two enemy diagonals are tolerated off the edge", eye_centre=2),
    _of(
        "eye-edge-never",
        "R4",
        "diagonals off the board count as enemy ones, so no point on the edge is an eye",
        eye_edge=-1,
        eye_corner=-1,
    ),
    _of("eye-corner-never", "R4", "no corner point is an eye", eye_corner=-1),
    _of(
        "eye-empty-diagonals",
        "R4",
        "empty diagonals count against an eye like enemy ones",
        eye_diagonals=EyeDiagonals.NOT_OWN,
    ),
    _of("eye-either-colour", "R4", "the opponent's eyes are left alone too", eye_owner=EyeOwner.EITHER),
    _of("eye-black-only", "R4", "White's eyes are filled, by White", eye_owner=EyeOwner.BLACK),
    _of(
        "eye-opponent-only",
        "R4",
        "colours are mixed up: own eyes are filled, the opponent's left alone",
        eye_owner=EyeOwner.OPPONENT,
    ),
    _of("no-eye-rule", "R4", "own eyes are filled", eye_owner=EyeOwner.NOBODY),
    _of("stones-only", "R5", "only stones are counted", scoring=Scoring.STONES),
    _of("territory-only", "R5", "only surrounded points are counted", scoring=Scoring.TERRITORY),
    _of(
        "neighbour-scoring",
        "R5",
        "an empty point belongs to the one colour among its neighbours, no flood fill",
        "the 2008 Java and C reference bots",
        tolerated=True,
        scoring=Scoring.NEIGHBOURS,
    ),
    _of("komi-ignored", "R5", "komi is left out of the count", komi=Komi.IGNORED),
    _of("komi-negated", "R5", "komi is given to Black", komi=Komi.NEGATED),
    _of("komi-truncated", "R5", "komi is cut to an integer", komi=Komi.TRUNCATED),
    _of(
        "komi-off-mover",
        "R5",
        "komi is taken off the side to move, whoever that is",
        komi=Komi.FOR_BLACK_ONLY,
    ),
    _of(
        "amaf-own-first",
        "R6",
        "a point the opponent played earlier still counts",
        "Gongo (Go, 2009)",
        amaf=Amaf.FIRST_BY_SELF,
    ),
    _of("amaf-every-play", "R6", "every own play counts, repeats included", amaf=Amaf.EVERY_PLAY),
    _of("amaf-both-colours", "R6", "the opponent's moves count too", amaf=Amaf.BOTH_COLOURS),
    _of("amaf-first-move", "R6", "only the first move of a playout counts", amaf=Amaf.FIRST_MOVE_ONLY),
    _of("amaf-wrong-view", "R6", "wins are kept from the opponent's view", amaf=Amaf.WRONG_VIEW),
    _of(
        "amaf-weighted",
        "R6",
        "a first play in the first half of a playout counts twice",
        amaf=Amaf.EARLY_TWICE,
    ),
    _of("most-visited", "R7", "plays the move with the most data", selection=Selection.MOST_VISITED),
    _of(
        "ties-in-order",
        "R7",
        "of even moves the first in board order is played",
        selection=Selection.FIRST_OF_TIES,
    ),
    _of(
        "ties-last", "R7", "of even moves the last in board order is played", selection=Selection.LAST_OF_TIES
    ),
    _of(
        "ties-by-visits",
        "R7",
        "of even moves the one with the most data is played",
        selection=Selection.MOST_VISITED_OF_TIES,
    ),
    _of("second-best", "R7", "the move with the second best rate is played", selection=Selection.SECOND_BEST),
    _of("random-move", "R7", "plays any move that has data", selection=Selection.RANDOM),
    _of(
        "passes-when-losing",
        "R8",
        "passes when its best move wins under half the playouts",
        passes=Passes.WHEN_LOSING,
    ),
    _of("passes-back", "R8", "answers a pass with a pass", passes=Passes.AFTER_OPPONENT),
    _of("never-passes", "R8", "fills an own eye rather than pass", passes=Passes.NEVER),
    _of("three-bit-random", "R9", "random numbers take eight values only", generator=Generator.THREE_BITS),
    _of(
        "eight-bit-modulo",
        "R9",
        "points are drawn by the remainder of an eight-bit number, the first of a list too often",
        generator=Generator.EIGHT_BITS_MODULO,
    ),
    _of(
        "suicide-several",
        "R10",
        "suicide of two and more stones is played",
        "libego, Pachi's light playouts",
        suicide=Suicide.SEVERAL_STONES,
    ),
    _of(
        "suicide-before-capture",
        "R10",
        "a capture without an own liberty is taken for suicide",
        suicide=Suicide.BEFORE_CAPTURE,
    ),
    _of(
        "no-superko",
        "R11",
        "repeats earlier positions in the game",
        "Orego, 52nd KGS tournament",
        superko=Superko.NONE,
    ),
    _of(
        "situational-superko",
        "R11",
        "a repetition counts only with the same side to move",
        superko=Superko.SITUATIONAL,
    ),
    _of("short-superko", "R11", "only the last four positions are remembered", superko=Superko.SHORT_MEMORY),
    _of("unseen-even", "R12", "a move without data is taken for an even one", unseen=Unseen.EVEN),
    _of("nodes-without-passes", "N1", "ref-nodes leaves passes out", nodes=Nodes.WITHOUT_PASSES),
    _of(
        "nodes-without-last-pass",
        "N1",
        "ref-nodes leaves the last pass of each playout out",
        nodes=Nodes.WITHOUT_LAST_PASS,
    ),
    _of(
        "nodes-of-last-playout",
        "N1",
        "ref-nodes counts the last playout's moves only",
        nodes=Nodes.LAST_PLAYOUT,
    ),
    _of("nodes-per-playout", "N1", "ref-nodes is the mean of a playout, rounded down", nodes=Nodes.MEAN),
    _of(
        "score-for-black",
        "N2",
        "ref-score is always Black's",
        "the first announcement of the command, 13 October 2008",
        score_view=ScoreView.BLACK,
    ),
    _of(
        "score-of-best-move",
        "N2",
        "ref-score is the win rate of the move played",
        score_view=ScoreView.BEST_MOVE,
    ),
    _of("score-loss", "N2", "ref-score is the fraction lost", score_view=ScoreView.OPPONENT),
    _of("draws-lost", "N2", "a draw is a loss", draw=Draw.LOST),
    _of("draws-won", "N2", "a draw is a win", draw=Draw.WON),
    _of("nodes-cumulative", "N3", "ref-nodes adds up over genmoves", statistics=Statistics.CUMULATIVE),
    _of("nodes-lost-when-read", "N3", "ref-nodes is 0 when read again", statistics=Statistics.LOST_WHEN_READ),
    _of(
        "statistics-of-first",
        "N3",
        "the statistics stay those of the first genmove",
        statistics=Statistics.FIRST_GENMOVE,
    ),
    _of("half-the-playouts", "N4", "half the declared playouts are run", playouts_run=PlayoutsRun.HALF),
    _of("one-playout-more", "N4", "one playout more than declared is run", playouts_run=PlayoutsRun.ONE_MORE),
    _of(
        "fixed-seed-process",
        "X1",
        "every process draws the same random numbers",
        randomness=Randomness.FIXED_PER_PROCESS,
    ),
    _of(
        "fixed-seed-genmove",
        "X1",
        "every genmove draws the same random numbers",
        randomness=Randomness.FIXED_PER_GENMOVE,
    ),
    _of(
        "playouts-twice",
        "X1",
        "every playout is run twice with the same random numbers",
        randomness=Randomness.REPEATED_PLAYOUTS,
    ),
    _of(
        "seed-per-second",
        "X1",
        "the random numbers of a genmove are seeded from the clock, in whole seconds",
        randomness=Randomness.SEEDED_BY_SECOND,
    ),
    _of(
        "colour-ignored",
        "G8",
        "genmove plays for whoever's turn it is, not for the colour given",
        "the 2008 Java reference bot",
        genmove_colour=GenmoveColour.ALTERNATES,
    ),
    _of(
        "commands-hidden",
        "G1",
        "list_commands leaves the private commands out",
        protocol=Protocol.HIDES_COMMANDS,
    ),
    _of("ids-dropped", "G2", "command ids are not echoed", protocol=Protocol.DROPS_IDS),
    _of("blank-lines-answered", "G3", "blank lines are answered", protocol=Protocol.ANSWERS_BLANK_LINES),
    _of("comments-kept", "G3", "text behind # is taken for arguments", protocol=Protocol.KEEPS_COMMENTS),
    _of("unknown-accepted", "G4", "unknown commands succeed", protocol=Protocol.ACCEPTS_UNKNOWN),
    _of(
        "column-i",
        "G5",
        "columns are lettered with an I",
        "SRef (Racket, 2010)",
        protocol=Protocol.HAS_COLUMN_I,
    ),
    _of("case-sensitive", "G5", "lower-case vertices are refused", protocol=Protocol.CASE_SENSITIVE),
    _of(
        "same-colour-refused",
        "G6",
        "two plays of one colour in a row are refused",
        protocol=Protocol.REFUSES_SAME_COLOUR,
    ),
    _of(
        "occupied-accepted",
        "G6",
        "a play on an occupied point is accepted",
        protocol=Protocol.ACCEPTS_OCCUPIED,
    ),
    _of("suicide-accepted", "G6", "a play that is suicide is accepted", protocol=Protocol.ACCEPTS_SUICIDE),
    _of(
        "genmove-not-played",
        "G7",
        "genmove answers a move and does not play it",
        protocol=Protocol.GENMOVE_ONLY_THINKS,
    ),
    _of("stones-kept", "G9", "clear_board leaves the stones", protocol=Protocol.KEEPS_STONES),
    _of(
        "history-kept",
        "G9",
        "clear_board leaves the positions superko remembers",
        protocol=Protocol.KEEPS_HISTORY,
    ),
    _of("one-size", "G10", "boardsize succeeds and changes nothing", protocol=Protocol.ONE_SIZE),
    _of("any-size", "G10", "every boardsize succeeds", protocol=Protocol.ACCEPTS_ANY_SIZE),
    _of("integer-komi", "G11", "komi takes integers only", protocol=Protocol.INTEGER_KOMI),
    _of(
        "komi-stale",
        "G11",
        "a new komi counts from the next boardsize or clear_board on only",
        protocol=Protocol.KOMI_WAITS,
    ),
    _of(
        "komi-forgotten",
        "G11",
        "boardsize and clear_board set the komi back to 0",
        protocol=Protocol.KOMI_IS_CLEARED,
    ),
    _of(
        "undo-keeps-stone", "G12", "undo leaves the stone", command="undo", protocol=Protocol.UNDO_KEEPS_STONE
    ),
    _of(
        "undo-keeps-history",
        "G12",
        "undo leaves the position in superko's memory",
        command="undo",
        protocol=Protocol.UNDO_KEEPS_KO,
    ),
    _of("quit-unanswered", "G13", "quit is not answered", protocol=Protocol.QUIT_IS_SILENT),
)
"""Every catalogued deviation, by requirement."""


@dataclass(frozen=True, slots=True)
class Untellable:
    """A way of writing the bot that no test can tell from conformance, and so is no deviation."""

    name: str
    requirement: str
    """The id of the requirement it seems to break."""
    about: str
    """What the bot does, in one line."""
    why: str
    """The proof, or the words of the standard."""


UNTELLABLE: Final[tuple[Untellable, ...]] = (
    Untellable(
        "ko-lone-capturer",
        "R2",
        "a stone without friends beside it bans the retake of a single stone, whatever its liberties",
        "All neighbours of the point are the taker's stones, so whoever retakes there must take one of their "
        "chains by its last liberty.  The stone that took has another one.  A chain that does not touch that "
        "stone has the liberties it had before, when the point was none of them, so another one too; and no "
        "chain touches it, since it has no friends beside it.  So the retake is suicide, ban or no ban.",
    ),
    Untellable(
        "boardsize-keeps-stones",
        "G10",
        "boardsize leaves stones, moves and history as they are until clear_board",
        "GTP 2 makes the board configuration and the history arbitrary after boardsize; a controller has to "
        "send clear_board, and then they are gone.",
    ),
)
"""What was considered for the catalogue and cannot be told from conformance, with the reason."""

BY_NAME: Final[Mapping[str, Deviation]] = MappingProxyType({d.name: d for d in CATALOGUE})
