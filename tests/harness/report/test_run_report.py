"""Exhibits: what a report shows is what the verdict says, and no secret of the bot's settings."""

from collections.abc import Iterator

import msgspec
import pytest
from tiny_run import SHOWN, ask, header
from tiny_suite import EYE, GAME, KO, MOVES, SAMPLE, SCRIPT, limit_catalogue, make_suite

from harness.bots.bot import Bot
from harness.bots.settings import settings_of
from harness.cases.suite import Suite
from harness.judging.judge import judge
from harness.records.evidence import Broken, Evidence, Footer, Header, Unit
from harness.report.evidence_growth import MOST_LOOKS
from harness.report.run_report import RunReport, run_report_of
from harness.report.secrets import HIDDEN, Secrets
from harness.tables.tables import Tables
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC, Spec
from reference_engine.vocabulary import Colour

CASES = {"eye": EYE, "ko": KO, "sample": SAMPLE, "moves": MOVES, "game": GAME, "script": SCRIPT}


@pytest.fixture(scope="module", name="suite")
def _suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    with pytest.MonkeyPatch.context() as patch:
        limit_catalogue(patch, SHOWN)
        yield make_suite(tmp_path_factory.mktemp("suite"), CASES, [BY_NAME[name] for name in SHOWN])


def shown(suite: Suite, units: list[Unit], head: Header | None = None) -> RunReport:
    """Return what a run of some units shows."""
    tables = Tables(suite.folder / "tables")
    evidence = Evidence(head or header(suite), units, Footer(len(units), 1.0, "complete"))
    return run_report_of(suite, tables, evidence, judge(suite, tables, evidence))


def of(suite: Suite, spec: Spec) -> RunReport:
    """Return what a run of the engine with some rules shows."""
    return shown(suite, ask(suite, spec, 1))


def test_paths_end_where_the_verdict_stands(suite: Suite) -> None:
    """The last look of every path is the number in the verdict, and no path has more than forty looks."""
    run_report = of(suite, BY_NAME["one-pass-ends"].spec)

    assert round(run_report.path[-1].log10_e, 3) == run_report.verdict.log10_e
    assert run_report.path[-1].playouts == run_report.verdict.playouts
    for name in ("sample", "moves"):
        case = run_report.cases[name]
        assert round(case.path[-1].log10_e, 3) == case.check.log10_e
        assert case.path[-1].playouts == case.check.playouts
    assert len(run_report.cases["moves"].path) == MOST_LOOKS
    assert run_report.cases["sample"].path[-1].log10_e > run_report.cases["sample"].conviction


def test_lengths_count_every_genmove_and_expect_as_many(suite: Suite) -> None:
    """Every batch is in one bin, the reference's add up to as many, and the bins' mean is the bot's."""
    case = of(suite, SPEC).cases["sample"]

    assert case.lengths is not None
    assert sum(case.lengths.counts) == case.check.genmoves == case.lengths.batches
    assert sum(case.lengths.expected) == pytest.approx(case.lengths.batches, rel=1e-3)
    middles = [(a + b) / 2 for a, b in zip(case.lengths.edges, case.lengths.edges[1:], strict=False)]
    mean = sum(m * n for m, n in zip(middles, case.lengths.counts, strict=True)) / case.lengths.batches
    bin_width = case.lengths.edges[1] - case.lengths.edges[0]
    assert mean == pytest.approx(case.check.estimates[0].value, abs=bin_width)


def test_single_playouts_are_shown_as_they_came(suite: Suite) -> None:
    """With one playout a genmove the bins are of whole moves."""
    units = [msgspec.structs.replace(u, playouts=1) for u in ask(suite, SPEC, 1) if u.case == "sample"]
    sums = [("ref-nodes", f"= {20 + i}\n\n") for i in range(len(units))]
    units = [
        msgspec.structs.replace(unit, exchanges=[*unit.exchanges[:-3], nodes, ("ref-score", "= 1\n\n")])
        for unit, nodes in zip(units, sums, strict=True)
    ]
    lengths = shown(suite, units).cases["sample"].lengths

    assert lengths is not None
    assert lengths.playouts == 1
    assert lengths.edges[0] % 1 == 0.5


def test_chosen_moves_stand_beside_the_reference(suite: Suite) -> None:
    """Shares add up to one, for the bot and for the table; other cases have none."""
    run_report = of(suite, SPEC)
    case = run_report.cases["moves"]

    for shares in (case.chosen, case.reference):
        assert shares is not None
        assert sum(shares.points.values()) + sum(shares.beside.values()) == pytest.approx(1)
    assert case.chosen is not None
    assert case.chosen.genmoves == 60
    assert run_report.cases["sample"].reference is None


def test_a_failed_check_has_its_exchanges_and_its_board(suite: Suite) -> None:
    """The counter-example is a unit that says what the check says, with the line to say it again."""
    run_report = of(suite, BY_NAME["unknown-accepted"].spec)
    example = run_report.cases["script"].example

    assert example is not None
    assert (example.expected, example.observed) == (
        run_report.cases["script"].check.expected,
        run_report.cases["script"].check.observed,
    )
    assert example.point is not None
    assert example.exchanges[example.point][0] == "no-such-command"
    assert example.picture is None
    assert example.again.startswith("{ printf '%s\\n' 'boardsize 3' clear_board")
    assert example.again.endswith("| ./bot")


def test_an_illegal_move_of_a_whole_game_is_shown_where_it_was_played(suite: Suite) -> None:
    """The board of a game is the one before the move that broke a rule, with the colour whose turn it was."""
    (unit,) = [u for u in ask(suite, SPEC, 1) if u.case == "game"]
    first = next(raw for sent, raw in unit.exchanges if sent.startswith("genmove"))
    setup = [e for e in unit.exchanges if not e[0].startswith("genmove")]
    moves = [("genmove black", first), ("genmove white", first), ("genmove black", "= pass\n\n")]
    run_report = shown(suite, [msgspec.structs.replace(unit, exchanges=[*setup, *moves])])
    example = run_report.cases["game"].example

    assert example is not None
    assert example.exchanges[-1] == ("genmove white", first)
    assert example.picture is not None
    assert list(example.picture.stones.values()) == [Colour.BLACK]
    assert example.picture.to_move is Colour.WHITE


def test_a_picture_numbers_the_moves_after_the_set_up(suite: Suite) -> None:
    """Moves of the set-up drawing have no number; a ko ban and the last move are marked."""
    picture = of(suite, SPEC).cases["ko"].picture

    assert picture is not None
    assert picture.numbers == {}
    assert picture.last == (0, 2)
    assert picture.ban == ((0, 1), Colour.BLACK)
    assert picture.to_move is Colour.BLACK


def test_values_of_the_environment_are_in_no_exhibit(suite: Suite) -> None:
    """Names of the bot's environment are told, values never: not in its last words, nor in the shell."""
    secret = "it's 7 secrets"  # noqa: S105 - of nobody
    settings = settings_of(Bot("bot", "./bot", startup=("time_left b 9 0",)))
    settings = {**settings, "env": {"TOKEN": secret, "N": "1"}}  # as evidence of older versions has it
    again = "{ printf '%s\\n' name; } | env 'TOKEN=it'\"'\"'s 7 secrets' N=1 ./bot"
    broken = Broken("CRASH", f"bot: died of {secret}", f"token {secret}\n", "name", again=again)
    units = [Unit("handshake", 1, 0, [], 0.1, broken=broken)]
    run_report = shown(suite, units, msgspec.structs.replace(header(suite), settings=settings))

    (stop,) = run_report.stops
    told = repr((run_report.settings, stop, run_report.again, run_report.verdict.reason))
    assert "7 secrets" not in told
    assert HIDDEN in stop.broken.again
    assert HIDDEN in stop.broken.stderr_tail
    assert HIDDEN in run_report.verdict.reason
    assert run_report.settings == ("environment (N, TOKEN; values hidden)", "startup")


def test_speed_counts_what_was_played_on_each_size(suite: Suite) -> None:
    """Genmoves and playouts by size of the board; scripts, which play nothing, are left out."""
    run_report = of(suite, SPEC)

    assert [rate.size for rate in run_report.rates] == [3, 4, 5]
    counted = sum(rate.playouts for rate in run_report.rates)
    units = [u for u in ask(suite, SPEC, 1) if u.case != "script"]
    asked = sum(u.playouts * sum(s.startswith("genmove") for s, _ in u.exchanges) for u in units)
    assert counted == asked


def test_how_to_make_such_a_run(suite: Suite) -> None:
    """The command names level and playouts where they are not what they are without saying so."""
    run_report = shown(suite, [], header(suite, "full", fixed_playouts=31))

    assert run_report.again == "refbot certify --level full --playouts 31 ./bot"
    assert run_report.cases["script"].again == "refbot certify --level full --playouts 31 --case script ./bot"


def test_what_is_no_secret_is_shown() -> None:
    """Short values, and parts of long ones, are words like any other."""
    secrets = Secrets(["abcd", "1"])

    assert secrets.hide("bc 1 abcde") == f"bc 1 {HIDDEN}e"
