"""Builds the gallery: real runs by the real command, their reports, and pictures of both.

    make gallery                                 or: python reports/gallery/build.py
    python reports/gallery/build.py --judge      every verdict.json and its like anew, from the evidence
    python reports/gallery/build.py --reports    those, reports and pictures anew, from the evidence
    python reports/gallery/build.py --match      the match anew, and all that

Takes some minutes; with `--judge` some seconds, for nothing is run.  Chromium (found on PATH, driven by
playwright) makes the pictures.  Evidence is kept compressed; `gunzip -k` it, and `refbot verify` computes
everything again.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.text import Text

from harness.cases.suite import Suite, load_suite
from harness.comparison.compare import compare_judged_runs
from harness.document import document_bytes
from harness.judging.judge import judge
from harness.match.record import FILE_NAME as MATCH_FILE
from harness.match.record import GameRecord, MatchHeader, read_header, read_match
from harness.match.run import new_tally
from harness.match.store import SUMMARY_NAME
from harness.match.summary import Summary, summarize
from harness.match.tally import outcome_of
from harness.records.evidence import FILE_NAME as RUN_FILE
from harness.records.evidence import read_evidence
from harness.render.match_page import render_match_page
from harness.report.judged_run import JudgedRun, judged_run_of
from harness.runs.record import COMPARISON_NAME, VERDICT_NAME
from harness.tables.tables import Tables

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
_COLUMNS = 160
"""Width of the terminals in pictures: that of refbot where standard output is no terminal."""
C = "examples/refbot-c --playouts {playouts}"
PYTHON = "python3 examples/refbot.py --playouts {playouts}"
ENGINE = "refbot engine --playouts {playouts}"

CERTIFICATES = {
    "engine": ENGINE,
    "c": C,
    "python": PYTHON,
    "scan": f"{ENGINE} --deviation list-scan",
    "eyes": f"{ENGINE} --deviation eye-edge-as-centre",
    "amaf": f"{ENGINE} --deviation amaf-own-first",
}
"""Three conforming bots, and three with mistakes that real authors made or easily make."""

PLAYERS = {
    "plain": ENGINE,
    **{name: f"{ENGINE} --search {name}" for name in ("decay", "futures", "gobble", "2008-10-11")},
    "gnugo": "/usr/games/gnugo --mode gtp --level 1",
}
"""The embedded engines, and a program of another kind."""

PICTURES = (
    ("eyes.png", "eyes/report.html", 1400, 1250, "light", ""),
    ("eyes-board.png", "eyes/report.html", 1400, 1000, "light", "[id$=eye-edge-one-enemy-is-no-eye]"),
    ("eyes-phone.png", "eyes/report.html", 360, 780, "dark", ""),
    ("scan-statistics.png", "scan/report.html", 1400, 1100, "light", "[id$=uniform-between-two-points]"),
    ("match.png", "match/match.html", 1400, 1250, "light", ""),
    ("comparison.png", "comparison/report.html", 1400, 1250, "light", ""),
    ("comparison-side-by-side.png", "comparison/report.html", 1400, 1250, "dark", "#side"),
)
"""File, page, width, height, light or dark, and the element that stands at the top."""


def main() -> None:
    """Make everything anew, or what is made from evidence."""
    os.chdir(ROOT)
    if "--judge" in sys.argv[1:]:
        judge_again()
        return
    screens = {}
    if not {"--reports", "--match"} & set(sys.argv[1:]):
        for name, command in CERTIFICATES.items():
            screens[name] = refbot("certify", f"{name}={command}", name)
        bots = [f"{name}={command}" for name, command in CERTIFICATES.items()]
        screens["comparison"] = refbot("compare", *bots, "comparison")
        screens["before"] = refbot("certify", "--baseline", f"mybot={ENGINE}", "before")
        screens["regression"] = refbot(
            "regress", name_of(HERE / "before"), f"mybot={ENGINE} --deviation amaf-own-first", "regression"
        )
    if "--reports" not in sys.argv[1:]:
        screens["match"] = play_match()
    for packed in HERE.rglob(f"{RUN_FILE}.gz"):
        packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    judge_again()
    found = sorted(path.parent for path in HERE.rglob(RUN_FILE))
    for folder in (*CERTIFICATES, "before", "regression"):
        formats = ("html", "junit", "markdown", "badge")
        refbot("report", name_of(HERE / folder), *(word for f in formats for word in ("--format", f)), folder)
    refbot("report", name_of(HERE / "comparison"), "--format", "html", "--format", "junit", "comparison")
    summary = msgspec.json.decode((HERE / "match" / SUMMARY_NAME).read_bytes(), type=Summary)
    (HERE / "match" / "match.html").write_text(render_match_page(summary), "utf-8")
    for folder in found:
        compress(folder / RUN_FILE)
    take_pictures(screens)


def take_pictures(screens: dict[str, str]) -> None:
    """Take all pictures of pages, and those of what was printed."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only pictures need it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for file, page, width, height, scheme, element in PICTURES:
            photograph(browser, HERE / file, HERE / page, width, height, scheme, element)
        for name in {"eyes", "comparison", "regression", "match"} & set(screens):
            photograph_terminal(browser, HERE / f"terminal-{name}.png", screens[name])
        browser.close()


def play_match() -> str:
    """Play a round robin, and keep its page, its record and one game; return what was printed."""
    bots = [f"{name}={command}" for name, command in PLAYERS.items()]
    how = ("--playouts", "500", "--games", "40", "--size", "9", "--jobs", "2")
    screen = refbot("match", *bots, *how, "match")
    compress(HERE / "match" / MATCH_FILE)
    for path in [*(HERE / "match" / "games").iterdir(), *(HERE / "match").glob("*.dat")]:
        if path.name != "000001.sgf":
            path.unlink()
    return screen


def judge_again() -> None:
    """Write every document as this refbot makes it; remove transcripts, which are in the evidence anyway."""
    for path in document_paths():
        path.write_bytes(document_of(path))
    for transcript in HERE.rglob("transcript-*.txt"):
        transcript.unlink()


def document_paths() -> list[Path]:
    """Return where the gallery has documents, or should have them."""
    runs = {path.parent for name in (RUN_FILE, f"{RUN_FILE}.gz") for path in HERE.rglob(name)}
    verdicts = [folder / VERDICT_NAME for folder in sorted(runs)]
    return [*verdicts, HERE / "comparison" / COMPARISON_NAME, HERE / "match" / SUMMARY_NAME]


def document_of(path: Path) -> bytes:
    """Return a document of the gallery, from the evidence beside it or below it."""
    folder = path.parent
    if path.name == VERDICT_NAME:
        return document_bytes(judged_run(folder).verdict)
    if path.name == COMPARISON_NAME:
        return document_bytes(compare_judged_runs([judged_run(folder / name) for name in CERTIFICATES]))
    return document_bytes(summary_of(folder))


def judged_run(folder: Path) -> JudgedRun:
    """Judge a run."""
    suite, tables = installed()
    with unpacked(folder, RUN_FILE) as place:
        evidence = read_evidence(place)
    return judged_run_of(suite, tables, evidence, judge(suite, tables, evidence))


def summary_of(folder: Path) -> Summary:
    """Count the games of a match; how long it took is told by the summary alone."""
    elapsed_s = json.loads((folder / SUMMARY_NAME).read_bytes())["elapsed_s"]
    with unpacked(folder, MATCH_FILE) as place:
        header = read_header(place)
        tally = new_tally(header, header.games)

        def see(header: MatchHeader, game: GameRecord) -> None:
            tally.add(outcome_of(game, header, tally.schedule))

        read_match(place, see)
    tally.drain()
    return summarize(header, tally, elapsed_s, None)


@cache
def installed() -> tuple[Suite, Tables]:
    """Return the suite and its tables; every bot of the gallery takes the number of playouts it is given."""
    suite = load_suite()
    return suite, Tables(suite.folder / "tables")


@contextmanager
def unpacked(folder: Path, name: str) -> Iterator[Path]:
    """Yield a folder in which a file of another, kept compressed there or not, lies as it was."""
    packed = folder / f"{name}.gz"
    if not packed.exists():
        yield folder
        return
    with TemporaryDirectory() as place:
        Path(place, name).write_bytes(gzip.decompress(packed.read_bytes()))
        yield Path(place)


def name_of(folder: Path) -> str:
    """Return a folder's name as it is typed in the checkout."""
    return str(folder.relative_to(ROOT))


def refbot(*words: str) -> str:
    """Run refbot as somebody at a terminal would, into the folder named last; return what it printed."""
    *words_, folder = words
    target = HERE / folder
    if words_[0] != "report":
        shutil.rmtree(target, ignore_errors=True)
    print("refbot", *words_, flush=True)
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(_COLUMNS), "PATH": _path()}
    done = subprocess.run(
        ["refbot", *words_, *(["--quiet"] if words_[0] != "report" else []), "--out", name_of(target)],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    if done.returncode not in {0, 1}:
        raise SystemExit(f"refbot {words_[0]} ended with status {done.returncode}:\n{done.stderr}")
    return done.stdout


def _path() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def compress(path: Path) -> None:
    """Put a file away as .gz, the same bytes each time."""
    with gzip.GzipFile(f"{path}.gz", "wb", mtime=0) as packed:
        packed.write(path.read_bytes())
    path.unlink()


def photograph(
    browser: "Browser", file: Path, page: Path, width: int, height: int, scheme: str, element: str
) -> None:
    """Take a picture of a page, from the top or from an element down."""
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light", viewport={"width": width, "height": height}
    )
    view = context.new_page()
    view.goto(page.as_uri())
    if element:
        place = view.locator(element).first
        place.evaluate("e => { for (let p = e; p; p = p.parentElement) if ('open' in p) p.open = true }")
        top = "(e.closest('details') || e).getBoundingClientRect().top"
        place.evaluate(f"e => window.scrollTo(0, {top} + window.scrollY - 60)")
    view.screenshot(path=file)
    context.close()


def photograph_terminal(browser: "Browser", file: Path, text: str) -> None:
    """Take a picture of what a command printed, in its colours."""
    console = Console(record=True, width=_COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text.rstrip()), soft_wrap=True)
    view = browser.new_page()
    view.set_content(console.export_svg(title="refbot"))
    view.locator("svg").first.screenshot(path=file)
    view.close()


if __name__ == "__main__":
    main()
