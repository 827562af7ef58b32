"""The engine's own identity: a digest of every source that decides what its playouts do."""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
_SOURCES: Final = (
    "compiled.py",
    "spec.py",
    "records.py",
    "rules.py",
    "streams.py",
    "lanes.py",
    "bitboard.py",
    "lockstep.py",
    "instructions.py",
    "shapes.py",
    "chain_board.py",
    "chain_count.py",
    "chain_kernel.py",
    "tally.py",
    "selection.py",
)


@lru_cache(maxsize=1)
def source_digest() -> str:
    """Return the digest, 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for name in _SOURCES:
        digest.update((_HERE / name).read_bytes())
    return digest.hexdigest()[:16]
