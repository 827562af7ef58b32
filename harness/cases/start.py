"""Where playouts start, as data: stones, ko ban, side to move and moves played; not komi.

What a reference is a reference of.  Positions with the same start share one, whatever their komi.
"""

import hashlib

import msgspec

from harness.cases.case import Case
from reference_engine.board import Ban, Position
from reference_engine.vocabulary import Colour, format_vertex, parse_colour, parse_vertex

_SIGNS = {None: ".", Colour.BLACK: "X", Colour.WHITE: "O"}
_COLOURS = {".": None, "X": Colour.BLACK, "O": Colour.WHITE}


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position playouts start from."""

    size: int
    rows: tuple[str, ...]
    """The board, top row first: X Black, O White, a dot empty."""
    to_move: str
    moves_played: int
    """Moves of the game so far, passes included: they count towards the cap (R3)."""
    ko: str = ""
    """Who may not retake where in this turn, ``white C3``; empty where no ban stands."""

    @classmethod
    def of(cls, position: Position, colour: Colour, moves_played: int) -> "Start":
        """Return the start that a position, a side to move and a number of moves make."""
        rows = tuple(
            " ".join(_SIGNS[position.stones.get((row, column))] for column in range(position.size))
            for row in reversed(range(position.size))
        )
        ban = position.ko
        ko = f"{ban.colour} {format_vertex(ban.point)}" if ban else ""
        return cls(position.size, rows, str(colour), moves_played, ko)

    @property
    def colour(self) -> Colour:
        """The side to move."""
        return parse_colour(self.to_move)

    @property
    def position(self) -> Position:
        """The board with its ban.

        Raises:
            ValueError: the rows do not draw a board of this size, or the ban is no colour and point.
        """
        rows = [row.split() for row in reversed(self.rows)]
        if len(rows) != self.size or any(len(row) != self.size for row in rows):
            raise ValueError(f"the drawing is not {self.size} rows of {self.size} signs")
        stones = {}
        for row, signs in enumerate(rows):
            for column, sign in enumerate(signs):
                colour = _COLOURS.get(sign, sign)
                if isinstance(colour, str):
                    raise ValueError(f"the drawing holds {sign!r}; it may hold X, O and dots")  # noqa: TRY004
                if colour is not None:
                    stones[row, column] = colour
        return Position(self.size, stones, self._ban())

    def _ban(self) -> Ban | None:
        if not self.ko:
            return None
        colour, _, vertex = self.ko.partition(" ")
        point = parse_vertex(vertex, self.size)
        if point is None:
            raise ValueError(f"a ban on {vertex!r}, which is no point")
        return Ban(point, parse_colour(colour))

    @property
    def digest(self) -> str:
        """Digest of all of it, 16 hexadecimal digits."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]

    @property
    def name(self) -> str:
        """What its table's file is called: readable, and different for different starts."""
        stones = sum(row.count("X") + row.count("O") for row in self.rows)
        board = f"{stones}-stones" if stones else "empty"
        return f"{self.size}x{self.size}-{board}-{self.to_move}-{self.digest[:8]}"

    @property
    def about(self) -> str:
        """The start in words, without the drawing."""
        stones = sum(row.count("X") + row.count("O") for row in self.rows)
        board = f"{stones} stones" if stones else "empty"
        ko = f", {self.ko} is banned" if self.ko else ""
        played = "1 move" if self.moves_played == 1 else f"{self.moves_played} moves"
        return f"{self.size}x{self.size}, {board}, {self.to_move} to move after {played}{ko}"


def start_of(case: Case) -> Start:
    """Return where the playouts of a case start."""
    return Start.of(case.game.position, case.colour, len(case.plays))
