"""The oracle under any reading of the rules: what ``playout`` says for the specification alone.

``playout`` is to be read beside the specification, this module beside ``spec``: each function is one
clause with the other readings of it that ``Spec`` can name.  Slow on purpose; the kernels are replayed
through it move by move, and it shares nothing with them.

A playout is a line of ``Turn`` values.  What chance decides is left open: a turn says which moves are
possible, not which is drawn.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reference_engine.board import Ban, Position, diagonals, neighbours
from reference_engine.spec import Amaf, CapOrigin, Choice, EyeDiagonals, EyeOwner, Ko, Scoring, Spec, Suicide
from reference_engine.vocabulary import Colour, Move, Point

ENDLESS: Final = 10
"""Without a cap a playout need not end; it is cut off after this many times N*N moves of its own."""


def most_moves(size: int, moves_played: int, spec: Spec) -> int:
    """Return the length at which a playout is cut off (R3); it makes one move at least.

    The cap counts the moves of the game and the playout, the first one or not; or those of the playout
    alone; or there is none.
    """
    if spec.cap == 0:
        return ENDLESS * size * size
    counted = {
        CapOrigin.GAME: moves_played,
        CapOrigin.PLAYOUT: 0,
        CapOrigin.SECOND_MOVE: moves_played - 1,
    }[spec.cap_origin]
    return max(1, spec.cap * size * size - counted)


def is_eye(position: Position, colour: Colour, point: Point, spec: Spec) -> bool:
    """Whether an empty point is a one-point eye of ``colour`` (R4).

    All orthogonal neighbours are its stones, and no more diagonals count against it than its place
    tolerates: off the edge (four neighbours), on the edge (three), in the corner (two).  An enemy stone
    counts against it; where the reading says so, an empty diagonal too.
    """
    beside = neighbours(position.size, point)
    if any(position.stones.get(p) is not colour for p in beside):
        return False
    across = [position.stones.get(p) for p in diagonals(position.size, point)]
    against = across.count(colour.other)
    if spec.eye_diagonals is EyeDiagonals.NOT_OWN:
        against += across.count(None)
    tolerated = {4: spec.eye_centre, 3: spec.eye_edge, 2: spec.eye_corner}[len(beside)]
    return against <= tolerated


def is_left_alone(position: Position, colour: Colour, point: Point, spec: Spec) -> bool:
    """Whether the eye rule keeps ``colour`` from playing an empty point (R4)."""
    match spec.eye_owner:
        case EyeOwner.MOVER:
            return is_eye(position, colour, point, spec)
        case EyeOwner.EITHER:
            return any(is_eye(position, owner, point, spec) for owner in Colour)
        case EyeOwner.NOBODY:
            return False
        case EyeOwner.BLACK:
            return colour is Colour.BLACK and is_eye(position, colour, point, spec)
        case EyeOwner.OPPONENT:
            return is_eye(position, colour.other, point, spec)


def is_refused(position: Position, colour: Colour, point: Point, spec: Spec) -> bool:
    """Whether ``colour`` may not play an empty point for want of liberties (R10).

    Where chains of several stones may die by their own hand, one stone may still not; where liberties are
    counted before captures, a move that takes something is refused too if it has none of its own.
    """
    match spec.suicide:
        case Suicide.FORBIDDEN:
            return position.is_suicide(colour, point)
        case Suicide.SEVERAL_STONES:
            is_alone = len(position.own_chain_after(colour, point)[0]) == 1
            return is_alone and position.is_suicide(colour, point)
        case Suicide.BEFORE_CAPTURE:
            _, liberties = position.own_chain_after(colour, point)
            return not liberties


def owners(position: Position, spec: Spec) -> dict[Point, Colour]:
    """Return whose every point is in the final count; a point that is nobody's is left out (R5).

    A stone's point is its colour's, except where territory alone counts.  An empty point belongs to the
    one colour its region borders, or that it borders itself; where stones alone count, to nobody.
    """
    found = {} if spec.scoring is Scoring.TERRITORY else dict(position.stones)
    match spec.scoring:
        case Scoring.AREA | Scoring.TERRITORY:
            for region, borders in position.regions():
                if len(borders) == 1:
                    found |= dict.fromkeys(region, *borders)
        case Scoring.NEIGHBOURS:
            for point in position.empty_points():
                around = _borders(position, point)
                if len(around) == 1:
                    found[point] = around.pop()
        case Scoring.STONES:
            pass
    return found


def _borders(position: Position, point: Point) -> set[Colour]:
    around = {position.stones.get(p) for p in neighbours(position.size, point)}
    return {colour for colour in around if colour is not None}


def data_for_root(moves: Sequence[Move], spec: Spec) -> Counter[Point]:
    """Return how often each point counts as data for the root (R6).

    ``moves`` are those of the whole playout, the side to move at the root first.  A point counts once, if
    the first stone of the playout there is that side's; or if it is either side's, or if that side plays
    there at all; or with every such play; or for the first move alone.  Where early data weighs double, a
    point counts twice if its play is in the first half: no more moves follow than came, this one included.
    """
    mine = moves[::2]
    counted: Sequence[Move] | set[Move]
    match spec.amaf:
        case Amaf.FIRST_BY_EITHER | Amaf.WRONG_VIEW:
            counted = {move for move in set(mine) if moves.index(move) % 2 == 0}
        case Amaf.FIRST_BY_SELF:
            counted = set(mine)
        case Amaf.EVERY_PLAY:
            counted = mine
        case Amaf.BOTH_COLOURS:
            counted = set(moves)
        case Amaf.FIRST_MOVE_ONLY:
            counted = moves[:1]
        case Amaf.EARLY_TWICE:
            firsts = [move for move in set(mine) if moves.index(move) % 2 == 0]
            counted = firsts + [move for move in firsts if 2 * (moves.index(move) + 1) <= len(moves)]
    return Counter(move for move in counted if move is not None)


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a playout stands before a move: all that says which moves are possible, and when it ends."""

    spec: Spec
    position: Position
    """The stones, with the ban in force under this reading."""
    colour: Colour
    left: int
    """Moves left before the playout is cut off."""
    passes: int = 0
    """Passes in a row just made."""
    ban_left: int = 1
    """Moves the ban has left, this one included."""
    past: frozenset[Hashable] = frozenset()
    """Positions since the playout's start, this one included, where none may come again."""
    last: Move = None
    """The playout's move before: what is possible does not depend on it, what is likely may."""

    def is_over(self) -> bool:
        """Whether the playout has ended (R3)."""
        return self.left == 0 or self.passes == self.spec.ending_passes

    def is_playable(self, point: Point) -> bool:
        """Whether a point is among those the playout draws from (R2, R4, R10)."""
        position, colour, spec = self.position, self.colour, self.spec
        return (
            point not in position.stones
            and not position.is_ko(colour, point)
            and not is_left_alone(position, colour, point, spec)
            and not is_refused(position, colour, point, spec)
            and not (spec.ko is Ko.SUPERKO and position.after(colour, point).key() in self.past)
        )

    def playable(self) -> list[Point]:
        """Return the points the playout draws from, in board order."""
        return [point for point in self.position.empty_points() if self.is_playable(point)]

    def may_pass(self) -> bool:
        """Whether a pass is possible (R2): where nothing is playable, but for two readings.

        A pass that is one of the draws is always possible.  When the last entry of the list of empty
        points is never drawn, unless it is the only entry, then a single playable point may be that
        entry.  Which entry is the last is the kernel's secret.
        """
        match self.spec.choice:
            case Choice.PASS_DRAWN:
                return True
            case Choice.LAST_NEVER:
                return len(self.playable()) <= (1 if len(self.position.empty_points()) > 1 else 0)
            case Choice.UNIFORM | Choice.BOARD_SCAN | Choice.LIST_SCAN | Choice.BESIDE_LAST:
                return not any(self.is_playable(point) for point in self.position.empty_points())

    def allows(self, move: Move) -> bool:
        """Whether chance could choose the move here."""
        return self.may_pass() if move is None else self.is_playable(move)

    def after(self, move: Move) -> "Turn":
        """Return the turn after a move."""
        position, ban_left = self._after_pass() if move is None else self._after_play(move)
        return replace(
            self,
            position=position,
            colour=self.colour.other,
            left=self.left - 1,
            passes=self.passes + 1 if move is None else 0,
            ban_left=ban_left,
            past=self.past | {position.key()} if self.spec.ko is Ko.SUPERKO else self.past,
            last=move,
        )

    def _after_pass(self) -> tuple[Position, int]:
        """Return the same stones; a pass lifts the ban, except where the ban survives it."""
        if self.spec.ko is Ko.SURVIVES_PASS:
            return self.position, self.ban_left
        return self.position.after_pass(), 0

    def _after_play(self, point: Point) -> tuple[Position, int]:
        """Return the position after a stone with its ban, and the moves the ban has left.

        The board bans the retake of a single stone by a single stone, for one move.  Other readings:

        * no ko rule, or superko in its place: no ban arises in the playout;
        * any capture of one stone bans its point, whatever took it;
        * a ban outlives its turn: it holds for the next three moves, so for two turns of the banned side,
          unless something is captured before.
        """
        after = self.position.after(self.colour, point)
        match self.spec.ko:
            case Ko.SIMPLE | Ko.LOST_AT_ROOT | Ko.SURVIVES_PASS:
                return after, 1
            case Ko.NONE | Ko.SUPERKO:
                return replace(after, ko=None), 0
            case Ko.ANY_SINGLE_CAPTURE:
                taken = self.position.captured_by(self.colour, point)
                ban = Ban(min(taken), self.colour.other) if len(taken) == 1 else None
                return replace(after, ko=ban), 1
            case Ko.OUTLIVES_TURN:
                taken = self.position.captured_by(self.colour, point)
                if taken or self.ban_left <= 1:
                    return after, 3
                return replace(after, ko=self.position.ko), self.ban_left - 1


def first_turn(position: Position, colour: Colour, moves_played: int, spec: Spec) -> Turn:
    """Return the first turn of a playout.

    A ban that the last move of the game left holds, unless there is no ko rule or the ban is lost on the
    way.  Where bans outlive their turn it has two moves left: one of its three is counted as spent.
    Under superko it holds for the first move, since the game is forgotten.
    """
    if spec.ko in {Ko.NONE, Ko.LOST_AT_ROOT}:
        position = position.after_pass()
    return Turn(
        spec,
        position,
        colour,
        left=most_moves(position.size, moves_played, spec),
        ban_left=2 if spec.ko is Ko.OUTLIVES_TURN else 1,
        past=frozenset({position.key()}),
    )
