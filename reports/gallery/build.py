"""Builds the gallery: real runs by the real command, their reports, and pictures of both.

    make gallery                                 or: python reports/gallery/build.py
    python reports/gallery/build.py --reports    verdicts, reports and pictures anew, from the evidence kept
    python reports/gallery/build.py --match      the match anew, and that

Takes some minutes.  Chromium (found on PATH, driven by playwright) makes the pictures.  Evidence is kept
compressed; `gunzip -k` it, and `refbot verify` computes everything again.
"""

import gzip
import os
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import msgspec
from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.text import Text

from harness.cases.suite import load_suite
from harness.judging.judge import verdict_json
from harness.match.summary import Summary
from harness.records.evidence import read_evidence
from harness.render.match_page import render_match_page
from harness.runs.record import VERDICT_NAME, judged

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
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
    screens = {}
    if not {"--reports", "--match"} & set(sys.argv[1:]):
        for name, command in CERTIFICATES.items():
            screens[name] = refbot("certify", f"{name}={command}", name)
        bots = [f"{name}={command}" for name, command in CERTIFICATES.items()]
        screens["comparison"] = refbot("compare", *bots, "comparison")
        screens["before"] = refbot("certify", "--baseline", f"mybot={ENGINE}", "before")
        screens["regression"] = refbot(
            "regress", str(HERE / "before"), f"mybot={ENGINE} --deviation amaf-own-first", "regression"
        )
    if "--reports" not in sys.argv[1:]:
        screens["match"] = play_match()
    for packed in HERE.rglob("evidence.jsonl.gz"):
        packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    found = sorted(path.parent for path in HERE.rglob("evidence.jsonl"))
    for folder in found:
        judge_again(folder)
    for folder in (*CERTIFICATES, "before", "regression"):
        formats = ("html", "junit", "markdown", "badge")
        refbot("report", str(HERE / folder), *(word for f in formats for word in ("--format", f)), folder)
    refbot("report", str(HERE / "comparison"), "--format", "html", "--format", "junit", "comparison")
    summary = msgspec.json.decode((HERE / "match" / "match.json").read_bytes(), type=Summary)
    (HERE / "match" / "match.html").write_text(render_match_page(summary), "utf-8")
    for folder in found:
        compress(folder / "evidence.jsonl")
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
    compress(HERE / "match" / "match.jsonl")
    for path in [*(HERE / "match" / "games").iterdir(), *(HERE / "match").glob("*.dat")]:
        if path.name != "000001.sgf":
            path.unlink()
    return screen


def judge_again(folder: Path) -> None:
    """Write the verdict on a run as this refbot reaches it; transcripts are in the evidence anyway."""
    evidence = read_evidence(folder)
    verdict = judged(load_suite().for_bot(evidence.header.bot.fixed_playouts), evidence)
    (folder / VERDICT_NAME).write_bytes(verdict_json(verdict))
    for transcript in folder.glob("transcript-*.txt"):
        transcript.unlink()


def refbot(*words: str) -> str:
    """Run refbot as somebody at a terminal would, into the folder named last; return what it printed."""
    *words_, folder = words
    target = HERE / folder
    if words_[0] != "report":
        shutil.rmtree(target, ignore_errors=True)
    print("refbot", *words_, flush=True)
    environment = {**os.environ, "FORCE_COLOR": "1", "PATH": _path()}
    done = subprocess.run(
        ["refbot", *words_, *(["--quiet"] if words_[0] != "report" else []), "--out", str(target)],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    if done.returncode not in {0, 1}:
        raise SystemExit(f"refbot {words_[0]} ended with status {done.returncode}:\n{done.stderr}")
    return done.stdout.replace(f"{ROOT}/", "")


def _path() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def compress(path: Path) -> None:
    """Put a file away as .gz, the same bytes each time."""
    with gzip.GzipFile(f"{path}.gz", "wb", mtime=0) as packed:
        packed.write(path.read_bytes())
    path.unlink()


def photograph(
    browser: Browser, file: Path, page: Path, width: int, height: int, scheme: str, element: str
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


def photograph_terminal(browser: Browser, file: Path, text: str) -> None:
    """Take a picture of what a command printed, in its colours."""
    console = Console(record=True, width=160, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text.rstrip()), soft_wrap=True)
    view = browser.new_page()
    view.set_content(console.export_svg(title="refbot"))
    view.locator("svg").first.screenshot(path=file)
    view.close()


if __name__ == "__main__":
    main()
