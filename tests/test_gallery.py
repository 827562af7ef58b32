"""The gallery holds what its page shows, and its verdicts are those of its evidence."""

import gzip
import re
from pathlib import Path

import msgspec
import pytest

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


@pytest.mark.parametrize("name", ["eyes", "c"])
def test_verdicts_are_those_of_the_evidence(name: str, tmp_path: Path) -> None:
    """Judged again, a run has the verdict that is kept beside it, digests included."""
    from harness.cases.suite import load_suite
    from harness.judging.verdict import Verdict
    from harness.records.evidence import read_evidence
    from harness.runs.record import judged

    path = tmp_path / "evidence.jsonl"
    path.write_bytes(gzip.decompress((GALLERY / name / "evidence.jsonl.gz").read_bytes()))
    recorded = msgspec.json.decode((GALLERY / name / "verdict.json").read_bytes(), type=Verdict)
    suite = load_suite()
    if recorded.suite.digest != suite.digest:
        pytest.skip("the gallery is of another suite; `make gallery` makes it anew")

    assert judged(suite, read_evidence(path)) == recorded
