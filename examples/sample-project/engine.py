"""refbot.py - the Monte Carlo "reference bot" for the game of Go, in one file.

Written from Don Dailey's twelve-rule specification of 13 October 2008 (computer-go
mailing list, "java reference bot"). It needs Python 3.11 and nothing else. It shares
no code with the program that certifies it: it is an independent reading of the rules.

    Copyright (C) 2026 the refbot authors.
    Permission to use, copy, modify and/or distribute this file for any purpose, with
    or without fee and with or without this notice, is hereby granted. It comes as is,
    with no warranty of any kind. (0BSD)

Run:  python3 examples/refbot.py [--playouts N] [--seed S]      and speak GTP to it

The game itself is kept by `Position`, a board that is as simple as can be: it looks
for liberties by walking over the stones. That is far too slow for playouts, so
`Simulator` turns a position into chains whose liberties are sets of bits, and plays
thousands of random games from there. `Engine` answers the Go Text Protocol.
"""

import math
import random
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

EMPTY, BLACK, WHITE = 0, 1, 2  # a colour's enemy is 3 - colour
PASS = -1  # Clauses: G5, G10, N4.
MIN_SIZE, MAX_SIZE = 2, 25
MAX_PLAYOUTS = 1_000_000_000
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I


class Geometry:  # Clauses: G5, G6, G10, R2, R4, R10.
    """What never changes for one board size. Points are numbered 0..size*size-1."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.points = range(size * size)
        self.near: list[tuple[int, ...]] = []  # the two, three or four neighbours of each point
        self.diagonal: list[tuple[int, ...]] = []
        for p in self.points:
            x, y = p % size, p // size
            side = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
            corner = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]
            self.near.append(self._on_board(side))
            self.diagonal.append(self._on_board(corner))
        # Inside the board one enemy stone on a diagonal leaves an eye alive, on the edge none does.
        self.eye_tolerance = [1 if len(corners) == 4 else 0 for corners in self.diagonal]

    def _on_board(self, places: list[tuple[int, int]]) -> tuple[int, ...]:
        return tuple(y * self.size + x for x, y in places if 0 <= x < self.size and 0 <= y < self.size)


class Position:  # Clauses: G6, G9, R2, R10, R11.
    """A board and the ko ban that holds on it."""

    def __init__(self, geometry: Geometry, colours: bytearray) -> None:
        self.geometry = geometry
        self.colours = colours  # one of EMPTY, BLACK and WHITE for each point
        self.ko_point = PASS  # where ko_colour may not play now, or PASS for nowhere
        self.ko_colour = EMPTY

    def chain(self, start: int) -> tuple[set[int], set[int]]:
        """Return the stones of the chain at `start` and its liberties."""
        stones, liberties, todo = {start}, set[int](), [start]
        while todo:
            for q in self.geometry.near[todo.pop()]:
                if self.colours[q] == EMPTY:
                    liberties.add(q)
                elif self.colours[q] == self.colours[start] and q not in stones:
                    stones.add(q)
                    todo.append(q)
        return stones, liberties

    def is_eye(self, p: int, colour: int) -> bool:  # Clauses: R4, R8.
        """Tell whether the empty point `p` is a one-point eye of `colour`."""
        if any(self.colours[q] != colour for q in self.geometry.near[p]):
            return False
        enemies = sum(self.colours[q] == 3 - colour for q in self.geometry.diagonal[p])
        return enemies <= self.geometry.eye_tolerance[p]

    def after(self, p: int, colour: int) -> "Position | None":  # Clauses: G6, R2, R10.
        """Return the position after a play or a pass, or None where the rules forbid it.

        Superko is not looked at here: it needs the history of the game.
        """
        new = Position(self.geometry, self.colours[:])
        if p == PASS:
            return new
        if self.colours[p] != EMPTY or (p, colour) == (self.ko_point, self.ko_colour):
            return None
        new.colours[p] = colour
        captured: list[int] = []
        for q in self.geometry.near[p]:
            if new.colours[q] == 3 - colour:
                stones, liberties = new.chain(q)
                if not liberties:
                    captured.extend(stones)
                    for s in stones:
                        new.colours[s] = EMPTY
        own_stones, own_liberties = new.chain(p)
        if not own_liberties:
            return None  # suicide
        if len(captured) == len(own_stones) == len(own_liberties) == 1:
            # A lone stone took a single stone and has no other liberty: no retaking at once.
            new.ko_point, new.ko_colour = captured[0], 3 - colour
        return new


@dataclass  # Clauses: N1, N2, N3, R6.
class Statistics:
    """What one search saw. A win counts 2, a draw 1 and a loss 0."""

    nodes: int  # moves played in playouts, passes too
    result: int  # sum of the results for the side to move
    hits: list[int]  # by point: playouts in which the side to move was the first to play there...
    total: list[int]  # ...and the sum of their results


class Simulator:  # Clauses: R2, R9, X1, N1, N2.
    """Plays random games from one position, as fast as plain Python allows.

    A set of points is an int with one bit for each point: `near[p] & empty` is the set
    of empty neighbours of p. A chain is known by the number of one of its stones, its
    head; liberties[head] is such a set and stones[head] is a list of points.
    """

    def __init__(self, position: Position) -> None:
        self.geometry = geometry = position.geometry
        self.colours = list(position.colours)
        self.ko = (position.ko_point, position.ko_colour)
        self.bit = [1 << p for p in geometry.points]
        self.near = [sum(1 << q for q in near) for near in geometry.near]
        self.diagonal = [sum(1 << q for q in diagonal) for diagonal in geometry.diagonal]
        self.empties = [p for p in geometry.points if self.colours[p] == EMPTY]
        self.head = list(geometry.points)
        self.liberties = [0 for _ in geometry.points]
        self.stones: list[list[int]] = [[] for _ in geometry.points]
        for p in geometry.points:
            if self.colours[p] != EMPTY and self.head[p] == p and not self.stones[p]:
                stones, liberties = position.chain(p)
                self.stones[p] = list(stones)
                self.liberties[p] = sum(1 << q for q in liberties)
                for s in stones:
                    self.head[s] = p

    # Clauses: N1, N2, R5, R6, R3.
    def search(self, colour: int, playouts: int, limit: int, komi: float) -> Statistics:
        """Play `playouts` random games of at most `limit` moves with `colour` to move."""
        points = self.geometry.points
        seen = Statistics(0, 0, [0 for _ in points], [0 for _ in points])
        hits, total = seen.hits, seen.total
        for _ in range(playouts):
            moves, area = self.playout(colour, limit)
            margin = area - komi if colour == BLACK else komi - area
            result = (margin > 0) + (margin >= 0)
            seen.nodes += len(moves)
            seen.result += result
            # All moves as first: a point counts for the side to move, which made moves 0, 2,
            # 4..., if it was the first of both sides to play there, whenever that was. Walking
            # backwards, the earliest move at a point is the last one to write its number down.
            first = dict(zip(reversed(moves), range(len(moves) - 1, -1, -1), strict=True))
            for p, number in first.items():
                if not number & 1 and p != PASS:
                    hits[p] += 1
                    total[p] += result
        return seen

    # Clauses: R2, R3, R4, R5, R6, R10, N1, N2.
    def playout(self, colour: int, limit: int) -> tuple[list[int], int]:  # noqa: C901, PLR0912, PLR0915
        """Play one random game; return its moves and its area score, Black minus White.

        It is one long function because a call costs Python more than most of what it would
        do, and every move of every playout would pay. The steps are marked instead.
        """
        draw, bit, near, diagonal = random.random, self.bit, self.near, self.diagonal
        neighbours, tolerance = self.geometry.near, self.geometry.eye_tolerance
        colours, empties, head = self.colours[:], self.empties[:], self.head[:]
        liberties, stones = self.liberties[:], [chain[:] for chain in self.stones]
        empty = sum(bit[p] for p in empties)
        mine = sum(bit[p] for p, kind in enumerate(colours) if kind == colour)
        theirs = sum(bit[p] for p, kind in enumerate(colours) if kind == 3 - colour)
        ko = self.ko[0] if self.ko[1] == colour else PASS
        moves: list[int] = []

        for _ in range(limit):
            # Draw from the empty points. A point that may not be played is set aside behind the
            # others and the draw is repeated among the rest, so that every playable point has
            # the same chance. (To take the next good point after a random start is not uniform.)
            left = len(empties)
            while left:
                index = int(draw() * left)  # draw() has 53 bits: even to one part in 10**13
                p = empties[index]
                if near[p] & empty:
                    break  # an empty neighbour rules out eye, suicide and ko all at once
                if p != ko and (
                    near[p] & ~mine or (diagonal[p] & theirs).bit_count() > tolerance[p]  # no eye
                ):
                    # It is no suicide either, if a friendly chain around p has another liberty
                    # or an enemy chain has not.
                    here, suicide = bit[p], True
                    for q in neighbours[p]:
                        if (liberties[head[q]] == here) == (colours[q] != colour):
                            suicide = False
                    if not suicide:
                        break
                left -= 1
                empties[index] = empties[left]
                empties[left] = p
            else:
                # Nothing to play: pass. The second pass in a row ends the playout.
                ko = PASS
                moves.append(PASS)
                if moves[-2:] == [PASS, PASS]:
                    break
                colour = 3 - colour
                mine, theirs = theirs, mine
                continue

            # Put the stone on the board.
            moves.append(p)
            empties[index] = empties[-1]
            empties.pop()
            here = bit[p]
            empty ^= here
            mine |= here
            colours[p] = colour
            own = p
            head[p] = p
            liberties[p] = near[p] & empty
            stones[p] = [p]
            ko = PASS
            if liberties[p] != near[p]:
                captured: list[int] = []
                for q in neighbours[p]:
                    if colours[q] == colour:
                        # Join the friendly chains; the shorter one changes its head.
                        other = head[q]
                        if other != own:
                            if len(stones[other]) > len(stones[own]):
                                own, other = other, own
                            for s in stones[other]:
                                head[s] = own
                            stones[own] += stones[other]
                            liberties[own] = (liberties[own] | liberties[other]) & ~here
                    elif colours[q] != EMPTY:
                        # Take the liberty from the enemy chain, and the chain if it was the last.
                        other = head[q]
                        if liberties[other] == here:
                            captured += stones[other]
                            for s in stones[other]:
                                colours[s] = EMPTY
                        else:
                            liberties[other] &= ~here
                if captured:
                    empties += captured
                    for s in captured:
                        here = bit[s]
                        empty |= here
                        theirs ^= here
                        for q in neighbours[s]:
                            if colours[q] == colour:
                                liberties[head[q]] |= here
                    if len(captured) == 1 and stones[own] == [p] and liberties[p] == here:
                        ko = captured[0]
            colour = 3 - colour
            mine, theirs = theirs, mine

        black, white = (mine, theirs) if colour == BLACK else (theirs, mine)
        return moves, self.area(black, white, empties)

    def area(self, black: int, white: int, empties: list[int]) -> int:  # Clauses: R5, N2.
        """Count stones and the empty regions that touch one colour only, Black minus White."""
        near = self.near
        score = black.bit_count() - white.bit_count()
        seen = 0
        for p in empties:
            region, border = self.bit[p], near[p]
            if region & seen:
                continue
            if border & ~(black | white):  # only a playout stopped by the limit leaves such regions
                region, border = self.grow(region, ~(black | white))
                seen |= region
            if border & black and not border & white:
                score += region.bit_count()
            elif border & white and not border & black:
                score -= region.bit_count()
        return score

    def grow(self, region: int, empty: int) -> tuple[int, int]:
        """Return the whole empty region around a point, and all that is next to its points."""
        border, todo = 0, region
        while todo:
            p = todo.bit_length() - 1
            border |= self.near[p]
            fresh = self.near[p] & empty & ~region
            region |= fresh
            todo = (todo ^ self.bit[p]) | fresh
        return region, border


class GtpError(Exception):  # Clauses: G2, G4.
    """A command that cannot be carried out; its text is the answer."""


Command = tuple[int, Callable[..., str]]  # how many arguments it takes, and what answers it


class Engine:  # Clauses: G1, G12, G13, N1, N2, N3, N4.
    """The game being played, and one method for each GTP command."""

    def __init__(self, playouts: int) -> None:
        self.playouts = playouts
        self.komi = 7.5
        self.statistics = Statistics(0, 0, [], [])
        self.history: list[Position] = []
        self._new_game(9)
        self.commands: dict[str, Command] = {
            "boardsize": (1, self._boardsize),
            "clear_board": (0, self._clear_board),
            "genmove": (1, self._genmove),
            "known_command": (1, lambda name: "true" if name in self.commands else "false"),
            "komi": (1, self._komi),
            "list_commands": (0, lambda: "\n".join(self.commands)),
            "name": (0, lambda: "refbot-py"),
            "play": (2, self._play),
            "protocol_version": (0, lambda: "2"),
            "quit": (0, str),
            "ref-nodes": (0, lambda: str(self.statistics.nodes)),
            "ref-playouts": (0, lambda: str(self.playouts)),
            "ref-score": (0, lambda: f"{self.statistics.result / 2 / self.playouts:.9f}"),
            "showboard": (0, self._showboard),
            "undo": (0, self._undo),
            "version": (0, lambda: "1.0"),
        }

    def _new_game(self, size: int) -> None:  # Clauses: G9, G10.
        self.size = size
        self.position = Position(Geometry(size), bytearray(size * size))
        self.history.clear()  # the position before each play and pass, the oldest first

    def superko(self, new: Position) -> bool:  # Clauses: R11, R2.
        """Tell whether a play would bring back a whole-board position of this game."""
        return any(new.colours == old.colours for old in self.history)

    def _move_to(self, new: Position) -> None:  # Clauses: G7, G12, R3, R11.
        self.history.append(self.position)
        self.position = new

    def best_move(self, colour: int) -> int:  # Clauses: R4, R7, R8, R11, R12, R10.
        """Choose the move with the best mean, any of them if several are equal, or a pass."""
        best, best_total, best_hits = [PASS], -1, 1
        for p, (total, hits) in enumerate(zip(self.statistics.total, self.statistics.hits, strict=True)):
            # total / hits against best_total / best_hits, without the rounding of a division
            order = total * best_hits - best_total * hits
            if hits == 0 or order < 0 or self.position.is_eye(p, colour):
                continue
            new = self.position.after(p, colour)
            if new is None or self.superko(new):
                continue
            if order > 0:
                best, best_total, best_hits = [], total, hits
            best.append(p)
        return random.choice(best)  # noqa: S311

    def _boardsize(self, text: str) -> str:  # Clauses: G9, G10.
        if not re.fullmatch("-?[0-9]+", text):
            raise GtpError("syntax error")
        if not (len(text) < 10 and MIN_SIZE <= int(text) <= MAX_SIZE):
            raise GtpError("unacceptable size")
        self._new_game(int(text))
        return ""

    def _clear_board(self) -> str:  # Clauses: G9.
        self._new_game(self.size)
        return ""

    def _komi(self, text: str) -> str:  # Clauses: G11, R5.
        # A plain decimal number: float() alone would also take "nan", "inf" and "1_0".
        number = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
        if not re.fullmatch(number, text) or not math.isfinite(float(text)):
            raise GtpError("syntax error")
        self.komi = float(text)
        return ""

    def _play(self, colour_text: str, vertex_text: str) -> str:  # Clauses: G5, G6.
        colour, p = parse_colour(colour_text), parse_vertex(vertex_text, self.size)
        new = self.position.after(p, colour)
        if new is None or (p != PASS and self.superko(new)):
            raise GtpError("illegal move")
        self._move_to(new)
        return ""

    def _genmove(self, colour_text: str) -> str:  # Clauses: G5, G7, G8, R1, R3, N1, N2, N3.
        colour = parse_colour(colour_text)
        # The moves of the game count towards the cap too, but one move is always tried.
        limit = max(1, 3 * self.size * self.size - len(self.history))
        self.statistics = Simulator(self.position).search(colour, self.playouts, limit, self.komi)
        p = self.best_move(colour)
        if (new := self.position.after(p, colour)) is not None:  # always: best_move has tried it
            self._move_to(new)
        return "pass" if p == PASS else f"{LETTERS[p % self.size]}{self.size - p // self.size}"

    def _undo(self) -> str:  # Clauses: G12.
        if not self.history:
            raise GtpError("cannot undo")
        self.position = self.history.pop()
        return ""

    def _showboard(self) -> str:  # Clauses: G1.
        letters = "   " + " ".join(LETTERS[: self.size])
        rows = [letters]
        for y in range(self.size):
            row = self.position.colours[y * self.size : (y + 1) * self.size]
            rows.append(f"{self.size - y:2} " + " ".join(".XO"[colour] for colour in row))
        return "\n" + "\n".join([*rows, letters])

    def execute(self, name: str, arguments: list[str]) -> str:  # Clauses: G1, G2, G4.
        """Carry out one command and return its answer, or raise GtpError."""
        if name not in self.commands:
            raise GtpError("unknown command")
        wanted, run = self.commands[name]
        if len(arguments) != wanted:
            raise GtpError("syntax error")
        return run(*arguments)


def parse_colour(text: str) -> int:  # Clauses: G5, G8.
    """Read b, black, w or white in any letter case."""
    colour = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}.get(text.lower())
    if colour is None:
        raise GtpError("syntax error")
    return colour


def parse_vertex(text: str, size: int) -> int:  # Clauses: G5.
    """Read a vertex such as D4 or pass, in any letter case."""
    if text.lower() == "pass":
        return PASS
    if not re.fullmatch("[A-HJ-Za-hj-z][0-9]+", text):
        raise GtpError("syntax error")
    column, row = LETTERS.index(text[0].upper()), int(text[1:]) if len(text) < 10 else 0
    if not (column < size and 1 <= row <= size):
        raise GtpError("illegal move")  # a good vertex, but not of this board
    return (size - row) * size + column


def gtp_loop(engine: Engine) -> None:  # Clauses: G2, G3, G13.
    """Answer commands until quit or the end of the input."""
    drop = {code: None for code in [*range(32), 127] if chr(code) not in "\t\n"}
    for raw in sys.stdin.buffer:
        # As GTP asks: drop control characters, cut comments, make tabs spaces, skip blank lines.
        line = raw.decode("latin-1").translate(drop).split("#")[0].replace("\t", " ").rstrip("\n")
        words = [word for word in line.split(" ") if word]
        if not words:
            continue
        command_id = words.pop(0) if re.fullmatch("[0-9]+", words[0]) else ""
        name, *arguments = words or [""]
        try:
            sign, text = "=", engine.execute(name, arguments)
        except GtpError as error:
            sign, text = "?", str(error)
        answer = f"{sign}{command_id} {text}" if text else sign + command_id
        print(answer, end="\n\n", flush=True)
        if name == "quit" and sign == "=":
            return


def parse_options(arguments: list[str]) -> tuple[int, int | None]:  # Clauses: N4.
    """Return the number of playouts and the seed, if there is one; exit on a bad option."""
    usage = "usage: refbot.py [--playouts N] [--seed S]"
    playouts, seed = 1000, None
    for i in range(0, len(arguments), 2):
        option, value = arguments[i], arguments[i + 1] if i + 1 < len(arguments) else ""
        number = int(value) if re.fullmatch("[0-9]{1,20}", value) else -1
        if option == "--help":
            print(usage)
            print(f"  --playouts N   random games for each move, 1 to {MAX_PLAYOUTS} (default 1000)")
            print("  --seed S       repeat the same random numbers, 0 to 2^64-1 (default: new ones)")
            sys.exit(0)
        if option == "--playouts" and 1 <= number <= MAX_PLAYOUTS:
            playouts = number
        elif option == "--seed" and 0 <= number < 2**64:
            seed = number
        else:
            print(f"refbot.py: bad option: {option} {value}; {usage}", file=sys.stderr)
            sys.exit(2)
    return playouts, seed


def main() -> None:
    """Run the bot on standard input and output."""
    playouts, seed = parse_options(sys.argv[1:])
    random.seed(seed)  # None: from the operating system
    gtp_loop(Engine(playouts))


if __name__ == "__main__":
    main()
