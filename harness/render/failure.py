"""A bot that stopped answering, for standard error: the cause, its last lines, and how to see it again."""

from pathlib import Path

from harness.bots.wire import printable
from harness.records.evidence import Broken
from harness.runs.record import AGAIN_NAME

_LAST_LINES = 5
_LONGEST = 1000
"""Greatest length of a shell command that is shown; a longer one is a file in the run's folder."""


def render_broken(broken: Broken, folder: Path) -> str:
    """Return the lines about a unit that could not be finished; all text of the bot is escaped."""
    last = [line for line in broken.stderr_tail.splitlines() if line.strip()][-_LAST_LINES:]
    again = broken.again if len(broken.again) <= _LONGEST else f"sh {folder / AGAIN_NAME}"
    lines = [f"{broken.word}  {printable(broken.sentence, _LONGEST)}"]
    lines += [f"  stderr | {printable(line)}" for line in last]
    return "\n".join([*lines, *([f"  again:   {printable(again, _LONGEST)}"] if again else [])])
