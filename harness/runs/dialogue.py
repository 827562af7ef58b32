"""Generates dialogues: random commands, chosen by the position that the game has come to.

The model that judges a dialogue (``judging.dialogue``) follows it while it is generated, so that captures,
kos, illegal plays and undo come where they matter.  The same seed and the same replies give the same
commands.
"""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from random import Random
from typing import Final, TypeAlias

from harness.bots.driver import Asker, Recorder
from harness.cases.case import Case, Dialogue
from harness.judging.dialogue import Model, State
from harness.records.evidence import Unit
from harness.word import Word
from reference_engine.game import Game
from reference_engine.playout import is_eye, move_cap
from reference_engine.vocabulary import COLUMNS, PASS, Colour, Move, Point, format_vertex

WEIGHTS: Final = {
    "genmove": 24.0,
    "play": 30.0,
    "capture": 10.0,
    "retake": 4.0,
    "pass": 5.0,
    "undo": 9.0,
    "again": 1.0,
    "illegal": 6.0,
    "malformed": 1.5,
    "komi": 3.0,
    "clear_board": 0.7,
    "figures": 3.0,
    "list_stones": 2.0,
    "is_legal": 2.0,
}
"""How often each kind of command is chosen, where a case file does not say otherwise."""
_NEEDS: Final = {"undo": "undo", "again": "undo", "list_stones": "list_stones", "is_legal": "is_legal"}
"""Commands that a bot may lack, by the kinds that send them."""
_KOMIS: Final = ("0.5", "0", "6.5", "7", "-3.5", "1", "6.25", "2.5", "100.5", "-0.75")
_NO_COLOURS: Final = ("green", "x", "blackwhite", "1")
"""Words in the place of a colour."""
_NEAR: Final = (-0.5, -0.25, 0.0, 0.25, 0.5)
"""Points between a komi and the margin after a move."""
_TRIES: Final = 12
"""Points that are looked at for one with a wanted property."""
_OWN_TURN: Final = 0.85
_BOTH_FIGURES: Final = 0.85
_MOST_UNDONE: Final = 4
_TIMES: Final = 6
"""How often a genmove is asked and taken back."""
_EVEN: Final = 0.5
_TAKEN: Final = 0.7
_KO: Final = ((-1, 0), (0, -1), (1, 0), (0, 0), (-1, 1), (0, 2), (1, 1), (0, 1))
"""Points of a ko, by row and column from the stone that is taken: three of the side that takes, four of the
other one, that stone first among them, and the point where it is taken."""
_TAKERS: Final = 3
_Lines: TypeAlias = Generator[str, State, State]
"""Yields commands, is sent the state after each, and returns the last state."""


def ask_dialogue(
    bot: Asker,
    case: Case,
    playouts: int,
    process: int,
    knows: Callable[[str], bool],
    seed: str,
    *,
    is_reference: bool = True,
) -> Unit:
    """Ask one dialogue, up to its end or to the first reply that the rules do not allow.

    Args:
        bot: the process to ask.
        case: says what kind of dialogue.
        playouts: of each genmove.
        process: number of the process.
        knows: whether the bot claims a command; others are not sent.
        seed: of the random numbers.
        is_reference: see ``Model``.
    """
    assert isinstance(case.question, Dialogue)  # noqa: S101 - the caller chose by this type
    talk = Talk(case.question, seed, knows)
    model = Model(case.id, playouts, (0, 0), is_reference=is_reference)
    return _ask(bot, model, case.id, playouts, process, talk.lines())


def ask_lines(
    bot: Asker, case: Case, playouts: int, process: int, lines: Sequence[str], *, is_reference: bool = True
) -> Unit:
    """Ask the lines of an earlier dialogue, or some of them."""
    model = Model(case.id, playouts, (0, 0), is_reference=is_reference)
    return _ask(bot, model, case.id, playouts, process, iter(lines))


def _ask(
    bot: Asker,
    model: Model,
    case: str,
    playouts: int,
    process: int,
    lines: Generator[str, State, None] | Iterator[str],
) -> Unit:
    recorder = Recorder(bot, playouts)
    began_s = time.monotonic()
    line = next(lines, None)
    while line is not None and recorder.send(line):
        finding = model.take(*recorder.exchanges[-1])
        if finding is not None and finding.word is Word.FAIL:
            break
        try:
            line = lines.send(model.state) if isinstance(lines, Generator) else next(lines)
        except StopIteration:
            break
    seconds = round(time.monotonic() - began_s, 6)
    return Unit(case, process, playouts, recorder.exchanges, seconds, recorder.notes, recorder.broken)


class Talk:
    """Generates one dialogue."""

    def __init__(self, how: Dialogue, seed: str, knows: Callable[[str], bool]) -> None:
        """Prepare a dialogue of a kind; ``knows`` says whether the bot has a command."""
        self._how = how
        self._random = Random(seed)  # noqa: S311 - no secret
        self._knows = knows
        self._weights = {**WEIGHTS, **how.weights}
        self._weights |= {name: 0.0 for name, command in _NEEDS.items() if not knows(command)}

    def lines(self) -> Generator[str, State, None]:
        """Yield the commands; the caller sends back the state after each."""
        state = State()
        sizes = list(self._how.sizes)
        self._random.shuffle(sizes)
        for number in range(self._how.games):
            state = yield from self._begin(state, sizes[number % len(sizes)])
            for _ in range(self._how.commands // self._how.games):
                if state.game is None:
                    break  # this size was refused
                state = yield from self._say_something(state, state.game)

    def _begin(self, state: State, size: int) -> _Lines:
        """Set up a new game."""
        state = yield f"boardsize {size}"
        if state.size != size:
            return State()
        settings = ["clear_board", f"komi {self._random.choice(self._how.komis or _KOMIS)}"]
        self._random.shuffle(settings)
        for line in settings:
            state = yield line
        if state.game is None:
            state = yield "clear_board"  # the first komi of all came after it
        return (yield from self._set_up(state, size))

    def _begin_again(self, state: State, size: int) -> _Lines:
        """Set up another game on the same board; ``boardsize``, and often ``komi``, are not sent again."""
        settings = ["clear_board"]
        if self._random.random() < _EVEN:
            settings.append(f"komi {self._random.choice(self._how.komis or _KOMIS)}")
        self._random.shuffle(settings)
        for line in settings:
            state = yield line
        return (yield from self._set_up(state, size))

    def _set_up(self, state: State, size: int) -> _Lines:
        """Bring an empty board to where the dialogue is to begin."""
        take: str = ""
        if self._how.shape == "ko":
            state, take = yield from self._set_up_ko(state, size)
        elif self._how.shape == "chain":
            state = yield from self._set_up_chain(state, size)
        state = yield from self._fill(state, size)
        while self._how.left is not None and state.game is not None:
            moves = state.game.moves
            if len(moves) >= move_cap(size) - self._how.left:
                break
            state = yield _play(moves[-1][0].other if moves else Colour.BLACK, PASS)
        if self._how.left is not None and state.game is not None and self._random.random() < _EVEN:
            state = yield self._komi_near(state.game)
        state = yield from self._ask_draws(state)
        # A pass would lift the ban, so a ko is taken last of all.
        return (yield take) if take and self._random.random() < _TAKEN else state

    def _ask_draws(self, state: State) -> _Lines:
        """Ask for single draws in the position with which a game begins."""
        for number in range(self._how.draws):
            if state.game is None or not state.game.moves:
                break
            state = yield f"genmove {state.game.moves[-1][0].other}"
            if number == 0 and self._knows("ref-nodes"):
                state = yield "ref-nodes"
            if self._knows("undo"):
                state = yield "undo"
        return state

    def _fill(self, state: State, size: int) -> _Lines:
        """Play at random until so much of the board is filled as the kind of dialogue wants."""
        # One colour alone makes the largest margins.
        low, high = self._how.black
        black = self._random.choice((low, high, self._random.uniform(low, high)))
        for _ in range(round(self._random.uniform(*self._how.filled) * size * size)):
            colour = Colour.BLACK if self._random.random() < black else Colour.WHITE
            if state.game is None:
                return state
            if (point := self._find(state.game, colour, lambda _: True)) is not None:
                state = yield _play(colour, point)
        return state

    def _set_up_ko(self, state: State, size: int) -> Generator[str, State, tuple[State, str]]:
        """Set up a ko at a random place, in one of its eight reflections; return the play that takes it.

        Stones beyond the edge are left out: the edge takes their place.
        """
        turns, is_flipped = self._random.randrange(4), self._random.random() < _EVEN
        row, column = self._random.randrange(size), self._random.randrange(size)
        taker = self._random.choice(list(Colour))
        points: list[Point] = []
        for down, along in _KO:
            y, x = (down, -along) if is_flipped else (down, along)
            for _ in range(turns):
                y, x = x, -y
            points.append((row + y, column + x))
        for place, point in enumerate(points[:-1]):
            colour = taker if place < _TAKERS else taker.other
            is_inside = all(0 <= coordinate < size for coordinate in point)
            if state.game is not None and is_inside and state.game.position.is_legal(colour, point):
                state = yield _play(colour, point)
        is_inside = all(0 <= coordinate < size for coordinate in points[-1])
        return state, _play(taker, points[-1]) if is_inside else ""

    def _set_up_chain(self, state: State, size: int) -> _Lines:
        """Fill two thirds of the rows with a chain of one colour, and capture it by the last liberty."""
        colour, height = self._random.choice(list(Colour)), max(1, 2 * size // 3)
        points = [(row, column) for row in range(height) for column in range(size)]
        last = self._random.choice(points)
        points.remove(last)
        self._random.shuffle(points)
        wall = [(height, column) for column in range(size)]
        for mover, each in ((colour, points), (colour.other, wall), (colour.other, [last])):
            for point in each:
                if state.game is None:
                    return state
                state = yield _play(mover, point)
        return state

    def _say_something(self, state: State, game: Game) -> _Lines:
        kind = self._kind(game)
        colour = game.moves[-1][0].other if game.moves else Colour.BLACK
        if self._random.random() > _OWN_TURN:
            colour = colour.other
        if kind == "clear_board":
            return (yield from self._begin_again(state, game.position.size))
        if kind in ("genmove", "again", "undo", "figures"):
            return (yield from self._say_several(kind, state, colour))
        line = self._line(kind, game, colour)
        return (yield line) if line else state

    def _say_several(self, kind: str, state: State, colour: Colour) -> _Lines:
        match kind:
            case "genmove":
                return (yield from self._ask_genmove(state, colour))
            case "again":
                for _ in range(_TIMES):
                    if state.game and state.game.position.ko and self._random.random() < _EVEN:
                        state = yield self._refused(state.game, colour)
                    state = yield from self._ask_genmove(state, colour)
                    state = yield "undo"
            case "undo":
                for _ in range(self._random.randint(1, _MOST_UNDONE)):
                    state = yield "undo"
            case _ if state.genmove:
                return (yield from self._ask_figures(state))
        return state

    def _line(self, kind: str, game: Game, colour: Colour) -> str:
        """Return one command, or nothing if there is none of the kind in this position."""
        size = game.position.size
        match kind:
            case "komi":
                is_near = self._random.random() < _EVEN
                return self._komi_near(game) if is_near else f"komi {self._random.choice(_KOMIS)}"
            case "list_stones":
                return f"list_stones {colour}"
            case "is_legal":
                point = (self._random.randrange(size), self._random.randrange(size))
                return f"is_legal {colour} {format_vertex(point)}"
            case "malformed":
                if self._random.random() < _EVEN:
                    return f"play {colour} {self._no_vertex(size)}"
                point = (self._random.randrange(size), self._random.randrange(size))
                return f"play {self._random.choice(_NO_COLOURS)} {format_vertex(point)}"
        move = self._move(kind, game, colour)
        return _play(colour, move) if move is not None or kind == "pass" else ""

    def _refused(self, game: Game, colour: Colour) -> str:
        """Return a play that must be refused and leave everything as it is, a ko ban too."""
        return self._line("illegal", game, colour) or self._line("malformed", game, colour)

    def _komi_near(self, game: Game) -> str:
        """Return a command that sets a komi by which some moves win and others lose, or nearly."""
        colour, position = game.moves[-1][0].other if game.moves else Colour.BLACK, game.position
        points = [p for p in self._some(position.empty_points()) if position.is_legal(colour, p)]
        margins = [position.after(colour, p).area_margin() for p in points] or [position.area_margin()]
        return f"komi {self._random.choice(margins) + self._random.choice(_NEAR):g}"

    def _kind(self, game: Game) -> str:
        """Return the kind of the next command; with a ko on the board, half of the time a genmove."""
        if game.position.ko is not None and self._random.random() < _EVEN:
            return "again" if self._weights["again"] and self._random.random() < _EVEN else "genmove"
        return self._random.choices(list(self._weights), list(self._weights.values()))[0]

    def _move(self, kind: str, game: Game, colour: Colour) -> Move:
        """Return a point of the wanted kind, or nothing if none is found."""
        position = game.position
        match kind:
            case "play":
                # A settled board goes on only if somebody fills an eye.
                return self._find(game, colour, lambda point: not is_eye(position, colour, point)) or (
                    self._find(game, colour, lambda _: True)
                )
            case "capture":
                return self._find(game, colour, lambda point: bool(position.captured_by(colour, point)))
            case "retake":
                return position.ko.point if position.ko else None
            case "illegal":
                stones = sorted(position.stones)
                suicide = [p for p in self._some(position.empty_points()) if position.is_suicide(colour, p)]
                return self._random.choice(suicide or stones) if suicide or stones else None
        return None

    def _find(self, game: Game, colour: Colour, is_wanted: Callable[[Point], bool]) -> Point | None:
        """Return a legal point with a property, if one of some random points has it."""
        position = game.position
        points = self._some(position.empty_points())
        return next((p for p in points if position.is_legal(colour, p) and is_wanted(p)), None)

    def _some(self, points: list[Point]) -> list[Point]:
        return self._random.sample(points, min(_TRIES, len(points)))

    def _ask_genmove(self, state: State, colour: Colour) -> _Lines:
        state = yield f"genmove {colour}"
        return (yield from self._ask_figures(state)) if state.genmove else state

    def _ask_figures(self, state: State) -> _Lines:
        names = [name for name in ("ref-nodes", "ref-score") if self._knows(name)]
        self._random.shuffle(names)
        for name in names:
            if self._random.random() < _BOTH_FIGURES:
                state = yield name
        return state

    def _no_vertex(self, size: int) -> str:
        """Return a word that is no vertex of the board."""
        beyond = COLUMNS[size % len(COLUMNS) :][:1] or "I"
        return self._random.choice((f"A{size + 1}", f"{beyond}1", "A0", "I1", "A", "11", "b-1", "pas"))


def _play(colour: Colour, move: Move) -> str:
    return f"play {colour} {format_vertex(move)}"
