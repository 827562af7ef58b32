"""The published JSON Schemas: of verdicts, of the lines of an evidence file, of comparisons and regressions.

What a field means is taken from the docstring under it, so that schema and code cannot drift apart.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any, Final

import msgspec

from harness.comparison import bot_comparison, regression
from harness.comparison.bot_comparison import BotComparison
from harness.comparison.regression import Regression
from harness.document import document_bytes
from harness.judging import verdict
from harness.judging.verdict import Verdict
from harness.records import evidence
from harness.records.evidence import Line
from harness.word import Word

_WORDS: Final = (
    ("Verdict", "verdict"),
    ("RequirementVerdict", "verdict"),
    ("Check", "verdict"),
    ("StepVerdict", "verdict"),
    ("StepFault", "verdict"),
    ("Broken", "word"),
)
"""Fields that hold one of the closed set of words."""


_MODULES: Final = (verdict, evidence, bot_comparison, regression)


def schemas() -> dict[str, bytes]:
    """Return the schemas by file name, as they stand in docs/."""
    return {
        "verdict.schema.json": schema_text(
            Verdict, "What a run of refbot showed, requirement by requirement"
        ),
        "evidence.schema.json": schema_text(Line, "One line of an evidence file of refbot (JSON Lines)"),
        "comparison.schema.json": schema_text(BotComparison, "What a comparison of bots by refbot showed"),
        "regress.schema.json": schema_text(Regression, "What became of a bot since an earlier run"),
    }


def schema_text(kind: object, title: str, modules: Iterable[ModuleType] = _MODULES) -> bytes:
    """Return the schema of a type, described by what stands under its fields in these modules."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **msgspec.json.schema(kind),
    }
    described = {(owner, name): text for owner, name, text in _docstrings(modules)}
    for owner, definition in schema["$defs"].items():
        for name, field in definition.get("properties", {}).items():
            _describe(field, described.get((owner, name), ""))
            if (owner, name) in _WORDS:
                field["enum"] = [word.value for word in Word]
    return document_bytes(schema)


def _describe(field: dict[str, Any], text: str) -> None:
    if text:
        field["description"] = text


def _docstrings(modules: Iterable[ModuleType]) -> Iterator[tuple[str, str, str]]:
    """Yield class, field and the docstring under the field."""
    for module in modules:
        for node in ast.parse(inspect.getsource(module)).body:
            if not isinstance(node, ast.ClassDef):
                continue
            for field, after in zip(node.body, node.body[1:], strict=False):
                match field, after:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                        value=ast.Constant(value=str(text))
                    ):
                        yield node.name, name, " ".join(text.split())
