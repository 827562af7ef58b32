"""What is to be resumed: the part of a run there is, and its bot, held against the command line."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness.bots.bot import Bot, parse_bot
from harness.bots.declared import with_playouts
from harness.bots.settings import bot_of, check_same, check_trusted
from harness.cases.suite import Suite
from harness.errors import UsageError
from harness.records.evidence import FILE_NAME, Header, Part, read_part
from harness.runs.comparison_run import COMMAND
from harness.runs.run import INTERRUPTED
from harness.runs.spread import UNFINISHED


def has_ended(part: Part) -> bool:
    """Whether nothing is left to be asked."""
    footer = part.evidence.footer
    return footer is not None and footer.reason not in (INTERRUPTED, UNFINISHED)


def find_part(run: Path) -> tuple[Path, Part]:
    """Return the folder of a run to be resumed, and what there is of it.

    Raises:
        EvidenceError: there is none, or it is damaged.
        UsageError: it is a run of another kind.
    """
    part = read_part(run)
    if part.evidence.header.command == COMMAND:
        raise UsageError(
            f"{run} is a run of a comparison; `refbot compare --resume` with the comparison's folder and the "
            "same bots goes on with all of it"
        )
    if part.evidence.header.command != "certify":
        raise UsageError(f"{run} is a run of refbot {part.evidence.header.command}; start it again")
    if not run.is_dir() and run.name != FILE_NAME:
        raise UsageError(f"a run to be resumed is a folder with an {FILE_NAME} in it; {run} is neither")
    return run if run.is_dir() else run.parent, part


def where(part: Part) -> str:
    """Say in one line where a resumed run goes on."""
    torn = f"; line {part.torn}, of which only a half was written, is dropped" if part.torn else ""
    return f"going on after {len(part.evidence.units)} units{torn}"


def check_options(header: Header, level: str | None, only: list[str]) -> None:
    """Make sure that a level or cases said again are the same.

    Raises:
        UsageError: they are not.
    """
    if level is not None and level != header.level:
        raise UsageError(f"the run to be resumed is of level {header.level}, not {level}; leave --level away")
    if only and sorted(set(only)) != header.cases:
        raise UsageError(
            f"the run to be resumed is of {len(header.cases)} cases, not of these {len(set(only))}; "
            "omit --case"
        )


def bot_to_resume(
    header: Header,
    suite: Suite,
    text: str | None,
    playouts: int | None,
    settings: Path | None,
    scale: float | None,
    wrap: str | None,
    sandbox: bool,
    env: Mapping[str, str],
    *,
    trust: bool,
) -> Bot:
    """Return the bot of a run; what the command line says of it must be what its header has.

    Args:
        header: of the run.
        suite: as it is installed.
        text: the bot once more, or None.
        playouts: its fixed number of playouts once more, or None.
        settings: the settings file it was taken from, or None.
        scale: the factor on its time limits once more, or None.
        wrap: its command prefix once more, or None.
        sandbox: whether the command line shuts it in.
        env: what the folder has for its environment.
        trust: whether it may be started as the folder says.

    Raises:
        UsageError: something is not the same, or nobody here has said that this program may be started.
    """
    recorded = replace(bot_of(header), env=dict(env))
    given = recorded
    if text is not None:
        parsed = parse_bot(text, playouts, settings, 1.0 if scale is None else scale, wrap, sandbox=sandbox)
        given = with_playouts(parsed)
        if scale is None:
            given = replace(given, limits=recorded.limits)
    elif any(option is not None for option in (playouts, settings, scale, wrap, sandbox or None)):
        raise UsageError(
            "--playouts, --bots, --time-scale, --wrap and --sandbox go with a BOT; "
            "without one all is as it was"
        )
    elif not trust:
        check_trusted([recorded])
    check_same(header, given, suite)
    if env and given.env != env:
        raise UsageError(
            "this is another run than the one to be resumed: the bot's env is another; "
            "start it as it was started, or begin a new run with another --out"
        )
    return given
