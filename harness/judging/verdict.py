"""The verdict document: what a run showed, requirement by requirement.  Data only."""

import msgspec

from harness.records.evidence import BotRef, SuiteRef

SCHEMA = 3


class Estimate(msgspec.Struct, frozen=True):
    """A measured mean beside its reference value."""

    quantity: str
    unit: str
    value: float
    radius: float
    """Half-width of the anytime-valid confidence interval, table uncertainty included."""
    reference: float
    tolerance: float
    playouts: int = 0
    """Draws behind the value."""
    sd: float = 0.0
    """Standard deviation of one draw, by the reference."""
    table: int | None = None
    """Draws behind the reference; None where it is exact."""
    method: str = ""
    """How the radius was found."""
    rounding: float = 0.0
    """Half the range in which the value lies because scores were printed with few digits; part of the
    radius."""

    @property
    def is_inside(self) -> bool:
        """Whether the whole interval lies inside the tolerance."""
        return abs(self.value - self.reference) + self.radius <= self.tolerance

    @property
    def is_out_of_reach(self) -> bool:
        """Whether scores are printed so coarsely that no number of playouts brings the interval inside."""
        return self.rounding >= self.tolerance


class Check(msgspec.Struct, frozen=True):
    """How one case ended."""

    case: str
    verdict: str
    kind: str
    """exact or statistical."""
    playouts: int
    genmoves: int
    reason: str = ""
    """Expected and observed of the first counter-example, or why the case could not be judged."""
    expected: str = ""
    observed: str = ""
    estimates: list[Estimate] = []
    log10_e: float | None = None
    """Evidence of an unspecified deviation, as a power of ten."""
    dialogue: list[tuple[str, str]] = []
    """Lines sent and raw replies, up to the wrong one, of a dialogue or of a set-up with a refused play."""


class RequirementVerdict(msgspec.Struct, frozen=True):
    """How one requirement ended."""

    id: str
    verdict: str
    reason: str
    checks: list[Check]


class StepFault(msgspec.Struct, frozen=True):
    """One thing that went wrong in a step of a check."""

    case: str
    """Empty where no case asked for it."""
    requirement: str
    verdict: str
    expected: str
    observed: str
    exchanges: list[tuple[str, str]] = []
    """Lines sent and raw replies up to the one in which it shows; an empty reply is none."""
    board: str = ""
    """The position in which it shows, drawn; empty where the board does not matter."""


class StepVerdict(msgspec.Struct, frozen=True):
    """How one numbered step of a check ended."""

    number: int
    name: str
    title: str
    verdict: str
    reason: str
    cases: list[str]
    """All that belong to the step."""
    faults: list[StepFault] = []
    section: str = ""
    """The part of the checklist it belongs to, by its title."""
    clause: str = ""
    """Its number in the text of GTP 2, or in an extension."""
    remarks: list[str] = []
    """What the bot showed that breaks nothing: readings that the text leaves open, words of errors."""


class Suspect(msgspec.Struct, frozen=True):
    """A catalogued deviation as an explanation of the evidence."""

    deviation: str
    requirement: str
    about: str
    probability: float
    """Beside all other explanations, one that nobody listed among them."""
    refuted: str = ""
    """The value seen that it does not give; empty if it explains everything."""


class Detectable(msgspec.Struct, frozen=True):
    """The smallest shift of one measure that as much evidence as this run has would have convicted."""

    case: str
    quantity: str
    """length, score or chosen moves."""
    unit: str
    sample: int
    """Playouts behind a mean, genmoves behind chosen moves."""
    shift: float | None
    """Shift of a mean up (positive) or down, whichever shows less; for chosen moves the distance in total
    variation of a bot that plays the second likeliest move too often.  None if no shift would have been
    enough."""
    probability: float
    """Probability of a conviction, had the bot been off by as much."""


class OutlyingHost(msgspec.Struct, frozen=True):
    """A host, or a process on it, whose bot did not answer as that of the others."""

    who: str
    case: str
    quantity: str
    playouts: int
    value: float
    others: float
    """Mean of all others."""
    reference: float
    z: float
    """Standard errors between it and the others."""


class SpreadHosts(msgspec.Struct, frozen=True):
    """Who asked a spread run."""

    hosts: list[str]
    workers: int
    """Processes."""
    works: int
    unlike: tuple[OutlyingHost, ...] = ()
    """Hosts and workers that differ from the others; none where all are alike."""


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of a run; a pure function of its evidence and the suite."""

    schema: int
    """Version of the shape of this document."""
    refbot: str
    """Version of the package that made the run."""
    command: str
    """certify or check."""
    level: str
    """How much was asked: check, smoke, standard, full or reference."""
    suite: SuiteRef
    """What the bot was asked, and what it was judged by."""
    engine: str
    """Digest of the reference engine's source."""
    bot: BotRef
    verdict: str
    """The word for the whole; it decides the exit status."""
    reason: str
    """One sentence."""
    requirements: list[RequirementVerdict]
    broken: str
    """The requirement that the reason names; empty where nothing is broken, or it is not known which."""
    shown_by: str
    """The case that shows it on the most basic ground; empty where no single case does."""
    exercised: list[str]
    """Requirements of which one or more are broken, where it is not known which."""
    diagnosis: list[Suspect]
    """Likeliest first; where none explains everything, the nearest with what refutes it."""
    unlisted: float
    """Probability of a deviation that nobody listed."""
    confident: bool
    """Whether the first of the diagnosis explains everything, and nothing else does nearly as well."""
    excluded: list[str]
    """Known deviations that the bot was shown not to have."""
    not_excluded: list[str]
    """Known deviations that it may still have."""
    detectable: list[Detectable]
    log10_e: float
    """Evidence against the specification over the whole certificate."""
    playouts: int
    """Playouts of all genmoves together."""
    genmoves: int
    elapsed_s: float
    """Seconds the run took."""
    alpha: float
    """Error of a false FAIL."""
    beta: float
    """Error of excluding a deviation that the bot has."""
    evidence: str
    """Digest of the evidence file's units."""
    frame: str = ""
    """Digest of the evidence file's other lines: header, resumptions and footer."""
    steps: list[StepVerdict] = []
    """Results of the clauses of a check; empty for certificates."""
    crew: SpreadHosts | None = None
    """Hosts and workers of a spread run: all that depends on who asked."""
