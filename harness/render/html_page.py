"""The frame of every HTML page.  A page is one file that needs no network, and can be read without scripts.

Text of a bot is escaped, and its control characters are made visible.  Same values, same bytes.
"""

import base64
import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final

from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.bots.wire import printable

_LONGEST: Final = 20_000
"""Greatest number of characters of one text of a bot."""


def render_page(template: str, filters: Mapping[str, Callable[..., Any]], **values: object) -> str:
    """Return a page.

    Args:
        template: a file of ``pages/`` that extends ``frame.jinja``.
        filters: the functions that the template calls by name.
        values: the values to be shown; the frame needs ``title`` and ``refbot``, the version.
    """
    script = resources.files("harness.render").joinpath("pages", "script.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    environment = Environment(
        loader=PackageLoader("harness.render", "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        bytecode_cache=_compiled(),
    )
    environment.filters |= filters
    return environment.get_template(template).render(
        # The script is our own and holds no text of a bot.
        script=Markup(script),  # noqa: S704
        script_digest=f"sha256-{digest}",
        **values,
    )


def _compiled() -> BytecodeCache | None:
    """Return a cache of compiled templates in a folder beside them, as Python does for modules.

    Return None if the folder cannot be written to.  Then each run compiles them, in a third of a second.
    """
    folder = Path(__file__).with_name("pages") / "__pycache__"
    if sys.dont_write_bytecode:
        return None
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


def _shown(value: object) -> object:
    """Make every character of a bot's text visible."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else printable(value, _LONGEST)
