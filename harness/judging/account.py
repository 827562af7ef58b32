"""One run with all that may be told of it: suite, evidence and verdict.  What every report is made from.

The values of the bot's environment stay behind: they may be secrets, and a bot may print them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from harness.cases.case import Case
from harness.cases.suite import Suite
from harness.judging.exact import read_unit, score_digits
from harness.judging.observations import Observation, observations
from harness.judging.verdict import Check, Verdict
from harness.records.evidence import Evidence, Unit
from harness.tables.tables import Tables

_T = TypeVar("_T", bound=msgspec.Struct)

HIDDEN: Final = "***"
"""Stands for a value of the bot's environment."""
_SHORT: Final = 6
"""Characters below which a value is too common a word to be hidden wherever it stands."""


@dataclass(frozen=True)
class Account:
    """One run, judged."""

    suite: Suite
    """As it was put to this bot, at this level."""
    tables: Tables
    evidence: Evidence
    """Without values of the bot's environment."""
    verdict: Verdict
    """Likewise."""

    def observations(self) -> Iterator[Observation]:
        """Yield every genmove of the run."""
        return observations(self.suite, self.evidence)

    def case(self, name: str) -> Case | None:
        """Return a case by its id, if there is one."""
        return self.suite.every_case.get(name)

    def units(self, case: str) -> list[Unit]:
        """Return what was asked of a case."""
        return [unit for unit in self.evidence.units if unit.case == case]

    def seconds(self, case: str) -> float:
        """Return how long a case took, in seconds."""
        return sum(unit.seconds for unit in self.units(case))

    def witness(self, check: Check) -> Unit | None:
        """Return the first unit in which a check's counter-example shows; None where no single one does."""
        case = self.suite.cases.get(check.case)
        if case is None or not check.expected:
            return None
        digits = score_digits(self.evidence.units)
        for unit in self.units(check.case):
            found = read_unit(case, unit, digits).findings
            if any((f.expected, f.observed) == (check.expected, check.observed) for f in found):
                return unit
        return None


def names_of(accounts: Sequence[Account]) -> list[str]:
    """Return a name for each run, no two alike: its bot's, numbered where several have the same."""
    names: list[str] = []
    for account in accounts:
        name, number = account.verdict.bot.name, 2
        while name in names:
            name, number = f"{account.verdict.bot.name} ({number})", number + 1
        names.append(name)
    return names


def account_of(suite: Suite, tables: Tables, evidence: Evidence, verdict: Verdict) -> Account:
    """Put a run and its verdict together, and hide the values of its bot's environment."""
    fitted = suite.for_level(evidence.header.level).for_bot(evidence.header.bot.fixed_playouts)
    secrets = _secrets(evidence)
    shown = _masked(_without_env(evidence), secrets)
    return Account(fitted, tables, shown, _masked(verdict, secrets))


def _without_env(evidence: Evidence) -> Evidence:
    settings = dict(evidence.header.settings)
    if isinstance(settings.get("env"), dict):
        settings["env"] = dict.fromkeys(settings["env"], HIDDEN)
    header = msgspec.structs.replace(evidence.header, settings=settings)
    return msgspec.structs.replace(evidence, header=header)


def _secrets(evidence: Evidence) -> list[str]:
    env = evidence.header.settings.get("env")
    values = [value for value in env.values() if isinstance(value, str)] if isinstance(env, dict) else []
    # What looks like a number is left: figures that a bot answers must not be torn apart.
    long = {value for value in values if len(value) >= _SHORT and not value.replace(".", "").isdecimal()}
    return sorted(long, key=lambda value: (-len(value), value))


def _masked(value: _T, secrets: list[str]) -> _T:
    if not secrets:
        return value
    return msgspec.convert(_without(msgspec.to_builtins(value), secrets), type(value))


def _without(value: Any, secrets: list[str]) -> Any:
    match value:
        case str():
            for secret in secrets:
                value = value.replace(secret, HIDDEN)
            return value
        case dict():
            return {key: _without(inner, secrets) for key, inner in value.items()}
        case list() | tuple():
            return [_without(inner, secrets) for inner in value]
        case _:
            return value
