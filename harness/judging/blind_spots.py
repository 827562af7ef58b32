"""Blind spots of a run: deviations that no applicable case can show, and why.

Names and causes only; that such a run is INCONCLUSIVE follows from the assessment.
"""

import re
from collections.abc import Iterator

from harness.cases.suite import Suite
from harness.judging.run_assessment import REFUSES, RunAssessment, shows
from harness.records.evidence import BotRef
from harness.tables.predict import shows_in_choices_only
from harness.tables.tables import Tables

_SIZE = re.compile(r"'boardsize (\d+)'")
_NAMED = 8
"""Deviations named in one sentence; the certificate lists all."""


def blind_spots(suite: Suite, tables: Tables, assessment: RunAssessment, bot: BotRef) -> list[str]:
    """Return the deviations not excluded that no applicable case can exclude, however often it is asked."""
    cases = [case for name, case in suite.cases.items() if name not in assessment.skipped]
    return [
        name
        for name in assessment.not_excluded
        if not any(shows(case, name, tables, bot.fixed_playouts) for case in cases)
    ]


def why_open(suite: Suite, tables: Tables, assessment: RunAssessment, bot: BotRef) -> str:
    """Return in words which deviations are not excluded, and what stood in the way."""
    count = len(assessment.not_excluded)
    text = f"could not exclude {count} known deviation{'s' if count != 1 else ''}"
    return "; ".join([text, *_causes(suite, tables, assessment, bot)])


def _causes(suite: Suite, tables: Tables, assessment: RunAssessment, bot: BotRef) -> Iterator[str]:
    blind = blind_spots(suite, tables, assessment, bot)
    refused = [reason for reason in assessment.skipped.values() if reason.startswith(REFUSES)]
    if refused:
        sizes = {int(found[1]) for reason in refused if (found := _SIZE.search(reason))}
        lines = ", ".join(str(size) for size in sorted(sizes))
        left_out = f"so not all was judged (cases left out: {len(refused)})"
        yield f"the bot refuses boards of {lines} lines, {left_out}"
    moves = [name for name in blind if bot.fixed_playouts and shows_in_choices_only(name)]
    others = [name for name in blind if name not in moves]
    if moves:
        yield f"with {bot.fixed_playouts:,} playouts a genmove {_names(moves)} cannot be excluded"
    if others:
        yield f"no case that it can be asked shows {_names(others)}"
    if later := [name for name in assessment.not_excluded if name not in blind]:
        yield f"what was asked says too little against {_names(later)}"


def _names(names: list[str]) -> str:
    if len(names) <= _NAMED:
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
