"""A comparison of several bots asked the same questions.  Data only; numbers are made in ``compare``."""

import msgspec


class Quantity(msgspec.Struct, frozen=True):
    """One measure of one case, for every bot; rows in the order of ``Comparison.bots``."""

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
    """Which bots are the same within the tolerance: equal numbers, 0 for the class of the reference."""


class Odd(msgspec.Struct, frozen=True):
    """A bot that differs from what the others agree on."""

    bot: str
    case: str
    measure: str
    residual: float
    """Its distance from the middle of the others, in tolerances."""
    requirement: str
    """The most likely broken one; empty where that cannot be told."""
    reason: str


class FreeCheck(msgspec.Struct, frozen=True):
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
    """Of waiting for its answers."""


class Comparison(msgspec.Struct, frozen=True):
    """Bots side by side."""

    bots: list[str]
    verdicts: list[str]
    quantities: list[Quantity]
    classes: list[list[str]]
    """The bots by what they do: those that agree in every measure stand together, the largest class first."""
    odd: list[Odd]
    """Empty with fewer than three bots: of two that differ, none is the odd one."""
    checks: list[FreeCheck]
    speeds: list[Speed]
    note: str
    """What cannot be told from this comparison, and why."""
