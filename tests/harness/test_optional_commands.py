"""A bot is not held to commands it need not have: without undo it conforms as well as with it."""

import pytest
from bare import bare

from harness.cases.suite import Suite, load_suite
from harness.selftest.trial import CONFORMING, run_trial
from harness.tables.tables import Tables
from reference_engine.deviations import BY_NAME

SEEDS = range(81, 83)


@pytest.fixture(scope="module")
def suite() -> Suite:
    """Return the suite as it ships."""
    return load_suite()


@pytest.mark.slow  # tests/harness/judging/test_pass.py makes one certificate of such a bot
@pytest.mark.parametrize("seed", SEEDS)
def test_a_conforming_bot_without_optional_commands_passes(suite: Suite, seed: int) -> None:
    """A false alarm of this test is a certificate that cannot tell: under 0.15% each (docs/statistics.md)."""
    trial = run_trial(suite, Tables(suite.folder / "tables"), CONFORMING, "standard", seed, bare)

    assert (trial.verdict, trial.not_excluded) == ("PASS", ())


def test_deviations_of_optional_commands_say_so() -> None:
    """Those whose requirement is about one are bound to it."""
    bound = {name: d.command for name, d in BY_NAME.items() if d.command}

    assert bound == {name: "undo" for name, d in BY_NAME.items() if d.requirement == "G12"}
