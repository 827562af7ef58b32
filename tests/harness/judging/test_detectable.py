"""What a run could have seen, where the engine leaves little to choose."""

from collections import Counter

import msgspec
from certificates import shipped

from harness.cases.case import Case
from harness.judging.case_assessment import CaseAssessment
from harness.judging.detectable import detectable_of
from harness.judging.verdict import Estimate
from harness.tables.tables import ChoiceTable, Tables
from reference_engine.vocabulary import format_vertex

CASE = "rate-before-visits"
GENMOVES = 400


class OneMove(Tables):
    """Tables of an engine that always answers the same move."""

    move = ""

    def choice(self, case: Case) -> ChoiceTable:
        """Return a table with that move alone."""
        table = shipped()[1].choice(case)
        counts: Counter[str] = Counter()
        for cell, count in table.counts.items():
            counts[f"{self.move} {cell.split()[1]}"] += count
        return msgspec.structs.replace(table, counts=dict(counts), deviations={})


def test_another_move_than_the_only_one_is_seen() -> None:
    """With many playouts the engine may always choose the same; the statement is about any other move."""
    suite, _ = shipped()
    case = suite.cases[CASE]
    tables = OneMove(suite.folder / "tables")
    tables.move = format_vertex(case.legal_points[0])
    assert list(tables.moves(case).counts) == [tables.move]
    measured = Estimate("chosen moves", "total variation", 0.0, 0.1, 0.0, 0.15)
    moves = {tables.move: GENMOVES}
    assessed = CaseAssessment(case, genmoves=GENMOVES, moves=moves, intervals=lambda: (measured,))
    (found,) = detectable_of({case.id: assessed}, list(suite.cases.values()), tables)
    assert found.shift is not None
    assert 1 / GENMOVES < found.shift < 0.1
