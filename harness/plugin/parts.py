"""How the cases of a session are shared out among runs.

A run ends when it convicts, and leaves what it had still to ask undecided.  What is known to fail must not
do that to everything else: exact cases known to fail get a run of their own, and each statistical one its
own, where nothing else can end it first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.cases.suite import Suite

MAIN = "main"
"""The run of everything that is not known to fail."""
KNOWN = "known"
"""The run of the exact cases that are."""


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run of the session, and its cases."""

    name: str
    cases: tuple[str, ...]
    """Ids of its cases, in the order of the suite; every case of the suite for a whole certificate."""


def known_cases(suite: Suite, known: Mapping[str, str]) -> set[str]:
    """Return the cases that are known to fail, or belong to a requirement that is."""
    return {case.id for case in suite.cases.values() if case.id in known or case.requirement in known}


def share_out(suite: Suite, wanted: Iterable[str], known: Mapping[str, str]) -> tuple[PlannedRun, ...]:
    """Return the runs that the wanted cases need, the main one first."""
    chosen = set(wanted)
    apart = known_cases(suite, known)
    parts: dict[str, list[str]] = {}
    for case in suite.cases.values():
        if case.id in chosen:
            name = MAIN if case.id not in apart else case.id if case.is_statistical else KNOWN
            parts.setdefault(name, []).append(case.id)
    return tuple(
        PlannedRun(name, tuple(parts[name]))
        for name in sorted(parts, key=lambda n: (n != MAIN, n != KNOWN, n))
    )
