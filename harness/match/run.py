"""Plays a match: workers take games in turn and record them, until all are played or the answer is there.

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
"""What bots are given to answer once the match was interrupted."""

See = Callable[[MatchTally], None]
"""Told of every game that is over."""


class Match:
    """A match under way."""

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
        """Prepare a match, or what is left of one.

        Args:
            header: what is played.
            bots: the bots to be started, in the header's order.
            tally: the games played before, if any.
            folder: where everything is written.
            part: what there is of the match, if it is gone on with.
            start: how a process is started.
        """
        self._header, self._bots, self._tally, self._folder = header, bots, tally, folder
        self._part, self._start = part, start
        self._lock = threading.Lock()
        self._numbers: Iterator[int] = iter(())
        self._is_ending = False
        """No further game is begun."""
        self._is_stopped = False
        """Games under way are given up."""
        self._voids: Counter[int] = Counter()
        """Games spoiled this time, by the bot whose doing it was."""
        self._errors: list[BaseException] = []
        self._broken: Word | None = None

    def go(self, jobs: int, see: See) -> Summary:
        """Play what is left, and return what the whole match came to.

        Raises:
            KeyboardInterrupt: once games under way are given up and everything else is written.
            UsageError: a bot refuses a start-up command of its settings.
            EvidenceError: something cannot be written.
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
        """Have workers play until nothing is left; return the interrupt, if there was one."""
        # A worker says itself that it has ended: a join that is interrupted takes a living thread for ended
        # in Python 3.11.
        gone = threading.Semaphore(0)

        def work() -> None:
            try:
                self._play_games(store, see)
            finally:
                gone.release()

        for number in range(jobs):
            threading.Thread(target=work, name=f"games {number}", daemon=True).start()
        interrupt, left, since_s = None, jobs, 0.0
        while left:
            try:
                left -= gone.acquire(timeout=_LOOK_S)
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
                    # Its bots may have been ended by us.
                    break
                self._record(game, store, see)
                if self._header.terms.is_fresh:
                    for player in seated.values():
                        player.leave()
        except Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 - it is raised again where somebody waits for it
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
    """Return the tally of a match in which nothing is played yet."""
    schedule = Schedule(len(header.entrants), header.form, games, len(header.openings))
    return MatchTally(schedule, header.test)
