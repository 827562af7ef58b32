"""The published JSON Schemas of a match: of match.json and of the lines of match.jsonl."""

from harness.comparison.schema import schema_text
from harness.match import record, summary, terms
from harness.match.record import Line
from harness.match.summary import Summary

_MODULES = (record, summary, terms)


def schemas() -> dict[str, bytes]:
    """Return the schemas by file name, as they stand in docs/."""
    return {
        "match.schema.json": schema_text(Summary, "The results of a match of refbot", _MODULES),
        "match-lines.schema.json": schema_text(
            Line, "One line of the record of a match (JSON Lines)", _MODULES
        ),
    }
