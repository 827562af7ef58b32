"""Confined bots: limits, a clean environment, a folder of their own and a prefix reach the real process."""

import gc
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from harness.bots.bot import Bot, load_settings, parse_bot
from harness.bots.confinement import Confinement
from harness.bots.failure import Failure
from harness.bots.pipe import PipeTransport, StartFailure, start
from harness.errors import UsageError

SAYS = """\
import os, resource, sys
print(resource.getrlimit(resource.RLIMIT_AS)[0] // 2**20, resource.getrlimit(resource.RLIMIT_CPU),
      resource.getrlimit(resource.RLIMIT_NOFILE)[0], sorted(os.environ), os.getcwd(), sep="|", flush=True)
"""


def said(how: Confinement, added: dict[str, str] | None = None) -> list[str]:
    """Start a process that says what it may use, and return that."""
    command = how.command([sys.executable, "-ISc", SAYS], None)
    transport = start(command, None, how.environment(added or {}), own_folder=how.own_folder)
    assert isinstance(transport, PipeTransport)
    text = b""
    while isinstance(data := transport.receive(time.monotonic() + 10), bytes):
        text += data
    transport.close(5.0)
    return text.decode().strip().split("|")


def test_limits() -> None:
    """Memory, processor time and open files are limited before the bot's first instruction."""
    memory, cpu, files, *_ = said(Confinement(memory_mb=600, cpu_s=7, open_files=77))
    assert (memory, cpu, files) == ("600", "(7, 9)", "77")


def test_clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clean environment holds what programs need to start and the bot's own settings, nothing else."""
    monkeypatch.setenv("SECRET", "x")
    names = said(Confinement(clean_env=True), {"THREADS": "1"})[3]
    assert "SECRET" not in names
    assert "'PATH'" in names
    assert "'THREADS'" in names
    assert "SECRET" in said(Confinement(), {"THREADS": "1"})[3]


def test_own_folder() -> None:
    """Each process has a new, empty folder, which is gone when it is."""
    first, second = (Path(said(Confinement(own_folder=True))[4]) for _ in range(2))
    assert first != second
    assert first != Path.cwd()
    assert not first.exists()


@pytest.mark.parametrize("word", ["/no/such/program", "a\0b"])
def test_own_folder_of_a_bot_that_cannot_be_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """Its folder goes at once, and nobody is warned of one that was forgotten."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert isinstance(start([word], own_folder=True), StartFailure)
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_files_are_found_from_the_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that name files mean the same files from there; a program on PATH stays as it is."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").touch()
    (tmp_path / "python3").touch()
    words = ["python3", "bot.py", "--playouts", "8"]
    assert Confinement(own_folder=True).command(words, None) == [
        "python3",
        str(tmp_path / "bot.py"),
        *words[2:],
    ]
    assert Confinement(own_folder=True).command(["./bot.py"], tmp_path) == [str(tmp_path / "bot.py")]
    assert Confinement().command(words, None) == words


def test_wrap() -> None:
    """A prefix stands before the command, and limits hold for it too."""
    assert said(Confinement(wrap="env WRAPPED=yes"))[3].count("WRAPPED") == 1
    with pytest.raises(UsageError, match=r"No closing quotation in the prefix .* \(wrap\)"):
        parse_bot("bot", None, None, 1.0, "bwrap '")
    assert parse_bot("bot", None, None, 1.0, "nice --").confinement.command(["bot"], None) == [
        "nice",
        "--",
        "bot",
    ]


def test_settings(tmp_path: Path) -> None:
    """The keys of a settings file arrive, and the prefix of the command line stands before theirs."""
    path = tmp_path / "bots.toml"
    path.write_text(
        '[b]\ncommand = "x"\nmemory_mb = 512\ncpu_s = 60\nopen_files = 64\nclean_env = true\n'
        'own_folder = true\nwrap = "nice --"\n'
    )
    how = Confinement(512, 60, 64, clean_env=True, own_folder=True, wrap="nice --")
    assert load_settings(path)["b"] == Bot("b", "x", confinement=how)
    assert parse_bot("b", None, path, 1.0, "time").confinement == replace(how, wrap="time")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("memory_mb = 0", "memory_mb is 0; it is a number of megabytes from 1"),
        ("cpu_s = -1", "cpu_s is -1"),
        ("memory = 5", "did you mean 'memory_mb'?"),
        ('own_folder = true\ncwd = "."', "own_folder gives the bot a new folder"),
    ],
)
def test_bad_settings(tmp_path: Path, line: str, expected: str) -> None:
    """A limit that is none, a misspelt key and two places to work in are told apart."""
    path = tmp_path / "bots.toml"
    path.write_text(f'[b]\ncommand = "x"\n{line}\n')
    with pytest.raises(UsageError) as error:
        load_settings(path)
    assert expected in str(error.value)


def test_failure_shows_the_confinement() -> None:
    """The line that shows a failure again starts the bot under the same limits."""
    from harness.bots.processes import start_session

    bot = Bot("b", f"{sys.executable} -ISc ''", confinement=Confinement(cpu_s=9))
    session = start_session(bot, 1, 1)
    assert not isinstance(session, Failure)
    failure = session.ask("name")
    session.close()
    assert isinstance(failure, Failure)
    assert "ulimit -S -t 9" in failure.again
