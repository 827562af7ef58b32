"""The formats of a report, with the name, the file and the renderer of each.

A new format is one module that turns runs into bytes, and one entry here.  A renderer is imported when it is
needed, because some import pandas or draw pictures.
"""
# ruff: noqa: PLC0415 - see above

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from harness.report.judged_run import JudgedRun


class Render(Protocol):
    """A function that renders runs as a file."""

    def __call__(self, judged_runs: Sequence[JudgedRun], *, strict: bool) -> bytes:
        """Return the file.  If ``strict``, NON-STRICT counts as a failure."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format, or one table of a format that has several."""

    name: str
    file: str
    """The file's name in a run's folder."""
    about: str
    render: Render
    is_text: bool = True
    """Whether it may be printed on a terminal."""


def _html(judged_runs: Sequence[JudgedRun], *, strict: bool) -> bytes:  # noqa: ARG001
    # Without this, matplotlib reports on standard error that it builds its list of fonts.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from harness.comparison.compare import compare_judged_runs
    from harness.render.html import render_html
    from harness.report.run_report import run_report_of

    run_reports = [run_report_of(a.suite, a.tables, a.evidence, a.verdict) for a in judged_runs]
    return render_html(run_reports, compare_judged_runs(judged_runs)).encode()


def _junit(judged_runs: Sequence[JudgedRun], *, strict: bool) -> bytes:
    from harness.render.junit import render_junit

    return render_junit(judged_runs, strict=strict)


def _markdown(judged_runs: Sequence[JudgedRun], *, strict: bool) -> bytes:  # noqa: ARG001
    from harness.render.markdown import render_markdown

    return render_markdown(judged_runs)


def _badge(judged_runs: Sequence[JudgedRun], *, strict: bool) -> bytes:  # noqa: ARG001
    from harness.render.badge import render_badge

    return render_badge(judged_runs)


def _csv(judged_runs: Sequence[JudgedRun], *, strict: bool, table: str) -> bytes:  # noqa: ARG001
    from harness.render.frames import as_csv, frame

    return as_csv(frame(table, judged_runs))


def _parquet(judged_runs: Sequence[JudgedRun], *, strict: bool, table: str) -> bytes:  # noqa: ARG001
    from harness.render.frames import as_parquet, frame

    return as_parquet(frame(table, judged_runs))


_TABLES: Final = ("requirements", "checks", "estimates", "observations")


def _tables() -> Iterator[Format]:
    for table in _TABLES:
        yield Format(f"csv:{table}", f"{table}.csv", f"the table of {table}", partial(_csv, table=table))
    for table in _TABLES:
        render = partial(_parquet, table=table)
        yield Format(f"parquet:{table}", f"{table}.parquet", f"the table of {table}", render, is_text=False)


FORMATS: Final = (
    Format("html", "report.html", "one page for people, with boards and charts", _html),
    Format("junit", "junit.xml", "JUnit XML for build servers", _junit),
    Format("markdown", "report.md", "Markdown for pull requests and step summaries", _markdown),
    Format("badge", "badge.json", "JSON for a badge of shields.io", _badge),
    *_tables(),
)
USUAL: Final = ("html", "junit", "markdown")
"""The formats that are written if none is asked for."""
LEFT: Final = ("html", "junit")
"""The formats that every certificate and every check leaves in its folder."""


def formats_of(name: str) -> list[Format]:
    """Return the formats of a name: one, all tables of csv or parquet, or an empty list if it is unknown."""
    return [f for f in FORMATS if f.name == name or f.name.partition(":")[0] == name]
