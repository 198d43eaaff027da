"""Runs a tournament: schedule, results, and sequential tests.

Results arrive in the order of the deals, so the state is a function of the number of deals played,
and a stopped tournament resumes as if nothing had happened.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import NoReturn

from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError, RecordError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import make
from boardgames_cli.tournament.folder import RESULTS_FILE, RunFolder
from boardgames_cli.tournament.pools import Dispatcher
from boardgames_cli.tournament.ratings.sprt import Sprt
from boardgames_cli.tournament.rows import RESTORE, Rows, Tally, Teams, read_row
from boardgames_cli.tournament.schedule import GameSet, Schedule
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import BatchResult


class Tournament:
    """Plays a tournament.

    Raises:
        GameError: It can't be played: an unknown game or option, too few entrants, or
            an unsupported sequential test.
    """

    def __init__(self, config: TournamentConfig) -> None:
        self.config = config
        self.tally = Tally()
        self.games: tuple[AnyGame, ...] = tuple(
            make(config.game, **options) for options in config.option_sets
        )
        """The rulebook of every option set."""
        self._schedule = Schedule(config, self.games)
        self._played = 0
        self.tests: dict[tuple[tuple[int, ...], int], Sprt] = {}
        """The sequential tests, by line-up and option set."""
        if config.sprt is not None:
            if any(game.seats != 2 for game in self.games):
                raise GameError(
                    "--sprt needs a game of two seats.", "Leave it out, or choose other options."
                )
            for pairing in self._schedule.pairings():
                self.tests[pairing.lineup, pairing.options] = Sprt(*config.sprt)

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
        rest = self._rest(folder)
        if rest is None:
            return
        folder.begin()
        started, before = time.monotonic(), self._played
        report(self._progress())
        for played in dispatcher.play(rest):
            result = self._wanted(played) if self.tests else played
            folder.append(result.lines, result.records)
            self._add(result.tally)
            rate = (self._played - before) / max(1e-9, time.monotonic() - started)
            report(self._progress(rate))

    def _progress(self, rate: float = 0.0) -> Progress:
        total = None if self.tests else self._schedule.total()
        return Progress(self._played, total, "games", rate)

    def _rest(self, folder: RunFolder) -> Iterator[GameSet] | None:
        pairings = self._schedule.pairings()
        stored = folder.deals({pairing.options: len(pairing.seatings) for pairing in pairings})
        wanted = self._undecided()
        for deal in wanted:
            rows = next(stored, None)
            if rows is None:
                return itertools.chain([deal], wanted)
            self._take_stored(deal, rows)
        if next(stored, None) is not None:
            _refuse("there are more results than this tournament has")
        return None

    def _undecided(self) -> Iterator[GameSet]:
        for deal in self._schedule.deals():
            test = self.tests.get((deal.pairing.lineup, deal.pairing.options))
            if test is None or not test.is_decided:
                yield deal

    def _take_stored(self, deal: GameSet, rows: Rows) -> None:
        seatings = tuple(row.entrants for row in rows)
        known = (rows[0].deal, rows[0].options, rows[0].seed, seatings)
        if known != (deal.number, deal.pairing.options, deal.seed, deal.pairing.seatings):
            _refuse(f"the result of deal {deal.number} is not where it should be")
        tally = Tally()
        tally.add(rows, self._teams(rows))
        if self.tests:
            self._test(rows)
        self._add(tally)

    def _wanted(self, played: BatchResult) -> BatchResult:
        kept = BatchResult()
        for lines in played.lines:
            rows = tuple(map(read_row, lines.splitlines()))
            if self._test(rows):
                kept.take(rows, self._teams(rows))
                kept.records += [one for one in played.records if one.deal == rows[0].deal]
        return kept

    def _test(self, rows: Rows) -> bool:
        lineup = tuple(sorted(set(rows[0].entrants)))
        return self.tests[lineup, rows[0].options].add(rows, self._teams(rows))

    def _teams(self, rows: Rows) -> Teams:
        return self.games[rows[0].options].teams

    def _add(self, tally: Tally) -> None:
        self.tally.update(tally)
        self._played += tally.games


def _refuse(why: str) -> NoReturn:
    raise RecordError(f"{RESULTS_FILE}: {why}.", RESTORE)
