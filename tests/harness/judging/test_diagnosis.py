"""Explanations are run: what brings forth every value is named, what leaves one out is refuted."""

import pytest
from certificates import shipped
from msgspec.structs import replace
from test_layers import evidence, failed, verdict

from harness.judging.diagnosis import may_pair, spec_of
from harness.judging.exact import score_digits
from harness.judging.judge import judge
from harness.judging.simulation import Simulation, UnitObservation, _fits
from reference_engine.deviations import BY_NAME


@pytest.mark.parametrize("name", ["no-ko", "eye-corner-tolerant", "ids-dropped", "second-best", "cap-2NN"])
def test_a_known_mistake_is_named(name: str) -> None:
    """It brings forth everything, and the requirement named is its own."""
    found = verdict(name)

    assert (found.broken, found.diagnosis[0].refuted) == (BY_NAME[name].requirement, "")
    assert found.reason.startswith(f"{found.broken} is broken")


def test_a_refuted_hypothesis_says_by_which_value() -> None:
    """With the deviation itself and its kind unknown, the nearest is given with what it would have shown."""
    found = verdict("eye-edge-tolerant", known=lambda name: BY_NAME[name].requirement != "R4")

    assert not found.confident
    assert found.broken == "R4"
    assert all("it would show" in s.refuted for s in found.diagnosis)


def test_two_deviations_are_found_together() -> None:
    """A bot with two mistakes of different requirements: both are marked FAIL."""
    assert set(failed(verdict("ids-dropped", "eye-edge-tolerant"))) == {"G2", "R4"}


def test_hypotheses_are_held_against_values_not_against_failing() -> None:
    """One pass ends a playout, or three do: the same cases fail, by other numbers."""
    suite, _ = shipped()
    run = evidence("three-passes-end")
    simulation = Simulation(suite, run.units, run.header.bot.commands, score_digits(run.units))
    place = next(p for p in simulation.exact if simulation.shown[p].faults)

    assert simulation.refutes(spec_of(("three-passes-end",)), place) == ""
    assert "moves" in simulation.refutes(spec_of(("one-pass-ends",)), place)


def test_what_a_mistake_leaves_alone_is_seen_by_simulation() -> None:
    """A fault of framing changes no figure; a wrong cap does."""
    suite, _ = shipped()
    run = evidence("cap-2NN")
    simulation = Simulation(suite, run.units, run.header.bot.commands, score_digits(run.units))

    assert simulation.changed(spec_of(("comments-kept",))) == frozenset()
    assert simulation.changed(spec_of(("cap-2NN",)))


@pytest.mark.parametrize(
    ("seen", "simulated", "fits"),
    [
        (UnitObservation(frozenset(), "D4", 10, (4, 4)), [(10, 4)] * 9, True),
        (UnitObservation(frozenset(), "D4", 11, (4, 4)), [(10, 4)] * 9, False),
        (UnitObservation(frozenset(), "D4", 10, (5, 6)), [(10, 4)] * 9, False),
        (UnitObservation(frozenset(), "D4", 11, (3, 5)), [(10, 4), (12, 4), (11, 4)] * 3, True),
        (UnitObservation(frozenset(), "D4", 90, (4, 4)), [(10, 4), (12, 4), (11, 4)] * 3, False),
        (UnitObservation(frozenset({("R4", None)}), "D4", 10, (4, 4)), [(10, 4)] * 9, False),
    ],
)
def test_values_fit(seen: UnitObservation, simulated: list[tuple[int, int]], *, fits: bool) -> None:
    """Where simulations agree the value must be theirs, else near it; what failed must fail there too."""
    assert (
        _fits(seen, [UnitObservation(frozenset(), "D4", nodes, (wins, wins)) for nodes, wins in simulated])
        is fits
    )


def test_pairs_change_different_clauses() -> None:
    """Two values of one field are no bot."""
    assert may_pair("no-ko", "one-pass-ends")
    assert not may_pair("cap-2NN", "cap-4NN")


def test_no_number_of_playouts_makes_a_verdict_wait() -> None:
    """Evidence of genmoves with countless playouts is judged, but nothing is simulated."""
    suite, tables = shipped()
    run = evidence("one-pass-ends")
    units = [replace(unit, playouts=10**15) for unit in run.units if unit.case == "ends-after-two-passes"]

    found = judge(suite, tables, replace(run, units=units))

    assert (found.verdict, found.diagnosis, found.confident) == ("FAIL", [], False)
    assert "known mistakes were not simulated" in found.reason
