"""Contrasts as data: weights of cases under which the means of every conforming bot add up to zero."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from harness.cases.case import Case, Moves, Script
from harness.errors import FixtureError


class ContrastRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One check: weights of cases, under which a measure adds up to zero for every conforming bot."""

    name: str
    requirement: str
    """The requirement that a bot most likely breaks if it fails the check."""
    about: str
    """Why the check holds for every conforming bot."""
    measure: Literal["length", "win"]
    contrasts: list[dict[str, float]]
    """Weights by case; the weights of each contrast add up to zero."""
    tolerance: float
    """For a PASS the contrast is shown to be no farther from zero than this (moves or score)."""
    needs_playouts: bool = False
    """Whether it compares two numbers of playouts, which a bot with a fixed number cannot run."""

    @property
    def cases(self) -> tuple[str, ...]:
        """Every case of its contrasts, once."""
        return tuple(dict.fromkeys(name for contrast in self.contrasts for name in contrast))


class ContrastRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All such checks in their order."""

    check: list[ContrastRule] = []

    def __iter__(self) -> Iterator[ContrastRule]:
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
                if isinstance(question, Script | Moves):
                    raise FixtureError(f"{where}: {name} does not ask for sums of playouts")
            if any(abs(sum(contrast.values())) > 1e-9 for contrast in rule.contrasts):
                raise FixtureError(f"{where}: the weights of a contrast do not add up to 0")
