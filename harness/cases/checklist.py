"""The checklist: the numbered steps of ``refbot check``, as data.  Knows nothing of bots or evidence."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from harness.cases.case import Case
from harness.errors import FixtureError

Observed = Literal["", "start", "output", "end"]
"""What a step looks at besides the answers to its cases: how the first process started; lines on standard
output that are no response; how the bot ends, and what it leaves behind."""


class CheckStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step: what it is called, and which cases it asks."""

    name: str
    title: str
    requirement: str
    """Whose clause a failure breaks that no case accounts for."""
    looks_at: Observed = ""
    handshake: str = ""
    """The first command that this step is about, sent while the bot is asked who it is."""
    cases: list[str] = []
    private: list[str] = []
    """Cases asked only of a bot with both private commands."""


class Checklist(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All steps in their order."""

    step: list[CheckStep] = []

    def __iter__(self) -> Iterator[CheckStep]:
        return iter(self.step)

    def chosen(self, cases: Mapping[str, Case]) -> dict[str, Case]:
        """Return the cases the steps ask, in the order they are asked.

        Raises:
            FixtureError: a step names a case that there is not, or that another step asks too.
        """
        found: dict[str, Case] = {}
        for step in self.step:
            for name in (*step.cases, *step.private):
                if name not in cases:
                    raise FixtureError(f"steps.toml: step {step.name} asks {name}, which is no case")
                if name in found:
                    raise FixtureError(f"steps.toml: two steps ask {name}; the second is {step.name}")
                found[name] = cases[name].private() if name in step.private else cases[name]
        return found
