"""The comparison of several bots asked the same questions.  Data only; ``compare`` computes it."""

import msgspec

SCHEMA = 1


class Quantity(msgspec.Struct, frozen=True):
    """One measure of one case, for every bot; rows in the order of ``BotComparison.bots``."""

    case: str
    measure: str
    """length or win."""
    unit: str
    tolerance: float
    reference: float | None
    """None in a comparison without tables."""
    values: list[float | None]
    """None where a bot was not asked, or did not answer."""
    radii: list[float | None]
    """Half-widths of the bots' anytime-valid confidence intervals."""
    classes: list[int | None]
    """Which bots are the same within the tolerance: equal numbers, 0 for the class of the reference; None
    where that cannot be told."""
    playouts: list[int] = []
    """Behind the values."""


class OddBot(msgspec.Struct, frozen=True):
    """A bot that differs from what the others agree on."""

    bot: str
    case: str
    """Where it differs most; empty where it is only known to fail."""
    measure: str
    """length or win; answers where it is the bot's answers that no conforming bot gives."""
    residual: float
    """Its distance from the median of the others, in tolerances; 0 for answers."""
    requirement: str
    """The most likely broken one; empty where that cannot be told."""
    reason: str


class BotDifference(msgspec.Struct, frozen=True):
    """Two bots that are shown to differ, and where they do most."""

    bots: tuple[str, str]
    case: str
    measure: str
    distance: float
    """Between their values, in tolerances."""
    quantities: int
    """In how many measures of cases they are shown to differ."""


class ContrastCheck(msgspec.Struct, frozen=True):
    """A check that needs no table: two answers of one bot that have to agree."""

    name: str
    about: str
    requirement: str
    words: list[str]
    """PASS, FAIL or INCONCLUSIVE; NOT-APPLICABLE where it was not asked; a row a bot."""
    details: list[str]
    """The two numbers with their errors, in words; a row a bot."""


class Speed(msgspec.Struct, frozen=True):
    """How fast a bot answered, over a whole run."""

    playouts: int
    genmoves: int
    seconds: float
    """Seconds of waiting for its answers."""


class BotComparison(msgspec.Struct, frozen=True):
    """Bots side by side."""

    bots: list[str]
    verdicts: list[str]
    quantities: list[Quantity]
    classes: list[list[str]]
    """The bots by what they do: those that agree in every measure stand together, the largest class first.
    Those that cannot be told, or could not be judged, stand in none."""
    odd: list[OddBot]
    """Empty with fewer than three bots: of two that differ, none is the odd one."""
    checks: list[ContrastCheck]
    speeds: list[Speed]
    note: str
    """What cannot be told from this comparison, and why."""
    reference_class: int | None = None
    """Place in ``classes`` of those that do as the reference does; None where no bot is shown to."""
    undecided: list[str] = []
    """Bots of which it cannot be told whether they do as the reference does."""
    requirements: list[str] = []
    """What each bot breaks, most likely; empty where nothing is known to be broken; a row a bot."""
    reasons: list[str] = []
    """Why each bot has its verdict and its class, in one sentence; a row a bot."""
    differences: list[BotDifference] = []
    alpha: float = 0.0
    """Error of any false difference, over all bots, measures and looks together."""
    level: str = ""
    """Whose tolerances were used."""
    schema: int = SCHEMA
