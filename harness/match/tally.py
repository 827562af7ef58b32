"""The tally of a match: counts the games of each pairing, and answers the question of the match.

Games are counted in the order of their numbers, not in the order in which they end.  The length of a game
may depend on its result, so a count that takes short games first would be biased.

The question is answered twice: from all games, and from the games that repeat no earlier one.  The match
gives a word only if both answers are that word, so it is wrong no more often than either of them.  The first
answer keeps its error rates if the games are independent, even if they coincide by chance.  The second keeps
them if the repeats do not depend on the winner (bots without random numbers, or with the same seeds).
"""

from dataclasses import dataclass, field

from harness.match.duplicate import digest_of
from harness.match.pairing import Pairing
from harness.match.record import COUNTED, Ask, GameRecord, MatchHeader, Question, Result
from harness.match.schedule import Schedule, Seating
from harness.match.scores import claimed_scores
from harness.statistics.even import Even
from harness.statistics.ratings import Score
from harness.statistics.sprt import Sprt
from harness.word import Word


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The part of a game that the tally keeps in memory; the moves are only in the record."""

    seating: Seating
    result: Result
    digest: bytes
    length: int
    seconds: float
    times: tuple[float, float]
    """Seconds of Black's moves and of White's."""
    cpu_s: tuple[float, float] | None
    claimed_scores: tuple[str, str]
    """Black's and White's answers to final_score; ``NOT_ASKED`` if there was none."""

    @property
    def counts(self) -> bool:
        """Whether the game has a result."""
        return self.result.how in COUNTED

    @property
    def points(self) -> float:
        """The points of the first bot of the pairing."""
        if not self.result.winner:
            return 0.5
        return float((self.result.winner == "W") is self.seating.is_swapped)

    @property
    def culprit(self) -> int | None:
        """The place of the bot at fault; None if no bot is."""
        return self.seating.places.get(self.result.culprit)


def outcome_of(game: GameRecord, header: MatchHeader, schedule: Schedule) -> GameOutcome:
    """Return the outcome of a recorded game."""
    seating, opening = schedule.seating(game.number), header.openings[game.opening]
    spent = {c: sum(move.seconds for move in game.moves if move.colour == c) for c in "BW"}
    return GameOutcome(
        seating,
        game.result,
        digest_of(game, opening, opening.size_in(header.terms)),
        len(game.moves),
        game.seconds,
        (spent["B"], spent["W"]),
        game.cpu_s,
        claimed_scores(game),
    )


def decision_rule(question: Question) -> Even | Sprt:
    """Return the test that answers a question; there must be a question."""
    rates = (question.alpha, question.beta)
    return Even(question.margin, *rates) if question.kind is Ask.EVEN else Sprt(*question.elo, *rates)


@dataclass(slots=True)
class MatchTally:
    """The counts of all pairings.  A game is counted once all games with lower numbers are."""

    schedule: Schedule
    test: Question = field(default_factory=Question)
    pairings: list[Pairing] = field(default_factory=list)
    outcomes: list[GameOutcome] = field(default_factory=list)
    duplicate_of: dict[int, int] = field(default_factory=dict)
    """For each repeated game, by its number, the number of the earlier game that it repeats."""
    decided_at: int | None = None
    """The number of the game after which no other game can change the word."""
    _waiting: dict[int, GameOutcome] = field(default_factory=dict)
    _seen: dict[tuple[int, bool, bytes], int] = field(default_factory=dict)
    _half: GameOutcome | None = None
    """The first game of a pair whose second game is still to be counted."""

    def __post_init__(self) -> None:
        self.pairings = [Pairing(a, b) for a, b in self.schedule.pairings]

    @property
    def word(self) -> Word | None:
        """The answer to the question; INCONCLUSIVE if all games and the new games give different answers."""
        if self.test.kind is Ask.NONE:
            return None
        one = self.pairings[0]
        return one.every.word if one.every.word is one.new.word else Word.INCONCLUSIVE

    @property
    def played(self) -> int:
        """Number of games counted so far, void and unfinished ones included."""
        return len(self.outcomes)

    @property
    def waiting(self) -> set[int]:
        """Numbers of the games that wait for a game with a lower number."""
        return set(self._waiting)

    def add(self, outcome: GameOutcome) -> None:
        """Add a game; it is counted once all games with lower numbers are there."""
        self._waiting[outcome.seating.number] = outcome
        while (next_outcome := self._waiting.pop(self.played + 1, None)) is not None:
            self._count(next_outcome)

    def drain(self) -> None:
        """Count the waiting games too, as no more games will come.

        These games do not change the answer to the question.
        """
        for number in sorted(self._waiting):
            self._count(self._waiting.pop(number), is_last=True)

    def scores(self) -> list[Score]:
        """Return the results by players and colours, for ratings.

        The share of points is that of all games.  The number of games is that of the new games only, because
        a repeated game makes no rating more certain.
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
        """Remember the game; return whether these bots play it for the first time with these colours."""
        seating = outcome.seating
        key = (seating.pairing, seating.is_swapped, outcome.digest)
        earlier = self._seen.setdefault(key, seating.number)
        if earlier != seating.number:
            self.duplicate_of[seating.number] = earlier
        return earlier == seating.number

    def _judge(self, pairing: Pairing, number: int) -> None:
        if self.test.kind is Ask.NONE or self.decided_at is not None:
            return
        question = decision_rule(self.test)
        counts = [pairing.every, pairing.new]
        for count in counts:
            if count.word is Word.INCONCLUSIVE:
                count.word = question.judge(count.pairs)
        if all(count.word is not Word.INCONCLUSIVE for count in counts):
            self.decided_at = number
