"""What stands on what: which failed checks tell against which requirement."""

from collections.abc import Callable, Sequence
from functools import cache

import msgspec
import pytest
from certificates import shipped

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess, starter
from harness.judging.judge import judge
from harness.judging.layers import Layer, assign
from harness.judging.run_assessment import assess_run
from harness.judging.verdict import Verdict
from harness.records.evidence import Evidence
from harness.runs.run import Extras
from harness.selftest.trial import simulate
from harness.word import Word
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

SEED = 4242


@cache
def evidence(*names: str) -> Evidence:
    """Return a run of the engine with some deviations."""
    suite, tables = shipped()
    spec = SPEC.changed(**{field: v for name in names for field, v in BY_NAME[name].changes.items()})
    return simulate(suite, tables, "standard", SEED, starter(spec), Extras())


def verdict(*names: str, known: Callable[[str], bool] = lambda _: True) -> Verdict:
    """Return the verdict on it, by a catalogue that holds what is known."""
    suite, tables = shipped()
    hidden = [name for name in BY_NAME if not known(name)]
    return judge(suite, tables.without(hidden) if hidden else tables, evidence(*names))


def failed(found: Verdict) -> list[str]:
    """Return the requirements marked FAIL."""
    return [r.id for r in found.requirements if r.verdict == Word.FAIL]


@pytest.mark.parametrize(
    "name",
    [
        "one-pass-ends",
        "eye-edge-tolerant",
        "no-superko",
        "stones-only",
        "score-for-black",
        "column-i",
        "no-eye-rule",
        "cap-off-by-one",
    ],
)
def test_the_most_basic_failure_tells_without_any_catalogue(name: str) -> None:
    """Nothing is known: what fails by its own checks is what the bot breaks, and nothing else."""
    found = verdict(name, known=lambda _: False)

    assert failed(found) == [BY_NAME[name].requirement]
    assert found.broken == BY_NAME[name].requirement
    assert not found.confident


def test_playouts_that_run_on_after_two_passes_break_one_of_two_rules() -> None:
    """A third pass and a move counted once too often at the end look alike; at the limit neither shows."""
    found = verdict("three-passes-end", known=lambda _: False)

    assert found.exercised == ["N1", "R3"]
    assert not failed(found)


def test_plays_that_are_refused_wherever_they_stand_may_not_be_read() -> None:
    """A bot that refuses all stones of White may play wrongly (G6), or not read the word (G5)."""

    class NoWhite(InProcess):
        def __init__(self, playouts: int, seed: int) -> None:
            super().__init__(playouts, seed)
            self._is_repeatable = False  # its set-ups are none of the engine's

        def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
            is_stone = line.startswith("play white") and not line.endswith("pass")
            unread = "play white x" if is_stone else line
            return super().ask(unread, playouts=playouts, id=id)

    suite, tables = shipped()
    run = simulate(suite, tables, "smoke", SEED, lambda _, playouts, seed: NoWhite(playouts, seed), Extras())
    found = judge(suite, tables, run)

    assert found.exercised == ["G5", "G6"]
    assert not failed(found)


def test_a_bot_that_knows_no_command_is_refused() -> None:
    """Its certificate comes to an end, though no round of it can ask anything."""

    class Ignorant(InProcess):
        def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
            return super().ask(f"x-{line}", playouts=playouts, id=id)

        def ask_all(self, lines: Sequence[str], *, playouts: int = 0) -> list[Exchange | Failure]:
            return [self.ask(line, playouts=playouts) for line in lines]

    suite, tables = shipped()
    run = simulate(
        suite, tables, "standard", SEED, lambda _, playouts, seed: Ignorant(playouts, seed), Extras()
    )

    assert judge(suite, tables, run).verdict == Word.REFUSED


@pytest.mark.parametrize("figure", ["\N{SUPERSCRIPT TWO}", "9" * 5000])
def test_a_figure_that_is_no_number_of_moves_is_judged(figure: str) -> None:
    """Signs that only look like digits, and thousands of digits, are a wrong reply and no fault of refbot."""
    figures = ["", ""]

    class Strange(InProcess):
        def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
            found = super().ask(line, playouts=playouts, id=id)
            if not line.endswith("ref-nodes") or isinstance(found, Failure):
                return found
            figures.append(found.text)
            if figures[-1] != figures[-3] or figures[-1] == figures[-2]:
                return found  # only what is compared with an earlier figure is strange
            return msgspec.structs.replace(found, raw=f"={'' if id is None else id} {figure}\n\n")

    suite, tables = shipped()
    run = simulate(suite, tables, "smoke", SEED, lambda _, playouts, seed: Strange(playouts, seed), Extras())

    assert judge(suite, tables, run).verdict == Word.FAIL


@pytest.mark.parametrize("name", ["amaf-both-colours", "most-visited"])
def test_chosen_moves_are_asked_for_until_the_wrong_explanation_is_out(name: str) -> None:
    """A failed dialogue of choices goes with moves drawn at random; 80 genmoves of each case do not."""
    found = verdict(name, known=lambda other: other != name)

    assert not found.confident
    assert {"R6", "R7", "R12"} <= set(found.exercised)


def test_two_mistakes_that_do_not_stand_on_each_other_are_two_failures() -> None:
    """Eyes on the edge and no superko: both are marked, whatever explains them."""
    assert failed(verdict("eye-edge-tolerant", "no-superko", known=lambda _: False)) == ["R4", "R11"]
    assert failed(verdict("eye-edge-tolerant", "no-superko")) == ["R4", "R11"]


def test_what_stands_on_something_broken_says_so() -> None:
    """A check of scoring fails where no playout ends as it should; it is not judged, and says why."""
    found = verdict("one-pass-ends", known=lambda _: False)
    check = next(c for r in found.requirements for c in r.checks if c.case == "area-counts-the-points")

    assert check.verdict == Word.INCONCLUSIVE
    assert check.observed
    assert "not judged: it stands on" in check.reason
    assert "R3" in check.reason


def test_ways_of_choosing_that_cannot_be_told_apart_are_candidates() -> None:
    """Mistakes of credit and of comparing rates show in the same distributions: none is marked FAIL."""
    found = verdict("most-visited", known=lambda _: False)

    assert (failed(found), found.broken) == ([], "")
    assert {"R6", "R7", "R12"} <= set(found.exercised)


@pytest.mark.parametrize(
    ("pair", "failures", "possible"),
    [
        # A wrong score hides no wrong length, though both show in the case that others presuppose.
        (("eye-no-diagonals", "komi-off-mover"), {"R4"}, ()),
        # Suicide of chains is accepted by `play` as well as by playouts: that is one mistake.
        (("suicide-several", "quit-unanswered"), {"R10", "G13"}, ()),
        # The figure of one playout: it may be the count, or the number of playouts.
        (("komi-off-mover", "nodes-per-playout"), set(), ("N1", "N4")),
        # Passes that are missing from the figure may not have been played.
        (("superko-in-playouts", "nodes-without-passes"), set(), ("N1", "R3")),
        (("contact-bias", "nodes-without-last-pass"), set(), ("N1", "R3")),
        # All forced lengths are right: the choice leaves points of several kinds out, or has no data.
        (("passes-when-losing", "seed-per-second"), {"X1"}, ("R6", "R8", "R12")),
    ],
)
def test_two_mistakes_are_told_without_blaming_a_third(
    pair: tuple[str, str], failures: set[str], possible: tuple[str, ...]
) -> None:
    """Of two mistakes the certificate names what it can tell, and says what it cannot."""
    found = verdict(*pair)

    assert set(failed(found)) == failures
    assert tuple(found.exercised) == possible
    own = {BY_NAME[name].requirement for name in pair}
    unjudged = {r.id for r in found.requirements if r.reason.startswith("not judged")}
    assert own <= {*failures, *possible, *unjudged}


def test_layers_have_one_order() -> None:
    """No failure that is judged stands on another one that is."""
    suite, tables = shipped()
    run = evidence("no-eye-rule")
    told = assign(assess_run(suite, tables, run), suite.for_level(run.header.level), tables)

    assert told.judged
    assert all(base.layer <= failure.layer or base.case != failure.case for failure, base in told.unjudged)
    assert {failure.layer for failure in told.judged} <= {Layer.ANSWERS, Layer.POINTS}
