"""Checks of a comparison that need no table, as data: means of one bot that have to add up to nothing."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from harness.cases.case import Case, Moves
from harness.errors import FixtureError


class FreeRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One check: weights of cases, under which a measure adds up to nothing for every conforming bot."""

    name: str
    requirement: str
    """What a bot breaks that fails it, most likely."""
    about: str
    """Why it holds."""
    measure: Literal["length", "win"]
    contrasts: list[dict[str, float]]
    """Case and weight; each adds up to nothing."""
    tolerance: float
    """How far from nothing a contrast may be shown to be at most, moves or win fraction, for a PASS."""
    needs_playouts: bool = False
    """Whether it asks for two numbers of playouts, which a bot with a fixed number has not."""

    @property
    def cases(self) -> tuple[str, ...]:
        """Every case of its contrasts, once."""
        return tuple(dict.fromkeys(name for contrast in self.contrasts for name in contrast))


class FreeRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All such checks in their order."""

    check: list[FreeRule] = []

    def __iter__(self) -> Iterator[FreeRule]:
        return iter(self.check)

    @property
    def contrasts(self) -> int:
        """Number of contrasts of all checks."""
        return sum(len(rule.contrasts) for rule in self.check)

    @property
    def cases(self) -> tuple[str, ...]:
        """Every case that a check asks, once."""
        return tuple(dict.fromkeys(name for rule in self.check for name in rule.cases))

    def check_against(self, cases: Mapping[str, Case], requirements: Mapping[str, object]) -> None:
        """Make sure that every name is known and every contrast can come to nothing.

        Raises:
            FixtureError: it does not.
        """
        for rule in self.check:
            where = f"compare/checks.toml: {rule.name}"
            if rule.requirement not in requirements:
                raise FixtureError(f"{where}: no requirement {rule.requirement!r} in requirements.toml")
            for name in rule.cases:
                if name not in cases:
                    raise FixtureError(f"{where}: {name!r} is no case")
                question = cases[name].question
                if isinstance(question, tuple | Moves):
                    raise FixtureError(f"{where}: {name} does not ask for sums of playouts")
            if any(abs(sum(contrast.values())) > 1e-9 for contrast in rule.contrasts):
                raise FixtureError(f"{where}: the weights of a contrast do not add up to 0")
