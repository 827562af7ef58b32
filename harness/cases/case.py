"""A case: one position, one question, and the answers a conforming bot may give.

Cases are data (TOML, one file each, named for the behaviour); this module is their shape and the
game each one sets up.  It knows nothing of bots, evidence or verdicts.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from math import isfinite
from typing import Final, Literal

import msgspec

from harness.cases.fit import best_size, filled, stretched
from harness.errors import FixtureError
from reference_engine.game import Game
from reference_engine.vocabulary import (
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    Colour,
    Move,
    Point,
    format_vertex,
    parse_colour,
    parse_vertex,
)

Expectation = Literal[
    "ok", "error", "either", "integer", "number", "vertex", "move", "true", "false", "2", "silence"
]
"""What a script step accepts: success, an error, or success with such a result.  ``either`` is for a line
the text leaves open: any response will do.  ``move`` is a vertex that may come again if it is a pass.
``silence`` is for a line that gets no response of its own: the next command's reply must be the next one
to come."""


_ANSWER: Final = re.compile(r"<(\d+)>")


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of everything read from a case file: frozen, and a misspelt key is an error."""


class Forced(_Data, frozen=True):
    """Every playout takes the same course: the private commands are known to the digit."""

    nodes: int
    """Moves of one playout, passes included."""
    score: float | None = None
    """Worth of one playout for the side to move; absent where it varies."""
    answers: list[str] = []
    """Vertices genmove may answer; empty for any that the rules allow."""
    lenient_nodes: int | None = None
    """Moves of one playout under a reading the text leaves open (NON-STRICT)."""
    lenient_score: float | None = None
    cut_by_cap: bool = False
    """The cap on moves ends the course here, so that a bot which counts the cap from the playout's start runs
    on: more moves are NON-STRICT, and the score is not asked."""


class MoveChoice(_Data, frozen=True):
    """genmove answers one of ``allowed``, or none of ``forbidden``, every time."""

    allowed: list[str] = []
    forbidden: list[str] = []


class Sample(_Data, frozen=True):
    """Length and score are compared with the reference table."""

    length: float
    """Tolerance, moves per playout."""
    score: float
    """Tolerance, score."""


class Moves(_Data, frozen=True):
    """The chosen move, jointly with the playouts won, is compared with the reference table."""

    tolerance: float = 0.15
    """Tolerance of the distribution of chosen moves, in total variation: the share of genmoves that choose
    otherwise."""


class Complete(_Data, frozen=True):
    """The bot plays both colours to the end; every move must be legal and the game must end."""

    limit: int
    """Moves after which the game has failed to end."""


class Fresh(_Data, frozen=True):
    """Genmoves are repeated, in two processes; no run of them may come out the same."""


class Bounds(_Data, frozen=True):
    """genmove answers a legal move, and the private commands figures that such playouts can have at all."""


class Dialogue(_Data, frozen=True):
    """Random commands, each reply to which is judged by the rules."""

    commands: int
    """Commands of all games, set-ups left out; a genmove and its figures count as one."""
    sizes: list[int]
    """Board sizes, which games take in turn, in random order."""
    games: int = 1
    filled: tuple[float, float] = (0.0, 0.0)
    """Least and greatest share of the points that random plays fill before each game."""
    black: tuple[float, float] = (0.5, 0.5)
    """Least and greatest share of Black in those plays."""
    shape: Literal["", "ko", "chain"] = ""
    """What is set up before them: a ko, or a chain over two thirds of the board, which is captured."""
    left: int | None = None
    """Moves before the limit of 3*N*N at which each game begins: passes are played up to there."""
    draws: int = 0
    """Genmoves asked in the position with which a game begins, each of them taken back by ``undo``."""
    komis: list[str] = []
    """Komis with which games begin; absent for any."""
    weights: dict[str, float] = {}
    """How often each kind of command is chosen, where it is another weight than usual."""


class Step(_Data, frozen=True):
    """One line sent and what may come back."""

    send: str
    expect: Expectation = "ok"
    contains: list[str] = []
    """Words that must each stand in the result."""
    nodes: int | None = None
    """Expected answer to ref-nodes: moves of each playout of the last genmove, where the rules force them."""
    score: float | None = None
    """Expected answer to ref-score, where every playout of the last genmove ends alike."""
    same_as: int | None = None
    """Number (from 0) of an earlier step whose result must be repeated exactly."""
    differs_from: int | None = None
    listed_by: int | None = None
    """Number of an earlier list_commands: the result is true if it names the last word sent, else false."""
    optional: str = ""
    """Command the bot may lack; then the case is not applicable."""
    matches: str = ""
    """Regular expression that the whole result fits."""
    points: list[str] | None = None
    """The vertices that the result lists, all of them, in any order."""
    vertices: tuple[int, int] | None = None
    """The least and the greatest number of vertices listed, each on the board and none twice."""
    ahead: bool = False
    """Sent together with the next step, before it is answered."""
    may_fail: bool = False
    """The text lets an engine refuse this; then the rest of the script is not judged."""
    goes_on: int = 0
    """The reply goes on until the bot is sent another line: after so many lines of it the next step is sent.
    On the last step the reply stays open."""
    words: str = ""
    """The text's own words for this error; others are noted, and break nothing."""
    tells: tuple[str, str] | None = None
    """What a success and an error tell about the bot where the text leaves both open."""


class Script(_Data, frozen=True):
    """Lines of GTP sent one after another, each with what may come back."""

    steps: tuple[Step, ...]


class CaseFile(_Data, frozen=True):
    """A case as its file has it."""

    requirement: str
    about: str
    size: int
    komi: float = 0.5
    setup: str = ""
    """Drawing of stones placed before ``moves``: X Black, O White, a dot empty; top row first."""
    moves: str = ""
    """Moves after the set-up: colour and vertex, alternately."""
    position: str = ""
    """Drawing of the position after ``moves``; required with them, and checked."""
    to_move: str = "black"
    playouts: int = 8
    genmoves: int = 1
    """Repetitions of the question; of one round, for statistical cases."""
    forced: Forced | None = None
    choice: MoveChoice | None = None
    sample: Sample | None = None
    choices: Moves | None = None
    complete: Complete | None = None
    fresh: Fresh | None = None
    bounds: Bounds | None = None
    dialogue: Dialogue | None = None
    steps: list[Step] = []
    private: bool = False
    """Asks for what only a bot with both private commands has to do; not applicable to any other."""
    foundation: bool = False
    """Whether all set-ups of positions depend on what this script tests."""
    presupposes: list[str] = []
    """Cases that this one depends on: if one of them fails, a failure of this case is not judged."""
    set_up: tuple[str, ...] = ("boardsize", "clear_board", "komi")
    """The commands that set the board up, before the plays of the drawing."""
    sizes: tuple[int, int] | None = None
    """The smallest and the largest board for the script, if there are others than ``size``."""
    parity: Literal["", "odd", "even"] = ""
    board: Literal["usual", "least", "greatest"] = "usual"
    alone: bool = False
    """Whether the process is replaced after the script."""
    files: dict[str, str] = {}
    """Files written for the script, by name."""
    is_of_check: bool = False
    """Whether the case is the script of a clause of ``refbot check``."""
    unfit: str = ""
    """Why the script fits none of the boards that the bot accepts; empty if it fits one."""
    only_fixed: bool = False
    """A case about chosen moves that is asked only of a bot which always runs the same number of playouts;
    its table is made for that number."""


Question = Forced | MoveChoice | Sample | Moves | Complete | Fresh | Bounds | Dialogue | Script


def said(line: str, results: Mapping[int, str]) -> str:
    """Return a line of a script with the earlier answers that it names, ``<0>`` for the first step's."""
    return _ANSWER.sub(lambda found: (results.get(int(found[1]), "").split() or ["pass"])[0], line)


class Case:
    """A checked case: its file's values with the game they set up.

    Raises:
        FixtureError: the file contradicts itself or the rules.
    """

    def __init__(self, name: str, file: CaseFile, *, is_fitted: bool = False) -> None:
        self.id = name
        self._written = file
        file = filled(file) if file.is_of_check else file
        self.file = file
        self.is_fitted = is_fitted
        """Whether it is asked with a bot's own number of playouts, for which no table is packaged."""
        for complaint in _complaints(file):
            raise FixtureError(f"{name}: {complaint}")
        self.colour = _colour(name, file.to_move)
        self.question = self._one_question()
        self.plays = tuple(self._plays())
        self.game = self._set_up()
        if file.position and self.game.position.key() != _stones(self, file.position):
            raise FixtureError(f"{name}: the drawn position is not the one the moves lead to")
        if file.setup and not file.moves and self.game.position.key() != _stones(self, file.setup):
            raise FixtureError(f"{name}: stones of the drawn set-up are captured while it is played")
        if file.moves and not file.position:
            raise FixtureError(f"{name}: has moves but no drawing of the position they lead to")

    @property
    def komi_text(self) -> str:
        """The komi as it is sent: as short as it can be without losing a digit."""
        komi = float(self.file.komi)
        return str(int(komi)) if komi.is_integer() else repr(komi)

    @property
    def requirement(self) -> str:
        """Id of the requirement a failure breaks."""
        return self.file.requirement

    @property
    def is_statistical(self) -> bool:
        """Whether the case is judged against a reference table, by e-values."""
        return isinstance(self.question, Sample | Moves)

    @property
    def is_script(self) -> bool:
        """Whether the case is a script: lines of GTP, and no question about one genmove."""
        return isinstance(self.question, Script)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of a script, in order; empty for every other question."""
        return self.question.steps if isinstance(self.question, Script) else ()

    @property
    def expects_silence(self) -> bool:
        """Whether the case is a script with a line that gets no response."""
        return any(step.expect == "silence" for step in self.file.steps)

    @property
    def ends_open(self) -> bool:
        """Whether the last reply of a script goes on when it ends."""
        return bool(self.file.steps) and self.file.steps[-1].goes_on > 0

    @property
    def needs_table(self) -> bool:
        """Whether the case reads a reference table."""
        is_waiting = self.file.only_fixed and not self.is_fitted
        return (self.is_statistical and not is_waiting) or isinstance(self.question, Fresh)

    @cached_property
    def legal_points(self) -> tuple[Point, ...]:
        """The points on which the side to move may legally play."""
        size = self.file.size
        points = ((row, column) for row in range(size) for column in range(size))
        return tuple(point for point in points if self.game.allows(self.colour, point))

    def fitted(self, playouts: int) -> "Case":
        """Return the case for a bot that always runs so many playouts.

        Sums of playouts compare whatever their number, and exact answers are exact.  Which move is chosen
        depends on it; so a case about chosen moves is then asked with the bot's own number.
        """
        is_packaged = playouts == self.file.playouts and not self.file.only_fixed
        if is_packaged or not isinstance(self.question, Moves):
            return self
        return Case(self.id, msgspec.structs.replace(self.file, playouts=playouts), is_fitted=True)

    def commands(self) -> list[str]:
        """Return the GTP lines that set the position up."""
        return list(self._set_up_lines)

    @cached_property
    def private(self) -> "Case":
        """The case as one that is asked only of bots with both private commands."""
        return Case(self.id, msgspec.structs.replace(self._written, private=True), is_fitted=self.is_fitted)

    def on(self, accepted: Collection[int]) -> "Case":
        """Return the case on a board that a bot accepts: of the size it was written for, or the nearest.

        A case that none of them serves comes back with the reason in ``unfit``.
        """
        file = self._written
        if "boardsize" not in file.set_up:
            return self
        if file.sizes is None:
            if file.size in accepted:
                return self
            size, reason = None, f"it needs a board of {file.size} lines, and {_taken(accepted)}"
        else:
            size, reason = best_size(file, accepted), ""
            if size == file.size:
                return self
            if size is None:
                least, most = file.sizes
                kind = f"{file.parity} " if file.parity else ""
                reason = f"it needs a board of {least} to {most} {kind}lines, and {_taken(accepted)}"
        if size is None:
            return Case(self.id, msgspec.structs.replace(file, unfit=reason), is_fitted=self.is_fitted)
        drawing = stretched(file.setup, size) if file.setup else ""
        return Case(self.id, msgspec.structs.replace(file, size=size, setup=drawing))

    def _one_question(self) -> Question:
        file = self.file
        asked: list[Question] = [
            q
            for q in (
                file.forced,
                file.choice,
                file.sample,
                file.choices,
                file.complete,
                file.fresh,
                file.bounds,
                file.dialogue,
            )
            if q is not None
        ]
        if file.steps:
            asked.append(Script(steps=tuple(file.steps)))
        if len(asked) != 1:
            raise FixtureError(f"{self.id}: asks {len(asked)} questions; a case asks exactly one")
        return asked[0]

    def _plays(self) -> Iterator[tuple[Colour, Move]]:
        """Yield the moves of the set-up, colours alternating with passes in the gaps, then ``moves``."""
        drawn = _stones(self, self.file.setup) if self.file.setup else frozenset()
        black = sorted(p for p, c in drawn if c is Colour.BLACK)
        white = sorted(p for p, c in drawn if c is Colour.WHITE)
        for i in range(max(len(black), len(white))):
            yield Colour.BLACK, black[i] if i < len(black) else PASS
            if i < len(white) or i + 1 < len(black):
                yield Colour.WHITE, white[i] if i < len(white) else PASS
        words = self.file.moves.split()
        if len(words) % 2:
            raise FixtureError(f"{self.id}: moves are not pairs of colour and vertex")
        for colour, vertex in zip(words[::2], words[1::2], strict=True):
            yield _colour(self.id, colour), _vertex(self.id, vertex, self.file.size)

    @cached_property
    def _set_up_lines(self) -> tuple[str, ...]:
        settings = {
            "boardsize": f"boardsize {self.file.size}",
            "clear_board": "clear_board",
            "komi": f"komi {self.komi_text}",
        }
        lines = [settings[name] for name in self.file.set_up]
        return (*lines, *(f"play {colour} {format_vertex(move)}" for colour, move in self.plays))

    def _set_up(self) -> Game:
        game = Game.new(self.file.size, komi=self.file.komi)
        for colour, move in self.plays:
            if not game.allows(colour, move):
                raise FixtureError(f"{self.id}: the set-up move {colour} {format_vertex(move)} is illegal")
            game = game.after(colour, move)
        return game


def _taken(accepted: Collection[int]) -> str:
    sizes = ", ".join(str(size) for size in sorted(accepted))
    return f"the bot accepts {sizes} only" if sizes else "the bot accepts no board"


def _colour(name: str, text: str) -> Colour:
    try:
        return parse_colour(text)
    except ValueError as error:
        raise FixtureError(f"{name}: {error}") from None


def _vertex(name: str, text: str, size: int) -> Move:
    try:
        return parse_vertex(text, size)
    except ValueError as error:
        raise FixtureError(f"{name}: {error}") from None


def _complaints(file: CaseFile) -> Iterator[str]:
    """Yield what is wrong with a case's values, each by itself able to convict an innocent bot."""
    if not MIN_SIZE <= file.size <= MAX_SIZE:
        yield f"size {file.size} is not between {MIN_SIZE} and {MAX_SIZE}"
    if file.playouts < 1 or file.genmoves < 1:
        yield "playouts and genmoves are at least 1"
    if not isfinite(file.komi):
        yield f"komi {file.komi} is no number of points"
    if file.choice is not None and not (file.choice.allowed or file.choice.forbidden):
        yield "a choice allows or forbids something"
    yield from _bad_answers(file)
    yield from _bad_steps(file)


def _bad_answers(file: CaseFile) -> Iterator[str]:
    answers = file.forced.answers if file.forced else []
    answers = answers + (file.choice.allowed + file.choice.forbidden if file.choice else [])
    for answer in answers:
        try:
            parse_vertex(answer, file.size)
        except ValueError as error:
            yield str(error)


def _bad_steps(file: CaseFile) -> Iterator[str]:
    for number, step in enumerate(file.steps):
        for other in (step.same_as, step.differs_from, step.listed_by):
            if other is not None and not 0 <= other < number:
                yield f"step {number} refers to step {other}, which does not come before it"
            elif other is not None and file.steps[other].expect == "silence":
                yield f"step {number} refers to step {other}, which has no answer"
    if file.steps and file.steps[-1].ahead:
        yield "the last step is sent ahead of nothing"
    if file.steps and file.steps[-1].expect == "silence":
        yield "the last step is a line without an answer; nothing would show that there was none"


def _stones(case: Case, drawing: str) -> frozenset[tuple[tuple[int, int], Colour]]:
    """Read a drawing strictly: as many rows and columns as the board, no other signs."""
    size = case.file.size
    rows = [line.split() for line in drawing.strip().splitlines()]
    if len(rows) != size or any(len(row) != size for row in rows):
        raise FixtureError(f"{case.id}: a drawing is not {size} rows of {size} signs")
    stones = set()
    for row, signs in enumerate(reversed(rows)):
        for column, sign in enumerate(signs):
            if sign not in (".", "X", "O"):
                raise FixtureError(f"{case.id}: a drawing holds {sign!r}; it may hold X, O and dots")
            if sign != ".":
                stones.add(((row, column), Colour.BLACK if sign == "X" else Colour.WHITE))
    return frozenset(stones)
