"""What ships: its version, and folders of files, in the package of a wheel or in the house of a checkout."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def shipped_folder(packed: str, house: str) -> Path:
    """Return a folder by its name inside the package, or by its path from the top of a checkout."""
    here = Path(__file__).parent
    inside = here / packed
    return inside if inside.is_dir() else here.parent / house


def refbot_version() -> str:
    """Return the installed version of this package."""
    try:
        return version("refbot")
    except PackageNotFoundError:
        return "unpackaged"
