"""The ledger of a run: the recorded units of its earlier parts, recalled in their order, then new ones.

A resumed run goes through its plan from the start.  While there are recorded units, it takes them instead of
asking.  So it takes the same looks at the same evidence, and arrives where it was interrupted.
"""

from collections import deque
from collections.abc import Iterable

from harness.errors import EvidenceError
from harness.records.evidence import Unit
from harness.records.handshake import HANDSHAKE, SIZES

WARM_UP = "warm-up"
"""Case name of a unit that restores the state of a killed process in a new one; it is not judged."""
OUTSIDE = (HANDSHAKE, SIZES, WARM_UP)
"""Case names of the units that are not part of the plan."""


class Ledger:
    """The units of one run, recorded and new."""

    def __init__(self, recorded: Iterable[Unit] = ()) -> None:
        self._recorded = deque(recorded)
        self.units: list[Unit] = []
        """All units so far."""
        self.spent = 0
        """Number of playouts of the plan's units."""
        self.genmoves = 0
        """Number of the plan's units."""
        self._take_outside_units()

    @property
    def is_recalling(self) -> bool:
        """Whether the next unit is a recorded one."""
        return bool(self._recorded)

    @property
    def has_stopped(self) -> bool:
        """Whether the bot stopped answering in the last unit."""
        return bool(self.units) and self.units[-1].broken is not None

    def recall(self, case: str) -> Unit:
        """Return the next recorded unit, which must be of this case.

        Raises:
            EvidenceError: it is of another case.
        """
        unit = self._recorded.popleft()
        if unit.case != case:
            raise EvidenceError(
                f"unit {len(self.units) + 1} of the evidence is of case {unit.case!r}, but this refbot would "
                f"have asked {case!r}; the run cannot be resumed by this version, only verified"
            )
        self.add(unit)
        self._take_outside_units()
        return unit

    def add(self, unit: Unit) -> None:
        """Add a unit."""
        self.units.append(unit)
        if unit.case not in OUTSIDE:
            self.spent += unit.playouts
            self.genmoves += 1

    def check_all_recalled(self) -> None:
        """Make sure that the plan has asked for every recorded unit.

        Raises:
            EvidenceError: the plan would never have asked for some of them.
        """
        if self._recorded:
            raise EvidenceError(
                f"the evidence has {len(self._recorded)} units after the last that this refbot would have "
                "asked for; the run cannot be resumed by this version, only verified"
            )

    def _take_outside_units(self) -> None:
        while self._recorded and self._recorded[0].case in OUTSIDE:
            self.units.append(self._recorded.popleft())
