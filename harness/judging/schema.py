"""The published JSON Schemas: of the verdict document and of the lines of an evidence file."""

import msgspec

from harness.judging.verdict import Verdict
from harness.records.evidence import Line


def schemas() -> dict[str, bytes]:
    """Return the schemas by file name, as they stand in docs/."""
    return {
        "verdict.schema.json": schema_text(Verdict),
        "evidence.schema.json": schema_text(Line),
    }


def schema_text(kind: object) -> bytes:
    """Return the schema of a type as a document."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(kind)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"
