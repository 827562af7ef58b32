"""`refbot init`: what it finds out, what it writes, and that it overwrites nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.bots.bot import load_settings
from harness.report.project import commands_in, read_project

BOT = """import sys
for line in sys.stdin:
    name = line.split()[0]
    text = {"protocol_version": "2", "name": "tiny", "list_commands": "name\\nquit"}.get(name, "")  # playouts
    print(f"= {text}\\n", flush=True)
    if name == "quit":
        break
"""


def refbot(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    return subprocess.run(
        [sys.executable, "-m", "harness", *arguments],
        cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip


def test_a_project_gets_its_files_once(tmp_path: Path) -> None:
    """The bot is found, asked who it is, and named in every file; a second time nothing is touched."""
    (tmp_path / "tiny.py").write_text(BOT)
    (tmp_path / "go.mod").write_text("module tiny\n")

    first = refbot(tmp_path, "init")
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    second = refbot(tmp_path, "init")

    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "it answers as tiny" in first.stderr
    assert load_settings(tmp_path / "bots.toml")["tiny"].command == "python3 tiny.py --playouts {playouts}"
    assert "refbot_bot = tiny" in (tmp_path / "pytest.ini").read_text()
    assert "go build" in (tmp_path / ".github" / "workflows" / "refbot.yml").read_text()
    assert files == {path: path.read_bytes() for path in files}
    assert "exists already" in second.stderr


def test_where_nothing_can_be_found(tmp_path: Path) -> None:
    """Usage, with what to type; nothing is written."""
    done = refbot(tmp_path, "init")

    assert done.returncode == 2
    assert "give the bot's command" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("file", "is_gitlab"), [(".gitlab-ci.yml", True), ("Makefile", False)])
def test_what_a_folder_tells(tmp_path: Path, file: str, *, is_gitlab: bool) -> None:
    """Where its tests run, how it is built, and that a program without GTP is none."""
    (tmp_path / file).write_text("")
    (tmp_path / "other.py").write_text("print('hello')")

    project = read_project(tmp_path)

    assert project.is_gitlab == is_gitlab
    assert project.build == ("" if is_gitlab else "make")
    assert commands_in(tmp_path) == []
