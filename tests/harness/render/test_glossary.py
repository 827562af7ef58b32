"""Every word of a verdict can be explained."""

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from harness.render.glossary import GLOSSARY
from harness.word import Word, exit_status


@pytest.mark.parametrize("word", [*Word, *GLOSSARY])
def test_every_word_is_explained(word: str) -> None:
    """Whatever a verdict can contain, `refbot explain` knows it, in any letter case."""
    shown = CliRunner().invoke(app, ["explain", str(word).lower()])

    assert shown.exit_code == 0
    assert " ".join(GLOSSARY[str(word)].split())[:30] in " ".join(shown.output.split())


@pytest.mark.parametrize("word", [w for w in Word if w is not Word.NOT_APPLICABLE])
def test_exit_statuses_are_those_of_the_command(word: Word) -> None:
    """The exit status that a text names is the one that the command ends with."""
    assert f"status {exit_status(word)}" in GLOSSARY[word]
