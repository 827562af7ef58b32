"""Bots: a command in one string, a name from a settings file, and what is wrong with either."""

import sys
from pathlib import Path

import pytest

from harness.bots.bot import EMBEDDED, Bot, load_settings, parse_bot
from harness.bots.limits import Limits
from harness.errors import UsageError

SETTINGS = """
[mybot]
command = "./mybot --playouts {playouts} --seed {seed}"
cwd = "build"
env = {THREADS = "1"}
startup = ["time_settings 0 0 0"]

[mybot.limits]
genmove_s = 5.5
quit_s = 1

[other]
command = "other"
playouts = 1000
"""


def settings(folder: Path, text: str = SETTINGS) -> Path:
    """Write a settings file."""
    path = folder / "bots.toml"
    path.write_text(text)
    return path


def complaint(text: str | None, playouts: int | None = None, path: Path | None = None) -> str:
    """Return what is said of a bot that cannot be used: one line, and status 2."""
    with pytest.raises(UsageError) as error:
        parse_bot(text, playouts, path, 1.0)
    assert error.value.status == 2
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "name", "command"),
    [
        ("mybot=./bin/bot --x", "mybot", "./bin/bot --x"),
        ("my-bot.2=./bot a=b", "my-bot.2", "./bot a=b"),
        ("./bin/bot --x=1", "bot", "./bin/bot --x=1"),
        ("bot --playouts=5", "bot", "bot --playouts=5"),
        ("./a=b", "a_b", "./a=b"),
        ("'my bot' --x", "_my", "'my bot' --x"),
        ("/usr/bin/bot", "bot", "/usr/bin/bot"),
        ("refbot engine --playouts {playouts}", "refbot-engine", "refbot engine --playouts {playouts}"),
    ],
)
def test_name_and_command(text: str, name: str, command: str) -> None:
    """A bot is named before an equals sign, else for its program."""
    bot = parse_bot(text, None, None, 1.0)
    assert (name, command) == (bot.name, bot.command)


def test_script_behind_an_interpreter(tmp_path: Path) -> None:
    """A script gives its name, not the interpreter that runs it."""
    script = tmp_path / "mybot.py"
    script.touch()
    assert parse_bot(f"python3 -u {script} --x", None, None, 1.0).name == "mybot.py"
    assert parse_bot("python3 -c pass", None, None, 1.0).name == "python3"


def test_embedded_engine() -> None:
    """Without a bot it is the embedded engine, started by this interpreter."""
    bot = parse_bot(None, None, None, 1.0)
    assert bot.command == EMBEDDED
    assert [sys.executable, "-m", "harness", "engine", "--playouts", "64"] == bot.arguments(64, 1)


def test_placeholders() -> None:
    """Playouts and seed are put in wherever they stand, without a shell."""
    bot = Bot("b", "bot --n={playouts} '{playouts} {seed}' \"$HOME\" ; *.txt {other} -s {seed}")
    assert bot.arguments(100, 7) == [
        "bot",
        "--n=100",
        "100 7",
        "$HOME",
        ";",
        "*.txt",
        "{other}",
        "-s",
        "7",
    ]
    assert bot.takes_playouts
    assert not Bot("b", "bot {seed}").takes_playouts


@pytest.mark.parametrize("text", ["", "   ", "mybot= "])
def test_empty_command(text: str) -> None:
    """An empty command is bad usage, never the embedded engine."""
    assert "empty" in complaint(text)


def test_open_quote() -> None:
    """Quotes that do not match are bad usage, naming the command."""
    assert "bot 'x" in complaint("bot 'x")


def test_fixed_playouts() -> None:
    """--playouts is the fixed number of a bot whose command takes none, and an error for any other."""
    assert parse_bot("bot", 500, None, 1.0).fixed_playouts == 500
    assert parse_bot("bot", None, None, 1.0).fixed_playouts is None
    assert "{playouts}" in complaint("bot {playouts}", 500)
    assert "{playouts}" in complaint(None, 500)


def test_settings(tmp_path: Path) -> None:
    """Every key of a settings file arrives, and limits not given keep their defaults."""
    path = settings(tmp_path)
    bot = parse_bot("mybot", None, path, 1.0)
    limits = Limits(genmove_s=5.5, quit_s=1)
    assert (
        Bot(
            "mybot",
            "./mybot --playouts {playouts} --seed {seed}",
            None,
            tmp_path / "build",
            {"THREADS": "1"},
            ("time_settings 0 0 0",),
            limits,
        )
        == bot
    )
    assert list(load_settings(path)) == ["mybot", "other"]
    assert parse_bot("other", None, path, 1.0).fixed_playouts == 1000
    assert parse_bot("other", 8, path, 1.0).fixed_playouts == 8


def test_command_beside_settings(tmp_path: Path) -> None:
    """A command may be given though there is a settings file."""
    path = settings(tmp_path)
    assert parse_bot("third=./third", None, path, 1.0).name == "third"
    assert parse_bot(None, None, path, 1.0).command == EMBEDDED


@pytest.mark.parametrize("factor", [0.1, 1.0, 3.0])
def test_time_scale(tmp_path: Path, factor: float) -> None:
    """The factor scales every limit, those of a settings file too."""
    path = settings(tmp_path)
    assert Limits().scaled(factor) == parse_bot("bot", None, None, factor).limits
    assert pytest.approx(5.5 * factor) == parse_bot("mybot", None, path, factor).limits.genmove_s
    assert pytest.approx(10 * factor) == parse_bot("mybot", None, path, factor).limits.start_s


def test_unknown_name(tmp_path: Path) -> None:
    """A name that is neither in the file nor a program is answered with the closest."""
    said = complaint("mybt", None, settings(tmp_path))
    assert "no bot 'mybt'" in said
    assert "did you mean 'mybot'?" in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[b]\ncommand = "x"\nplayout = 5\n', "unknown key 'playout'; did you mean 'playouts'?"),
        ('[b]\ncommand = "x"\nenviron = {}\n', "unknown key 'environ'; did you mean 'env'?"),
        ('[b]\ncommand = "x"\nzzzz = 1\n', "unknown key 'zzzz'"),
        (
            '[b]\ncommand = "x"\n[b.limits]\ngenmov_s = 5\n',
            "unknown key 'genmov_s'; did you mean 'genmove_s'?",
        ),
        ("[b]\nplayouts = 5\n", "command"),
        ("[b]\ncommand = 5\n", "command"),
        ('[b]\ncommand = "x"\nplayouts = "many"\n', "playouts"),
        ('[b]\ncommand = "x"\nlimits = 5\n', "limits"),
        ('[b]\ncommand = "x"\nlimits = {quit_s = "long"}\n', "quit_s"),
        ('[b]\ncommand = "x"\nstartup = "komi 5"\n', "startup"),
        ('[b]\ncommand = "x"\nenv = {A = 1}\n', "env"),
        ('command = "x"\n', "every bot is a table"),
        ("not toml [", "bots.toml"),
    ],
)
def test_bad_settings(tmp_path: Path, text: str, expected: str) -> None:
    """What is wrong in a settings file is one line with the file, the key, and the key meant."""
    said = complaint("b", None, settings(tmp_path, text))
    assert expected in said
    assert "bots.toml" in said


@pytest.mark.parametrize(
    "text",
    [
        '[b]\ncommand = "x"\nplayouts = 0\n',
        '[b]\ncommand = "x"\nplayouts = -5\n',
        '[b]\ncommand = "x {playouts}"\nplayouts = 5\n',
        '[b]\ncommand = "x"\n[b.limits]\nquit_s = -1\n',
        '[b]\ncommand = "x"\n[b.limits]\nquit_s = nan\n',
    ],
)
def test_settings_that_make_no_sense(tmp_path: Path, text: str) -> None:
    """Values that no run could follow, or that contradict the command, are bad settings."""
    assert "b" in complaint("b", None, settings(tmp_path, text))


def test_missing_settings(tmp_path: Path) -> None:
    """A settings file that is not there is one line with its name."""
    assert "none.toml" in complaint("b", None, tmp_path / "none.toml")


def test_settings_that_are_not_utf8(tmp_path: Path) -> None:
    """A settings file in another encoding is one line with its name."""
    path = tmp_path / "bots.toml"
    path.write_bytes(b'[b]\ncommand = "\xff"\n')
    assert "bots.toml" in complaint("b", None, path)


def test_executable_digest(tmp_path: Path) -> None:
    """The digest follows the program and the script among its arguments, and is empty without either."""
    script = tmp_path / "bot.py"
    script.write_text("one")
    bot = Bot("b", f"{sys.executable} {script} --x")
    first = bot.executable_digest()
    assert len(first) == 16
    assert first == bot.executable_digest()
    script.write_text("two")
    assert first != bot.executable_digest()
    assert Bot("b", "no-such-program --x").executable_digest() == ""
    assert (
        Bot("b", f"{sys.executable} bot.py --x", cwd=tmp_path).executable_digest() == bot.executable_digest()
    )


def test_long_argument() -> None:
    """An argument longer than any file name, such as a script behind -c, is like any other."""
    script = "x" * 5000
    bot = parse_bot(f"python3 -c {script}", None, None, 1.0)
    assert bot.name == "python3"
    assert len(Bot("b", f"no-such-program -c '{script}'").executable_digest()) == 0
