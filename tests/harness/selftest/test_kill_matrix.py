"""The kill matrix adds trials up rightly, and complains of what may not be."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from certificates import shipped

from harness.bots.inprocess import starter
from harness.selftest.kill_matrix import DeviationTrials, Rate, Selftest, every, quantile
from harness.selftest.trial import CONFORMING, LOOKS, Trial, run_trial
from reference_engine.deviations import BY_NAME, CATALOGUE
from reference_engine.spec import SPEC

CONVICTED = Trial(
    deviation="no-ko",
    seed=1,
    verdict="FAIL",
    requirement="R2",
    suspect="no-ko",
    confident=True,
    failed=("R2",),
    exercised=(),
    playouts=900,
    genmoves=90,
    convicted_after=300,
    convicted_by="ko-case",
    not_excluded=(),
    log_e=(),
)
PASSED = Trial(
    deviation="",
    seed=1,
    verdict="PASS",
    requirement="",
    suspect="",
    confident=False,
    failed=(),
    exercised=(),
    playouts=80_000,
    genmoves=900,
    convicted_after=None,
    convicted_by="",
    not_excluded=(),
    log_e=({"certificate": -0.5},) * (len(LOOKS) + 1),
)


def convicted(number: int, **changes: object) -> tuple[Trial, ...]:
    """Return equal trials of one deviation."""
    return tuple(replace(CONVICTED, seed=seed, **changes) for seed in range(number))  # type: ignore[arg-type]


def test_interval_of_a_rate() -> None:
    """No failure in 2,000: below 0.15% with 95% confidence (the rule of three)."""
    low, high = Rate(0, 2000).interval

    assert (low, round(high * 2000, 1)) == (0.0, 3.0)
    assert Rate(2000, 2000).interval[1] == 1.0
    assert Rate(0, 0).interval == (0.0, 1.0)


def test_a_promise_is_broken_only_surely() -> None:
    """One miss in one trial is no proof against 99%; two in three are (0.01 squared, three ways)."""
    assert not Rate(0, 1).is_below(0.99)
    assert Rate(1, 3).is_below(0.99)
    assert not Rate(0, 2).is_below(0.95)
    assert not Rate(0, 0).is_below(0.99)


def test_quantiles() -> None:
    """The least value that the share does not exceed."""
    values = tuple(range(1, 101))

    assert [quantile(values, share) for share in (0.5, 0.99, 1.0)] == [50, 99, 100]
    assert quantile((7,), 0.5) == 7
    assert quantile((), 0.5) is None


def test_a_row_counts() -> None:
    """Right words, right rules, the deviation itself; conviction costs sorted."""
    row = DeviationTrials(
        "no-ko",
        (
            *convicted(2),
            replace(CONVICTED, suspect="ko-any-capture", convicted_after=100),
            replace(CONVICTED, requirement="R4", suspect="no-eye-rule"),
            replace(CONVICTED, verdict="INCONCLUSIVE", convicted_after=None, convicted_by=""),
        ),
    )

    assert (row.right, row.named, row.identified) == (Rate(4, 5), Rate(3, 4), Rate(2, 4))
    assert row.to_conviction == (100, 300, 300, 300)
    assert row.convicted_by == "ko-case"


def test_complaints() -> None:
    """A convicted innocent and a passed mistake are named at once; rates only when surely too low."""
    innocent = replace(PASSED, verdict="FAIL", seed=17)
    missed = replace(CONVICTED, verdict="PASS", seed=4)
    vague = convicted(40, requirement="R4")

    assert (
        Selftest(
            "standard", (DeviationTrials(CONFORMING, (PASSED,)), DeviationTrials("no-ko", convicted(3)))
        ).complaints
        == []
    )
    assert Selftest("standard", (DeviationTrials(CONFORMING, (*[PASSED] * 300, innocent)),)).complaints == [
        "the conforming engine ended FAIL (seed 17)"
    ]
    assert Selftest("standard", (DeviationTrials("no-ko", (*convicted(300), missed)),)).complaints == [
        "no-ko ended PASS (seed 4)"
    ]
    assert Selftest("standard", (DeviationTrials("no-ko", vague),)).complaints == [
        "no-ko: R2 named first in only 0 of 40 convictions"
    ]
    undecided = (replace(PASSED, verdict="INCONCLUSIVE"),) * 40
    assert Selftest("standard", (DeviationTrials(CONFORMING, undecided),)).complaints == [
        "the conforming engine ended PASS in only 0 of 40 trials"
    ]
    assert Selftest("smoke", (DeviationTrials(CONFORMING, undecided),)).complaints == []


def test_fairness_is_the_mean_at_each_look() -> None:
    """What was not asked yet counts as 1, as it does in the certificate."""
    early, late = {"certificate": 0.0}, {"certificate": -1.0, "for no-ko": 1.0}
    trials = (
        replace(PASSED, log_e=(early, *[late] * len(LOOKS))),
        replace(PASSED, log_e=(early,) * (len(LOOKS) + 1)),
    )
    means = {
        (f.name, f.look): f.mean
        for f in Selftest("standard", (DeviationTrials(CONFORMING, trials),)).fairness()
    }

    assert means["certificate", 1] == 1.0
    assert means["certificate", len(LOOKS) + 1] == pytest.approx((0.36788 + 1) / 2, abs=1e-4)
    assert means["for no-ko", len(LOOKS) + 1] == pytest.approx((2.71828 + 1) / 2, abs=1e-4)


def test_every_deviation_by_default() -> None:
    """Without names the whole catalogue and the engine; with names only those."""
    assert set(every(3, 2)) == {CONFORMING, *(d.name for d in CATALOGUE)}
    assert every(0, 2, ["no-ko"]) == {"no-ko": 2}


def test_a_conforming_trial() -> None:
    """One certificate of the engine ends PASS (by chance it does not in under one of a hundred)."""
    trial = run_trial(*shipped(), CONFORMING, "standard", 1)

    assert (trial.verdict, trial.not_excluded) == ("PASS", ())
    assert len(trial.log_e) == len(LOOKS) + 1
    assert trial.convicted_after is None


def test_a_trial_is_a_function_of_its_seed() -> None:
    """The same seed gives the same trial, another one another."""
    suite, tables = shipped()
    trials = [run_trial(suite, tables, CONFORMING, "smoke", seed) for seed in (1, 1, 2)]

    assert trials[0] == trials[1]
    assert trials[0].genmoves == trials[2].genmoves
    assert trials[0] != replace(trials[2], seed=1)


def test_a_deviating_trial_knows_when_it_was_convicted() -> None:
    """A bot without ko is convicted by the exact cases, long before its run ends."""
    trial = run_trial(*shipped(), "no-ko", "standard", 1)

    assert (trial.verdict, trial.requirement) == ("FAIL", "R2")
    assert trial.convicted_after is not None
    assert trial.convicted_after < trial.playouts


def test_of_two_mistakes_the_one_beneath_is_named() -> None:
    """A bot with wrong eyes and wrong credit is told of the eyes; what stands on them is not judged."""
    names = ("amaf-both-colours", "eye-corner-tolerant")
    spec = SPEC.changed(**{k: v for name in names for k, v in BY_NAME[name].changes.items()})
    trial = run_trial(*shipped(), CONFORMING, "standard", 1, starter(spec))

    assert trial.verdict == "FAIL"
    assert (trial.requirement, trial.failed) == ("R4", ("R4",))


def selftest(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the real command."""
    command = [sys.executable, "-m", "harness", "selftest", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_command() -> None:
    """The command prints a line a deviation and what the conforming trials showed, and ends with 0."""
    done = selftest("no-ko", "ids-dropped", "--trials", "1", "--conforming", "1")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "conforming engine: 1 certificates; 1 PASS" in done.stdout
    assert "no-ko" in done.stdout
    assert "ids-dropped" in done.stdout


@pytest.mark.slow
def test_command_as_data() -> None:
    """Every trial as JSON, nothing else on standard output."""
    done = selftest("ids-dropped", "--trials", "2", "--conforming", "0", "--json", "--quiet")
    data = json.loads(done.stdout)

    assert [row["deviation"] for row in data["rows"]] == ["ids-dropped"]
    assert [trial["verdict"] for trial in data["rows"][0]["trials"]] == ["FAIL", "FAIL"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-kho"], "no deviation 'no-kho'; did you mean"),
        (["--level", "standart"], "no level 'standart'; did you mean"),
        (["--trials", "0", "--conforming", "0"], "nothing to run"),
        (["--json", "--markdown"], "choose one"),
    ],
)
def test_bad_input(arguments: list[str], words: str) -> None:
    """One clear line and status 2."""
    done = selftest(*arguments)

    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
