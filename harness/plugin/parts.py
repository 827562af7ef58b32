"""The division of a session's cases into runs.

A run ends when it convicts the bot, and leaves its other cases undecided.  Known failures must not do this to
everything else.  So the exact cases that are known to fail share a run of their own, and each statistical
case has its own, where nothing else can end the run first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.cases.suite import Suite

MAIN = "main"
"""The run of everything that is not known to fail."""
KNOWN = "known"
"""The run of the exact cases that are known to fail."""


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One run of the session, and its cases."""

    name: str
    cases: tuple[str, ...]
    """Ids of the cases, in the order of the suite; all of them for a whole certificate."""


def known_cases(suite: Suite, known: Mapping[str, str]) -> set[str]:
    """Return the cases that are known to fail, or whose requirement is."""
    return {case.id for case in suite.cases.values() if case.id in known or case.requirement in known}


def plan_runs(suite: Suite, wanted: Iterable[str], known: Mapping[str, str]) -> tuple[PlannedRun, ...]:
    """Return the runs that ask the wanted cases, the main run first."""
    chosen = set(wanted)
    expected = known_cases(suite, known)
    parts: dict[str, list[str]] = {}
    for case in suite.cases.values():
        if case.id in chosen:
            name = MAIN if case.id not in expected else case.id if case.is_statistical else KNOWN
            parts.setdefault(name, []).append(case.id)
    return tuple(
        PlannedRun(name, tuple(parts[name]))
        for name in sorted(parts, key=lambda n: (n != MAIN, n != KNOWN, n))
    )
