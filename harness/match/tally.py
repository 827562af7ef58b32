"""Counts the games of a match, pairing by pairing, and answers the question that was asked.

Games are counted in the order of their numbers, not in the order in which they were finished: quick games
may end otherwise than slow ones, and must not be seen first.

The question is asked twice: of all games, and of the games that repeat no earlier one.  The match gives a
word only if both answers are that word, so it is wrong no more often than either of them.  The first answer
has its error rates if games are independent, however often they coincide.  The second has them if which games
repeat does not depend on who wins (bots without random numbers, or the same seeds).
"""

from dataclasses import dataclass, field

from harness.match.duplicate import digest_of
from harness.match.pairing import Pairing
from harness.match.record import COUNTED, Ask, GameRecord, MatchHeader, Question, Result
from harness.match.schedule import Schedule, Seating
from harness.match.scores import says_of
from harness.statistics.even import Even
from harness.statistics.ratings import Score
from harness.statistics.sprt import Sprt
from harness.word import Word


@dataclass(frozen=True, slots=True)
class GameOutcome:
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
    """What Black and White say the result is; ``NOT_ASKED`` where they were not."""

    @property
    def counts(self) -> bool:
        """Whether the game is a result."""
        return self.result.how in COUNTED

    @property
    def points(self) -> float:
        """What the game is worth to the first bot of the pairing."""
        if not self.result.winner:
            return 0.5
        return float((self.result.winner == "W") is self.seating.is_swapped)

    @property
    def culprit(self) -> int | None:
        """The bot that did something wrong, by its place."""
        places = {"B": self.seating.black, "W": self.seating.white}
        return places.get(self.result.culprit)


def outcome_of(game: GameRecord, header: MatchHeader, schedule: Schedule) -> GameOutcome:
    """Return what is to be kept of a game."""
    seating, opening = schedule.seating(game.number), header.openings[game.opening]
    says = says_of(game)
    spent = {c: sum(move.seconds for move in game.moves if move.colour == c) for c in "BW"}
    return GameOutcome(
        seating,
        game.result,
        digest_of(game, opening, opening.size_in(header.terms)),
        len(game.moves),
        game.seconds,
        (spent["B"], spent["W"]),
        game.cpu_s,
        says,
    )


@dataclass(slots=True)
class MatchTally:
    """All pairings of a match, as far as games have come in without a gap."""

    schedule: Schedule
    test: Question = field(default_factory=Question)
    pairings: list[Pairing] = field(default_factory=list)
    outcomes: list[GameOutcome] = field(default_factory=list)
    duplicate_of: dict[int, int] = field(default_factory=dict)
    """By the number of a game, the number of the earlier game that it repeats."""
    decided_at: int | None = None
    """The number of the game after which no other can change the word."""
    _waiting: dict[int, GameOutcome] = field(default_factory=dict)
    _seen: dict[tuple[int, bool, bytes], int] = field(default_factory=dict)
    _half: GameOutcome | None = None

    def __post_init__(self) -> None:
        self.pairings = [Pairing(a, b) for a, b in self.schedule.pairings]

    @property
    def word(self) -> Word | None:
        """The answer to the question asked; INCONCLUSIVE where every game and the new ones do not agree."""
        if self.test.kind is Ask.NONE:
            return None
        one = self.pairings[0]
        return one.every.word if one.every.word is one.new.word else Word.INCONCLUSIVE

    @property
    def played(self) -> int:
        """Games counted so far, void ones included."""
        return len(self.outcomes)

    @property
    def waiting(self) -> set[int]:
        """Numbers of games that are there and wait for one before them."""
        return set(self._waiting)

    def add(self, outcome: GameOutcome) -> None:
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
        """Return the games by players and colours, for ratings.

        Their points are shares of every game, and they are as many as are new: a game told again and again
        makes no rating more certain.
        """
        found = []
        for one in self.pairings:
            for every, new, black, white in (
                (one.every.black, one.new.black, one.first, one.second),
                (one.every.white, one.new.white, one.second, one.first),
            ):
                if every.games:
                    share = every.points / every.games
                    points = new.games * (share if black == one.first else 1 - share)
                    found.append(Score(black, white, new.games, points))
        return found

    def _count(self, outcome: GameOutcome, *, is_last: bool = False) -> None:
        self.outcomes.append(outcome)
        seating, pairing = outcome.seating, self.pairings[outcome.seating.pairing]
        pairing.played += 1
        pairing.hows[outcome.result.how] += 1
        half, self._half = self._half, None
        if not outcome.counts:
            pairing.not_counted += 1
            return
        pairing.moves += outcome.length
        is_new = self._is_new(outcome)
        for count in (pairing.every, pairing.new) if is_new else (pairing.every,):
            (count.white if seating.is_swapped else count.black).add(outcome.points)
        if not seating.is_swapped:
            self._half = outcome
        elif half is not None and half.seating.number == seating.number - 1:
            place = round(2 * (half.points + outcome.points))
            pairing.every.pairs[place] += 1
            pairing.new.pairs[place] += is_new and half.seating.number not in self.duplicate_of
            if not is_last:
                self._judge(pairing, seating.number)

    def _is_new(self, outcome: GameOutcome) -> bool:
        """Note the game, and return whether the same bots did not play it before with the same colours."""
        seating = outcome.seating
        key = (seating.pairing, seating.is_swapped, outcome.digest)
        earlier = self._seen.setdefault(key, seating.number)
        if earlier != seating.number:
            self.duplicate_of[seating.number] = earlier
        return earlier == seating.number

    def _judge(self, pairing: Pairing, number: int) -> None:
        test = self.test
        if test.kind is Ask.NONE or self.decided_at is not None:
            return
        question = (
            Even(test.margin, test.alpha, test.beta)
            if test.kind is Ask.EVEN
            else Sprt(*test.elo, test.alpha, test.beta)
        )
        counts = [pairing.every, pairing.new]
        for count in counts:
            if count.word is Word.INCONCLUSIVE:
                count.word = question.judge(count.pairs)
        if all(count.word is not Word.INCONCLUSIVE for count in counts):
            self.decided_at = number
