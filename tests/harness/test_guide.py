"""docs/write-a-bot.md is walked through: the bot it builds says what the page says, and passes."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from guide import LAST, PAGE, Command, Piece, missing, put_in, read_page

ROOT = Path(__file__).parents[2]
STEPS = list(read_page(PAGE.read_text("utf-8")))
MOST_LINES = 260
"""Of the bot, blank ones left out: the page promises about 250."""


def run(folder: Path, line: str) -> str:
    """Run a command of the page in the reader's folder, and return what it prints."""
    words = shlex.split(line)
    command = [sys.executable, "-m", "harness", *words[1:]] if words[0] == "refbot" else words
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=1500,
        check=False,
    )
    assert "Traceback" not in done.stdout.replace("| Traceback", "")
    return done.stdout


def takes_long(line: str) -> bool:
    """Whether a command is a whole certificate."""
    return line.startswith("refbot certify") and "--case" not in line


def walk(folder: Path, *, whole: bool) -> str:
    """Walk through the page: either all its certificates, or all its other commands; return the bot."""
    bot = folder / "mybot.py"
    bot.touch()
    for step in STEPS:
        if isinstance(step, Piece):
            bot.write_text(put_in(bot.read_text("utf-8"), step.code), "utf-8")
        elif takes_long(step.line) == whole:
            output = run(folder, step.line)
            assert missing(step.shown, output) == "", f"$ {step.line}\n{output}"
            if step.line.startswith("python3 -c"):
                assert float(output) == pytest.approx(float(step.shown[-1]), abs=5)  # six standard errors
    return bot.read_text("utf-8")


def test_the_walk(tmp_path: Path) -> None:
    """Every command of the page but the whole certificates says what the page shows."""
    bot = walk(tmp_path, whole=False)
    assert sum(bool(line.strip()) for line in bot.split("\n")) <= MOST_LINES


@pytest.mark.slow
@pytest.mark.timeout(2400)  # four minutes on an idle machine
def test_the_certificates(tmp_path: Path) -> None:
    """The bot with the mistake is convicted of it, and the bot at the end passes, as the page shows."""
    walk(tmp_path, whole=True)


def test_the_page_is_whole() -> None:
    """There is a command with an output after every step but the fourth, and both words stand on the page."""
    kinds = "".join("p" if isinstance(step, Piece) else "c" for step in STEPS)
    assert kinds == "ccpcpcpcppcccpcccppc"
    shown = [line for step in STEPS if isinstance(step, Command) for line in step.shown]
    assert any("FAIL" in line for line in shown)
    assert any("PASS" in line for line in shown)
    assert all(step.shown for step in STEPS if isinstance(step, Command) and step.line.startswith("refbot"))


def test_pieces_are_put_in() -> None:
    """New pieces go above the last lines, imports to the imports; what is there already is replaced."""
    old = f'import sys\n\nA = 1\n\n@wrap\ndef f():\n    return 1\n\n{LAST} == "__main__":\n    f()\n'
    new = put_in(old, "import os\n\ndef f():\n    return 2\n\ndef g():\n    return 3\n")
    assert new.split("\n\n") == [
        "import sys",
        "import os",
        "A = 1",
        "def f():\n    return 2",
        "def g():\n    return 3",
        f'{LAST} == "__main__":\n    f()\n',
    ]


def test_outputs_are_compared() -> None:
    """Lines are looked for in their order, frames and chance's figures apart; plain numbers count."""
    output = "a  b\n| 21 of 22 steps, 3.5 s\n\u2502 end \u2502"
    assert missing(["a b", "...", "| 21 of 22 steps, 4.1 s", "end"], output) == ""
    assert missing(["a b", "| 20 of 22 steps, 4.1 s"], output) == "| 20 of 22 steps, 4.1 s"
    assert missing(["end", "a b"], output) == "a b"
    assert missing(["| 21 of ...", "end"], output) == ""
    assert missing(["| 22 of ..."], output) == "| 22 of ..."
