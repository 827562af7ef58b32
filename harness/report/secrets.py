"""The values of a bot's environment, which may be secrets and are told to nobody."""

import shlex
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from harness.records.evidence import Header

_Value = TypeVar("_Value", bound=msgspec.Struct)

HIDDEN: Final = "[hidden]"
"""Stands for a value of the bot's environment."""
_LEAST: Final = 4
"""Characters from which on a value is taken for a secret wherever it stands; ``1`` is everywhere."""


class Secrets:
    """What must not be shown of one run."""

    def __init__(self, values: Iterable[str]) -> None:
        secrets = [value for value in values if len(value) >= _LEAST]
        # In a line of shell, what has to be quoted stands between quotes of its own.
        quoted = [word[1:-1] for word in map(shlex.quote, secrets) if word.startswith("'")]
        self._forms = sorted({*secrets, *quoted}, key=len, reverse=True)

    @classmethod
    def of(cls, header: Header) -> "Secrets":
        """Return those of a run."""
        return cls.of_settings(header.settings)

    @classmethod
    def of_settings(cls, *bots: Mapping[str, Any]) -> "Secrets":
        """Return those of bots that were started by these settings."""
        return cls(str(value) for settings in bots for value in environment(settings).values())

    def hide(self, text: str) -> str:
        """Return a text without them."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return text

    def hide_in(self, value: _Value) -> _Value:
        """Return a value without them in any of its texts."""
        if not self._forms:
            return value
        return msgspec.convert(self._hidden(msgspec.to_builtins(value)), type(value))

    def _hidden(self, plain: Any) -> Any:
        match plain:
            case str():
                return self.hide(plain)
            case dict():
                return {key: self._hidden(value) for key, value in plain.items()}
            case list() | tuple():
                return [self._hidden(value) for value in plain]
        return plain


def environment(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the settings of a bot put into its environment."""
    found = settings.get("env")
    return found if isinstance(found, dict) else {}
