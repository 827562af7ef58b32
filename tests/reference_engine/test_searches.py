"""The searches by name: each plays whole games by the rules, and bad settings have their sentence."""

import pytest

from reference_engine.deviations import BY_NAME
from reference_engine.game import Game
from reference_engine.searches import NAMES, SEARCHES, SearchError, settings_of, thinker_of
from reference_engine.spec import PRESETS
from reference_engine.vocabulary import Colour


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game(name: str) -> None:
    """Every move is allowed by the game, the same seed plays the same game, and it ends by passes."""
    records = []
    for _ in range(2):
        thinker = thinker_of(name, 40, 7)
        game, colour = Game.new(5, komi=0.5), Colour.BLACK
        while [move for _, move in game.moves[-2:]] != [None, None]:
            answer = thinker.genmove(game, colour)
            assert not answer.resigns
            assert game.allows(colour, answer.move)
            assert answer.report.playouts == 40
            assert 0 <= answer.report.score <= 1
            assert answer.report.nodes >= 40
            game, colour = game.after(colour, answer.move), colour.other
            assert len(game.moves) < 500
        records.append(game.moves)

    assert records[0] == records[1]
    assert len(records[0]) > 15


def test_the_draft_has_rules_of_its_own() -> None:
    """Its readings are those of the first text."""
    thinker = thinker_of("2008-10-11", 10, 1)

    assert vars(thinker)["spec"] == PRESETS["2008-10-11"]


@pytest.mark.parametrize(
    ("name", "settings", "says"),
    [
        ("gobbel", {}, "did you mean 'gobble'"),
        ("futures", {"bonus": "much"}, "bonus of futures is a number, not 'much'"),
        ("futures", {"bonus": "-1"}, "out of range"),
        ("futures", {"bonus": "nan"}, "out of range"),
        ("gobble", {"hot": "0"}, "out of range"),
        ("futures", {"form": "tan"}, "linear, tanh"),
        ("decay", {"repeats": "yes"}, "false, true"),
        ("decay", {"bonus": "1"}, "has no 'bonus'"),
        ("amaf", {"bonus": "1"}, "nothing can be set"),
    ],
)
def test_bad_names_and_settings(name: str, settings: dict[str, str], says: str) -> None:
    """One sentence, with what there is."""
    with pytest.raises(SearchError, match=says):
        thinker_of(name, 10, 1, settings=settings)


def test_deviations_belong_to_amaf() -> None:
    """The others have rules of their own."""
    spec = next(iter(BY_NAME.values())).spec

    assert thinker_of("amaf", 10, 1, spec)
    with pytest.raises(SearchError, match="deviations change the rules of amaf"):
        thinker_of("gobble", 10, 1, spec)


@pytest.mark.parametrize("name", SEARCHES)
def test_settings_change_the_search(name: str) -> None:
    """What can be set has a usual value that can be given, too."""
    for setting in settings_of(name):
        assert thinker_of(name, 10, 1, settings={setting.name: setting.usual})
