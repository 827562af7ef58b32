"""The published schemas are those of the types."""

import json
from pathlib import Path

import pytest

from harness.judging.schema import schemas

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", sorted(schemas()))
def test_published_schema_is_current(name: str) -> None:
    """docs/ holds the schema of the types as they are; else write it anew with harness.judging.schema."""
    assert schemas()[name] == (DOCS / name).read_bytes()


def test_schemas_are_schemas() -> None:
    """Both are valid JSON Schema documents."""
    import jsonschema

    for text in schemas().values():
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
