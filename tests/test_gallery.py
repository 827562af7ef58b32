"""The gallery holds what its page shows, and its verdicts are those of its evidence."""

import gzip
import json
import re
import runpy
from pathlib import Path

import pytest

from harness.cases.suite import load_suite

GALLERY = Path(__file__).parents[1] / "reports" / "gallery"
RUNS = sorted(path.parent for path in GALLERY.glob("*/evidence.jsonl.gz"))
A_PATH = re.compile(rb"(?<![\w.:/<~+-])/(?:[\w.-]+/)+[\w.-]*")
"""From the root; no address, no end of an element, no fraction."""


def test_every_link_of_the_page_leads_somewhere() -> None:
    """Pictures and reports are there."""
    links = re.findall(r"\]\(([^)#]+)\)", (GALLERY / "README.md").read_text("utf-8"))

    assert len(links) > 12
    assert [link for link in links if not (GALLERY / link).is_file()] == []


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_nothing_of_this_machine_is_in_it(run: Path) -> None:
    """No path of whoever built it, in evidence or reports."""
    texts = [gzip.decompress((run / "evidence.jsonl.gz").read_bytes())]
    texts += [path.read_bytes() for path in run.iterdir() if path.suffix in {".html", ".json", ".md", ".xml"}]

    assert len(texts) > 4
    assert [found for text in texts for found in A_PATH.findall(text)] == []


@pytest.mark.parametrize(
    "name", ["eyes/verdict.json", "c/verdict.json", "comparison/comparison.json", "match/match.json"]
)
def test_documents_are_those_of_the_evidence(name: str) -> None:
    """Judged again, on whatever machine, a run or a match has the very bytes that are kept beside it."""
    path = GALLERY / name
    verdict = json.loads((GALLERY / "eyes" / "verdict.json").read_bytes())
    if not name.startswith("match") and verdict["suite"]["digest"] != load_suite().digest:
        pytest.skip("the gallery is of another suite; `make gallery` makes it anew")

    assert runpy.run_path(str(GALLERY / "build.py"))["document_of"](path) == path.read_bytes()
