"""Runs as tables of pandas, and as CSV or Parquet files.

Text is made safe twice: characters that are not printable are escaped, and in CSV a cell that a spreadsheet
could take for a formula begins with an apostrophe (see ``as_csv``).
"""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec
import pandas as pd

from harness.bots.wire import printable
from harness.document import as_written
from harness.errors import UsageError
from harness.report.judged_run import JudgedRun, names_of

Kind = Literal["text", "Int64", "Float64", "boolean"]

_FORMULA: Final = ("=", "+", "-", "@", "'", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Characters with which a spreadsheet formula may begin, their full-width forms, and our own apostrophe."""
_LONG: Final = 4000
_COLUMNS: Final[dict[str, dict[str, Kind]]] = {
    "requirements": {
        "run": "text",
        "bot": "text",
        "level": "text",
        "run_verdict": "text",
        "requirement": "text",
        "verdict": "text",
        "reason": "text",
        "checks": "Int64",
        "playouts": "Int64",
        "seconds": "Float64",
    },
    "checks": {
        "run": "text",
        "bot": "text",
        "requirement": "text",
        "case": "text",
        "kind": "text",
        "verdict": "text",
        "reason": "text",
        "expected": "text",
        "observed": "text",
        "genmoves": "Int64",
        "playouts": "Int64",
        "log10_e": "Float64",
        "seconds": "Float64",
    },
    "estimates": {
        "run": "text",
        "bot": "text",
        "requirement": "text",
        "case": "text",
        "quantity": "text",
        "unit": "text",
        "value": "Float64",
        "radius": "Float64",
        "reference": "Float64",
        "tolerance": "Float64",
        "is_inside": "boolean",
        "playouts": "Int64",
        "sd": "Float64",
        "table_playouts": "Int64",
        "method": "text",
    },
    "observations": {
        "run": "text",
        "bot": "text",
        "case": "text",
        "requirement": "text",
        "unit": "Int64",
        "process": "Int64",
        "genmove": "Int64",
        "playouts": "Int64",
        "colour": "text",
        "move": "text",
        "nodes": "Int64",
        "score": "Float64",
        "said_playouts": "Int64",
        "seconds": "Float64",
        "exchanges": "Int64",
        "broken": "text",
        "notes": "text",
    },
}
"""The columns of each table.  ``run`` distinguishes runs of bots with the same name."""
_DTYPES: Final = {"text": "string", "Int64": "Int64", "Float64": "Float64", "boolean": "boolean"}


def frame(name: str, judged_runs: Sequence[JudgedRun]) -> pd.DataFrame:
    """Return one table with the rows of all runs."""
    rows = {
        "requirements": _requirements,
        "checks": _checks,
        "estimates": _estimates,
        "observations": _observations,
    }[name]
    columns = _COLUMNS[name]
    found = [
        {"run": run, **row}
        for run, judged_run in zip(names_of(judged_runs), judged_runs, strict=True)
        for row in rows(judged_run)
    ]
    cells = [[_cell(row[column], kind) for column, kind in columns.items()] for row in found]
    # Objects first: otherwise a column of whole numbers with gaps would be converted to floats.
    table = pd.DataFrame(cells, columns=list(columns), dtype=object)
    return table.astype({column: _DTYPES[kind] for column, kind in columns.items()})


def as_csv(table: pd.DataFrame) -> bytes:
    """Return a table as CSV: UTF-8, comma, every text in quotes, a missing number empty.

    A text that begins with a character of a formula, or with an apostrophe, gets an apostrophe before it.  To
    restore the text, remove one leading apostrophe.  No cell holds a line break or a tab.
    """
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.itertuples(index=False, name=None):
        writer.writerow([_plain(value) for value in row])
    return file.getvalue().encode()


def as_parquet(table: pd.DataFrame) -> bytes:
    """Return a table as Parquet; texts are unchanged.

    Raises:
        UsageError: pyarrow is not installed.
    """
    file = io.BytesIO()
    try:
        table.to_parquet(file, engine="pyarrow", index=False)
    except ImportError as error:
        raise UsageError(
            "--format parquet needs pyarrow, which is not installed: pip install pyarrow"
        ) from error
    return file.getvalue()


def _cell(value: Any, kind: Kind) -> Any:
    return printable(str(value), _LONG) if kind == "text" else value


def _plain(value: Any) -> Any:
    if value is pd.NA:
        return None
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return value


def _requirements(judged_run: JudgedRun) -> Iterator[dict[str, Any]]:
    verdict = judged_run.verdict
    for r in verdict.requirements:
        yield {
            "bot": verdict.bot.name,
            "level": verdict.level,
            "run_verdict": verdict.verdict,
            "requirement": r.id,
            "verdict": r.verdict,
            "reason": r.reason,
            "checks": len(r.checks),
            "playouts": sum(check.playouts for check in r.checks),
            "seconds": round(sum(judged_run.seconds(check.case) for check in r.checks), 6),
        }


def _checks(judged_run: JudgedRun) -> Iterator[dict[str, Any]]:
    for r in judged_run.verdict.requirements:
        for check in r.checks:
            yield {
                **msgspec.structs.asdict(check),
                "bot": judged_run.verdict.bot.name,
                "requirement": r.id,
                "seconds": round(judged_run.seconds(check.case), 6),
            }


def _estimates(judged_run: JudgedRun) -> Iterator[dict[str, Any]]:
    for r in judged_run.verdict.requirements:
        for check in r.checks:
            for estimate in check.estimates:
                yield {
                    **msgspec.structs.asdict(as_written(estimate)),
                    "bot": judged_run.verdict.bot.name,
                    "requirement": r.id,
                    "case": check.case,
                    "is_inside": estimate.is_inside,
                    "table_playouts": estimate.table,
                }


def _observations(judged_run: JudgedRun) -> Iterator[dict[str, Any]]:
    yield from (msgspec.structs.asdict(row) for row in judged_run.observations())
