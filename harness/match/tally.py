"""What games add up to: wins by colour, pairs, ends, duplicates; and the answer to the question asked.

Games are taken in the order of their numbers, whenever they were finished: quick games must not be seen
before slow ones, which may end otherwise.
"""

from collections import Counter
from dataclasses import dataclass, field

from harness.match.duplicate import digest_of
from harness.match.record import COUNTED, Ask, GameRecord, MatchHeader, Question, Result
from harness.match.schedule import Schedule, Seating
from harness.statistics.even import Even
from harness.statistics.ratings import Score
from harness.statistics.sprt import Sprt
from harness.word import Word


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is kept of a game when its moves have been written down."""

    seating: Seating
    result: Result
    digest: bytes
    length: int
    seconds: float
    times: tuple[float, float]
    """Seconds of Black's moves and of White's."""
    cpu_s: tuple[float, float] | None
    says: tuple[str, str]
    """What Black and White say the result is; ``?`` where they were not asked."""

    @property
    def counts(self) -> bool:
        """Whether the game is a result."""
        return self.result.how in COUNTED

    @property
    def points(self) -> float:
        """What the game is worth to the first bot of the meeting."""
        if not self.result.winner:
            return 0.5
        return float((self.result.winner == "W") is self.seating.is_swapped)

    @property
    def culprit(self) -> int | None:
        """The bot that did something wrong, by its place."""
        places = {"B": self.seating.black, "W": self.seating.white}
        return places.get(self.result.culprit)


def outcome_of(game: GameRecord, header: MatchHeader, schedule: Schedule) -> Outcome:
    """Return what is to be kept of a game."""
    seating = schedule.seating(game.number)
    says = {said.colour: said.reply for said in game.said if said.sent == "final_score" and not said.is_error}
    spent = {c: sum(move.seconds for move in game.moves if move.colour == c) for c in "BW"}
    return Outcome(
        seating,
        game.result,
        digest_of(game, header.openings[game.opening], header.terms.size),
        len(game.moves),
        game.seconds,
        (spent["B"], spent["W"]),
        game.cpu_s,
        (says.get("B", "?"), says.get("W", "?")),
    )


@dataclass(slots=True)
class Colour:
    """What the first bot of a meeting did with one colour."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, points: float) -> None:
        """Count a game."""
        self.won += points == 1.0
        self.drawn += points == 0.5
        self.lost += points == 0.0

    @property
    def games(self) -> int:
        """How many."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """Wins, and half the draws."""
        return self.won + self.drawn / 2


@dataclass(slots=True)
class Meeting:
    """The games between two bots, seen by the first."""

    first: int
    second: int
    black: Colour = field(default_factory=Colour)
    """The first bot's games as Black."""
    white: Colour = field(default_factory=Colour)
    hows: Counter[str] = field(default_factory=Counter)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs of games that were worth 0, 1/2, 1, 3/2 and 2 points to the first bot."""
    duplicates: int = 0
    not_counted: int = 0
    """Void and unfinished games."""
    moves: int = 0
    played: int = 0

    @property
    def games(self) -> int:
        """Games that count."""
        return self.black.games + self.white.games

    @property
    def points(self) -> float:
        """Of the first bot."""
        return self.black.points + self.white.points

    @property
    def is_lopsided(self) -> bool:
        """Whether so many games were one another's duplicates that the rest says little."""
        return self.duplicates * 2 > self.played


@dataclass(slots=True)
class Tally:
    """All meetings of a match, as far as games have come in without a gap."""

    schedule: Schedule
    test: Question = field(default_factory=Question)
    count_duplicates: bool = False
    meetings: list[Meeting] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    duplicate_of: dict[int, int] = field(default_factory=dict)
    """By the number of a game, the number of the earlier game that it repeats."""
    word: Word | None = None
    """The answer to the question asked; once found it stays."""
    decided_at: int | None = None
    """The number of the game after which it was found."""
    _waiting: dict[int, Outcome] = field(default_factory=dict)
    _seen: dict[tuple[int, bool, bytes], int] = field(default_factory=dict)
    _half: Outcome | None = None

    def __post_init__(self) -> None:
        self.meetings = [Meeting(a, b) for a, b in self.schedule.meetings]
        self.word = None if self.test.kind is Ask.NONE else Word.INCONCLUSIVE

    @property
    def played(self) -> int:
        """Games counted so far, void ones included."""
        return len(self.outcomes)

    @property
    def waiting(self) -> set[int]:
        """Numbers of games that are there and wait for one before them."""
        return set(self._waiting)

    def add(self, outcome: Outcome) -> None:
        """Take in a game; it is counted when all before it are there."""
        self._waiting[outcome.seating.number] = outcome
        while (found := self._waiting.pop(self.played + 1, None)) is not None:
            self._count(found)

    def drain(self) -> None:
        """Count what is there behind a gap, too: no more games will come.

        The question asked is not answered by these.
        """
        for number in sorted(self._waiting):
            self._count(self._waiting.pop(number), is_last=True)

    def scores(self) -> list[Score]:
        """Return the games by players and colours, for ratings."""
        found = []
        for meeting in self.meetings:
            for colour, black, white in (
                (meeting.black, meeting.first, meeting.second),
                (meeting.white, meeting.second, meeting.first),
            ):
                points = colour.points if colour is meeting.black else colour.games - colour.points
                if colour.games:
                    found.append(Score(black, white, colour.games, points))
        return found

    def _count(self, outcome: Outcome, *, is_last: bool = False) -> None:
        self.outcomes.append(outcome)
        seating, meeting = outcome.seating, self.meetings[outcome.seating.meeting]
        meeting.played += 1
        meeting.hows[outcome.result.how] += 1
        counts = outcome.counts
        if not counts:
            meeting.not_counted += 1
        else:
            meeting.moves += outcome.length
            key = (seating.meeting, seating.is_swapped, outcome.digest)
            if (earlier := self._seen.setdefault(key, seating.number)) != seating.number:
                self.duplicate_of[seating.number] = earlier
                meeting.duplicates += 1
                counts = self.count_duplicates
        if counts:
            (meeting.white if seating.is_swapped else meeting.black).add(outcome.points)
        half, self._half = self._half, outcome if counts and not seating.is_swapped else None
        if counts and half is not None and seating.is_swapped and half.seating.number == seating.number - 1:
            meeting.pairs[round(2 * (half.points + outcome.points))] += 1
            if not is_last:
                self._judge(meeting, seating.number)

    def _judge(self, meeting: Meeting, number: int) -> None:
        if self.word is not Word.INCONCLUSIVE:
            return
        test = self.test
        question = (
            Even(test.margin, test.alpha, test.beta)
            if test.kind is Ask.EVEN
            else Sprt(*test.elo, test.alpha, test.beta)
        )
        self.word = question.judge(meeting.pairs)
        self.decided_at = None if self.word is Word.INCONCLUSIVE else number
