"""Matches made without a game: summaries, headers and records."""

from harness.match.board import format_vertex
from harness.match.record import Entrant, GameRecord, MatchHeader, MoveRecord, Question, Result, Termination
from harness.match.schedule import Schedule, TournamentFormat
from harness.match.scores import ScoreDifference
from harness.match.summary import (
    ColourSummary,
    Disputed,
    MatchAnswer,
    PairingSummary,
    RatingSummary,
    ScoresSummary,
    Spoiled,
    Summary,
)
from harness.match.terms import Ending, OpeningPosition, Terms, TimeControl
from harness.word import Word

NAMES = ("one", "two", "three")


def summary(text: str, *, test: MatchAnswer | None = None, bots: int = 2, word: Word = Word.PASS) -> Summary:
    """Return a match in which a bot's text stands wherever one can."""
    meeting = PairingSummary(
        first=text, second=text, games=4, points=2.5, share=0.625, wilson=(0.2, 0.9), anytime=(0.1, 0.95),
        black=ColourSummary(1, 1, 0), white=ColourSummary(1, 0, 1),
        pairs=[0, 1, 0, 0, 1], new_pairs=[0, 1, 0, 0, 0], hows={Termination.SCORE: 4},
        not_counted=1, duplicates=3, is_lopsided=True, mean_moves=12.5,
        ending=Ending.KGS, scores=[ScoresSummary(text, 4, 2, 1)], both_differ=1,
    )  # fmt: skip
    return Summary(
        schema=1, refbot="0", terms=Terms(time=TimeControl(60, 10, 5), ending=Ending.KGS, handicap=2),
        form=TournamentFormat.ROUND_ROBIN, games=4, played=8,
        bots=[Entrant(text, {}, "", text, text, [text])] * bots,
        meetings=[meeting], ratings=[RatingSummary(text, 12.0, 3.0)] * bots, black_elo=-20.0, test=test,
        spoiled=[Spoiled(3, Termination.VOID, text, "CRASH", text)] * 7, elapsed_s=1.0, word=word,
        sizes=[9, 13], disputed=[Disputed(3, text, text, "B+3.5", ScoreDifference.WINNER)] * 5,
    )  # fmt: skip


def header(question: Question | None = None, *, bots: int = 2, openings: int = 1) -> MatchHeader:
    """Return the header of a match."""
    entrants = [Entrant(n, {"command": f"./{n} --x"}, "", n, "1", []) for n in NAMES[:bots]]
    places = [OpeningPosition(str(n)) for n in range(openings)]
    test = question or Question()
    return MatchHeader(
        1, "0", "2020-01-01 00:00:00 UTC", "host", Terms(size=5, komi=0.5),
        TournamentFormat.ROUND_ROBIN, 4, entrants,
        places, test, most_voids=3,
    )  # fmt: skip


def game(number: int, result: Result, schedule: Schedule, *vertices: str) -> GameRecord:
    """Return a game's record; without moves given, one that no other number has."""
    seating = schedule.seating(number)
    last = (format_vertex(divmod(n, 5)) for n in divmod(number, 25))
    points = vertices or ("A1", "B1", *last)
    moves = [MoveRecord("BW"[n % 2], vertex, 0.5) for n, vertex in enumerate(points)]
    return GameRecord(
        number, seating.black, seating.white, seating.opening, moves, result, 1.0, "2020-01-01 00:00:00"
    )
