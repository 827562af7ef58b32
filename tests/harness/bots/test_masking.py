"""Values of a bot's environment: hidden in what it prints, unless that is what it is judged by."""

import base64

import pytest

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.masking import HIDDEN, Mask, open_names
from harness.bots.settings import bot_from, settings_of

TOKEN = "s3cr3t-Tok3n-value-9911"  # noqa: S105 - of nothing


def hide(text: str, **env: str) -> str:
    """Return a text as it is shown."""
    mask = Mask.of(env)
    assert mask is not None
    return mask.hide(text)


@pytest.mark.parametrize(
    "printed",
    [
        TOKEN,
        TOKEN.upper(),
        TOKEN[::-1],
        TOKEN[:8],
        TOKEN[5:14],
        TOKEN.encode().hex(),
        *(base64.b64encode(b"x" * shift + TOKEN.encode() + b"y").decode()[4:-4] for shift in range(4)),
    ],
)
def test_forms_and_parts(printed: str) -> None:
    """Whatever form the value comes in, nothing of eight characters is left of it."""
    shown = hide(f"before {printed} after", TOKEN=TOKEN)
    assert HIDDEN in shown
    assert not any(printed[start : start + 8] in shown for start in range(len(printed) - 7))
    assert shown.startswith("before ")
    assert shown.endswith(" after")


def test_what_a_bot_is_judged_by() -> None:
    """Figures and words of the protocol stay, though a value holds them; it is said which values do."""
    env = {"A": "12345678", "B": "true", "C": "list_commands", "D": "on", "E": "", "F": TOKEN, "G": "5.50"}
    for text in ("=12 0.12345678\n\n", "true", "list_commands\nboardsize", "0.333333333333", "5.50"):
        assert hide(text, **env) == text
    assert open_names(env) == ["A", "B", "C", "D", "G"]
    assert hide("key 12345678", **env) == f"key {HIDDEN}"


def test_exchange_and_settings() -> None:
    """What was sent stays; settings have the names alone."""
    mask = Mask.of({"TOKEN": TOKEN})
    assert mask is not None
    exchange = Exchange("1 name", f"=1 {TOKEN}\n\n", True, TOKEN, (f"line {TOKEN}",), 0.1)  # noqa: FBT003
    shown = mask.exchange(exchange)
    assert (shown.raw, shown.text, shown.notes) == (f"=1 {HIDDEN}\n\n", HIDDEN, (f"line {HIDDEN}",))
    settings = settings_of(Bot("b", "./bot", env={"TOKEN": TOKEN}))
    assert bot_from(settings).env == {"TOKEN": HIDDEN}
    assert Mask.of({}) is None
