"""What a run has been answered so far: units of its earlier parts, recalled in their order, then new ones.

A resumed run goes through its plan from the start.  As long as there are recorded units it takes them
instead of asking; so it comes, by the same looks at the same evidence, to where it stood.
"""

from collections import deque
from collections.abc import Iterable

from harness.errors import EvidenceError
from harness.records.evidence import Unit
from harness.records.handshake import HANDSHAKE, SIZES

WARM_UP = "warm-up"
"""Case name of a unit that brings a new process to where a killed one had been; nothing is judged by it."""
OUTSIDE = (HANDSHAKE, SIZES, WARM_UP)
"""Names of units that the plan does not know."""


class Ledger:
    """The units of one run, recorded and new."""

    def __init__(self, recorded: Iterable[Unit] = ()) -> None:
        self._recorded = deque(recorded)
        self.units: list[Unit] = []
        """All that the run has come by so far."""
        self.spent = 0
        """Playouts asked for by the plan."""
        self.genmoves = 0
        """Units asked for by the plan."""
        self._settle()

    @property
    def is_recalling(self) -> bool:
        """Whether the next unit is a recorded one."""
        return bool(self._recorded)

    @property
    def has_stopped(self) -> bool:
        """Whether the bot stopped answering in the last unit."""
        return bool(self.units) and self.units[-1].broken is not None

    def recall(self, case: str) -> Unit:
        """Return the next recorded unit, which is one of this case.

        Raises:
            EvidenceError: it is of another case.
        """
        unit = self._recorded.popleft()
        if unit.case != case:
            raise EvidenceError(
                f"unit {len(self.units) + 1} of the evidence is of case {unit.case!r}, and this refbot would "
                f"have asked {case!r}; the run cannot be resumed by this version, only verified"
            )
        self.add(unit)
        self._settle()
        return unit

    def add(self, unit: Unit) -> None:
        """Take a new unit in."""
        self.units.append(unit)
        if unit.case not in OUTSIDE:
            self.spent += unit.playouts
            self.genmoves += 1

    def check_all_recalled(self) -> None:
        """Make sure that the plan came by every recorded unit.

        Raises:
            EvidenceError: there are some it would never have asked.
        """
        if self._recorded:
            raise EvidenceError(
                f"the evidence has {len(self._recorded)} units after the one this refbot would have ended "
                "with; the run cannot be resumed by this version, only verified"
            )

    def _settle(self) -> None:
        while self._recorded and self._recorded[0].case in OUTSIDE:
            self.units.append(self._recorded.popleft())
