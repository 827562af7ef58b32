"""Staleness of tables: what a table was made from, compared with what is installed now.

Every function returns the reason why a table is stale, or an empty text.
"""

import hashlib
from collections.abc import Collection, Iterable

import msgspec

from harness.cases.case import Case, Dialogue, Moves, Sample
from harness.cases.start import Start, start_of
from harness.cases.suite import Suite
from harness.tables.predict import predicts_choices, predicts_sums
from harness.tables.reference import Reference, komi_name
from harness.tables.tables import ChoiceTable, ExactTable, SampleTable, root_digest
from reference_engine.deviations import BY_NAME, CATALOGUE
from reference_engine.digest import source_digest

_ENGINE = "other engine"
_NOT_ASKED = frozenset({"about", "presupposes", "foundation", "dialogue"})


def starts_of(suite: Suite) -> dict[Start, tuple[float, ...]]:
    """Return every start that needs a reference, with the komis at which its first plays are valued."""
    cases: dict[Start, list[Case]] = {}
    for case in suite.cases.values():
        if case.needs_table and not isinstance(case.question, Moves):
            cases.setdefault(start_of(case), []).append(case)
    found = {}
    for start, sharing in cases.items():
        samples = [case for case in sharing if isinstance(case.question, Sample)]
        found[start] = tuple(sorted({float(case.file.komi) for case in samples or sharing}))
    return found


def cases_digest(suite: Suite) -> str:
    """Return a digest of the cases that tables are made for.

    Descriptions and dependencies of cases are left out, and what a file does not say.  So are dialogues, for
    which there are no tables.
    """
    digest = hashlib.sha256()
    for name, case in sorted(suite.cases.items()):
        if not case.file.only_fixed and not isinstance(case.question, Dialogue):
            asked = {k: v for k, v in msgspec.to_builtins(case.file).items() if k not in _NOT_ASKED}
            digest.update(name.encode() + msgspec.json.encode(asked))
    return digest.hexdigest()[:16]


def fault_of_reference(reference: Reference, start: Start, komis: tuple[float, ...]) -> str:
    """Compare a position's reference with the position, and with the komis of the cases there."""
    if reference.engine != source_digest():
        return _ENGINE
    if reference.start != start:
        return "other position"
    missing = [komi for komi in komis if komi_name(komi) not in reference.sampled.wins]
    return f"lacks komi {komi_name(missing[0])}" if missing else ""


def fault_of_sample(table: SampleTable, case: Case, reference: Reference) -> str:
    """Compare the table of a case about sums with the case and its reference."""
    if table.engine != source_digest():
        return _ENGINE
    if table.root != root_digest(case):
        return "other position or komi"
    if table.reference != reference.digest:
        return "other reference"
    return _lacking(table.shifts, (d.name for d in CATALOGUE if predicts_sums(d.name)))


def fault_of_choice(table: ChoiceTable, case: Case) -> str:
    """Compare the table of a case about chosen moves with the case."""
    fault = fault_of_draws(table, case)
    return fault or _lacking(table.measured, (d.name for d in CATALOGUE if predicts_choices(d.name)))


def fault_of_draws(table: ChoiceTable, case: Case) -> str:
    """Compare the specification's own part of a table of chosen moves with the case."""
    if table.engine != source_digest():
        return _ENGINE
    return "other question" if table.root != root_digest(case) else ""


def fault_of_exact(table: ExactTable, suite: Suite) -> str:
    """Compare the table of exact checks with the cases and the catalogue."""
    if fault := fault_of_passes(table, suite):
        return fault
    return next((fault for rates in table.passes.values() if (fault := _lacking(rates, BY_NAME))), "")


def fault_of_passes(table: ExactTable, suite: Suite) -> str:
    """Compare what the table of exact checks holds with the cases, whether or not it lacks a deviation."""
    if table.engine != source_digest():
        return _ENGINE
    return "" if table.suite == cases_digest(suite) else "other cases"


def _lacking(found: Collection[str], wanted: Iterable[str]) -> str:
    missing = [name for name in wanted if name not in found]
    return f"lacks {missing[0]}" if missing else ""
