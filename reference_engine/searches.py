"""The searches of ``refbot engine --search``, by name, with what can be set in each.

``amaf`` is the reference bot; the others are engines beside it, from the same years and from 1993, for
matches.  Heavy imports wait until an engine is made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from enum import Enum
from typing import Any, Final

from reference_engine.decay import Decay
from reference_engine.futures import Futures
from reference_engine.gobble import Gobble
from reference_engine.search import Searcher, Thinker
from reference_engine.spec import PRESETS, SPEC, Spec
from reference_engine.valued import Search, ValuedSearcher

SEARCHES: Final[Mapping[str, Search]] = {"futures": Futures(), "decay": Decay(), "gobble": Gobble()}
DRAFT: Final = "2008-10-11"
"""The reference bot by the first draft of its rules: no move cap, and only the own earlier play on a point
keeps a move from counting again."""
NAMES: Final = ("amaf", *SEARCHES, DRAFT)


class SearchError(ValueError):
    """A search or a setting that there is not; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that can be set in a search."""

    name: str
    usual: str
    choices: tuple[str, ...]
    """Empty where it is a number."""


def settings_of(name: str) -> list[Setting]:
    """Return what can be set in a search."""
    if name not in SEARCHES:
        return []
    search: Any = SEARCHES[name]
    found = []
    for field in fields(search):
        usual = getattr(search, field.name)
        choices = [str(kind) for kind in type(usual)] if isinstance(usual, Enum) else []
        if isinstance(usual, bool):
            choices = ["false", "true"]
        found.append(Setting(field.name, str(usual).lower(), tuple(choices)))
    return found


def thinker_of(
    name: str,
    playouts: int,
    seed: int | None,
    spec: Spec = SPEC,
    settings: Mapping[str, str] | None = None,
    announce: Callable[[str], None] | None = None,
) -> Thinker:
    """Return what makes the genmoves of a search.

    Args:
        name: one of ``NAMES``.
        playouts: playouts of each genmove.
        seed: fixes the sequence of genmoves; drawn from the system when absent.
        spec: the rules, for ``amaf`` only.
        settings: of the search, as text.
        announce: told, a line each, when something has to be compiled first.

    Raises:
        SearchError: there is no such search or setting, or the rules cannot be changed there.
    """
    if name not in NAMES:
        raise SearchError(f"no search {name!r}{_closest(name, NAMES)}; there are {', '.join(NAMES)}")
    if spec != SPEC and name != "amaf":
        raise SearchError(f"deviations change the rules of amaf; {name} has its own")
    if name not in SEARCHES:
        if settings:
            raise SearchError(f"nothing can be set in {name}")
        return Searcher(playouts, seed, PRESETS[name] if name == DRAFT else spec, announce=announce)
    search: Any = SEARCHES[name]
    for key, text in (settings or {}).items():
        search = replace(search, **{key: _parsed(name, search, key, text)})
    return ValuedSearcher(search, playouts, seed, announce)


def _parsed(name: str, search: Any, key: str, text: str) -> Any:
    known = {setting.name: setting for setting in settings_of(name)}
    if key not in known:
        raise SearchError(f"{name} has no {key!r}{_closest(key, known)}; it has {', '.join(known)}")
    usual = getattr(search, key)
    if choices := known[key].choices:
        if text not in choices:
            raise SearchError(f"{key} of {name} is one of {', '.join(choices)}, not {text!r}")
        return text == "true" if isinstance(usual, bool) else type(usual)(text)
    try:
        number = float(text)
    except ValueError:
        raise SearchError(f"{key} of {name} is a number, not {text!r}") from None
    if not 0 <= number < float("inf") or (number == 0 and key in {"hot", "cold"}):
        raise SearchError(f"{key} of {name} is out of range: {text}")
    return number


def _closest(name: str, known: Any) -> str:
    matches = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {matches[0]!r}?" if matches else ""
