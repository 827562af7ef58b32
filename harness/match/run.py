"""The running of a match: workers play and record games until all are played or the question is answered.

A worker has its own process of every bot it needs, and plays one game at a time.  The number of workers does
not change which games are played.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from harness.bots.bot import Bot
from harness.bots.process_tree import end_all
from harness.bots.processes import Starter, start_session
from harness.match.game import Stopped, play_game
from harness.match.player import Player
from harness.match.record import Continued, GameRecord, MatchHeader, MatchPart, Termination
from harness.match.schedule import Schedule
from harness.match.store import Store
from harness.match.summary import Summary, summarize
from harness.match.tally import MatchTally, outcome_of
from harness.word import Word

_LOOK_S = 0.2
_GRACE_S = 2.0
"""Seconds that bots have to finish their answers after the match was interrupted."""

See = Callable[[MatchTally], None]
"""A function that is called with the tally after every game."""


class Match:
    """A match in progress."""

    def __init__(
        self,
        header: MatchHeader,
        bots: Sequence[Bot],
        tally: MatchTally,
        folder: Path,
        *,
        part: MatchPart | None = None,
        start: Starter = start_session,
    ) -> None:
        """Prepare a new match, or the rest of one.

        Args:
            header: the header of the match.
            bots: the bots to be started, in the header's order.
            tally: the tally of the games played before, if any.
            folder: the folder to which everything is written.
            part: the recorded part of the match, if it is resumed.
            start: the function that starts a process.
        """
        self._header, self._bots, self._tally, self._folder = header, bots, tally, folder
        self._part, self._start = part, start
        self._lock = threading.Lock()
        self._numbers: Iterator[int] = iter(())
        self._is_ending = False
        """Whether no further game is begun."""
        self._is_stopped = False
        """Whether the current games are given up."""
        self._voids: Counter[int] = Counter()
        """Number of void games of this session, by the place of the bot at fault."""
        self._errors: list[BaseException] = []
        self._broken: Word | None = None

    def go(self, jobs: int, see: See) -> Summary:
        """Play the remaining games, and return the summary of the whole match.

        Raises:
            KeyboardInterrupt: the match was interrupted.  The current games are given up, and everything
                else is written.
            UsageError: a bot refuses a start-up command of its settings.
            EvidenceError: a file cannot be written.
        """
        began_s = time.monotonic()
        tally = self._tally
        done = {outcome.seating.number for outcome in tally.outcomes} | tally.waiting
        self._numbers = (n for n in range(1, tally.schedule.total + 1) if n not in done)
        self._is_ending = tally.decided_at is not None
        interrupt: KeyboardInterrupt | None = None
        with Store(self._folder, self._header, self._part) as store:
            if self._part is not None:
                store.go_on(Continued(datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"), tally.schedule.games))
            interrupt = self._work(store, jobs, see)
            if self._errors:
                raise self._errors[0]
            tally.drain()
            summary = summarize(self._header, tally, time.monotonic() - began_s, self._broken)
            store.finish(tally, summary)
        if interrupt is not None:
            raise interrupt
        return summary

    def _work(self, store: Store, jobs: int, see: See) -> KeyboardInterrupt | None:
        """Have the workers play the remaining games; return the interrupt, if there was one."""
        # Each worker reports its own end: in Python 3.11 an interrupted join may return too early.
        ended = threading.Semaphore(0)

        def work() -> None:
            try:
                self._play_games(store, see)
            finally:
                ended.release()

        for number in range(jobs):
            threading.Thread(target=work, name=f"games {number}", daemon=True).start()
        interrupt, left, since_s = None, jobs, 0.0
        while left:
            try:
                left -= ended.acquire(timeout=_LOOK_S)
                if interrupt is not None and time.monotonic() - since_s > _GRACE_S:
                    end_all()
            except KeyboardInterrupt as error:
                if interrupt is not None:
                    raise
                interrupt, self._is_stopped, since_s = error, True, time.monotonic()
        return interrupt

    def _play_games(self, store: Store, see: See) -> None:
        players: dict[int, Player] = {}
        try:
            while (number := self._next()) is not None:
                seating = self._tally.schedule.seating(number)
                for place in (seating.black, seating.white):
                    if place not in players:
                        players[place] = self._player(place)
                seated = {"B": players[seating.black], "W": players[seating.white]}
                opening = self._header.openings[seating.opening]
                game = play_game(seating, self._header.terms, opening, seated, lambda: self._is_stopped)
                if self._is_stopped:
                    # We may have ended its bots, so its result means nothing.
                    break
                self._record(game, store, see)
                if self._header.terms.is_fresh:
                    for player in seated.values():
                        player.leave()
        except Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 - it is raised again in the main thread
            self._errors.append(error)
            self._is_stopped = True
        finally:
            for player in players.values():
                player.leave()

    def _player(self, place: int) -> Player:
        commands = frozenset(self._header.entrants[place].commands)
        return Player(self._bots[place], commands, self._header.terms, self._start)

    def _next(self) -> int | None:
        with self._lock:
            return None if self._is_ending or self._is_stopped else next(self._numbers, None)

    def _record(self, game: GameRecord, store: Store, see: See) -> None:
        outcome = outcome_of(game, self._header, self._tally.schedule)
        store.keep_sgf(game)
        with self._lock:
            store.add(game)
            self._tally.add(outcome)
            if self._tally.decided_at is not None:
                self._is_ending = True
            if game.result.how is Termination.VOID and outcome.culprit is not None:
                self._voids[outcome.culprit] += 1
                if self._voids[outcome.culprit] >= self._header.most_voids:
                    self._is_ending, self._broken = True, game.result.word or Word.ERROR
            see(self._tally)


def new_tally(header: MatchHeader, games: int) -> MatchTally:
    """Return the tally of a match in which no game is played yet."""
    schedule = Schedule(len(header.entrants), header.form, games, len(header.openings))
    return MatchTally(schedule, header.test)
