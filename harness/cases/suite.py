"""The suite: requirements, cases and tables as they ship, loaded once and checked.

One of the few places that read files.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TypeVar

import msgspec

from harness.cases.case import Case, CaseFile
from harness.cases.checklist import Checklist, CheckStep, Section
from harness.cases.contrast_rules import ContrastRules
from harness.cases.level import LEVELS
from harness.cases.reflection import reflections_of
from harness.errors import FixtureError, UsageError
from harness.shipped import shipped_folder
from harness.suggest import closest

_T = TypeVar("_T")

SUITE_VERSION = "2"
"""Changes whenever a verdict could change: cases, tables, tolerances, catalogue or rules of judging."""


class Open(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that the text leaves open."""

    question: str
    accepted: str
    because: str


class Requirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clause of the specification, and how we read it."""

    clause: str
    """In our own words."""
    source: str
    reading: str
    """What the clause means for a bot."""
    open: list[Open] = []


def fixtures_folder() -> Path:
    """Return the folder the fixtures are in."""
    return shipped_folder("_fixtures", "fixtures")


@dataclass(frozen=True)
class Suite:
    """Everything a run is judged by."""

    requirements: dict[str, Requirement]
    cases: dict[str, Case]
    """Those of a certificate; in a suite made for level check, those of its steps."""
    folder: Path
    checklist: Checklist = field(default_factory=Checklist)
    check_cases: dict[str, Case] = field(default_factory=dict)
    """Cases that only `refbot check` asks."""
    contrasts: ContrastRules = field(default_factory=ContrastRules)
    compared_cases: dict[str, Case] = field(default_factory=dict)
    """Cases that only `refbot compare` asks; they count in no verdict."""

    @cached_property
    def digest(self) -> str:
        """Digest of every fixture file: what a verdict was reached with."""
        return self._digest_of(self.folder)

    @cached_property
    def tables_digest(self) -> str:
        """Digest of the reference tables alone."""
        return self._digest_of(self.folder / "tables")

    def _digest_of(self, folder: Path) -> str:
        digest = hashlib.sha256(SUITE_VERSION.encode())
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".toml", ".json"):
                digest.update(path.relative_to(self.folder).as_posix().encode())
                digest.update(path.read_bytes())
        return digest.hexdigest()[:16]

    def for_bot(self, fixed_playouts: int | None) -> "Suite":
        """Return the suite as it is put to a bot that always runs so many playouts; None for any other."""
        if fixed_playouts is None:
            return self
        return replace(self, cases={name: case.fitted(fixed_playouts) for name, case in self.cases.items()})

    def for_level(self, level: str, sizes: Collection[int] | None = None) -> "Suite":
        """Return the suite as a level asks it: with reflections; at level check the cases of the clauses.

        Args:
            level: by its name.
            sizes: boards that the bot accepts, on which a check is asked; None where that is not known.
        """
        if level != "check":
            reflections = reflections_of(self.cases, LEVELS[level].reflections)
            return replace(self, cases={**self.cases, **reflections})
        cases = self.checklist.chosen(self.every_case)
        if sizes is not None:
            cases = {name: case.on(sizes) for name, case in cases.items()}
        clauses = {step.id: _requirement_of(step) for step in self.checklist}
        return replace(self, cases=cases, requirements={**self.requirements, **clauses})

    @property
    def every_case(self) -> dict[str, Case]:
        """The cases of certificates, checks and comparisons."""
        return {**self.cases, **self.check_cases, **self.compared_cases}

    def case(self, name: str) -> Case:
        """Return a case by its id.

        Raises:
            UsageError: there is none; the message suggests the closest.
        """
        if name not in self.cases:
            raise UsageError(f"no case {name!r}{closest(name, self.cases)}")
        return self.cases[name]


def sent_folder(suite: Suite) -> Path | None:
    """Return where another process finds a suite: in this folder, or (None) wherever refbot is installed."""
    return None if suite.folder == fixtures_folder() else suite.folder


@lru_cache(maxsize=1)
def shipped_suite() -> Suite:
    """Return the suite that comes with refbot, loaded once in a process: it takes a third of a second."""
    return load_suite()


def load_suite(folder: Path | None = None) -> Suite:
    """Load every requirement and case.

    Raises:
        FixtureError: a file cannot be read, or contradicts itself; the message names it.
    """
    folder = folder or fixtures_folder()
    requirements = _read(folder / "requirements.toml", dict[str, Requirement])
    cases = _read_cases(folder / "cases", "*/*.toml", requirements)
    if not cases:
        raise FixtureError(f"{folder}: no cases found; the installation is incomplete")
    checklist = Checklist([_read(path, Section) for path in sorted((folder / "check").glob("*.toml"))])
    only_checked = {**checklist.own_cases(), **_read_cases(folder / "check", "cases/*.toml", requirements)}
    if twice := sorted(cases.keys() & only_checked.keys()):
        raise FixtureError(f"{folder / 'check'}: a second case named {twice[0]}")
    checks = folder / "compare" / "checks.toml"
    contrasts = _read(checks, ContrastRules) if checks.exists() else ContrastRules()
    only_compared = _read_cases(folder / "compare", "cases/*.toml", requirements)
    if twice := sorted({**cases, **only_checked}.keys() & only_compared.keys()):
        raise FixtureError(f"{folder / 'compare'}: a second case named {twice[0]}")
    contrasts.check_against({**cases, **only_compared}, requirements)
    checklist.chosen({**cases, **only_checked})
    _check_presupposed({**cases, **only_checked, **only_compared})
    known = {"", *requirements}
    if unknown := [step for step in checklist if step.requirement not in known]:
        raise FixtureError(
            f"clause {unknown[0].id}: no requirement {unknown[0].requirement!r} in requirements.toml"
        )
    return Suite(requirements, cases, folder, checklist, only_checked, contrasts, only_compared)


def _requirement_of(step: CheckStep) -> Requirement:
    place = step.section_of_text
    source = f"GTP version 2, draft 2, section {place}" if place[:1].isdigit() else f"extension: {place}"
    return Requirement(step.clause, source, step.title)


def _read_cases(folder: Path, pattern: str, requirements: dict[str, Requirement]) -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for path in sorted(folder.glob(pattern)):
        case = Case(path.stem, _read(path, CaseFile))
        if case.requirement not in requirements:
            raise FixtureError(f"{path}: no requirement {case.requirement!r} in requirements.toml")
        if case.id in cases:
            raise FixtureError(f"{path}: a second case named {case.id}")
        cases[case.id] = case
    return cases


def _check_presupposed(cases: dict[str, Case]) -> None:
    """Refuse cases that presuppose what does not exist, or in a circle each other.

    Raises:
        FixtureError: a case does; the message names it.
    """
    try:
        tuple(TopologicalSorter({name: case.file.presupposes for name, case in cases.items()}).static_order())
    except CycleError as error:
        raise FixtureError(f"cases presuppose each other: {' of '.join(error.args[1])}") from None
    for name, case in cases.items():
        if unknown := [other for other in case.file.presupposes if other not in cases]:
            raise FixtureError(f"{name}: presupposes {unknown[0]!r}, which is no case")


def _read(path: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, ValueError, RecursionError) as error:
        raise FixtureError(f"{path}: {error}") from error
