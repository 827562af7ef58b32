"""The frame of every HTML page: one file, which needs no network, and no script to be read.

Text of a bot is escaped, its control characters made visible.  The same values give the same bytes.
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
"""Characters of one text of a bot."""


def render_page(template: str, filters: Mapping[str, Callable[..., Any]], **values: object) -> str:
    """Return a page.

    Args:
        template: a file of ``pages/`` that extends ``frame.jinja``.
        filters: functions that it calls by name.
        values: what it shows; ``title`` and ``refbot``, the version, for the frame.
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
        # Ours, and it holds nothing of a bot.
        script=Markup(script),  # noqa: S704
        script_digest=f"sha256-{digest}",
        **values,
    )


def _compiled() -> BytecodeCache | None:
    """Return where compiled pages are kept: beside the templates, as Python keeps its own modules.

    None where nothing may be written; then they are compiled each time, which takes a third of a second.
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
    """Make what stands in a page harmless for its reader too: no character of a bot is invisible."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else printable(value, _LONGEST)
