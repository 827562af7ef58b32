"""The bot's own unit tests, beside what refbot asks of it."""

from mybot import words_of


def test_an_id_is_taken_off() -> None:
    """The id of a command is no word of it."""
    assert words_of("12 genmove b\n") == ("12", ["genmove", "b"])


def test_control_characters_vanish() -> None:
    """A tab parts words, other control characters do not."""
    assert words_of("gen\x07move\tb\r\n") == ("", ["genmove", "b"])
