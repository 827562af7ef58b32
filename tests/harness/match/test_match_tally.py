"""What games add up to: schedule, colours, pairs, duplicates, order, and the tables for other tools."""

from collections import Counter
from itertools import permutations

import pytest
from matches import game, header

from harness.match.dat import COLUMNS, dat_table
from harness.match.duplicate import digest_of, symmetries
from harness.match.record import Ask, MatchHeader, Question, Result, Termination
from harness.match.schedule import Schedule, TournamentFormat
from harness.match.summary import summarize
from harness.match.tally import MatchTally, outcome_of
from harness.match.terms import OpeningPosition
from harness.statistics.even import interval
from harness.statistics.ratings import Score
from harness.statistics.wilson import wilson
from harness.word import Word

BLACK = Result(Termination.SCORE, "B", 3.5)
WHITE = Result(Termination.SCORE, "W", -3.5)
DRAW = Result(Termination.SCORE, "", 0.0)
VOID = Result(Termination.VOID, culprit="B", word=Word.CRASH, detail="gone")


def tally_of(
    results: list[Result], top: MatchHeader, order: list[int] | None = None, games: int = 4
) -> MatchTally:
    """Return the tally of games with these results, taken in in some order."""
    schedule = Schedule(len(top.entrants), top.form, games, len(top.openings))
    tally = MatchTally(schedule, top.test)
    for number in order or range(1, len(results) + 1):
        tally.add(outcome_of(game(number, results[number - 1], schedule), top, schedule))
    return tally


@pytest.mark.parametrize(
    ("form", "meetings"), [(TournamentFormat.ROUND_ROBIN, 6), (TournamentFormat.GAUNTLET, 3)]
)
def test_every_meeting_has_every_opening_with_both_colours(form: TournamentFormat, meetings: int) -> None:
    """Each two bots play each opening as often with one colour as with the other."""
    schedule = Schedule(4, form, 6, 3)
    seatings = [schedule.seating(n) for n in range(1, schedule.total + 1)]
    seen = Counter((s.black, s.white, s.opening) for s in seatings)

    assert schedule.total == 6 * meetings
    assert set(seen.values()) == {1}
    assert {(w, b, o) for b, w, o in seen} == set(seen)
    for one, two in zip(seatings[::2], seatings[1::2], strict=True):
        assert (one.black, one.white, one.opening) == (two.white, two.black, two.opening)
    first_round = {frozenset((s.black, s.white)) for s in seatings[: 2 * meetings]}
    assert len(first_round) == meetings


def test_points_are_the_first_bots_whatever_its_colour() -> None:
    """Wins by colour, draws, and pairs."""
    tally = tally_of([BLACK, BLACK, BLACK, WHITE, DRAW, BLACK], header(), games=6)
    one = tally.pairings[0]

    for count in (one.every, one.new):
        assert (count.black.won, count.black.drawn, count.black.lost) == (2, 1, 0)
        assert (count.white.won, count.white.drawn, count.white.lost) == (1, 0, 2)
        assert count.pairs == [0, 1, 1, 0, 1]
    assert (one.points, one.games) == (3.5, 6)


@pytest.mark.parametrize("order", list(permutations([1, 2, 3, 4]))[1::5])
def test_order_of_finishing_changes_nothing(order: tuple[int, ...]) -> None:
    """Games are counted by their numbers; what waits behind a gap is counted by none."""
    results = [BLACK, WHITE, WHITE, WHITE]
    expected = tally_of(results, header())
    found = tally_of(results, header(), list(order))

    assert found.pairings == expected.pairings
    waiting = tally_of(results, header(), [1, 3, 4])
    assert (waiting.played, waiting.waiting) == (1, {3, 4})
    waiting.drain()
    assert (waiting.played, waiting.pairings[0].games) == (3, 3)


def test_void_games_are_no_results() -> None:
    """Nor is the other game of the pair a pair; it counts by itself."""
    tally = tally_of([VOID, BLACK, BLACK, WHITE], header())
    one = tally.pairings[0]

    assert (one.games, one.not_counted, sum(one.every.pairs)) == (3, 1, 1)
    document = summarize(header(), tally, 1.0, None)
    assert [(s.game, s.bot, s.word) for s in document.spoiled] == [(1, "one", "CRASH")]
    assert document.word is Word.PASS


def test_symmetries_are_the_eight_of_the_square() -> None:
    """All different, each a rearrangement."""
    ways = {table[:25] for table in symmetries(5)}

    assert len(ways) == 8
    assert all(sorted(way) == list(range(25)) for way in ways)
    assert len(set(symmetries(25))) == 8


def test_duplicates_are_found_in_any_orientation() -> None:
    """Of the same bots with the same colours; another move makes another game."""
    top = header()
    schedule = Schedule(2, TournamentFormat.ROUND_ROBIN, 8)
    tally = MatchTally(schedule)
    games = [
        ("C4", "A1"),
        ("B3", "A1"),
        ("D3", "A5"),
        ("B3", "A5"),
        ("C2", "E5"),
        ("B3", "E1"),
        ("C2", "E4"),
        ("C4", "B1"),
    ]
    for number, vertices in enumerate(games, start=1):
        tally.add(outcome_of(game(number, BLACK, schedule, *vertices), top, schedule))

    # Games 1, 3, 5 are one another's mirror images or turns, as are 2 and 4 with the colours swapped.
    assert tally.duplicate_of == {3: 1, 4: 2, 5: 1}
    one = tally.pairings[0]
    assert (one.games, one.new.games, one.duplicates) == (8, 5, 3)
    assert (sum(one.every.pairs), sum(one.new.pairs)) == (4, 2)
    assert tally.scores() == [Score(0, 1, 2, 2.0), Score(1, 0, 3, 3.0)]


def test_intervals_hold_those_of_all_games_and_of_the_new_ones() -> None:
    """A bot that wins by one game is no surer to win by it: the two games that differ say little."""
    top = header()
    schedule = Schedule(2, TournamentFormat.ROUND_ROBIN, 40)
    tally = MatchTally(schedule)
    for number in range(1, 41):
        won = BLACK if number % 2 else WHITE
        tally.add(outcome_of(game(number, won, schedule, "C3", "A1"), top, schedule))
    found = summarize(top, tally, 1.0, None).meetings[0]

    assert (found.share, found.points, found.games, found.duplicates) == (1.0, 40.0, 40, 38)
    assert (found.pairs, found.new_pairs) == ([0, 0, 0, 0, 20], [0, 0, 0, 0, 1])
    assert found.wilson == pytest.approx((wilson(2.0, 2)[0], 1.0), abs=1e-6)
    assert found.anytime == pytest.approx(interval([0, 0, 0, 0, 1], 0.05), abs=1e-6)
    assert tally.scores() == [Score(0, 1, 1, 1.0), Score(1, 0, 1, 0.0)]


def test_openings_and_passes_make_games_different() -> None:
    """What stood on the board before is part of the game."""
    schedule = Schedule(2, TournamentFormat.ROUND_ROBIN, 2)
    record = game(1, BLACK, schedule, "C3", "pass")
    other = game(1, BLACK, schedule, "C3", "A1")

    assert digest_of(record, OpeningPosition(), 5) != digest_of(other, OpeningPosition(), 5)
    assert digest_of(record, OpeningPosition(), 5) != digest_of(
        record, OpeningPosition(stones=[("B", "A1")]), 5
    )
    assert digest_of(record, OpeningPosition(stones=[("B", "A1")]), 5) == digest_of(
        record, OpeningPosition(stones=[("B", "E5")]), 5
    )


def test_the_size_of_the_board_makes_games_different() -> None:
    """The same moves, or none but passes, on two boards."""
    schedule = Schedule(2, TournamentFormat.ROUND_ROBIN, 4)
    one = game(1, Result(Termination.SCORE, "B"), schedule, "pass", "pass")
    assert digest_of(one, OpeningPosition(), 5) == digest_of(one, OpeningPosition(), 5)
    assert digest_of(one, OpeningPosition(), 5) != digest_of(one, OpeningPosition(), 7)


def test_an_answer_stays_where_it_was_found() -> None:
    """Later games do not change it."""
    top = header(Question(Ask.SPRT, elo=(0.0, 400.0), alpha=0.2, beta=0.2))
    wins = [BLACK if n % 2 else WHITE for n in range(1, 41)]
    tally = tally_of(wins, top, games=100)
    decided = tally.decided_at
    schedule = tally.schedule
    for number in range(41, 101):
        result = WHITE if number % 2 else BLACK
        tally.add(outcome_of(game(number, result, schedule), top, schedule))

    assert tally.word is Word.PASS
    assert decided is not None
    assert tally.decided_at == decided < 40


def test_dat_is_what_gogui_writes() -> None:
    """Columns, results turned round in swapped games, duplicates and errors."""
    top = header()
    schedule = Schedule(2, TournamentFormat.ROUND_ROBIN, 4)
    tally = MatchTally(schedule)
    results = [BLACK, BLACK, BLACK, VOID]
    for number, result in enumerate(results, start=1):
        tally.add(outcome_of(game(number, result, schedule, *("C3",) * (number % 2)), top, schedule))
    first, second = top.entrants
    lines = dat_table(top, first, second, tally.outcomes, tally.duplicate_of).splitlines()
    rows = [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines if not line.startswith("#")]

    assert "# Black: one" in lines
    assert "# WhiteCommand: ./two --x" in lines
    assert lines[-5] == "#" + "\t".join(COLUMNS)
    assert [(r["GAME"], r["RES_R"], r["ALT"], r["DUP"], r["ERR"]) for r in rows] == [
        ("0", "B+3.5", "0", "-", "0"),
        ("1", "W+3.5", "1", "-", "0"),
        ("2", "B+3.5", "0", "0", "0"),
        ("3", "?", "1", "-", "1"),
    ]
    assert rows[3]["ERR_MSG"] == "gone"
