"""The work of ``refbot match``: a match, new or resumed, and its results."""

import math
import platform
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from harness.bots.bot import Bot, parse_bot
from harness.bots.failure import Failure
from harness.bots.settings import bot_from, check_trusted
from harness.cli.console import conclude, console, error_console, leaving, page_in, say, say_open
from harness.document import document_bytes
from harness.errors import EvidenceError, NothingRunError, UsageError
from harness.match.handicap import handicap_points
from harness.match.identification import check_same_entrant, identify_entrant
from harness.match.openings import read_openings
from harness.match.record import (
    SCHEMA,
    Ask,
    Entrant,
    GameRecord,
    MatchHeader,
    MatchPart,
    Question,
    read_header,
    read_match,
)
from harness.match.run import Match, new_tally
from harness.match.schedule import TournamentFormat
from harness.match.store import keep_missing_sgf, match_folder
from harness.match.summary import Summary
from harness.match.tally import MatchTally, outcome_of
from harness.match.terms import Ending, Kgs, OpeningPosition, Terms, TimeControl
from harness.records.draft import replace_file
from harness.records.lock import Lock
from harness.records.private import PRIVATE_NAME, read_environments, write_environments
from harness.render.match import MatchProgress, render_match, score_of
from harness.runs.record import make_folder
from harness.shipped import refbot_version
from harness.suggest import closest
from harness.word import Word, exit_status

__all__ = ["Ending", "Kgs", "TournamentFormat"]

SIZE: Final = 9
PAGE_NAME: Final = "match.html"
_Choice = TypeVar("_Choice", bound=StrEnum)


class Crash(StrEnum):
    """The result of a game in which a bot's process fails."""

    VOID = "void"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class OpeningRequest:
    """A request for openings, from the command line."""

    path: Path | None
    size: int | None
    """The board size; None for any."""
    most_moves: int | None
    """Number of moves that are played of each record; None for all."""


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A request for a new match, from the command line."""

    bots: tuple[str, ...]
    settings: Path | None
    time_scale: float
    wrap: str | None
    terms: Terms
    form: TournamentFormat
    games: int
    openings: OpeningRequest
    question: Question
    out: Path | None
    most_voids: int
    makes_sgf: bool
    sandbox: bool = False


def chosen(option: str, text: str, kind: type[_Choice]) -> _Choice:
    """Return the value that an option names.

    Raises:
        UsageError: there is no such value.
    """
    try:
        return kind(text)
    except ValueError:
        names = [str(value) for value in kind]
        raise UsageError(
            f"{option} {text!r}: no such value{closest(text, names)}; there are {', '.join(names)}"
        ) from None


def time_control(
    move_s: int | None, main_s: int | None, byo_yomi_s: int | None, stones: int | None, lag_s: float
) -> TimeControl | None:
    """Return the clock that the options describe; None for no clock.

    Raises:
        UsageError: the options contradict each other.
    """
    if move_s is not None:
        if any(option is not None for option in (main_s, byo_yomi_s, stones)):
            raise UsageError("--move-time is a clock of its own; omit --main-time and --byo-...")
        return TimeControl(0, move_s, 1, lag_s)
    if stones is not None and byo_yomi_s is None:
        raise UsageError("--byo-stones goes with --byo-yomi: a number of moves in a number of seconds")
    if byo_yomi_s is not None:
        return TimeControl(main_s or 0, byo_yomi_s, stones or 1, lag_s)
    if main_s == 0:
        raise UsageError("--main-time 0 leaves no time at all; give --byo-yomi too, or --move-time")
    return None if main_s is None else TimeControl(main_s, lag_s=lag_s)


def default_games(question: Question) -> int:
    """Return the default for the greatest number of games: with a question, more than the answer takes."""
    match question.kind:
        case Ask.NONE:
            return 100
        case Ask.EVEN:
            return 2 * math.ceil(6 / question.margin**2)
        case Ask.SPRT:
            return 100_000


def new_match(wanted: MatchRequest, jobs: int, *, quiet: bool, as_json: bool) -> int:
    """Play a new match, print its results, and return the exit status.

    Raises:
        UsageError: an option is wrong, or two options contradict each other.
        EvidenceError: the folder cannot be written to.
        NothingRunError: no game has a result.
    """
    bots = _bots(wanted)
    say_open(*bots)
    openings = _check(wanted)
    entrants = _identify(bots, wanted.terms.playouts)
    if isinstance(entrants, Failure):
        return _not_started(entrants)
    header = MatchHeader(
        schema=SCHEMA,
        refbot=refbot_version(),
        started=datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        host=f"{platform.node()} ({platform.system()} {platform.machine()})",
        terms=wanted.terms,
        form=wanted.form,
        games=wanted.games,
        entrants=entrants,
        openings=openings,
        test=wanted.question,
        most_voids=wanted.most_voids,
        makes_sgf=wanted.makes_sgf,
    )
    if wanted.out is not None:
        match_folder(wanted.out)
    folder = make_folder(wanted.out, "match", "-".join(bot.name for bot in bots))
    with Lock(folder):
        match_folder(folder)
        write_environments(folder, [bot.env for bot in bots])
        return _play(header, bots, new_tally(header, wanted.games), folder, None, jobs, quiet, as_json)


def resume_match(
    folder: Path, games: int | None, jobs: int, *, trust: bool, quiet: bool, as_json: bool
) -> int:
    """Resume a match, print the results of the whole, and return the exit status.

    Raises:
        UsageError: the folder holds no match, or a bot is not the one that played.
        EvidenceError: the record is damaged, or cannot be written to.
        NothingRunError: no game has a result.
    """
    header = read_header(folder)
    bots = [bot_from(entrant.settings) for entrant in header.entrants]
    environments = read_environments(folder) or [{} for _ in bots]
    if len(environments) != len(bots):
        raise EvidenceError(f"{folder / PRIVATE_NAME} is of another match: it has {len(environments)} bots")
    bots = [replace(bot, env=env) for bot, env in zip(bots, environments, strict=True)]
    if not trust:
        check_trusted(bots)
    with Lock(folder):
        entrants = _identify(bots, header.terms.playouts)
        if isinstance(entrants, Failure):
            return _not_started(entrants)
        for then, now in zip(header.entrants, entrants, strict=True):
            check_same_entrant(then, now)
        tally, part = _read_games(folder, header)
        if games is not None:
            _check_even(games)
        tally.schedule = replace(tally.schedule, games=part.games if games is None else games)
        torn = "; the incomplete last line is dropped" if part.is_torn else ""
        say(f"refbot: going on after {tally.played + len(tally.waiting)} games{torn}")
        return _play(header, bots, tally, folder, part, jobs, quiet, as_json)


def _read_games(folder: Path, header: MatchHeader) -> tuple[MatchTally, MatchPart]:
    tally = new_tally(header, header.games)

    def see(header: MatchHeader, game: GameRecord) -> None:
        tally.add(outcome_of(game, header, tally.schedule))
        keep_missing_sgf(folder, header, game)

    return tally, read_match(folder, see)


def _play(
    header: MatchHeader,
    bots: list[Bot],
    tally: MatchTally,
    folder: Path,
    part: MatchPart | None,
    jobs: int,
    quiet: bool,
    as_json: bool,
) -> int:
    names = [bot.name for bot in bots]
    try:
        with MatchProgress(error_console(), tally.schedule.total, names, quiet=quiet) as progress:
            summary = Match(header, bots, tally, folder, part=part).go(jobs, progress.see)
    except KeyboardInterrupt:
        say(f"refbot: interrupted; `refbot match --resume {folder} --trust` goes on")
        raise
    with leaving(PAGE_NAME):
        _write_page(folder, summary)
    if as_json:
        sys.stdout.write(document_bytes(summary).decode())
    else:
        console().print(render_match(summary, str(folder)), highlight=False)
    if not any(pairing.games for pairing in summary.meetings) and summary.word in (
        Word.PASS,
        Word.INCONCLUSIVE,
    ):
        raise NothingRunError(f"no game has a result; see {folder}")
    word = summary.test.word if summary.test is not None else summary.word
    conclude(word, *score_of(summary), page_in(folder, PAGE_NAME), json=as_json)
    return exit_status(summary.word)


def _write_page(folder: Path, summary: Summary) -> None:
    from harness.render.match_page import render_match_page  # noqa: PLC0415 - loads the template engine

    replace_file(folder / PAGE_NAME, render_match_page(summary).encode())


def _bots(wanted: MatchRequest) -> list[Bot]:
    if len(wanted.bots) < 2:
        raise UsageError(
            "a match takes two bots or more, such as: refbot match 'gnugo --mode gtp' "
            "'refbot engine --playouts {playouts}'"
        )
    bots: list[Bot] = []
    for text in wanted.bots:
        bot = parse_bot(text, None, wanted.settings, wanted.time_scale, wanted.wrap, sandbox=wanted.sandbox)
        taken = {one.name for one in bots}
        # A command line may hold bytes that are not text, but a record may not.
        name = first = bot.name.encode("utf-8", "backslashreplace").decode()
        number = 2
        while name in taken:
            name, number = f"{first}-{number}", number + 1
        bots.append(replace(bot, name=name))
    return bots


def _check(wanted: MatchRequest) -> list[OpeningPosition]:
    """Check that the options fit each other, and return the openings."""
    terms = wanted.terms
    _check_even(wanted.games)
    if not math.isfinite(terms.komi) or terms.komi * 2 != int(terms.komi * 2):
        raise UsageError(f"--komi {terms.komi:g}: give a whole number of half points")
    handicap_points(terms.size, terms.handicap)
    if wanted.question.kind is not Ask.NONE and len(wanted.bots) > 2:
        raise UsageError("--expect and --sprt ask about two bots; this is a match of more")
    if terms.kgs is not Kgs.TOURNAMENT and terms.ending is not Ending.KGS:
        raise UsageError(f"--kgs {terms.kgs} goes with --ending kgs")
    return _openings(wanted.openings, terms)


def _openings(wanted: OpeningRequest, terms: Terms) -> list[OpeningPosition]:
    """Return the openings, and report the files of a folder that cannot be used."""
    if wanted.path is None:
        if wanted.most_moves is not None:
            raise UsageError("--opening-moves goes with --openings")
        return [OpeningPosition(size=terms.size)]
    if terms.handicap:
        raise UsageError("--handicap and --openings are two ways to begin; choose one")
    openings = read_openings(wanted.path, wanted.size, wanted.most_moves)
    for line in openings.unusable:
        say(f"refbot: left out: {line}")
    if openings.other_sizes:
        say(f"refbot: left out: {openings.other_sizes} records of other board sizes than {wanted.size}")
    return openings.found


def _check_even(games: int) -> None:
    if games % 2:
        raise UsageError(
            f"--games {games}: give an even number, since every opening is played with both colours"
        )


def _identify(bots: list[Bot], playouts: int) -> list[Entrant] | Failure:
    entrants = []
    for bot in bots:
        entrant = identify_entrant(bot, playouts)
        if isinstance(entrant, Failure):
            return entrant
        entrants.append(entrant)
    return entrants


def _not_started(failure: Failure) -> int:
    say(f"{failure.word}  {failure.sentence()}")
    return exit_status(failure.word)
