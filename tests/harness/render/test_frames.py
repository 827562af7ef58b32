"""Tables of runs: numbers are numbers, text is text, and no spreadsheet takes a cell for a formula."""

import csv
import io
from collections import Counter

import msgspec
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_runs import broken, certified, header, judged_run, saying, units

from harness.errors import UsageError
from harness.render import frames
from harness.render.formats import FORMATS
from harness.render.frames import as_csv, as_parquet, frame
from harness.report.observations import Observation

TABLES = tuple(frames._COLUMNS)
SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "'", '"', ",", ";", "\uff1d", " ", "cmd|' /C calc'!A0", "\x00")


def rows_of(data: bytes) -> list[list[str]]:
    """Read a CSV file as a spreadsheet would."""
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(SIGNS) | st.characters(), max_size=6).map("".join))
def test_no_cell_is_a_formula(text: str) -> None:
    """Whatever a bot is called and says, no text begins with a sign of a formula, and every row is whole."""
    found = judged_run([broken(text.encode("utf-8", "backslashreplace").decode())], header())
    name = text.encode("utf-8", "backslashreplace").decode()
    bot = msgspec.structs.replace(found.verdict.bot, name=name)
    head = msgspec.structs.replace(found.evidence.header, bot=bot)
    object.__setattr__(found, "verdict", msgspec.structs.replace(found.verdict, bot=bot))
    object.__setattr__(found, "evidence", msgspec.structs.replace(found.evidence, header=head))
    for table in TABLES:
        data = as_csv(frame(table, [found]))
        columns, *rows = rows_of(data)
        assert columns == list(frames._COLUMNS[table])
        for row in rows:
            assert len(row) == len(columns)
            for column, cell in zip(columns, row, strict=True):
                assert cell.isprintable()
                if frames._COLUMNS[table][column] == "text":
                    assert not cell.startswith(("=", "+", "-", "@", "\uff1d"))


def test_a_text_comes_back_as_it_was() -> None:
    """One leading apostrophe taken away gives the text again, whichever it began with."""
    texts = ["=1", "'=1", "''", "plain", "@x", "-1", "+", ""]
    data = as_csv(pd.DataFrame({"a": pd.array(texts, dtype="string")}))
    assert texts == [cell.removeprefix("'") for (cell,) in rows_of(data)[1:]]


def test_numbers_stay_numbers() -> None:
    """Negative numbers are not quoted, missing ones are missing, and pandas reads what pandas had."""
    found, _, _ = certified("eye-edge-as-centre")
    for table in TABLES:
        before = frame(table, [found])
        after = pd.read_csv(
            io.BytesIO(as_csv(before)), dtype=dict(before.dtypes), keep_default_na=False, na_values=[""]
        )
        for column, kind in frames._COLUMNS[table].items():
            if kind != "text":
                pd.testing.assert_series_equal(before[column], after[column])
    low = pd.DataFrame(
        {"a": pd.array([-1.5, None], dtype="Float64"), "b": pd.array([-3, 2**60 + 1], dtype="Int64")}
    )
    assert as_csv(low) == b'"a","b"\n-1.5,-3\n"",1152921504606846977\n'


def test_a_row_for_every_genmove() -> None:
    """Observations hold every genmove that was asked, with its figures, and the seconds add up."""
    found, evidence, _ = certified("", "check")
    table = frame("observations", [found])
    asked = Counter(
        unit.case for unit in evidence.units for sent, _ in unit.exchanges if sent.startswith("genmove")
    )
    seen = Counter(table[table["genmove"] > 0]["case"])
    assert asked <= seen
    assert float(table["seconds"].sum()) == pytest.approx(sum(unit.seconds for unit in evidence.units))
    judged = table[table["nodes"].notna()]
    assert len(judged) > 0
    assert judged["score"].between(0, 1).all()


def test_figures_are_those_of_the_replies() -> None:
    """A genmove's row has its move, its nodes and its score, as the bot gave them."""
    found = judged_run(units())
    row = next(o for o in found.observations() if o.nodes is not None)
    unit = found.evidence.units[row.unit - 1]
    said = {sent.split()[0]: raw[1:].strip() for sent, raw in unit.exchanges}
    assert (row.move, str(row.nodes), row.score) == (
        said["genmove"].upper(),
        said["ref-nodes"],
        float(said["ref-score"]),
    )


def test_unreadable_figures_are_missing() -> None:
    """A bot that answers no numbers has rows without numbers, and none for nothing."""
    rows = list(saying("NaN").observations())
    assert len(rows) > 0
    assert {(row.nodes, row.score) for row in rows} == {(None, None)}


def test_several_runs_stand_one_below_the_other() -> None:
    """Runs of bots with one name are told apart by the column run."""
    table = frame("checks", [judged_run(units()), judged_run(units())])
    assert set(table["run"]) == {"bot", "bot (2)"}
    assert set(table["bot"]) == {"bot"}


def test_columns_are_those_of_an_observation() -> None:
    """No field of an observation is left out."""
    assert set(frames._COLUMNS["observations"]) == {"run", *Observation.__struct_fields__}
    named = {f.name.partition(":")[2] for f in FORMATS if f.name.startswith("csv:")}
    assert named == set(TABLES)


def test_parquet_holds_the_same() -> None:
    """Where pyarrow is installed the tables come back with their types and their texts as they were."""
    pytest.importorskip("pyarrow")
    for table in TABLES:
        before = frame(table, [saying("=1+1")])
        pd.testing.assert_frame_equal(
            before, pd.read_parquet(io.BytesIO(as_parquet(before))), check_dtype=False
        )


def test_parquet_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyarrow the error says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(UsageError, match="pip install pyarrow"):
        as_parquet(pd.DataFrame({"a": [1]}))
