"""The known mistakes: each can be played, and does what it says where that is plain."""

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from drawings import parse_drawing, parse_points
from eyes import EYES

from reference_engine import playouts
from reference_engine.board import Position, neighbours
from reference_engine.deviations import BY_NAME, CATALOGUE, Deviation
from reference_engine.game import Game
from reference_engine.playout import move_cap
from reference_engine.playouts import Counts, Kernel, Root
from reference_engine.search import Searcher
from reference_engine.server import Server
from reference_engine.spec import PRESETS, SPEC, Amaf, Spec
from reference_engine.vocabulary import PASS, Colour, Move, Point

SEED = 20081013
KO = parse_drawing(".XO. XO.O .XO. ....").after(Colour.BLACK, (2, 2))
"""White may not retake on B3."""

UNOBSERVABLE = {"ko-survives-pass"}
"""The taker of a ko can always play, if only by filling it: the ban point is no eye, since the stone that
took has enemies on both sides.  So no pass of the taker comes between the ban and the retake.
"""


def spec_of(name: str) -> Spec:
    """Return the rules of a bot with the named deviation."""
    return BY_NAME[name].spec


def final_of(root: Root, moves: Iterable[Move]) -> Position:
    """Return the board after the moves of a playout."""
    position, colour = root.position, root.colour
    for move in moves:
        position = position.after_pass() if move is PASS else position.after(colour, move)
        colour = colour.other
    return position


def margins_of(histogram: Counts, size: int) -> list[int]:
    """Return the margins found in a histogram."""
    return [int(place) - size * size for place in np.flatnonzero(histogram.sum(axis=0))]


@pytest.mark.parametrize("size", [3, 9])
@pytest.mark.parametrize("deviation", CATALOGUE, ids=lambda deviation: deviation.name)
def test_every_deviation_plays(deviation: Deviation, size: int) -> None:
    """Playouts and a genmove under the deviation end, count within bounds, and give a move on the board."""
    root = Root(Position(size), Colour.BLACK, komi=7.5)
    histogram = playouts.histogram_for(size, deviation.spec)
    tally = playouts.run(root, 200, SEED, spec=deviation.spec, histogram=histogram)
    assert histogram.sum() == 200
    assert int(np.arange(len(histogram)) @ histogram.sum(axis=1)) == tally.nodes > 0
    assert 0 <= tally.doubled_wins <= 400
    assert ((tally.wins >= 0) & (tally.wins <= 2 * tally.visits)).all()
    answer = Searcher(200, SEED, deviation.spec).genmove(Game.new(size, spec=deviation.spec), Colour.BLACK)
    assert answer.move is PASS or answer.move in set(Position(size).points())
    assert answer.report.nodes > 0
    assert 0 <= answer.report.score <= 1


UNSEEN_IN_PLAYOUTS = {"R1", "R6", "R7", "R8", "R11", "R12", "N1", "N2", "N3", "N4", "X1"}


@pytest.mark.parametrize(
    "name",
    [
        deviation.name
        for deviation in CATALOGUE
        if deviation.requirement not in UNSEEN_IN_PLAYOUTS
        and deviation.name not in UNOBSERVABLE
        and deviation.requirement[0] == "R"
        and not deviation.name.startswith("komi-")
    ],
)
def test_deviations_of_playouts_change_playouts(name: str) -> None:
    """From the same random numbers some playout has another length or margin; chance never fails the test."""

    def histogram(root: Root, spec: Spec) -> Counts:
        table = playouts.histogram_for(root.position.size, SPEC.changed(cap=0))
        playouts.run(root, 3000, SEED, spec=spec, kernel=Kernel.CHAINS, histogram=table)
        return table

    roots = [
        Root(KO, Colour.WHITE),
        Root(Position(3), Colour.BLACK),
        Root(Position(5), Colour.BLACK, move_cap(5) - 12),
    ]
    assert any(not np.array_equal(histogram(root, SPEC), histogram(root, spec_of(name))) for root in roots)


def own(moves: list[Move]) -> list[Point]:
    """Return the points the side to move played, in order."""
    return [move for move in moves[::2] if move is not PASS]


def first_by_either(moves: list[Move]) -> list[Point]:
    """Return the points the side to move played before the other did (R6)."""
    return [move for ply, move in enumerate(moves[::2]) if move is not PASS and move not in moves[: 2 * ply]]


def early(moves: list[Move]) -> list[Point]:
    """Return those of the points so played that were played in the first half of the playout."""
    return [point for point in first_by_either(moves) if moves.index(point) < len(moves) // 2]


AMAF: dict[str, Callable[[list[Move]], Iterable[Point]]] = {
    "amaf-wrong-view": first_by_either,
    "amaf-own-first": lambda moves: set(own(moves)),
    "amaf-every-play": own,
    "amaf-both-colours": lambda moves: {move for move in moves if move is not PASS},
    "amaf-first-move": lambda moves: moves[:1],
    "amaf-weighted": lambda moves: first_by_either(moves) + early(moves),
}


@pytest.mark.parametrize("name", AMAF)
def test_amaf_deviations(name: str) -> None:
    """All-moves-as-first data is what the deviation says of the moves; chance never fails the test."""
    differences = 0
    for number in range(100):
        root = Root(Position(4), Colour(1 + number % 2), komi=0.5)
        moves, tally = playouts.course(root, SEED, number, spec_of(name))
        expected = Counter(AMAF[name](moves))
        assert expected == {
            playouts.point_of(4, int(cell)): int(tally.visits[cell]) for cell in np.flatnonzero(tally.visits)
        }
        worth = 2 - tally.doubled_wins if name == "amaf-wrong-view" else tally.doubled_wins
        assert np.array_equal(tally.wins, worth * tally.visits)
        differences += expected != Counter(first_by_either(moves)) or name == "amaf-wrong-view"
    assert differences


def test_nodes_deviations() -> None:
    """Passes, or a last pass, are missing from the count of the same moves; chance never fails the test."""
    root = Root(Position(5), Colour.BLACK, move_cap(5) - 30)
    endings = set()
    for number in range(200):
        moves, tally = playouts.course(root, SEED, number)
        assert tally.nodes == len(moves)
        for name, count in {
            "nodes-without-passes": len(moves) - moves.count(PASS),
            "nodes-without-last-pass": len(moves) - (moves[-1] is PASS),
        }.items():
            assert (moves, count) == (
                playouts.course(root, SEED, number, spec_of(name))[0],
                playouts.run(root, 1, SEED, number, spec=spec_of(name)).nodes,
            )
        endings.add(moves[-1] is PASS)
    assert endings == {True, False}


def neighbour_margin(position: Position) -> int:
    """Return stones, and empty points all of whose stones around are of one colour."""
    margin = stone_margin(position)
    for point in position.empty_points():
        around = {position.stones[p] for p in neighbours(position.size, point) if p in position.stones}
        margin += {frozenset({Colour.BLACK}): 1, frozenset({Colour.WHITE}): -1}.get(frozenset(around), 0)
    return margin


def stone_margin(position: Position) -> int:
    """Return Black's stones minus White's."""
    return sum(1 if colour is Colour.BLACK else -1 for colour in position.stones.values())


@pytest.mark.parametrize(
    ("name", "margin_of"),
    [
        ("stones-only", stone_margin),
        ("territory-only", lambda position: position.area_margin() - stone_margin(position)),
        ("neighbour-scoring", neighbour_margin),
    ],
)
def test_scoring_deviations(name: str, margin_of: Callable[[Position], int]) -> None:
    """The margin is what the deviation says of the final board, not the area; chance never fails the test."""
    root = Root(Position(5), Colour.BLACK, move_cap(5) - 16)
    differences = 0
    for number in range(200):
        histogram = playouts.histogram_for(5)
        playouts.run(root, 1, SEED, number, spec=spec_of(name), histogram=histogram)
        final = final_of(root, playouts.course(root, SEED, number)[0])
        assert [margin_of(final)] == margins_of(histogram, 5)
        differences += margin_of(final) != final.area_margin()
    assert differences


KOMI = {
    # A deviation, the margin of the only course, the komi, and twice the worth to Black and to White.
    "conforming": ("", 7.5, 0, 2),
    "drawn": ("", 0.0, 1, 1),
    "ignored": ("komi-ignored", 7.5, 1, 1),
    "negated": ("komi-negated", 7.5, 2, 0),
    "truncated up": ("komi-truncated", -0.5, 1, 1),
    "truncated down": ("komi-truncated", 0.5, 1, 1),
    "off Black": ("komi-off-mover", 0.5, 0, 0),
    "draw lost": ("draws-lost", 0.0, 0, 0),
    "draw won": ("draws-won", 0.0, 2, 2),
    "draws do not matter": ("draws-won", 0.5, 0, 2),
    "for Black": ("score-for-black", 0.5, 0, 0),
    "for Black, won": ("score-for-black", -0.5, 2, 2),
    "lost": ("score-loss", 0.5, 2, 0),
    "lost, drawn": ("score-loss", 0.0, 1, 1),
}


@pytest.mark.parametrize(("name", "komi", "black", "white"), KOMI.values(), ids=KOMI.keys())
def test_results_of_a_settled_board(name: str, komi: float, black: int, white: int) -> None:
    """A board that only passes can follow, even without komi, is worth what the deviation says."""
    spec = spec_of(name) if name else SPEC
    settled = parse_drawing(".XO. XXOO XXOO .XO.")
    for colour, worth in ((Colour.BLACK, black), (Colour.WHITE, white)):
        tally = playouts.run(Root(settled, colour, komi=komi), 10, SEED, spec=spec)
        assert (20, 10 * worth) == (tally.nodes, tally.doubled_wins)


@pytest.mark.parametrize(
    ("name", "played", "moves"),
    [
        ("cap-NN", 21, 4),
        ("cap-NN", 25, 1),
        ("cap-2NN", 46, 4),
        ("cap-2NN", 70, 1),
        ("cap-4NN", 96, 4),
        ("cap-4NN", 100, 1),
        ("cap-off-by-one", 72, 4),
        ("cap-off-by-one", 74, 2),
        ("cap-off-by-one", 75, 1),
    ],
)
def test_caps(name: str, played: int, moves: int) -> None:
    """Playouts stop at the cap of the deviation, the moves of the game counted."""
    tally = playouts.run(Root(Position(5), Colour.BLACK, played), 100, SEED, spec=spec_of(name))
    assert tally.nodes == 100 * moves


def test_caps_that_do_not_count_the_game() -> None:
    """A cap counted from the playout's start, or none, makes the game's length irrelevant."""
    for name, played in (("cap-from-playout", 1000), ("no-cap", 1000)):
        late = playouts.run(Root(Position(5), Colour.BLACK, played), 300, SEED, spec=spec_of(name))
        early = playouts.run(Root(Position(5), Colour.BLACK), 300, SEED, spec=spec_of(name))
        assert late.nodes == early.nodes > 300


def test_the_first_published_version_has_no_cap() -> None:
    """Beyond the cap a playout of the first version goes on, and one of the second makes one move."""
    late = Root(Position(5), Colour.BLACK, 75)
    assert playouts.run(late, 100, SEED, spec=PRESETS["2008-10-13"]).nodes == 100
    assert playouts.run(late, 100, SEED, spec=PRESETS["2008-10-11"]).nodes > 1000


@pytest.mark.parametrize(("name", "passes"), [("one-pass-ends", 1), ("three-passes-end", 3)])
def test_passes_that_end_a_playout(name: str, passes: int) -> None:
    """A playout below the cap ends with so many passes and has so many in a row nowhere else; no chance."""
    for number in range(100):
        moves, _ = playouts.course(Root(Position(4), Colour.BLACK), SEED, number, spec_of(name))
        runs = [place for place in range(len(moves)) if moves[place : place + passes] == [PASS] * passes]
        assert runs == [len(moves) - passes] or (not runs and len(moves) == move_cap(4))


FIRST_MOVES = {
    # A deviation, the side to move in the ko, and whether it may begin with the banned point.
    "conforming": ("", Colour.WHITE, False),
    "no ko": ("no-ko", Colour.WHITE, True),
    "lost at the root": ("ko-lost-at-root", Colour.WHITE, True),
    "kept": ("ko-survives-pass", Colour.WHITE, False),
    "the other side may fill": ("", Colour.BLACK, True),
}


@pytest.mark.parametrize(("name", "colour", "begins"), FIRST_MOVES.values(), ids=FIRST_MOVES.keys())
def test_ko_bans_at_the_root(name: str, colour: Colour, *, begins: bool) -> None:
    """The banned point begins some of 2000 playouts or none; false failure below 1e-60."""
    spec = (spec_of(name) if name else SPEC).changed(amaf=Amaf.FIRST_MOVE_ONLY)
    tally = playouts.run(Root(KO, colour, move_cap(4)), 2000, SEED, spec=spec)
    assert begins == bool(tally.visits[playouts.index_of(4, (2, 1))])


@pytest.mark.parametrize("name", sorted(UNOBSERVABLE & set(BY_NAME)))
def test_unobservable_deviations(name: str) -> None:
    """What no position can show gives the playouts of the specification; chance never fails the test."""
    for root in (Root(KO, Colour.WHITE), Root(KO, Colour.BLACK), Root(Position(3), Colour.BLACK)):
        histograms = [playouts.histogram_for(root.position.size) for _ in range(2)]
        for spec, histogram in zip((SPEC, spec_of(name)), histograms, strict=True):
            playouts.run(root, 3000, SEED, spec=spec, kernel=Kernel.CHAINS, histogram=histogram)
        assert np.array_equal(*histograms)


def test_draws_of_a_pass_and_of_all_but_the_last() -> None:
    """A drawn pass takes its share of first moves, and the last point none; false failure below 1e-40."""
    root = Root(Position(3), Colour.BLACK, move_cap(3))
    first = Amaf.FIRST_MOVE_ONLY
    passing = playouts.run(root, 1000, SEED, spec=spec_of("pass-drawn").changed(amaf=first))
    assert passing.visits.sum() < 1000
    short = playouts.run(root, 1000, SEED, spec=spec_of("last-never-drawn").changed(amaf=first))
    assert np.count_nonzero(short.visits) == 8
    assert short.visits.sum() == 1000


PLAYABLE = {
    **EYES,
    "suicide of two": ("suicide-several", ".... OO.. XO.. .O..", "A1", ""),
    "suicide of one": ("suicide-several", ".... .... O... .O..", "", ""),
    "capture taken for suicide": ("suicide-before-capture", ".OX. OOX. XX.. ....", "", "A4"),
}


@pytest.mark.parametrize(("name", "drawing", "more", "less"), PLAYABLE.values(), ids=PLAYABLE.keys())
def test_eye_and_suicide_deviations(name: str, drawing: str, more: str, less: str) -> None:
    """The points that become playable, and those that no longer are, are those drawn."""
    position = parse_drawing(drawing)
    under_rules = set(playouts.playable(position, Colour.BLACK))
    deviating = set(playouts.playable(position, Colour.BLACK, spec_of(name)))
    assert (parse_points(more), parse_points(less)) == (deviating - under_rules, under_rules - deviating)


def test_playouts_run_twice() -> None:
    """Every second playout repeats the one before; the repetition ends where the next pair begins."""
    root, spec = Root(Position(9), Colour.BLACK), spec_of("playouts-twice")
    courses = [playouts.course(root, SEED, number, spec)[0] for number in range(20)]
    assert courses[::2] == courses[1::2]
    assert len({tuple(moves) for moves in courses}) == 10


def test_whites_eyes_are_not_protected() -> None:
    """White fills an own eye where Black's alone are kept."""
    position = parse_drawing(".XO. XXO. OO.O ..O.")
    under_rules = set(playouts.playable(position, Colour.WHITE))
    deviating = set(playouts.playable(position, Colour.WHITE, spec_of("eye-black-only")))
    assert (deviating - under_rules, under_rules - deviating) == (parse_points("C2 D1"), set())


def test_a_cap_one_move_late_has_room() -> None:
    """A playout of one move more than the cap is counted with the others."""
    spec = spec_of("cap-off-by-one").changed(ending_passes=1000)
    histogram = playouts.histogram_for(2, spec)
    playouts.run(Root(Position(2), Colour.BLACK), 20, SEED, spec=spec, histogram=histogram)
    assert histogram.sum(axis=1).tolist() == [0] * 13 + [20]


@pytest.mark.parametrize(("name", "factor"), [("half-the-playouts", 0.5), ("one-playout-more", 1.01)])
def test_other_numbers_of_playouts(name: str, factor: float) -> None:
    """The nodes are those of the playouts run, and the number reported is the one declared."""
    game = Game.new(9)
    report = Searcher(100, SEED, spec_of(name)).genmove(game, Colour.BLACK).report
    honest = playouts.run(Root(game.position, Colour.BLACK), round(100 * factor), SEED)
    assert (honest.nodes, 100) == (report.nodes, report.playouts)


def test_fixed_seeds() -> None:
    """A fixed seed repeats itself in the next process, or the next genmove, and other bots do neither."""

    def nodes(name: str) -> list[int]:
        searcher = Searcher(50, spec=spec_of(name) if name else SPEC)
        return [searcher.genmove(Game.new(9), Colour.BLACK).report.nodes for _ in range(3)]

    assert nodes("fixed-seed-process") == nodes("fixed-seed-process")
    assert len(set(nodes("fixed-seed-process"))) > 1
    assert len(set(nodes("fixed-seed-genmove"))) == 1


def test_seeds_by_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Genmoves of the same second are the same, whatever the process; those of another are others."""
    clock = iter([7.0, 7.9, 7.5, 8.1])
    monkeypatch.setattr("reference_engine.search.time.time", lambda: next(clock))
    one, other = (Searcher(50, spec=spec_of("seed-per-second")) for _ in range(2))
    reports = [s.genmove(Game.new(9), Colour.BLACK).report for s in (one, one, other, other)]
    assert reports[0] == reports[1] == reports[2] != reports[3]


def test_nodes_that_are_no_sum() -> None:
    """The nodes of the last playout, or of one on average, are reported, and the searches are the same."""
    game = Game.new(5)
    lengths = [len(playouts.course(Root(game.position, Colour.BLACK), SEED, n)[0]) for n in range(14)]
    for name, expected in {
        "nodes-of-last-playout": [lengths[6], lengths[13]],
        "nodes-per-playout": [sum(lengths[:7]) // 7, sum(lengths[7:]) // 7],
    }.items():
        searcher = Searcher(7, SEED, spec_of(name))
        found = [searcher.genmove(game, Colour.BLACK) for _ in range(2)]
        assert expected == [answer.report.nodes for answer in found]
        honest = Searcher(7, SEED)
        assert [answer.move for answer in found] == [
            honest.genmove(game, Colour.BLACK).move for _ in range(2)
        ]


RATES = {(0, 0): (4, 8), (0, 1): (3, 4), (0, 2): (1, 1), (1, 0): (0, 0), (1, 1): (2, 2), (2, 2): (3, 4)}
"""Wins and visits of some points: B1 and C3 are even, C1 and B2 too, and A2 has no data."""


@pytest.mark.parametrize(
    ("name", "candidates", "chosen"),
    [
        ("ties-in-order", RATES, {(0, 2)}),
        ("ties-last", RATES, {(1, 1)}),
        ("ties-by-visits", RATES, {(1, 1)}),
        ("ties-by-visits", [(0, 0), (0, 1), (1, 0), (2, 2)], {(0, 1), (2, 2)}),
        ("second-best", RATES, {(0, 2), (1, 1)}),
        ("second-best", [(0, 0), (0, 1), (1, 0), (2, 2)], {(0, 1), (2, 2)}),
        ("second-best", [(0, 0), (0, 1), (1, 0)], {(0, 0)}),
        ("second-best", [(0, 1), (1, 0)], {(0, 1)}),
        ("second-best", [(1, 0)], {PASS}),
    ],
)
def test_selections(name: str, candidates: Iterable[Point], chosen: set[Move]) -> None:
    """The moves chosen are those the deviation leaves; false failure below 1e-15."""
    wins, visits = np.zeros((2, 9), np.int64)
    for point, (won, seen) in RATES.items():
        wins[playouts.index_of(3, point)], visits[playouts.index_of(3, point)] = 2 * won, seen
    tally = playouts.Tally(8, 0, 0, visits, wins, np.zeros((2, 0), np.int64))
    ordered = sorted(candidates)
    found = {playouts.best(tally, 3, ordered, seed, spec_of(name))[0] for seed in range(60)}
    assert found == chosen


def answers_to(name: str, *commands: str) -> list[str]:
    """Return what a server with the deviation answers."""
    server = Server(Searcher(4, SEED, spec_of(name)), spec_of(name))
    return [server.answer(f"{command}\n".encode())[1:].strip() for command in commands]


KOMI_OF = {
    # A deviation, what is sent, and the score of the empty board that follows.
    "waits": ("komi-stale", ["komi 20"], "0"),
    "waits for clear_board": ("komi-stale", ["komi 20", "clear_board", "komi 3"], "W+20"),
    "waits for boardsize": ("komi-stale", ["komi 20", "boardsize 5", "komi 3"], "W+20"),
    "stays until then": ("komi-stale", ["komi 20", "clear_board", "clear_board"], "W+20"),
    "counts": ("komi-forgotten", ["komi 20"], "W+20"),
    "is forgotten by clear_board": ("komi-forgotten", ["komi 20", "clear_board"], "0"),
    "is forgotten by boardsize": ("komi-forgotten", ["komi 20", "boardsize 5"], "0"),
    "stays without these": ("komi-forgotten", ["komi 20", "play b pass", "undo"], "W+20"),
}


@pytest.mark.parametrize(("name", "commands", "score"), KOMI_OF.values(), ids=KOMI_OF.keys())
def test_komi_deviations(name: str, commands: list[str], score: str) -> None:
    """The komi in force is what the deviation makes of the order of commands."""
    assert answers_to(name, *commands, "final_score")[-1] == score


def test_fresh_seeds() -> None:
    """Two searchers draw different numbers; false failure, three counts of nodes alike, below 1 in 10**6."""

    def nodes() -> list[int]:
        searcher = Searcher(50)
        return [searcher.genmove(Game.new(9), Colour.BLACK).report.nodes for _ in range(3)]

    assert nodes() != nodes()
