"""The command ``refbot init``: writes the files that a bot's own project needs for refbot."""
# ruff: noqa: PLC0415 - the imports inside the command keep `--help` quick

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from harness.cli.console import say
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.bots.bot import Bot
    from harness.report.project import Project


def init(
    bot: Annotated[
        Optional[str],  # noqa: UP045 - typer reads the annotation at run time
        typer.Argument(
            help="Command that starts the bot, in one string, optionally name=command. Without it: the "
            "program in the folder that speaks GTP.",
            show_default=False,
        ),
    ] = None,
    *,
    folder: Annotated[Path, typer.Option(help="Folder of the bot's project.")] = Path(),
    playouts: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--playouts", min=1, help="Playouts of a bot whose command takes no {playouts}."),
    ] = None,
) -> None:
    """Write bots.toml, a CI workflow and pytest's settings for a bot's project; no file is overwritten."""
    from harness.render.project import project_files
    from harness.report.project import commands_in, read_project

    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}; give the bot's project with --folder")
    project = read_project(folder)
    command = bot
    if command is None:
        found = commands_in(folder)
        if not found:
            raise UsageError(
                f"no program in {folder.resolve()} mentions list_commands; give the bot's command: "
                "refbot init './mybot --playouts {playouts}'"
            )
        command = found[0]
        others = f" (there are also {', '.join(found[1:4])})" if len(found) > 1 else ""
        say(f"refbot: the bot is `{command}`{others}")
    player = _introduce(command, playouts, project)
    written = _write(folder, project_files(player, project))
    typer.echo(
        f"{', '.join(written) or 'nothing'} written; next: refbot check {player.name} --bots bots.toml"
    )


def _introduce(command: str, playouts: int | None, project: "Project") -> "Bot":
    """Start the bot once and report its name; a bot that does not start yet gets its files all the same."""
    from dataclasses import replace

    from harness.bots.bot import parse_bot
    from harness.bots.declared import with_playouts
    from harness.bots.processes import Processes, start_session
    from harness.runs.introduction import shake_hands

    bot = parse_bot(command, playouts, None, 1.0)
    bot = replace(bot, name=re.sub(r"[^\w-]", "-", Path(bot.name).stem) or project.name)
    try:
        there = with_playouts(replace(bot, cwd=project.folder.resolve()))
        who, unit = shake_hands(there, Processes(start_session))
    except UsageError:
        raise UsageError(
            f"`{bot.command}` takes no {{playouts}} and does not answer ref-playouts: put {{playouts}} into "
            "the command, or give --playouts N"
        ) from None
    if unit.broken is not None:
        say(f"refbot: {unit.broken.word}: {unit.broken.sentence}")
        return bot
    say(f"refbot: it answers as {who.gtp_name or bot.name} {who.version}".rstrip())
    return bot


def _write(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Write the files that do not exist yet; return their names."""
    written = []
    for name, text in files.items():
        path = folder / name
        if path.exists():
            say(f"refbot: {path} exists already and is not changed")
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        written.append(name)
    return written
