"""Exploration: random dialogues with any engine that speaks GTP, for as long as one likes, to find mistakes.

Each dialogue is of a kind drawn at random: board size, games, how far the boards are filled, how near the
limit of moves they are, which commands come often.  What fails is shortened, and told once.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

import msgspec

from harness.bots.bot import Bot
from harness.bots.driver import NEEDED, Asker, broken_by
from harness.bots.failure import Failure
from harness.bots.limits import command_name
from harness.bots.processes import Processes, Starter, start_session
from harness.cases.case import Case, CaseFile, Dialogue
from harness.judging.dialogue import Model, findings_in
from harness.judging.finding import Finding
from harness.records.evidence import BotRef, Broken, Unit
from harness.runs.dialogue import ask_dialogue, ask_lines
from harness.runs.introduction import shake_hands
from harness.runs.shortening import Shortening, tries_of
from harness.word import Word

_NAME: Final = "explore"
_PURPOSE: Final = "explore"
_NEAR_LIMIT: Final = 0.3
"""Share of the dialogues of a reference bot that begin near the limit, where a playout is one draw."""
_LARGEST_NEAR_LIMIT: Final = 7
"""Size up to which they may: passes lead there, 147 on 7x7."""
_ONE_PLAYOUT: Final = 0.8
_CONFIRMATIONS: Final = 2
_SEVERAL: Final = 8


@dataclass(frozen=True, slots=True)
class Discovery:
    """A failure that was found.

    Attributes:
        finding: what was expected and what came; None if the bot broke off.
        broken: why it broke off; None if it did not.
        unit: the shortest dialogue that shows it.
        confirmed: how often of two times it was shown again by a new process; a line with ``genmove`` has a
            random answer, so its dialogue is asked of up to three processes each time.
    """

    finding: Finding | None
    broken: Broken | None
    unit: Unit
    confirmed: int


@dataclass
class Coverage:
    """Counts of what was asked."""

    dialogues: int = 0
    commands: Counter[str] = field(default_factory=Counter)
    sizes: Counter[int] = field(default_factory=Counter)
    positions: set[int] = field(default_factory=set)
    """Hashes of the whole-board positions that occurred."""
    longest_chain: int = 0
    most_captured: int = 0
    judged_genmoves: int = 0
    """Number of genmoves with figures."""
    repeated: int = 0
    """Number of failures of kinds that were reported before."""

    def add(self, unit: Unit, *, is_reference: bool) -> None:
        """Count the commands and positions of a dialogue."""
        self.dialogues += 1
        model = Model(_NAME, unit.playouts, (0, 0), is_reference=is_reference)
        stones = moves = 0
        for sent, raw in unit.exchanges:
            self.commands[command_name(sent)] += 1
            model.take(sent, raw)
            if (game := model.state.game) is None:
                continue
            position = game.position
            self.sizes[position.size] += 1
            self.positions.add(hash((position.size, position.key())))
            if len(game.moves) > moves and game.moves[-1][1] is not None:
                self.most_captured = max(self.most_captured, stones + 1 - len(position.stones))
            stones, moves = len(position.stones), len(game.moves)
            self.judged_genmoves += bool(model.state.genmove and model.state.genmove.score)
        if model.state.game is not None:
            position = model.state.game.position
            chains = (len(position.chain(point)[0]) for point in position.stones)
            self.longest_chain = max([self.longest_chain, *chains])


class Exploration:
    """The exploration of one bot.

    Args:
        bot: to be asked.
        sizes: of the boards.
        seed: of the dialogues.
        start: starts the bot.
    """

    def __init__(self, bot: Bot, sizes: Sequence[int], seed: int, start: Starter = start_session) -> None:
        self._bot = bot
        self._sizes = tuple(sizes)
        self._seed = seed
        self._processes = Processes(start)
        self.coverage = Coverage()
        self.reference: BotRef | None = None
        self.broken: Broken | None = None
        """Why the bot could not be asked at all."""
        self._began_s = time.monotonic()
        self._told: set[tuple[str, str]] = set()

    @property
    def is_reference(self) -> bool:
        """Whether the bot is compared with the specification of the reference bot."""
        return self.reference is not None and set(NEEDED) <= set(self.reference.commands)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the exploration began."""
        return time.monotonic() - self._began_s

    def hunt(self, seconds: float, see: Callable[[Coverage], None]) -> Iterator[Discovery]:
        """Yield failures as they are found, until the time is over.

        Args:
            seconds: how long; the dialogue under way is brought to its end.
            see: is told how far it has come, after each dialogue.

        Raises:
            UsageError: neither the command nor the bot says how many playouts it runs.
        """
        self.reference, first = shake_hands(self._bot, self._processes)
        if first.broken is not None:
            self.broken = first.broken
            return
        self._began_s = time.monotonic()
        number = 0
        while self.elapsed_s < seconds:
            number += 1
            case = self._case(Random(f"{self._seed} {number}"))  # noqa: S311 - no secret
            unit = self._ask(case, partial(ask_dialogue, seed=f"{self._seed} {number}"))
            self.coverage.add(unit, is_reference=self.is_reference)
            if (found := self._found(case, unit)) is not None:
                yield found
            see(self.coverage)

    def close(self) -> None:
        """End the bot's processes."""
        self._processes.close_all()

    def _case(self, random: Random) -> Case:
        """Return the case of a random kind of dialogue."""
        size = random.choice(self._sizes)
        is_near_limit = self.is_reference and size <= _LARGEST_NEAR_LIMIT and random.random() < _NEAR_LIMIT
        full = random.choice((0.0, 0.4, 0.8, 1.1))
        how = Dialogue(
            commands=random.choice((40, 120, 300)),
            sizes=[size],
            games=1 if is_near_limit else random.randint(1, 4),
            filled=(0.0, full) if size <= 13 else (0.0, full / 2),
            left=random.randint(1, 4) if is_near_limit else None,
            weights={"genmove": random.choice((5.0, 24.0, 60.0)), "undo": random.choice((2.0, 9.0, 30.0))},
        )
        playouts = self._bot.fixed_playouts or (1 if random.random() < _ONE_PLAYOUT else _SEVERAL)
        return Case(_NAME, CaseFile(requirement="G6", about="", size=size, playouts=playouts, dialogue=how))

    def _ask(self, case: Case, ask: Callable[..., Unit]) -> Unit:
        playouts = case.file.playouts
        opened = self._processes.open(self._bot, _PURPOSE, playouts)
        if isinstance(opened, Failure):
            return Unit(_NAME, self._processes.count, playouts, [], 0.0, [], broken_by(opened))
        process, number = opened
        assert self.reference is not None  # noqa: S101 - hunt has asked who it is
        knows = set(self.reference.commands).__contains__
        unit = ask(process, case, playouts, number, knows, is_reference=self.is_reference)
        self._processes.close(_PURPOSE, playouts)
        return unit

    def _failure(self, unit: Unit) -> Finding | None:
        findings = findings_in(_NAME, unit, (0, 0), is_reference=self.is_reference)
        return next((f for f in findings if f.word is Word.FAIL), None)

    def _place(self, unit: Unit) -> int | None:
        """Return the number of the exchange at which a unit fails; None if it does not."""
        if unit.broken is not None:
            return len(unit.exchanges)
        finding = self._failure(unit)
        return None if finding is None else finding.exchange

    def _kind(self, unit: Unit) -> tuple[str, str]:
        """Return the kind of failure that a unit shows; each kind is reported once."""
        finding = self._failure(unit)
        if finding is not None:
            return finding.requirement, finding.quantity
        return "", unit.broken.word if unit.broken else ""

    def _found(self, case: Case, unit: Unit) -> Discovery | None:
        if self._place(unit) is None:
            return None
        kind = self._kind(unit)
        if kind in self._told:
            self.coverage.repeated += 1
            return None
        self._told.add(kind)
        asked: list[Unit] = [unit]

        def ask(lines: Sequence[str], is_minimal: bool) -> Unit:
            answered = self._ask(case, partial(_ask_these, lines=lines))
            asked.append(msgspec.structs.replace(answered, is_minimal=is_minimal))
            return asked[-1]

        Shortening(ask, self._place).shorten(unit)
        failing = [each for each in asked if self._place(each) is not None]
        shortest = min(failing, key=lambda each: (self._place(each), not each.is_minimal))
        if (last := self._kind(shortest)) != kind and last in self._told:
            self.coverage.repeated += 1
            return None
        self._told.add(last)
        lines = lines_of(shortest)
        ask_again = partial(self._ask, case, partial(_ask_these, lines=lines))
        confirmed = sum(
            any(self._place(ask_again()) is not None for _ in range(tries_of(lines)))
            for _ in range(_CONFIRMATIONS)
        )
        return Discovery(self._failure(shortest), shortest.broken, shortest, confirmed)


def _ask_these(
    process: Asker,
    case: Case,
    playouts: int,
    number: int,
    _knows: Callable[[str], bool],
    *,
    lines: Sequence[str],
    is_reference: bool,
) -> Unit:
    return ask_lines(process, case, playouts, number, lines, is_reference=is_reference)


def lines_of(unit: Unit) -> list[str]:
    """Return the lines that were sent, including the one that got no reply."""
    sent = [line for line, _ in unit.exchanges]
    return [*sent, unit.broken.command] if unit.broken is not None and unit.broken.command else sent
