"""Several runs together: the same amounts, whatever becomes of one, and the same again when resumed."""

from collections import Counter
from math import ceil
from pathlib import Path

import pytest
from certificates import shipped

from harness.bots.bot import Bot
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess
from harness.judging.judge import judge
from harness.judging.run_assessment import assess_run
from harness.records.evidence import Evidence, read_evidence, read_part
from harness.runs.comparison_run import (
    CONTRAST_GENMOVES,
    CONTRAST_PLAYOUTS,
    ComparisonEntry,
    amounts,
    contrast_jobs,
    missing_jobs,
    run_together,
)
from harness.runs.progress import Progress, Unwatched
from harness.word import Word
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

GONE = Failure(Word.START_FAILED, "gone", "", "start", 0.0, 0.0, None, None, "", "it is not there")


def start(bot: Bot, playouts: int, seed: int) -> InProcess | Failure:
    """Start the engine with the deviation a bot is named for; or nothing."""
    if bot.name == "gone":
        return GONE
    return InProcess(playouts, seed, BY_NAME[bot.name].spec if bot.name in BY_NAME else SPEC)


def entrant(folder: Path, name: str, fixed: int | None = None, *, resumed: bool = False) -> ComparisonEntry:
    """Return a bot with a folder of its own."""
    own = folder / name
    own.mkdir(exist_ok=True)
    command = "bot" if fixed else "bot --playouts {playouts}"
    return ComparisonEntry(Bot(name, command, fixed), own, read_part(own) if resumed else None)


def together(entrants: list[ComparisonEntry], level: str) -> list[Evidence]:
    """Run them in this process."""
    suite, tables = shipped()
    return run_together(entrants, suite, lambda _: tables, level, lambda _: Unwatched(), start)


def asked(evidence: Evidence) -> Counter[str]:
    """Return how often each case was asked."""
    return Counter(unit.case for unit in evidence.units)


NAMES = ("right", "gone", "komi-ignored")


@pytest.fixture(scope="module")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Evidence]]:
    """Return a folder with the runs of three bots at level smoke, and the runs."""
    folder = tmp_path_factory.mktemp("comparison")
    return folder, together([entrant(folder, name) for name in NAMES], "smoke")


def test_every_bot_is_asked_and_one_that_is_gone_ends_nothing(smoke: tuple[Path, list[Evidence]]) -> None:
    """At level smoke all are asked the same; every folder holds a run that can be judged."""
    suite, tables = shipped()
    folder, runs = smoke

    words = [judge(suite, tables, run).verdict for run in runs]
    assert words == ["INCONCLUSIVE", "START-FAILED", "FAIL"]
    statistical = {name for name, case in suite.cases.items() if case.is_statistical}
    counts = [
        {name: n for name, n in asked(run).items() if name in statistical} for run in (runs[0], runs[2])
    ]
    assert counts[0] == counts[1] != {}
    for run, name in zip(runs, NAMES, strict=True):
        assert read_evidence(folder / name) == run
        assert run.header.command == "compare"


class Halting:
    """An observer that interrupts after so many units."""

    def __init__(self, after: int) -> None:
        self.left = after

    def see(self, progress: Progress) -> None:  # noqa: ARG002 - where it stands does not matter
        """Count."""
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_an_interrupted_comparison_goes_on_to_the_same_units(tmp_path: Path) -> None:
    """What was asked is not asked again, and in the end as much was asked as without the interruption."""
    suite, tables = shipped()
    whole = tmp_path / "whole"
    whole.mkdir()
    wanted = together([entrant(whole, name) for name in ("one", "two")], "smoke")
    entrants = [entrant(tmp_path, name) for name in ("one", "two")]
    halting = Halting(300)
    with pytest.raises(KeyboardInterrupt):
        run_together(entrants, suite, lambda _: tables, "smoke", lambda _: halting, start)

    runs = together([entrant(tmp_path, name, resumed=True) for name in ("one", "two")], "smoke")

    assert [len(run.resumed) for run in runs] == [1, 1]
    extra = {"warm-up", "handshake"}
    for run, other in zip(runs, wanted, strict=True):
        assert {k: n for k, n in asked(run).items() if k not in extra} == {
            k: n for k, n in asked(other).items() if k not in extra
        }


def test_amounts_are_the_most_that_any_was_asked(smoke: tuple[Path, list[Evidence]]) -> None:
    """One that lags is brought up, counted in playouts; and free checks ask forty genmoves of each case."""
    suite, tables = shipped()
    run = smoke[1][0]
    assessment = assess_run(suite, tables, run)
    less = with_one(run, "opening-9x9")
    lagging = assess_run(suite, tables, less)

    wanted = amounts(suite, tables, [assessment, lagging], "standard")
    jobs = missing_jobs(suite, lagging, wanted, None)

    assert [(job.case.id, job.times) for job in jobs] == [("opening-9x9", 3)]
    assert missing_jobs(suite, assessment, wanted, None) == []
    fixed = missing_jobs(suite, lagging, wanted, 25)
    assert ("opening-9x9", 12) in [(job.case.id, job.times) for job in fixed]
    free = {job.case.id: job.times for job in contrast_jobs(suite, assessment, None)}
    assert free["komi-6-decides"] == CONTRAST_GENMOVES
    # Of few playouts a genmove it takes more of them; four were asked already.
    assert free["opening-5x5"] == ceil(CONTRAST_PLAYOUTS / suite.cases["opening-5x5"].file.playouts) - 4
    assert "opening-5x5-twice-the-playouts" not in {
        job.case.id for job in contrast_jobs(suite, assessment, 100)
    }
    assert {
        job.times for job in contrast_jobs(suite, assessment, 5000) if job.case.id.startswith("komi")
    } == {3}


def with_one(run: Evidence, case: str) -> Evidence:
    """Return a run in which a case was asked but once."""
    first = next(unit for unit in run.units if unit.case == case)
    units = [unit for unit in run.units if unit.case != case or unit is first]
    return Evidence(run.header, units, run.footer)


def test_more_is_asked_where_it_cannot_be_told(smoke: tuple[Path, list[Evidence]]) -> None:
    """Intervals of four genmoves are too wide wherever anything varies, and all bots are to be asked more."""
    suite, tables = shipped()
    run = smoke[1][0]
    assessment = assess_run(suite, tables, run)

    wanted = amounts(suite, tables, [assessment], "standard", bots=1)

    assert wanted["opening-9x9"] == 3 * assessment.cases["opening-9x9"].playouts
    assert wanted["best-rate-is-played"] == assessment.cases["best-rate-is-played"].genmoves
