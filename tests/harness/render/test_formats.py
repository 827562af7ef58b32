"""All formats alike: same evidence, same bytes; nothing a bot says unescaped; nothing of its environment."""

import io
import subprocess
import sys
from pathlib import Path

import msgspec
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_runs import HOSTILE, broken, header, judged_run, saying, units

from harness.records.evidence import FILE_NAME, Evidence
from harness.records.journal import Journal
from harness.render.formats import FORMATS, USUAL, Format, formats_of
from harness.report.judged_run import JudgedRun
from harness.report.secrets import HIDDEN

TEXT = [f for f in FORMATS if f.is_text]
SECRET = "s3cret-token-of-the-bot"  # noqa: S105 - to be looked for
ROOT = Path(__file__).parents[3]


def shown(each: Format, judged_runs: list[JudgedRun]) -> str:
    """Return all the text that a format holds."""
    data = each.render(judged_runs, strict=False)
    return data.decode() if each.is_text else pd.read_parquet(io.BytesIO(data)).to_csv()


@pytest.mark.parametrize("each", FORMATS, ids=lambda f: f.name)
def test_same_evidence_same_bytes(each: Format) -> None:
    """Twice the same evidence, put together anew, makes the same file."""
    first = [saying(HOSTILE), judged_run(units())]
    texts = [msgspec.json.encode(found.evidence) for found in first]
    read = [msgspec.json.decode(text, type=Evidence) for text in texts]
    again = [judged_run(evidence.units, evidence.header) for evidence in read]
    assert each.render(first, strict=False) == each.render(again, strict=False)


def test_same_bytes_in_another_process(tmp_path: Path) -> None:
    """The real command writes the bytes that are made here, whatever the seed of Python's hashes."""
    found = judged_run(units("=1"))
    folder = tmp_path / "run"
    folder.mkdir()
    with Journal(folder / FILE_NAME, found.evidence.header) as journal:
        for unit in found.evidence.units:
            journal.add(unit)
        journal.finish("complete", 1.0)
    names = [f"--format={f.name}" for f in TEXT]
    subprocess.run(
        [sys.executable, "-m", "harness", "report", str(folder), *names, "--out", str(tmp_path / "out")],
        check=True,
        cwd=ROOT,
        env={"PYTHONHASHSEED": "7", "TZ": "UTC7", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
    )
    for each in TEXT:
        assert (tmp_path / "out" / each.file).read_bytes() == each.render([found], strict=False)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(list(HOSTILE)) | st.characters(), min_size=1, max_size=12).map("".join))
def test_no_control_character_gets_through(text: str) -> None:
    """Whatever a bot says, every line of every format is printable."""
    found = [saying(text)]
    for each in TEXT:
        assert all(line.isprintable() or not line for line in shown(each, found).split("\n")), each.name


@pytest.mark.parametrize("each", FORMATS, ids=lambda f: f.name)
def test_no_value_of_the_environment_is_shown(each: Format) -> None:
    """A value of the bot's environment is in no report, even where the bot prints it; its name may be."""
    head = header(settings={"env": {"TOKEN": SECRET, "MODE": "fast"}}, version=SECRET)
    found = judged_run([*units(SECRET), broken(f"died: {SECRET}", f"env TOKEN={SECRET}")], head)
    text = shown(each, [found])
    assert SECRET not in text
    assert "fast" not in text
    if each.name == "markdown":
        assert "TOKEN" in text
        assert HIDDEN in text


def test_names_are_found() -> None:
    """A name stands for one format, or for all tables of one; the usual ones are there."""
    assert [f.name for f in formats_of("csv:checks")] == ["csv:checks"]
    assert len(formats_of("csv")) == len(formats_of("parquet")) == 4
    assert formats_of("csv:") == []
    assert all(formats_of(name) for name in USUAL)
    assert len({f.file for f in FORMATS}) == len(FORMATS)
