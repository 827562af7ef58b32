"""What stands first: the clearest failure, the accepted reading, and nothing cut off."""

import io

import msgspec
import pytest
from judged_runs import header, judged_run, units
from rich.console import Console

from harness.judging.verdict import Check, Verdict
from harness.render.brief import render_brief
from harness.render.html import render_html
from harness.render.suspects import probability_text
from harness.render.terminal import failed_checks
from harness.report.judged_run import JudgedRun
from harness.report.lenient_reading import reading_of
from harness.report.run_report import command_to_repeat, run_report_of
from harness.tables.tables import Tables
from harness.word import Word

LIMIT = "ref-nodes is at most 1: 1 move is left before the limit of 3*N*N"


def verdict_with(word: Word, checks: dict[str, list[Check]], **values: object) -> tuple[JudgedRun, Verdict]:
    """Return a run, and a verdict on it in which some requirements have other checks."""
    run = judged_run(units())
    requirements = [
        msgspec.structs.replace(r, verdict=checks[r.id][0].verdict, checks=checks[r.id])
        if r.id in checks
        else r
        for r in run.verdict.requirements
    ]
    return run, msgspec.structs.replace(run.verdict, verdict=str(word), requirements=requirements, **values)


def lenient(case: str, observed: str) -> Check:
    """Return a case in which another reading shows."""
    return Check(case, "NON-STRICT", "exact", 8, 1, expected=LIMIT, observed=observed)


def shown(run: JudgedRun, verdict: Verdict, width: int) -> str:
    """Return a certificate as a terminal shows it, its lines joined."""
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(render_brief(verdict, run.suite, width))
    return file.getvalue()


def test_reading_is_that_of_the_requirement_which_has_one() -> None:
    """A reading of the limit shows in cases of many rules; it is one of R3, best seen on a small board."""
    run, verdict = verdict_with(
        Word.NON_STRICT,
        {
            "R2": [lenient("even-draws-on-19x19", "391")],
            "R3": [lenient("one-draw-on-5x5", "10"), lenient("limit-passed-still-tries-one-move", "120")],
        },
    )
    reading = reading_of(verdict, run.suite.requirements, run.suite.cases)
    assert reading is not None
    assert (reading.requirement, reading.case) == ("R3", "limit-passed-still-tries-one-move")
    assert reading.bot.startswith("the move cap counts the playout's moves only")


@pytest.mark.parametrize("width", [80, 120])
def test_text_beside_a_large_board_is_whole(width: int) -> None:
    """No word beside the largest board is cut off at the right edge of the terminal."""
    run, verdict = verdict_with(Word.NON_STRICT, {"R2": [lenient("even-draws-on-19x19", "391")]})
    text = shown(run, verdict, width)
    for words in ("unless", "uniformly", "legal", "3*N*N", "391"):
        assert words in text
    for word in run.suite.requirements["R2"].clause.split():
        assert word in text, word


def test_clearest_failure_comes_first() -> None:
    """A counter-example stands before statistics; of these, the strongest evidence for the rule named."""
    checks = [
        Check("ko-ban-lasts-one-turn", "FAIL", "statistical", 8, 1, "length", log10_e=5.0),
        Check("uniform-between-neighbours", "FAIL", "statistical", 8, 1, "length", log10_e=50.0),
    ]
    _, verdict = verdict_with(Word.FAIL, {"R2": checks}, broken="R2", shown_by="ko-ban-lasts-one-turn")
    assert failed_checks(verdict)[0].case == "uniform-between-neighbours"
    wrong = Check("undo", "FAIL", "exact", 0, 0, expected="empty", observed="a stone")
    _, verdict = verdict_with(Word.FAIL, {"R2": checks, "G12": [wrong]}, broken="R2", shown_by="")
    assert [c.case for c in failed_checks(verdict)] == [
        "undo", "uniform-between-neighbours", "ko-ban-lasts-one-turn",
    ]  # fmt: skip


def test_strength_of_statistics_is_told() -> None:
    """An interval alone may hold the reference; the e-value says why the case failed."""
    check = Check(
        "uniform-between-neighbours", "FAIL", "statistical", 8, 1, "length 8.9 +- 3.9", log10_e=50.0
    )
    run, verdict = verdict_with(Word.FAIL, {"R2": [check]}, broken="R2", shown_by="")
    assert "e-value 10^50.0 against the bot by this case alone" in shown(run, verdict, 120)


def test_probability_is_never_rounded_to_certainty() -> None:
    """Neither 0 nor 1 is the probability of anything."""
    assert [probability_text(p) for p in (0.0, 0.0004, 0.0213, 0.9996, 1.0)] == [
        "< 0.001", "< 0.001", "0.021", "> 0.999", "> 0.999",
    ]  # fmt: skip


@pytest.mark.parametrize(("command", "wanted"), [("regress", "certify"), ("compare", "certify")])
def test_command_to_ask_again_can_be_typed(command: str, wanted: str) -> None:
    """`refbot regress BOT` lacks its baseline: what one bot is asked again with is `certify`."""
    assert command_to_repeat(command) == wanted
    run = judged_run(units(), msgspec.structs.replace(header(), command=command))
    tables = Tables(run.suite.folder / "tables")
    report = run_report_of(run.suite, tables, run.evidence, run.verdict)
    again = [report.again, *(case.again for case in report.cases.values())]
    assert all(line.startswith(f"refbot {wanted} ") for line in again)


@pytest.mark.parametrize(("word", "is_bright"), [(Word.FAIL, False), (Word.NON_STRICT, True)])
def test_other_words_are_muted_beside_a_fail(word: Word, *, is_bright: bool) -> None:
    """NON-STRICT requirements of a bot that failed are not in colour, neither on a terminal nor on a page."""
    run, verdict = verdict_with(word, {"R3": [lenient("one-draw-on-5x5", "10")]})
    file = io.StringIO()
    console = Console(file=file, width=80, color_system="standard", force_terminal=True)
    console.print(render_brief(verdict, run.suite, 80))
    row = next(line for line in file.getvalue().splitlines() if "NON-STRICT" in line and "R3" in line)
    assert ("\x1b[1;33m" in row) == is_bright
    tables = Tables(run.suite.folder / "tables")
    page = render_html([run_report_of(run.suite, tables, run.evidence, verdict)], None)
    assert ('<table class="rows failed">' in page) != is_bright
