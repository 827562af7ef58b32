"""What can be found out about the project of a bot: how it is built, started, and where its tests run."""

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

import msgspec

from harness.regular_file import MEBIBYTE, read_file
from harness.shipped import refbot_version

_SCRIPTS: Final = {
    ".py": "python3",
    ".js": "node",
    ".mjs": "node",
    ".rb": "ruby",
    ".lua": "lua",
    ".pl": "perl",
}
_JAR: Final = "java -jar"
_GTP: Final = b"list_commands"
"""What every GTP program holds, as a script or compiled."""
_PLAYOUTS: Final = b"playouts"
_BUILDS: Final = (
    ("Makefile", "make"),
    ("Cargo.toml", "cargo build --release"),
    ("go.mod", "go build ./..."),
    ("package-lock.json", "npm ci"),
    ("CMakeLists.txt", "cmake -B build && cmake --build build"),
    ("pom.xml", "mvn -q package"),
)
_PLACES: Final = (".", "target/release", "build", "bin", "dist", "src")
"""Folders in which programs are looked for."""


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a bot in it."""

    folder: Path
    is_gitlab: bool
    build: str
    """The command that builds it; empty where nothing says how."""
    has_pytest_settings: bool
    install: str
    """What pip is to install to get this refbot."""

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name


def read_project(folder: Path) -> Project:
    """Find out what there is to know of a project without starting anything."""
    is_gitlab = (folder / ".gitlab-ci.yml").exists() or b"gitlab" in _bytes(folder / ".git" / "config")
    build = next((command for file, command in _BUILDS if (folder / file).is_file()), "")
    settings = [_bytes(folder / name) for name in ("pyproject.toml", "tox.ini", "setup.cfg", "pytest.ini")]
    has_settings = any(b"[tool.pytest" in s or b"[pytest]" in s or b"[tool:pytest]" in s for s in settings)
    return Project(folder, is_gitlab, build, has_settings, _requirement())


def commands_in(folder: Path) -> list[str]:
    """Return the commands that may start the bot: programs that speak of GTP, the likeliest first."""
    name = folder.resolve().name
    found = sorted(_programs(folder), key=lambda pair: (pair[0].stem != name, len(pair[0].parts), pair[0]))
    return [command for _, command in found]


def _programs(folder: Path) -> Iterator[tuple[Path, str]]:
    for place in _PLACES:
        for path in sorted((folder / place).glob("*")) if (folder / place).is_dir() else ():
            data = _bytes(path) if path.is_file() else b""
            if _GTP not in data:
                continue
            shown = path.relative_to(folder)
            if path.suffix in _SCRIPTS:
                start = f"{_SCRIPTS[path.suffix]} {shlex.quote(str(shown))}"
            elif path.suffix == ".jar":
                start = f"{_JAR} {shlex.quote(str(shown))}"
            elif os.access(path, os.X_OK):
                start = shlex.quote(f"./{shown}")
            else:
                continue
            yield shown, f"{start} --playouts {{playouts}}" if _PLAYOUTS in data else start


def _bytes(path: Path) -> bytes:
    try:
        return read_file(path, 64 * MEBIBYTE)
    except OSError:
        return b""


def _requirement() -> str:
    """Return what pip is to install to get this refbot: its git address, if it came from one."""
    try:
        text = distribution("refbot").read_text("direct_url.json")
        origin: dict[str, Any] = msgspec.json.decode(text or "{}")
    except (PackageNotFoundError, msgspec.DecodeError):
        origin = {}
    vcs = origin.get("vcs_info", {})
    if vcs.get("vcs") == "git":
        return f"refbot @ git+{origin['url']}@{vcs['commit_id']}"
    return f"refbot-{refbot_version()}-py3-none-any.whl"
