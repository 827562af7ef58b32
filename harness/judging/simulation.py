"""Simulates what a bot with given mistakes would have shown when asked the questions of a run.

The engine is asked, with other rules.  Its values are compared with those seen, not just pass with fail: the
answer, the length, the score, the step at which a script went wrong.  If all simulations agree on a value,
the value seen must be the same.  Seeds are fixed, so the same evidence always gives the same verdict.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log
from typing import TYPE_CHECKING, Final

import numpy as np
import scipy  # its parts are loaded when they are first used

from harness.bots.driver import ask_case
from harness.cases.case import Case, Complete, Dialogue, Fresh
from harness.cases.suite import Suite
from harness.judging.exact import UnitReading, read_unit
from harness.records.evidence import Unit
from harness.word import Word
from reference_engine.spec import SPEC, Spec

if TYPE_CHECKING:
    from harness.bots.inprocess import InProcess

_FEW: Final = 6
"""Simulations of a question at first."""
_MANY: Final = 24
"""Simulations before a hypothesis is refuted: what comes in one of ten is missed with probability 0.08."""
_LAST: Final = 200
"""Simulations before the likeliest hypothesis is refuted, where no other one is left."""
_LONGEST: Final = 1_000
"""Units of a run that are simulated in their order."""
_FARTHEST: Final = 6.0
"""A value farther than so many standard deviations from the simulated mean refutes a hypothesis."""
_MOST_PLAYOUTS: Final = 10_000_000
"""Playouts that are simulated for one verdict, some fifteen seconds; 150,000 are usual."""
_MOST_COMMANDS: Final = 1_000_000
"""Commands that are simulated for one verdict; 250,000 are usual."""
_SEED: Final = 7_000_000
_ID: Final = re.compile(r"[=?](\d{1,12})")


class EffortError(Exception):
    """The simulation of a run would take too long."""


@dataclass(frozen=True, slots=True)
class UnitObservation:
    """What one unit showed.

    Attributes:
        faults: what failed: requirements, and in scripts the exchange.
        move: the answer of genmove.
        nodes: moves executed.
        wins: the least and the greatest number of half wins.
    """

    faults: frozenset[tuple[str, int | None]]
    move: str = ""
    nodes: int | None = None
    wins: tuple[int, int] | None = None

    @classmethod
    def of(cls, case: Case, reading: UnitReading) -> "UnitObservation":
        """Return what a reading shows."""
        failed = [f for f in reading.findings if f.word is Word.FAIL]
        if isinstance(case.question, Complete):
            return cls(frozenset((f.requirement, None) for f in failed))  # no two games are alike
        faults = frozenset((f.requirement, f.exchange) for f in failed)
        if case.is_script:
            return cls(faults)
        statistics = reading.statistics
        return cls(faults, reading.move, statistics.nodes, statistics.wins)

    @property
    def in_words(self) -> str:
        """The values in words."""
        if self.nodes is None:
            return "a reply that is wrong" if self.faults else "the right replies"
        score = "" if self.wins is None else f", half wins {self.wins[0]}"
        return f"{self.move or 'no move'}, {self.nodes} moves{score}"


class Simulation:
    """The questions of a run, which can be asked of an engine with other rules.

    Args:
        suite: that the run was planned by.
        units: of the run, in any order.
        commands: of the bot; private ones that it lacks are not asked.
        digits: how finely the bot prints scores.

    Every method that simulates raises ``EffortError`` once too much would be played: how many playouts there
    are, and how many units, is the choice of the bot, or of whoever wrote the evidence.
    """

    def __init__(
        self, suite: Suite, units: Sequence[Unit], commands: Iterable[str], digits: tuple[int, int]
    ) -> None:
        self._suite = suite
        known = [unit for unit in units if unit.case in suite.cases and unit.broken is None]
        # What is asked in a dialogue depends on the bot's answers.
        asked = [unit for unit in known if not isinstance(suite.cases[unit.case].question, Fresh | Dialogue)]
        # Evidence may come in any order; what came before what in a process is told by the ids of commands.
        self._has_order = all(_first_id(unit) is not None for unit in asked)
        self._units = sorted(asked, key=lambda unit: (unit.process, _first_id(unit) or 0, _content(unit)))
        self._commands = frozenset(commands)
        self._digits = digits
        self._asked: dict[tuple[Spec, int], list[UnitObservation]] = {}
        self._ordered: dict[Spec, dict[int, UnitObservation]] = {}
        self._runs: dict[Spec, dict[str, tuple[list[UnitObservation], list[UnitObservation]]]] = {}
        self.spent = 0
        """Commands that were simulated."""
        self._playouts = 0

    @cached_property
    def shown(self) -> list[UnitObservation]:
        """What the bot showed in each unit."""
        return [
            UnitObservation.of(case, read_unit(case, unit, self._digits))
            for unit in self._units
            for case in [self._suite.cases[unit.case]]
        ]

    @cached_property
    def exact(self) -> list[int]:
        """Places of the units of exact cases; failed units come first."""
        cases = [self._suite.cases[unit.case] for unit in self._units]
        places = [place for place, case in enumerate(cases) if not case.is_statistical]
        # A whole game that went well has many genmoves and tells little.
        is_long = [
            isinstance(case.question, Complete) and not self.shown[place].faults
            for place, case in enumerate(cases)
        ]
        return sorted((p for p in places if not is_long[p]), key=lambda place: not self.shown[place].faults)

    def case_at(self, place: int) -> Case:
        """Return the case of a unit."""
        return self._suite.cases[self._units[place].case]

    def refutes(self, spec: Spec, place: int, *, is_last_look: bool = False) -> str:
        """Return what a unit would have shown under other rules; empty if these explain what it showed.

        A value that comes in one genmove of 25 is missing in 24 simulations a third of the time, and a run
        has hundreds of units.  So for the last look more simulations are made before a value is taken to
        refute.
        """
        for times in (1, _FEW, _MANY, _LAST)[: 4 if is_last_look else 3]:
            simulated = self._ask(spec, place, times)
            if _fits(self.shown[place], simulated):
                return ""
        ordered = self._in_order(spec) if self._has_order else {}
        if place in ordered and _fits(self.shown[place], [ordered[place]]):
            return ""
        return Counter(shown.in_words for shown in simulated).most_common(1)[0][0]

    def _in_order(self, spec: Spec) -> dict[int, UnitObservation]:
        """Simulate all exact units in their order, since some mistakes carry state from case to case."""
        if spec not in self._ordered:
            self._ordered[spec] = dict(self._play(spec, sorted(self.exact)))
        return self._ordered[spec]

    def _play(self, spec: Spec, places: Iterable[int]) -> Iterator[tuple[int, UnitObservation]]:
        """Simulate units one after another; those of one process are asked of one simulated process."""
        processes: dict[tuple[int, int], InProcess] = {}
        last: dict[tuple[int, int], str] = {}
        for place in places:
            unit = self._units[place]
            name = (unit.process, unit.playouts)
            if name not in processes:
                processes[name] = _start(unit.playouts, _SEED + unit.process, spec)
            yield place, self._put(processes[name], unit, last.get(name, ""))
            last[name] = unit.case

    def log_likelihood(self, spec: Spec, place: int) -> float:
        """Return the log likelihood of what a unit showed, by simulation."""
        return _log_likelihood(self.shown[place], self._ask(spec, place, _FEW))

    def _ask(self, spec: Spec, place: int, times: int) -> list[UnitObservation]:
        """Simulate a unit, after the one before it in the same process."""
        done = self._asked.setdefault((spec, place), [])
        unit = self._units[place]
        before = self._before(place)
        for number in range(len(done), times):
            process = _start(unit.playouts, _SEED + number, spec)
            if before is not None:
                self._put(process, before, "")
            done.append(self._put(process, unit, before.case if before is not None else ""))
        return done[:times]

    def _before(self, place: int) -> Unit | None:
        """Return the unit before one in its process, unless that is a whole game, which takes long."""
        before = self._units[place - 1] if place and self._has_order else None
        if before is None or before.process != self._units[place].process:
            return None
        return None if isinstance(self.case_at(place - 1).question, Complete) else before

    def _put(self, process: "InProcess", unit: Unit, last: str) -> UnitObservation:
        """Ask a simulated process what a unit asked; ``last`` is the case it was asked before."""
        case = self._suite.cases[unit.case]
        longest = case.question.limit if isinstance(case.question, Complete) else 1
        if self._playouts + unit.playouts * longest > _MOST_PLAYOUTS or self.spent > _MOST_COMMANDS:
            raise EffortError
        is_repeated = unit.is_repeated and last == unit.case
        knows = self._commands.__contains__
        answered = ask_case(process, case, unit.playouts, unit.process, knows, is_repeated=is_repeated)
        self.spent += len(answered.exchanges)
        self._playouts += unit.playouts * sum("genmove" in sent for sent, _ in answered.exchanges)
        return UnitObservation.of(case, read_unit(case, answered, (9, 9)))

    def compare(self, spec: Spec) -> dict[str, float]:
        """Compare the figures seen with the simulated ones, for each statistical case.

        Returns:
            p-values by case: how likely two runs of one bot would differ as much.
        """
        return {name: _alike(seen, played) for name, (seen, played) in self._replayed(spec).items()}

    def changed(self, spec: Spec) -> frozenset[str]:
        """Return the statistical cases whose simulation differs from that of the specification."""
        null, other = self._replayed(SPEC), self._replayed(spec)
        return frozenset(name for name in other if other[name][1] != null[name][1])

    def _replayed(self, spec: Spec) -> dict[str, tuple[list[UnitObservation], list[UnitObservation]]]:
        """Simulate the whole run in its order; return what was seen and simulated, by statistical case."""
        if spec not in self._runs:
            found: dict[str, tuple[list[UnitObservation], list[UnitObservation]]] = {}
            for place, played in self._play(spec, range(min(len(self._units), _LONGEST))):
                case = self.case_at(place)
                if case.is_statistical:
                    seen, simulated = found.setdefault(case.id, ([], []))
                    seen.append(self.shown[place])
                    simulated.append(played)
            self._runs[spec] = found
        return self._runs[spec]


def _first_id(unit: Unit) -> int | None:
    """Return the id of a unit's first command, which counts up in a process; None where it has none."""
    found = _ID.match(unit.exchanges[0][1]) if unit.exchanges else None
    return int(found[1]) if found else None


def _content(unit: Unit) -> tuple[str, int, list[tuple[str, str]]]:
    return unit.case, unit.playouts, unit.exchanges


def _start(playouts: int, seed: int, spec: Spec) -> "InProcess":
    from harness.bots.inprocess import InProcess  # noqa: PLC0415 - loads Numba, which a PASS does without

    return InProcess(playouts, seed, spec)


def _fits(seen: UnitObservation, simulated: Sequence[UnitObservation]) -> bool:
    """Whether simulations explain every value of a unit."""
    alike = [s for s in simulated if s.faults == seen.faults]
    if not alike:
        return False
    if len(alike) < _FEW:
        alike = list(simulated)  # too few to tell how much their values vary
    if all(s.move == alike[0].move for s in alike) and seen.move != alike[0].move:
        return False
    if not _near(seen.nodes, seen.nodes, [s.nodes for s in alike]):
        return False
    least, greatest = seen.wins or (None, None)
    return _near(least, greatest, [s.wins[0] if s.wins else None for s in alike])


def _near(least: int | None, greatest: int | None, simulated: Sequence[int | None]) -> bool:
    """Whether a value that lies in a range may be one of those simulated; None could not be read."""
    values = [value for value in simulated if value is not None]
    if least is None or greatest is None or not values:
        return least is None and len(values) < len(simulated)
    if min(values) == max(values):
        return least <= values[0] <= greatest
    room = _FARTHEST * float(np.std(values, ddof=1))
    return float(np.mean(values)) - room <= greatest and least <= float(np.mean(values)) + room


def _log_likelihood(seen: UnitObservation, simulated: Sequence[UnitObservation]) -> float:
    count = len(simulated)
    alike = [s for s in simulated if s.faults == seen.faults]
    value = log((len(alike) + 0.5) / (count + 1))
    if not alike or seen.nodes is None:
        return value
    value += log((sum(s.move == seen.move for s in alike) + 0.5) / (len(alike) + 1))
    value += _log_density(seen.nodes, [s.nodes for s in alike if s.nodes is not None])
    if seen.wins is not None:
        value += _log_density(sum(seen.wins) / 2, [s.wins[0] for s in alike if s.wins])
    return value


def _log_density(seen: float, simulated: Sequence[int]) -> float:
    """Return the log density of a normal distribution with the simulations' mean and variance."""
    if not simulated:
        return -inf
    variance = float(np.var(simulated)) + 1 / 12
    # A value that never varies has density 1: as if it were a probability.
    return -0.5 * ((seen - float(np.mean(simulated))) ** 2 / variance + log(12 * variance))


def _alike(seen: Sequence[UnitObservation], simulated: Sequence[UnitObservation]) -> float:
    """Return the least p-value of Welch's test over length and score, times two."""
    tests = []
    for values in (_nodes, _halves):
        one, other = (
            np.array([v for each in side if (v := values(each)) is not None], np.float64)
            for side in (seen, simulated)
        )
        if len(one) > 1 and len(other) > 1:
            tests.append(_welch(one, other))
    return min(1.0, len(tests) * min(tests, default=1.0))


def _nodes(shown: UnitObservation) -> float | None:
    return shown.nodes


def _halves(shown: UnitObservation) -> float | None:
    return None if shown.wins is None else sum(shown.wins) / 2


def _welch(one: np.ndarray, other: np.ndarray) -> float:
    a, b = one.var(ddof=1) / len(one), other.var(ddof=1) / len(other)
    if a + b == 0:
        return float(one.mean() == other.mean())
    freedom = (a + b) ** 2 / (a**2 / (len(one) - 1) + b**2 / (len(other) - 1))
    return float(2 * scipy.special.stdtr(freedom, -abs(one.mean() - other.mean()) / np.sqrt(a + b)))
