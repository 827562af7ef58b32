"""The published schemas are those of the types."""

import json
from pathlib import Path

import msgspec
import pytest
from judged_runs import broken, certified, header, judged_run

from harness.comparison.schema import schemas
from harness.document import document_bytes
from harness.records.evidence import Resumed

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", sorted(schemas()))
def test_published_schema_is_current(name: str) -> None:
    """docs/ holds the schema of the types as they are; else write it anew with harness.comparison.schema."""
    assert schemas()[name] == (DOCS / name).read_bytes()


def test_schemas_are_schemas() -> None:
    """Both are valid JSON Schema documents."""
    import jsonschema

    for text in schemas().values():
        jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_real_documents_are_of_their_schema() -> None:
    """Whole runs, with and without a mistake, and one of a bot that crashed, are what the schemas say."""
    import jsonschema

    text = schemas()
    of_verdict = jsonschema.Draft202012Validator(json.loads(text["verdict.schema.json"]))
    of_line = jsonschema.Draft202012Validator(json.loads(text["evidence.schema.json"]))
    crashed = judged_run([broken("it fell over", "last words")], header(settings={"env": {"A": "b"}}))
    runs = [
        certified("", "check"),
        certified("eye-edge-as-centre"),
        certified("nodes-without-passes", "check"),
    ]
    for evidence, verdict in [(e, v) for _, e, v in runs] + [(crashed.evidence, crashed.verdict)]:
        of_verdict.validate(json.loads(document_bytes(verdict)))
        again = Resumed("2026-01-01T00:00:00+00:00", "0", "test", 1.0)
        for line in (evidence.header, *evidence.units, again, evidence.footer):
            of_line.validate(json.loads(msgspec.json.encode(line)))


@pytest.mark.parametrize(
    "change", [{"verdict": "MELTED"}, {"requirements": None}, {"alpha": "small"}, {"bot": {"name": "x"}}]
)
def test_what_is_no_verdict_is_refused(change: dict[str, object]) -> None:
    """A document with a word that there is not, or a field of another kind, is not of the schema."""
    import jsonschema

    schema = jsonschema.Draft202012Validator(json.loads(schemas()["verdict.schema.json"]))
    document = json.loads(document_bytes(certified("", "check")[2]))
    assert schema.is_valid(document)
    assert not schema.is_valid(document | change)


def test_fields_say_what_they_mean() -> None:
    """Fields of the verdict carry the docstrings of the code."""
    fields = json.loads(schemas()["verdict.schema.json"])["$defs"]["Verdict"]["properties"]
    assert fields["reason"]["description"] == "One sentence."
    assert fields["frame"]["description"].startswith("Digest of the evidence file's other lines")
