"""The one place where compilation is set up: options of every kernel, and where the results are kept.

Numba's cache notices that a file changed, but not that a function it calls in another file did, nor
that a constant did.  So the cache folder is named by a digest of every source that is frozen into the
kernels and by the number of lanes; a changed source is a new folder, and a stale kernel cannot be run.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba
from numba.core import event

from reference_engine.digest import source_digest
from reference_engine.lanes import WIDTH


def _cache_folder() -> Path | None:
    """Return a writable folder for compiled code, or None where there is none."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    for root in (Path(base), Path(tempfile.gettempdir()) / f"refbot-{os.getuid()}"):
        folder = root / "refbot" / f"numba-{source_digest()}-{WIDTH}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


_FOLDER: Final = _cache_folder()
if _FOLDER is not None and not os.environ.get("NUMBA_CACHE_DIR"):
    vars(numba.config)["CACHE_DIR"] = str(_FOLDER)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a kernel on first use; without the interpreter lock, kept on disk where possible."""
    return numba.njit(cache=_FOLDER is not None, nogil=True, error_model="numpy")(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a piece of a kernel: inlined into its callers, and without counting references to arrays.

    Numba counts them with locked instructions wherever it cannot prove that it need not.  In kernels of
    many branches it cannot, and playouts take five times as long.  So a piece can allocate nothing.
    """
    options: dict[str, Any] = {"forceinline": True, "_nrt": False}
    return numba.njit(nogil=True, error_model="numpy", **options)(function)


class _Announcer(event.Listener):
    """Says it when something has to be compiled rather than taken from the cache."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say: Callable[[str], None] | None = say

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - Numba's interface
        """Announce the first compilation; others follow it closely."""
        if self._say is not None:
            kept = f"kept in {_FOLDER}" if _FOLDER else "and not kept, for there is no folder to write to"
            self._say(f"compiling playouts for this machine, some ten seconds, {kept}")
            self._say = None

    def on_end(self, event: Any) -> None:
        """Say nothing more."""


def announce_compilation(say: Callable[[str], None]) -> None:
    """Have a compilation, should there be one from now on, announced through ``say`` in one line."""
    event.register("numba:compile", _Announcer(say))  # type: ignore[no-untyped-call]
