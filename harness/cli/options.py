"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Optional

import typer

BotArgument = Annotated[
    Optional[str],  # noqa: UP045 - typer reads the annotation at run time
    typer.Argument(
        help="Command that starts the bot, in one string, optionally name=command; {playouts} and {seed} "
        "are replaced in it. Or a name from --bots. Without it: the embedded engine.",
        show_default=False,
    ),
]
PlayoutsOption = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--playouts", min=1, help="Playouts of a bot whose command takes no {playouts}."),
]
BotsOption = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option("--bots", help="Settings file (TOML) with named bots."),
]
OutOption = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option("--out", help="Folder for evidence and verdict; by default a new one under reports/."),
]
ThreadsOption = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--threads", min=1, help="Number of threads that play; all cores by default."),
]
JobsOption = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--jobs", min=1, help="Spread the work: number of work items at a time on this machine."),
]
ExecutorOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--executor",
        help="Spread the work: by threads, processes, or dask:tcp://host:8786.",
        show_default=False,
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the verdict document as JSON.")]
ScaleOption = Annotated[
    float,
    typer.Option("--time-scale", min=0.001, max=1e6, help="Factor on every time limit, for slow machines."),
]
WrapOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--wrap", help="Command prefix of every process of the bot, such as 'nice -n 19'."),
]
SandboxOption = Annotated[
    bool,
    typer.Option(
        "--sandbox",
        help="Confine the bot with bubblewrap: the system read-only, no network, a /tmp of its own.",
    ),
]
MaxTimeOption = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option(
        "--max-time",
        min=1.0,
        max=1e6,
        help="Seconds after which the run ends INCONCLUSIVE, to be resumed.",
        show_default="an hour above the forecast of `refbot list --plan`",
    ),
]
ResumeOption = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option("--resume", help="Folder of a run to go on with, after a kill or an interrupt."),
]
TrustOption = Annotated[
    bool,
    typer.Option("--trust", help="With --resume: the folder is your own; start the bots as it says."),
]
VerboseOption = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="Print every requirement, and what the run could not have seen."),
]
LevelOption = Annotated[str, typer.Option(help="smoke, standard, full or reference.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="NON-STRICT counts as FAIL.")]
CasesOption = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--case", help="Ask only this case (repeatable); such a run cannot pass a bot."),
]
