"""Folders of files that ship with refbot: inside the package in a wheel, in the house in a checkout."""

from pathlib import Path


def shipped_folder(packed: str, house: str) -> Path:
    """Return a folder by its name inside the package, or by its path from the top of a checkout."""
    here = Path(__file__).parent
    inside = here / packed
    return inside if inside.is_dir() else here.parent / house
