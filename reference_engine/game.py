"""A game in progress: position, moves, the positions superko remembers, and undo.

Knows which moves the game allows (R10, R11); chooses none.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from reference_engine.board import Position
from reference_engine.spec import SPEC, Ko, Protocol, Spec, Suicide, Superko
from reference_engine.vocabulary import Colour, Move


@dataclass(frozen=True, slots=True)
class Game:
    """One state of a game; ``previous`` is the state an undo goes back to."""

    position: Position
    spec: Spec = SPEC
    komi: float = 0.0
    moves: tuple[tuple[Colour, Move], ...] = ()
    past: tuple[Hashable, ...] = ()
    """Keys of every whole-board position so far, the empty starting board first."""
    hashes: frozenset[int] = frozenset({0})
    """Zobrist hashes of the same positions: what is not among them need not be compared."""
    previous: "Game | None" = None

    @classmethod
    def new(cls, size: int, *, komi: float = 0.0, spec: Spec = SPEC) -> "Game":
        """Return a game on an empty board."""
        start = Position(size)
        return cls(start, spec, komi, past=(_key(start, Colour.WHITE, spec),))

    def with_komi(self, komi: float) -> "Game":
        """Return the same game with another komi."""
        return replace(self, komi=komi)

    def repeats(self, colour: Colour, move: Move) -> bool:
        """Whether the move would bring back an earlier position of the game (R11)."""
        if move is None or self.spec.superko is Superko.NONE:
            return False
        if self.position.zobrist_after(colour, move) not in self.hashes:
            return False
        past = self.past[-4:] if self.spec.superko is Superko.SHORT_MEMORY else self.past
        return _key(self.position.after(colour, move), colour, self.spec) in past

    def allows(self, colour: Colour, move: Move) -> bool:
        """Whether the move may be played in the game: a pass, or empty, no suicide, no repetition."""
        if move is None:
            return True
        if move in self.position.stones:
            return self.spec.protocol is Protocol.ACCEPTS_OCCUPIED
        if self.position.is_suicide(colour, move):
            return self.spec.suicide is Suicide.SEVERAL_STONES or (
                self.spec.protocol is Protocol.ACCEPTS_SUICIDE
            )
        if self.spec.superko is not Superko.NONE and self.position.is_ko(colour, move):
            return False
        return not self.repeats(colour, move)

    def after(self, colour: Colour, move: Move) -> "Game":
        """Return the game with the move played; legality is the caller's business."""
        position = self._after_pass() if move is None else self.position.after(colour, move)
        moves = (*self.moves, (colour, move))
        if move is None:
            return Game(position, self.spec, self.komi, moves, self.past, self.hashes, self)
        past = (*self.past, _key(position, colour, self.spec))
        return Game(position, self.spec, self.komi, moves, past, self.hashes | {position.zobrist}, self)

    def _after_pass(self) -> Position:
        return self.position if self.spec.ko is Ko.SURVIVES_PASS else self.position.after_pass()


def _key(position: Position, mover: Colour, spec: Spec) -> Hashable:
    if spec.superko is Superko.SITUATIONAL:
        return position.key(), mover
    return position.key()
