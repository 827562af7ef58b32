"""The order of severity of verdict words."""

from harness.word import SEVERITY, Word, gravest


def test_every_word_has_its_severity() -> None:
    """No word is missing in the order, and none stands there twice."""
    assert sorted(SEVERITY) == sorted(Word)


def test_the_gravest_word_comes_first() -> None:
    """A FAIL outweighs everything, a PASS nothing; plain texts of words count as words."""
    assert gravest(Word) is Word.FAIL
    assert gravest(["PASS", "TIMEOUT", "INCONCLUSIVE"]) is Word.TIMEOUT
    assert gravest([Word.PASS, Word.NON_STRICT]) is Word.NON_STRICT
    assert gravest([]) is None
