"""Runs a tournament: schedule, results, and sequential tests.

Results arrive in the order of the deals, so the state is a function of the number of deals played,
and a stopped tournament resumes as if nothing had happened.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Final, NoReturn

from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError, RecordError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import make
from boardgames_cli.tournament.folder import RESULTS_FILE, RunFolder
from boardgames_cli.tournament.pools import Dispatcher, Played
from boardgames_cli.tournament.ratings.standings import scores
from boardgames_cli.tournament.ratings.statistics import (
    Sprt,
    SprtVerdict,
    check_bounds,
    deal_score,
)
from boardgames_cli.tournament.reports.tables import Table, number, share_text
from boardgames_cli.tournament.results import (
    RESTORE,
    GameSetOutcome,
    GameSetResult,
    Tally,
    outcome_of,
    read_deal,
)
from boardgames_cli.tournament.schedule import GameSet, Pairing, Schedule
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import BatchResult


class Tournament:
    """Plays a tournament.

    Raises:
        GameError: It can't be played: an unknown game or option, too few entrants, or an
            unsupported sequential test.
    """

    def __init__(self, config: TournamentConfig) -> None:
        self.config = config
        self.tally = Tally()
        self.games: tuple[AnyGame, ...] = tuple(
            make(config.game, **options) for options in config.option_sets
        )
        """The rulebook of every option set."""
        self._schedule = Schedule(config, self.games)
        self.tests: dict[tuple[tuple[int, ...], int], Sprt] = {}
        """The sequential tests, by line-up and option set."""
        self._played = 0
        if config.sprt is not None:
            check_bounds(*config.sprt)
            if any(game.seats != 2 for game in self.games):
                raise GameError(
                    "--sprt needs a game of two seats.", "Leave it out, or choose other options."
                )

    @property
    def total(self) -> int | None:
        """The total number of games; None if it depends on results."""
        return None if self.config.sprt is not None else self._schedule.total()

    def run(
        self,
        folder: RunFolder,
        dispatcher: Dispatcher,
        report: Callable[[Progress], None],
    ) -> None:
        """Play all deals that are not in the folder yet.

        Raises:
            GameError: The folder is damaged or can't be written, or the workers can't play.
        """
        rest = self._rest(folder.deals())
        if rest is None:
            return
        folder.begin()
        started, before = time.monotonic(), self._played
        report(self._progress())
        for played in dispatcher.play(rest):
            result = self._decided(played)
            folder.append(result.lines, result.records)
            self._add(result.tally)
            rate = (self._played - before) / max(1e-9, time.monotonic() - started)
            report(self._progress(rate))

    def _progress(self, rate: float = 0.0) -> Progress:
        return Progress(self._played, self.total, "games", rate)

    def replay(self, stored: Iterator[GameSetResult]) -> bool:
        """Process stored results without playing; whether the tournament is complete.

        Raises:
            RecordError: The results are of another tournament.
        """
        return self._rest(stored) is None

    def _rest(self, stored: Iterator[GameSetResult]) -> Iterator[GameSet] | None:
        """The deals that are not stored; None if there are none."""
        for pairing in self._schedule.pairings() if self.config.sprt is not None else ():
            self.tests.setdefault(_key(pairing), Sprt(*self.config.sprt or (0, 0)))
        deals = self._schedule.deals()
        wanted = (deal for deal in deals if not self._is_decided(deal.pairing))
        for deal in wanted:
            games = next(stored, None)
            if games is None:
                return itertools.chain([deal], wanted)
            self._take_stored(deal, games)
        if next(stored, None) is not None:
            _refuse("there are more results than this tournament has")
        return None

    def _take_stored(self, deal: GameSet, games: GameSetResult) -> None:
        seatings = tuple(game.entrants for game in games)
        known = (games[0].deal, games[0].options, games[0].seed, seatings)
        if known != (deal.number, deal.pairing.options, deal.seed, deal.pairing.seatings):
            _refuse(f"the result of deal {deal.number} is not where it should be")
        self._test(deal.pairing, outcome_of(games))
        self._add(Tally.of([games]))

    def _add(self, tally: Tally) -> None:
        self.tally.add(tally)
        self._played += sum(count * len(outcome.games) for outcome, count in tally.outcomes.items())

    def _decided(self, played: Played) -> BatchResult:
        result = played.result
        if self.config.sprt is None:
            return result
        counts = [
            self._test(deal.pairing, outcome)
            for deal, outcome in zip(played.game_sets, result.outcomes, strict=True)
        ]
        if all(counts):
            return result
        lines = list(itertools.compress(result.lines, counts))
        numbers = {deal.number for deal in itertools.compress(played.game_sets, counts)}
        return BatchResult(
            lines,
            list(itertools.compress(result.outcomes, counts)),
            Tally.of(map(read_deal, lines)),
            result.seconds,
            [record for record in result.records if record.deal in numbers],
        )

    def _test(self, pairing: Pairing, outcome: GameSetOutcome) -> bool:
        """Add a deal to its pairing's test; False if the test was already decided."""
        test = self.tests.get(_key(pairing))
        if test is None:
            return True
        if self._is_decided(pairing):
            return False
        test.add(deal_score(outcome, pairing.lineup[0]))
        return True

    def _is_decided(self, pairing: Pairing) -> bool:
        test = self.tests.get(_key(pairing))
        return test is not None and test.verdict is not SprtVerdict.UNDECIDED


def _key(pairing: Pairing) -> tuple[tuple[int, ...], int]:
    return pairing.lineup, pairing.options


def _refuse(why: str) -> NoReturn:
    raise RecordError(f"{RESULTS_FILE}: {why}.", RESTORE)


TABLE_SECONDS: Final = 0.25
"""The interval between updates of a live table."""

_LARGEST_SHARE: Final = 20
"""Drawing takes at most this fraction (1/n) of the time."""


class Reporter:
    """Shows the progress of a tournament from time to time.

    Args:
        tournament: The tournament.
        draw: Shows the progress, with the standing.
        pause: The shortest interval between updates in seconds.
    """

    def __init__(
        self,
        tournament: Tournament,
        draw: Callable[[Progress, Table], None],
        pause: float = TABLE_SECONDS,
    ) -> None:
        self._tournament = tournament
        self._draw = draw
        self._pause = pause
        self._names = [entrant.name for entrant in tournament.config.entrants]
        self._teams = [game.teams for game in tournament.games]
        self._next = 0.0

    def show(self, progress: Progress) -> None:
        """Show the progress, unless it was just shown."""
        started = time.monotonic()
        if started < self._next and progress.done != progress.total:
            return
        self._draw(progress, self._standing())
        taken = time.monotonic() - started
        self._next = started + max(self._pause, taken * _LARGEST_SHARE)

    def _standing(self) -> Table:
        known = scores(self._tournament.tally.outcomes, len(self._names), self._teams)
        rows = [
            (name, games, float(points), float(points) / games if games else None)
            for name, (games, points) in zip(self._names, known, strict=True)
        ]
        rows.sort(key=lambda row: -(row[3] or 0))
        texts = tuple(
            (name, f"{games:,}", number(points), share_text(score))
            for name, games, points, score in rows
        )
        return Table("Standings", ("entrant", "games", "points", "score"), texts)
