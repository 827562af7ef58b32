"""The one place where compilation is set up: options of every kernel, and where the results are kept.

Numba's cache notices that a file changed, but not that a function it calls in another file did.  So
the cache folder is named by a digest of every source that is frozen into the kernels; a changed
source is a new folder, and a stale kernel cannot be run.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba

from reference_engine.digest import source_digest


def _cache_folder() -> Path | None:
    """Return a writable folder for compiled code, or None where there is none."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    for root in (Path(base), Path(tempfile.gettempdir()) / f"refbot-{os.getuid()}"):
        folder = root / "refbot" / f"numba-{source_digest()}"
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
    """Compile a small piece of a kernel, always inlined into its callers."""
    return numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)
