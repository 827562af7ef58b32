"""Progress: a bar on a terminal, lines elsewhere, nothing for who wants none."""

import io

import pytest
from rich.console import Console

from harness.render import live
from harness.render.live import Live


def shown(*, quiet: bool = False, is_terminal: bool = False) -> str:
    """Show two steps, hide, and return all that was written."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=is_terminal, color_system=None, width=100)
    with Live(console, quiet=quiet) as display:
        display.show("one of [two]", 1, 2, plain="first of [two]")
        display.show("two of [two]", 2, 2, plain="second of [two]")
    return file.getvalue()


def test_lines_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal a line now and then, in its own words, brackets and all."""
    assert shown() == ""
    monkeypatch.setattr(live, "PLAIN_INTERVAL_S", 0.0)
    assert shown() == "first of [two]\nsecond of [two]\n"


def test_a_bar_on_a_terminal_that_goes_away() -> None:
    """On a terminal the bar is drawn with what was said last, and taken off."""
    text = shown(is_terminal=True)
    assert "two of [two]" in text
    assert "first" not in text
    assert text.endswith("\x1b[2K")


@pytest.mark.parametrize("is_terminal", [False, True])
def test_quiet(*, is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing at all."""
    monkeypatch.setattr(live, "PLAIN_INTERVAL_S", 0.0)
    assert shown(quiet=True, is_terminal=is_terminal) == ""
