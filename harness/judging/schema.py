"""The published JSON Schemas: of verdicts, of the lines of an evidence file, and of a regression."""

import msgspec

from harness.judging.regression import Regression
from harness.judging.verdict import Verdict
from harness.records.evidence import Line


def schemas() -> dict[str, bytes]:
    """Return the schemas by file name, as they stand in docs/."""
    return {
        "verdict.schema.json": _text(Verdict),
        "evidence.schema.json": _text(Line),
        "regress.schema.json": _text(Regression),
    }


def _text(kind: object) -> bytes:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(kind)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"
