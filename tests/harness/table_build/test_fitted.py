"""A bot with a fixed number of playouts: its own tables are fair, kept and few, and suffice for a PASS."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from certificates import shipped
from tiny_suite import FRESH, MOVES, SAMPLE, case_of

from harness.bots.bot import Bot, parse_bot
from harness.bots.declared import with_playouts
from harness.bots.inprocess import InProcess, starter
from harness.cases.case import Case
from harness.cases.suite import Suite
from harness.errors import FixtureError, UsageError
from harness.judging.fresh import most_likely
from harness.judging.judge import judge
from harness.judging.verdict import Verdict
from harness.runs.progress import Unwatched
from harness.runs.run import Run
from harness.statistics.evalues import Categories, Histogram
from harness.table_build.demand import OnDemand
from harness.table_build.fitted import RIVALS, Effort, _rates, cover, make_fitted
from harness.table_build.sampler import Sampler
from harness.table_build.sampling import count_choices, genmove_plan_of
from harness.tables.predict import stays_certain
from harness.tables.tables import OTHER, ChoiceTable, Tables
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC, Spec

PLAYOUTS = 40
GENMOVES = 40_000


@pytest.fixture(scope="module", name="cases")
def _cases() -> list[Case]:
    suite, _ = shipped()
    names = ("amaf-on-3x3", "amaf-after-captures", "rate-before-visits", "even-rates-are-drawn")
    return [suite.cases[name].fitted(PLAYOUTS) for name in names]


@pytest.fixture(scope="module", name="made")
def _made(cases: list[Case]) -> list[ChoiceTable]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Effort, "of", lambda _: Effort(200, 2_000, 200))
        return make_fitted(cases, Sampler(threads=2))


def test_only_chosen_moves_depend_on_the_number() -> None:
    """A case about sums is the same for every bot; one about moves has the bot's number."""
    moves = case_of(MOVES)
    assert moves.fitted(4) is moves
    assert (moves.fitted(9).file.playouts, moves.fitted(9).is_fitted) == (9, True)
    for text in (SAMPLE, FRESH):
        assert case_of(text).fitted(9).file == case_of(text).file


def test_no_bet_of_a_small_table_is_unfair(cases: list[Case], made: list[ChoiceTable]) -> None:
    """By other genmoves of a conforming bot, e-values have means of at most 1 (four standard errors)."""
    bets = 0
    for case, table in zip(cases, made, strict=True):
        null, others = Categories(table.counts), len(table.counts) + 1
        draws: dict[str, int] = {}
        plan = genmove_plan_of(case, "judge of the table", GENMOVES)
        for found, count in count_choices(plan, SPEC, GENMOVES, Sampler(threads=2)).items():
            move, halves = found.split()
            cell = table.cell(move, int(halves))
            draws[cell] = draws.get(cell, 0) + count
        weights = np.array(list(draws.values())) / GENMOVES
        for name, counts in table.deviations.items():
            rival = Categories(counts)
            values = np.exp([null.log_e_of(rival, cell, others) for cell in draws])
            error = float(np.sqrt(weights @ values**2 / GENMOVES))
            assert float(weights @ values) <= 1 + 4 * error, (case.id, name)
            bets += 1
    assert bets >= len(RIVALS)


def test_cells() -> None:
    """A fitted table counts moves without the wins, and those it does not name as one."""
    table = ChoiceTable("c", "r", "e", "k", 1, 9, 2, {"A1": 1, OTHER: 1}, {}, moves_only=True)
    assert [table.cell("A1", 3), table.cell("B1", 3)] == ["A1", OTHER]
    assert msgspec.structs.replace(table, moves_only=False).cell("B1", 3) == "B1 3"


def test_made_once(cases: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are announced with their cost, kept, and the same the next time."""
    monkeypatch.setattr(Effort, "of", lambda _: Effort(40, 400, 40))
    said = list[str]()
    sampler = Sampler(note=said.append, threads=2, folder=tmp_path)
    tables = Tables(tmp_path, OnDemand(sampler))
    tables.prepare(cases)
    assert f"{len(cases) * 40 * (len(RIVALS) + 2) * PLAYOUTS:,} playouts" in said[0]
    assert len(said) == 2
    again = make_fitted(cases, replace(sampler, see=lambda _: pytest.fail("made again")))
    assert again == [tables.choice(case) for case in cases]
    with pytest.raises(FixtureError, match="40 playouts"):
        Tables(tmp_path).choice(cases[0])


def test_few_cases_are_kept() -> None:
    """Of cases that tell the same the cheaper one is kept; one that adds nothing is not."""
    rates = {
        "big": {"a": 2.0, "b": 1.0},
        "small": {"a": 2.0, "b": 1.0},
        "own": {"c": 0.5},
        "weak": {"a": 0.3},
    }
    assert cover(rates, {"big": 81, "small": 9, "own": 361, "weak": 4}) == ["small", "own"]


def test_what_tells_two_rules_apart_counts() -> None:
    """Of two deviations that one case shows alike another must tell which it is, if their rules differ."""
    own = {"A1": 600, "B1": 200, "C1": 200}
    turned = {"A1": 10, "B1": 20, "C1": 370}
    second = {"A1": 10, "B1": 370, "C1": 20}
    honest = {name: {"A1": 240, "B1": 80, "C1": 80} for name in RIVALS}
    alike = _rates({"": own, **honest, "amaf-wrong-view": turned, "second-best": turned})
    apart = _rates({"": own, **honest, "amaf-wrong-view": turned, "second-best": second})

    question = "amaf-wrong-view or second-best"
    assert question not in alike
    assert apart[question] == 0.5
    assert "amaf-wrong-view or amaf-both-colours" not in apart
    assert set(cover({"alike": alike, "apart": apart}, {"alike": 9, "apart": 81})) == {"alike", "apart"}


def test_what_stays_certain() -> None:
    """More playouts show what fewer show; not so a choice of moves, nor twins among an odd number."""
    assert stays_certain("no-ko", 8, 1000, is_script=False)
    assert not stays_certain("no-ko", 8, 5, is_script=False)
    assert stays_certain("ids-dropped", 8, 5, is_script=True)
    assert not stays_certain("unseen-even", 32, 1000, is_script=True)
    assert not stays_certain("playouts-twice", 32, 1001, is_script=False)
    assert stays_certain("playouts-twice", 32, 1000, is_script=False)


def test_many_playouts_at_little_cost() -> None:
    """The bound on the likeliest sums falls with the playouts, to that of residues."""
    values = np.array([[length, win] for length in range(200) for win in (0.0, 1.0)])
    histogram = Histogram(values, np.ones(400), values[[0, -1]], 0.0)
    bounds = [most_likely(histogram, playouts) for playouts in (8, 64, 1_000, 100_000)]
    assert bounds[0] > bounds[1] > bounds[2] > bounds[3] > 1e-6


def test_the_number_is_asked_of_the_bot() -> None:
    """A bot that declares its playouts is taken at its word, unless the user or the command says more."""
    bot = Bot("b", "./b")
    assert with_playouts(bot, lambda *_: InProcess(77, 1)).fixed_playouts == 77
    assert with_playouts(replace(bot, fixed_playouts=5), starter()).fixed_playouts == 5
    assert with_playouts(parse_bot(None, None, None, 1.0), starter()).fixed_playouts is None


def test_a_run_must_know_the_number(tmp_path: Path) -> None:
    """Without a number nothing can be judged."""
    suite, tables = shipped()
    with pytest.raises(UsageError, match="--playouts N"):
        Run(Bot("b", "./b"), suite, tables, "smoke", tmp_path, [], starter()).go(Unwatched())


def _certified(folder: Path, suite: Suite, tables: Tables, spec: Spec, playouts: int) -> Verdict:
    folder.mkdir()
    run = Run(Bot("b", "./b", playouts), suite, tables, "standard", folder, [], starter(spec))
    return judge(suite, tables, run.go(Unwatched()))


@pytest.mark.slow
def test_certificates_at_a_fixed_number(tmp_path: Path) -> None:
    """At 200 playouts a genmove a conforming bot passes, and mistakes of the choice are named."""
    suite, _ = shipped()
    tables = Tables(suite.folder / "tables", OnDemand(Sampler(threads=2, folder=tmp_path / "cache")))
    tables.prepare(suite.for_bot(200).cases.values())
    verdict = _certified(tmp_path / "conforming", suite, tables, SPEC, 200)
    assert (verdict.verdict, verdict.not_excluded) == ("PASS", [])
    for name in ("amaf-own-first", "second-best", "ties-last", "unseen-even"):
        verdict = _certified(tmp_path / name, suite, tables, BY_NAME[name].spec, 200)
        assert verdict.verdict == "FAIL"
        assert verdict.diagnosis[0].requirement == BY_NAME[name].requirement
