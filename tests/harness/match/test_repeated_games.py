"""Games that repeat earlier ones make no word wrong more often than promised, whatever makes them repeat.

Every simulation of an error also shows what one of the two counts alone would have said, so that a match that
trusts it fails here.  Error rates are a tenth or a twentieth, so that so few runs notice;
`benchmarks/match_repeats.py` has the default ones.
"""

import pytest
from repeated import Source, book, copies, cycle, played

from harness.match.record import Ask, Question
from harness.match.tally import MatchTally
from harness.statistics.sprt import expected_score
from harness.word import Word

EVEN = Question(Ask.EVEN, 0.1, alpha=0.1, beta=0.1)
SPRT = Question(Ask.SPRT, elo=(0.0, 100.0), alpha=0.05, beta=0.05)
RUNS = 60
FEW = 0.1 * RUNS
"""Wrong words that the error rate of EVEN allows on average, and twice what that of SPRT does."""


def runs(question: Question, play: Source, most: int = 1200) -> list[MatchTally]:
    """Return matches of the same bots."""
    return [played(question, play, most, seed) for seed in range(RUNS)]


def of_all(tallies: list[MatchTally], word: Word) -> int:
    """Return in how many matches every game together says a word."""
    return sum(tally.pairings[0].every.word is word for tally in tallies)


def of_new(tallies: list[MatchTally], word: Word) -> int:
    """Return in how many matches the games that repeat none before say it."""
    return sum(tally.pairings[0].new.word is word for tally in tallies)


def said(tallies: list[MatchTally], word: Word) -> int:
    """Return in how many matches it is the answer."""
    return sum(tally.word is word for tally in tallies)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.2, 0.4, 0.6])
def test_even_bots_of_which_one_wins_by_the_same_games_do_not_fail(share: float) -> None:
    """Each wins every second game; leaving repeated games out would take wins from the first."""
    found = runs(EVEN, book(0.5, share, games=5))

    assert said(found, Word.FAIL) <= FEW
    if share == 0.6:
        assert of_new(found, Word.FAIL) > 2 * FEW
    if share <= 0.1:
        assert said(found, Word.PASS) > 0.8 * RUNS


@pytest.mark.parametrize("play", [cycle(0.5, 5), copies(0.6, 8)], ids=["no chance", "same seeds"])
def test_a_game_played_again_proves_nothing(play: Source) -> None:
    """Five openings that happen to favour one bot, or games told eight times over: counted, they convict."""
    found = runs(EVEN, play)

    assert of_all(found, Word.FAIL) > 2 * FEW
    assert said(found, Word.FAIL) <= FEW


@pytest.mark.parametrize("mean", [0.0, 0.5, 1.0])
def test_bots_without_chance_get_no_word(mean: float) -> None:
    """One game with each colour, again and again."""
    for question in (EVEN, SPRT):
        tally = played(question, cycle(mean, 1), 400, 1)

        assert tally.word is Word.INCONCLUSIVE
        assert (tally.played, tally.pairings[0].duplicates, tally.pairings[0].new.games) == (400, 398, 2)
        assert tally.pairings[0].every.word is not Word.INCONCLUSIVE


@pytest.mark.parametrize(
    ("mean", "share", "word"), [(0.5, 0.0, Word.PASS), (0.5, 0.1, Word.PASS), (0.75, 0.1, Word.FAIL)]
)
def test_a_few_repeated_games_prevent_no_word(mean: float, share: float, word: Word) -> None:
    """Of either bot alike."""
    assert said(runs(EVEN, book(mean, share, share)), word) >= 0.9 * RUNS


def test_the_longer_match_is_not_played_where_the_counts_contradict_each_other() -> None:
    """Nothing can change the word then."""
    found = runs(EVEN, book(0.5, 0.6))
    decided = [tally for tally in found if tally.decided_at is not None]

    assert len(decided) > RUNS / 2
    for tally in decided:
        one = tally.pairings[0]
        assert tally.decided_at == tally.played < 1200
        assert {one.every.word, one.new.word} == {Word.PASS, Word.FAIL}
        assert tally.word is Word.INCONCLUSIVE


@pytest.mark.parametrize(
    ("play", "wrong"),
    [
        (book(expected_score(100), 0.5, games=5), Word.FAIL),
        (book(0.5, 0.0, 0.5, games=5), Word.PASS),
    ],
    ids=["stronger", "no better"],
)
def test_a_difference_in_strength_is_not_lost_with_the_games_that_repeat(play: Source, wrong: Word) -> None:
    """The stronger bot wins by the same games, or the weaker does; the new games alone say otherwise."""
    found = runs(SPRT, play)

    assert of_new(found, wrong) > 2 * FEW
    assert said(found, wrong) <= FEW
