"""The command ``refbot match``: games between bots, under a referee, and the statistics of the results."""
# ruff: noqa: PLC0415 - the imports inside the command keep `--help` quick

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from harness.cli.options import (
    BotsOption,
    JsonOption,
    OutOption,
    QuietOption,
    SandboxOption,
    ScaleOption,
    TrustOption,
    WrapOption,
)
from harness.errors import UsageError
from harness.number import is_finite

if TYPE_CHECKING:
    from harness.cli.play import MatchRequest

_EVEN = "even"
_CLOCK = "Clock"
_STATISTICS = "Question asked of the results"


def match(
    bots: Annotated[
        Optional[list[str]],  # noqa: UP045 - typer reads the annotation at run time
        typer.Argument(
            metavar="BOT BOT...",
            help="Commands that start the bots, each in one string, optionally name=command; {playouts} and "
            "{seed} are replaced in them. Or names from --bots.",
            show_default=False,
        ),
    ] = None,
    *,
    games: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--games",
            "-n",
            min=2,
            help="Greatest number of games of each pairing; even.",
            show_default="100; with a question, more than it should take",
        ),
    ] = None,
    size: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            min=2, max=25, help="Size of the board.", show_default="9; with --openings, that of each"
        ),
    ] = None,
    komi: Annotated[float, typer.Option(help="Points for White.")] = 7.5,
    handicap: Annotated[int, typer.Option(min=0, max=9, help="Fixed handicap stones of Black.")] = 0,
    openings: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--openings", help="SGF file, or folder of them: positions that games begin from, in turn."
        ),
    ] = None,
    opening_moves: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--opening-moves",
            min=0,
            help="Moves that are played of each record.",
            show_default="all",
        ),
    ] = None,
    ending: Annotated[
        str, typer.Option(help="tromp-taylor, kgs, or auto: kgs where both bots list its commands.")
    ] = "auto",
    kgs: Annotated[
        str,
        typer.Option("--kgs", help="Variant of the kgs ending: tournament, free, silent-pass, only-list."),
    ] = "tournament",
    form: Annotated[
        str,
        typer.Option("--format", help="round-robin, or gauntlet: the first bot against each of the others."),
    ] = "round-robin",
    playouts: Annotated[int, typer.Option(min=1, help="Number that replaces {playouts}.")] = 1000,
    move_time: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--move-time", min=1, help="Seconds for each move.", rich_help_panel=_CLOCK),
    ] = None,
    main_time: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--main-time", min=0, help="Seconds for the game.", rich_help_panel=_CLOCK),
    ] = None,
    byo_yomi: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--byo-yomi", min=1, help="Seconds of each later period.", rich_help_panel=_CLOCK),
    ] = None,
    byo_stones: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--byo-stones", min=1, help="Moves in a period.", show_default="1", rich_help_panel=_CLOCK
        ),
    ] = None,
    lag: Annotated[
        float, typer.Option(min=0.0, help="Seconds subtracted from each move.", rich_help_panel=_CLOCK)
    ] = 0.1,
    expect: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--expect", help="even: stop when it is shown or refuted.", rich_help_panel=_STATISTICS),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(min=0.001, max=0.49, help="Distance from one half.", rich_help_panel=_STATISTICS),
    ] = 0.03,
    sprt: Annotated[
        Optional[tuple[float, float]],  # noqa: UP045
        typer.Option(
            "--sprt",
            help="Two differences in Elo: FAIL for the first, PASS for the second.",
            rich_help_panel=_STATISTICS,
        ),
    ] = None,
    alpha: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(
            min=1e-12,
            max=0.5,
            show_default="0.01; 0.05 with --sprt",
            rich_help_panel=_STATISTICS,
            help="--expect: chance of a wrong FAIL; --sprt: of a wrong PASS.",
        ),
    ] = None,
    beta: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(
            min=1e-12,
            max=0.5,
            show_default="0.01; 0.05 with --sprt",
            rich_help_panel=_STATISTICS,
            help="--expect: chance of a wrong PASS; --sprt: of a wrong FAIL.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Games at a time.")] = 1,
    fresh: Annotated[bool, typer.Option("--fresh", help="New processes for every game.")] = False,
    crash: Annotated[
        str, typer.Option(help="Result of a game in which a bot crashes or hangs: void, or loss for it.")
    ] = "void",
    voids: Annotated[
        int, typer.Option("--voids", min=1, help="Void games of one bot after which the match is given up.")
    ] = 3,
    move_cap: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--move-cap", min=1, help="Moves after which a game is unfinished.", show_default="4 points + 100"
        ),
    ] = None,
    comment: Annotated[
        str,
        typer.Option(
            help="Command asked after every move, of bots that list it, for the record; '' for none."
        ),
    ] = "ref-score",
    final_score: Annotated[
        bool,
        typer.Option(
            "--final-score/--no-final-score",
            help="Ask bots that list it for final_score after a scored game; it is only shown.",
        ),
    ] = True,
    sgf: Annotated[bool, typer.Option("--sgf/--no-sgf", help="Write an SGF file for every game.")] = True,
    settings: BotsOption = None,
    out: OutOption = None,
    resume: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--resume", help="Folder of a match to go on with. With --games: more (or fewer) games."
        ),
    ] = None,
    trust: TrustOption = False,
    time_scale: ScaleOption = 1.0,
    wrap: WrapOption = None,
    sandbox: SandboxOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play bots against each other: any GTP bots, under refbot's referee, with error bars."""
    from harness.cli import play
    from harness.match.record import Ask, Question
    from harness.match.terms import Terms

    if not is_finite(lag, komi):
        raise UsageError(f"--lag {lag:g}, --komi {komi:g}: give finite numbers")
    if resume is not None:
        if bots or out is not None:
            raise UsageError("--resume goes on with the bots and the folder of the match; omit BOT and --out")
        raise typer.Exit(play.resume_match(resume, games, jobs, trust=trust, quiet=quiet, as_json=json))
    if expect is not None and sprt is not None:
        raise UsageError("--expect and --sprt are two questions; ask one")
    if expect not in (None, _EVEN):
        raise UsageError(f"--expect {expect!r}: the only value is {_EVEN}")
    rate = 0.05 if sprt is not None else 0.01
    rates = (rate if alpha is None else alpha, rate if beta is None else beta)
    question = Question()
    if expect is not None:
        question = Question(Ask.EVEN, margin, alpha=rates[0], beta=rates[1])
    elif sprt is not None:
        if not is_finite(*sprt):
            raise UsageError(f"--sprt {sprt[0]:g} {sprt[1]:g}: give two numbers")
        if sprt[0] >= sprt[1]:
            raise UsageError(f"--sprt {sprt[0]:g} {sprt[1]:g}: the second difference must be the greater")
        question = Question(Ask.SPRT, 0.0, sprt, *rates)
    terms = Terms(
        size=play.SIZE if size is None else size,
        komi=komi,
        handicap=handicap,
        ending=play.chosen("--ending", ending, play.Ending),
        kgs=play.chosen("--kgs", kgs, play.Kgs),
        time=play.time_control(move_time, main_time, byo_yomi, byo_stones, lag),
        playouts=playouts,
        move_cap=move_cap or 0,
        comment=comment,
        asks_score=final_score,
        crash_loses=play.chosen("--crash", crash, play.Crash) is play.Crash.LOSS,
        is_fresh=fresh,
    )
    wanted: MatchRequest = play.MatchRequest(
        tuple(bots or ()), settings, time_scale, wrap, terms,
        play.chosen("--format", form, play.TournamentFormat),
        play.default_games(question) if games is None else games,
        play.OpeningRequest(openings, size, opening_moves), question, out,
        most_voids=voids, makes_sgf=sgf, sandbox=sandbox,
    )  # fmt: skip
    raise typer.Exit(play.new_match(wanted, jobs, quiet=quiet, as_json=json))
