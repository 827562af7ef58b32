"""The comparison of a run with an earlier one of the same bot.  Data only; ``regress`` computes it."""

import msgspec

from harness.comparison.rates import Rates, Ratio

SCHEMA = 1

NEWLY_FAILING = "newly failing"
STILL_FAILING = "still failing"
NEWLY_PASSING = "newly passing"
LESS_EVIDENCE = "less evidence"
MORE_EVIDENCE = "more evidence"
CHANGED = "changed"
"""Between PASS and NON-STRICT, or to and from NOT-APPLICABLE."""
NEW, REMOVED = "new", "removed"
STEADY, DRIFTED, UNKNOWN = "steady", "drifted", "unknown"
SAME, SLOWER, FASTER, OPEN, UNJUDGED_SPEED = "same", "slower", "faster", "open", "not judged"


class Change(msgspec.Struct, frozen=True):
    """A requirement or a case whose word is another one now, or still FAIL."""

    item: str
    """requirement or case."""
    id: str
    kind: str
    then: str
    """Empty where there was none."""
    now: str
    reason: str
    known: str = ""
    """Why it is left as it is, by the file of known failures."""
    counts: bool = False
    """Whether it counts against the bot."""


class MeasureShift(msgspec.Struct, frozen=True):
    """One measure of one case in both runs."""

    case: str
    measure: str
    """length or score."""
    unit: str
    word: str
    """steady, drifted or unknown."""
    then: float
    now: float
    radius: float
    """By how much two runs of one unchanged bot may differ here."""
    sigma: float
    """The change in standard errors."""
    tolerance: float
    """Tolerance of the level, for the distance from the reference."""
    playouts: int
    """Number of playouts of each run that were compared; the smaller number if the two differ."""
    detectable: float
    """The smallest change that would have been seen with probability 0.999."""
    sd: float
    """Standard deviation of one playout."""
    method: str
    note: str = ""

    @property
    def change(self) -> float:
        """From then to now."""
        return self.now - self.then

    @property
    def tolerances(self) -> float:
        """Return the change as a multiple of the tolerance."""
        return self.change / self.tolerance if self.tolerance else 0.0


class SpeedChange(msgspec.Struct, frozen=True):
    """The bot's speed as a multiple of the engine's, in both runs."""

    measure: str
    """cpu or wall."""
    word: str
    then: Ratio
    now: Ratio
    change: Ratio
    """Now as a multiple of then."""
    note: str = ""


class RunRef(msgspec.Struct, frozen=True):
    """One of the two runs."""

    folder: str
    verdict: str
    level: str
    refbot: str
    suite: str
    """Digest."""
    engine: str
    evidence: str
    """Digest of its evidence."""
    bot: str
    """What it calls itself."""
    executable: str
    """Digest."""
    playouts: int


class Stale(msgspec.Struct, frozen=True):
    """An entry of the file of known failures that does not fail."""

    id: str
    reason: str
    now: str
    is_error: bool
    """It passes; otherwise nothing can be said of it in this run."""


class Regression(msgspec.Struct, frozen=True):
    """What has changed."""

    schema: int
    then: RunRef
    now: RunRef
    outcome: str
    """A word as of a verdict; PASS where nothing counts against the bot."""
    reasons: list[str]
    """Why it is not PASS, most important first."""
    changes: list[Change]
    unchanged: dict[str, int]
    """How many requirements have which word, as before."""
    suite_changes: list[Change]
    """Words that changed on the old evidence alone: another suite or engine, not the bot."""
    shifts: list[MeasureShift]
    speeds: list[SpeedChange]
    rates: Rates | None
    """The speed measured in the new run."""
    stale: list[Stale]
    notes: list[str]
    """What could not be compared, and why."""
    alpha: float
    """Error of calling an unchanged bot drifted, over all measures together."""
    speed_margin: float
