"""The forecast: the planner's own rules on average values, near what certificates really take."""

from statistics import median

import pytest
from certificates import shipped
from rich.console import Console

from harness.cases.level import LEVELS
from harness.render.plan import render_plan
from harness.runs.forecast import forecast
from harness.runs.plan import exact_jobs, first_samples
from harness.selftest.trial import CONFORMING, run_trial


@pytest.mark.parametrize("name", ["smoke", "standard", "full", "reference"])
def test_stages(name: str) -> None:
    """Stages add up, the first round is the planner's, and every level but smoke ends in PASS in budget."""
    suite, tables = shipped()
    found = forecast(suite, tables, LEVELS[name])

    exact, first, further = found.stages
    assert exact.cases == len(exact_jobs(suite, LEVELS[name]))
    asked = [job for job in first_samples(suite, LEVELS[name]) if not job.case.file.only_fixed]
    assert first.genmoves == sum(job.times for job in asked)
    assert found.total.playouts == exact.playouts + first.playouts + further.playouts
    assert found.total.playouts == sum(case.playouts for case in found.cases)
    assert found.total.work == pytest.approx(sum(case.work for case in found.cases), abs=10)
    assert found.passes == (name != "smoke")
    assert found.total.playouts <= LEVELS[name].budget


def test_a_fixed_number_without_tables() -> None:
    """Where no table holds the bot's number, what only chosen moves show is left open, by name."""
    suite, tables = shipped()
    found = forecast(suite, tables, LEVELS["standard"], 300)

    assert not found.passes
    assert {"most-visited", "amaf-own-first", "unseen-even"} <= set(found.not_excluded)
    assert found.stages[1].cases == sum(case.file.sample is not None for case in suite.cases.values())


def test_shown() -> None:
    """Stages with a time at the bot's speed, and the cases that take most."""
    suite, tables = shipped()
    console = Console(width=160)
    with console.capture() as capture:
        console.print(render_plan([forecast(suite, tables, LEVELS["standard"])], [5_000]))

    for words in ("at 5,000/s", "PASS expected", "opening-9x9"):
        assert words in capture.get()


@pytest.mark.slow
def test_near_what_certificates_take() -> None:
    """The median of 15 simulated certificates lies within 40 % of the forecast.

    Single ones vary by a third and more either way: how soon an interval fits is mostly luck.  Redrawing
    15 from 4,000 measured ones, the median leaves the band once in 10,000; of five it did once in 75.
    """
    suite, tables = shipped()
    expected = forecast(suite, tables, LEVELS["standard"]).total.playouts

    trials = [run_trial(suite, tables, CONFORMING, "standard", seed) for seed in range(15)]

    assert [trial.verdict for trial in trials] == ["PASS"] * 15
    assert 0.6 < median(trial.playouts for trial in trials) / expected < 1.4
