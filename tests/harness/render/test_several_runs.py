"""Comparisons, regressions and checks: the answer first, and on a terminal no more than is read."""

import io

import msgspec
from judged_runs import certified
from rich.console import Console

from harness.comparison.bot_comparison import BotComparison, OddBot, Speed
from harness.comparison.regression import (
    DRIFTED,
    LESS_EVIDENCE,
    NEWLY_FAILING,
    Change,
    MeasureShift,
    Regression,
)
from harness.render.check import render_check
from harness.render.comparison import answer_of, apart
from harness.render.regress import render_regression
from harness.render.regress_page import render_regression_page

KO = "R2 is broken: playouts have no ko rule (no-ko); 8 exact checks failed"
_RUN = {
    "folder": "runs/1", "verdict": "PASS", "level": "standard", "refbot": "0", "suite": "s", "engine": "e",
    "evidence": "v", "bot": "bot", "executable": "x", "playouts": 1,
}  # fmt: skip


def compared(verdicts: dict[str, str], odd: list[str], classes: list[list[str]]) -> BotComparison:
    """Return a comparison of bots that broke R2 or nothing; the first class is like the reference."""
    failed = [verdict == "FAIL" for verdict in verdicts.values()]
    return BotComparison(
        list(verdicts), list(verdicts.values()), [], classes,
        [OddBot(name, "a", "length", 3.0, "R2", "length 9 moves") for name in odd], [],
        [Speed(1, 1, 1.0)] * len(failed), "", 0, [],
        ["R2" if f else "" for f in failed], [KO if f else "every check passed" for f in failed],
    )  # fmt: skip


def test_of_two_bots_the_wrong_one_is_named_with_its_rule() -> None:
    """Neither of two bots is odd; still the answer says which one fails, and why."""
    found = compared({"c": "PASS", "wrong": "FAIL"}, [], [["c"], ["wrong"]])
    assert apart(found) == [1]
    assert answer_of(found) == ("wrong", "breaks R2: playouts have no ko rule (no-ko); 8 exact checks failed")


def test_every_bot_that_stands_apart_is_named() -> None:
    """Failed bots that are not odd are not left out; an odd one that passed comes last."""
    words = {"a": "PASS", "b": "FAIL", "c": "FAIL", "d": "PASS", "e": "CRASH"}
    found = compared(words, ["c"], [["a", "d"], ["b"], ["c"]])
    assert [found.bots[place] for place in apart(found)] == ["c", "b", "e"]
    assert answer_of(found)[1].startswith("breaks R2, and 2 more stand apart: ")
    found = compared({"a": "PASS", "b": "FAIL", "c": "FAIL"}, ["a"], [["a"], ["b", "c"]])
    assert [found.bots[place] for place in apart(found)] == ["b", "c", "a"]


def test_bots_that_agree_are_all_named() -> None:
    """Nothing stands apart: the answer names everybody."""
    found = compared({"a": "PASS", "b": "NON-STRICT"}, [], [["a", "b"]])
    assert answer_of(found) == ("a, b", "like the reference")


def regressed(cases: int) -> Regression:
    """Return a regression with one broken rule, many cases, and drift of a case with a long name."""
    names = [f"a-case-with-a-very-long-name-of-forty-{i:02}" for i in range(cases)]
    changes = [Change("requirement", "R2", NEWLY_FAILING, "PASS", "FAIL", "no ko rule", counts=True)]
    changes += [
        Change("case", n, NEWLY_FAILING, "PASS", "FAIL", "length 15 moves", counts=True) for n in names
    ]
    changes += [Change("case", f"{n}-x", LESS_EVIDENCE, "PASS", "INCONCLUSIVE", "not judged") for n in names]
    shift = MeasureShift(
        names[0], "length", "moves", DRIFTED, 11.1331, 15.4136, 0.8, 26, 2.6, 13008, 0.1, 1, "z"
    )
    return msgspec.convert(
        {
            "schema": 1, "then": _RUN, "now": _RUN, "outcome": "FAIL",
            "reasons": [f"{c.id} is newly failing: {c.reason}" for c in changes if c.counts],
            "changes": msgspec.to_builtins(changes), "unchanged": {}, "suite_changes": [],
            "shifts": msgspec.to_builtins([shift] * cases), "speeds": [], "rates": None, "stale": [],
            "notes": [], "alpha": 1e-3, "speed_margin": 0.05,
        },
        Regression,
    )  # fmt: skip


def test_regression_is_short_and_whole_on_a_terminal() -> None:
    """Many failures take no more lines than a few; names and figures are not cut off at 80 columns."""
    texts = []
    for cases in (6, 60):
        file = io.StringIO()
        Console(file=file, width=80, color_system=None).print(render_regression(regressed(cases)))
        texts.append(file.getvalue())
    few, many = texts
    assert len(many.splitlines()) == len(few.splitlines()) <= 45
    assert "R2 is newly failing: no ko rule" in many
    assert "and 60 more reasons" in many
    assert "less evidence: 60 cases" in many
    assert "11.1331" in many
    assert "15.4136" in many
    assert "…" not in many


def test_regression_page_opens_with_what_counts() -> None:
    """Four reasons stand open, the others and what does not count are folded; a link leads to the boards."""
    page = render_regression_page(regressed(30))
    head = page[: page.index("What changed")]
    assert head.count("is newly failing") == 31
    assert head[: head.index("<details")].count("is newly failing") == 4
    assert '<a href="report.html">' in head
    counted, others = page[page.index("What changed") :].split("not counted against the bot")
    assert LESS_EVIDENCE not in counted
    assert others.count(LESS_EVIDENCE) == 30


def test_check_folds_sections_that_are_kept() -> None:
    """A check of a good bot fits a screen; --verbose has every clause; a broken clause is always shown."""
    lines = {}
    for deviation in ("", "undo-keeps-stone"):
        run, _, verdict = certified(deviation, "check")
        for verbose in (False, True):
            file = io.StringIO()
            shown = render_check(verdict, run.suite, "run", verbose=verbose)
            Console(file=file, width=80, color_system=None).print(shown)
            lines[deviation, verbose] = file.getvalue().splitlines()
    assert len(lines["", False]) <= 40
    assert len(lines["", True]) > 80
    assert any("undo takes the last move back" in line for line in lines["undo-keeps-stone", False])
    assert not any("undo takes the last move back" in line for line in lines["", False])
    assert any("undo takes the last move back" in line for line in lines["", True])
