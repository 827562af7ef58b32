"""A bot is not held to commands it need not have: without undo it conforms as well as with it."""

import msgspec
import pytest

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess
from harness.cases.suite import Suite, load_suite
from harness.proving.trial import CONFORMING, run_trial
from harness.tables.tables import Tables
from reference_engine.deviations import BY_NAME

SEEDS = range(81, 85)


class Bare(InProcess):
    """The engine without the optional commands."""

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
        """Answer as a bot that offers neither undo nor ref-playouts."""
        outcome = super().ask(line, playouts=playouts, id=id)
        if line == "list_commands" and isinstance(outcome, Exchange):
            kept = [word for word in outcome.text.split() if word not in {"undo", "ref-playouts"}]
            text = "\n".join(kept)
            return msgspec.structs.replace(outcome, text=text, raw=f"= {text}\n\n")
        return outcome


def bare(_bot: Bot, playouts: int, seed: int) -> Bare:
    """Start it."""
    return Bare(playouts, seed)


@pytest.fixture(scope="module")
def suite() -> Suite:
    """Return the suite as it ships."""
    return load_suite()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_conforming_bot_without_optional_commands_passes(suite: Suite, seed: int) -> None:
    """A false alarm of this test is a certificate that cannot tell: under 0.15% each (docs/statistics.md)."""
    trial = run_trial(suite, Tables(suite.folder / "tables"), CONFORMING, "standard", seed, bare)

    assert (trial.verdict, trial.not_excluded) == ("PASS", ())


def test_deviations_of_optional_commands_say_so() -> None:
    """Those whose requirement is about one are bound to it."""
    bound = {name: d.command for name, d in BY_NAME.items() if d.command}

    assert bound == {name: "undo" for name, d in BY_NAME.items() if d.requirement == "G12"}
