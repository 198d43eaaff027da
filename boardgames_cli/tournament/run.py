"""Runs a tournament: schedule, results, and sequential tests.

Results arrive in the order of the deals, so the state is a function of the number of deals played,
and a stopped tournament resumes as if nothing had happened.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError, RecordError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import make
from boardgames_cli.tournament.folder import RESULTS_FILE, RunFolder
from boardgames_cli.tournament.pools import Dispatcher
from boardgames_cli.tournament.ratings.statistics import (
    Sprt,
    SprtVerdict,
    check_bounds,
    deal_score,
)
from boardgames_cli.tournament.rows import RESTORE, DealOutcome, Rows, Tally, Teams, read_rows
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
        rest = self._rest(folder)
        if rest is None:
            return
        folder.begin()
        started, before = time.monotonic(), self._played
        report(self._progress())
        for game_sets, played in dispatcher.play(rest):
            result = self._decided(game_sets, played)
            folder.append(result.lines, result.records)
            self._add(result.tally)
            rate = (self._played - before) / max(1e-9, time.monotonic() - started)
            report(self._progress(rate))

    def _progress(self, rate: float = 0.0) -> Progress:
        return Progress(self._played, self.total, "games", rate)

    def _rest(self, folder: RunFolder) -> Iterator[GameSet] | None:
        pairings = self._schedule.pairings()
        stored = folder.deals({pairing.options: len(pairing.seatings) for pairing in pairings})
        for pairing in pairings if self.config.sprt is not None else ():
            self.tests.setdefault(_key(pairing), Sprt(*self.config.sprt or (0, 0)))
        deals = self._schedule.deals()
        wanted = (deal for deal in deals if not self._is_decided(deal.pairing))
        for deal in wanted:
            rows = next(stored, None)
            if rows is None:
                return itertools.chain([deal], wanted)
            self._take_stored(deal, rows)
        if next(stored, None) is not None:
            _refuse("there are more results than this tournament has")
        return None

    def _take_stored(self, deal: GameSet, rows: Rows) -> None:
        seatings = tuple(row.entrants for row in rows)
        known = (rows[0].deal, rows[0].options, rows[0].seed, seatings)
        if known != (deal.number, deal.pairing.options, deal.seed, deal.pairing.seatings):
            _refuse(f"the result of deal {deal.number} is not where it should be")
        tally = Tally()
        self._test(deal.pairing, tally.add(rows, self._teams(deal)))
        self._add(tally)

    def _teams(self, deal: GameSet) -> Teams:
        return self.games[deal.pairing.options].teams

    def _add(self, tally: Tally) -> None:
        self.tally.update(tally)
        self._played += tally.games

    def _decided(self, game_sets: Sequence[GameSet], result: BatchResult) -> BatchResult:
        if self.config.sprt is None:
            return result
        counts = [
            self._test(game_set.pairing, deal)
            for game_set, deal in zip(game_sets, result.deals, strict=True)
        ]
        if all(counts):
            return result
        kept = BatchResult(seconds=result.seconds)
        for game_set, lines in itertools.compress(
            zip(game_sets, result.lines, strict=True), counts
        ):
            kept.lines.append(lines)
            rows = [row for line in lines.splitlines() for row in read_rows(line)]
            kept.tally.add(tuple(rows), self._teams(game_set))
            kept.records += [one for one in result.records if one.deal == game_set.number]
        return kept

    def _test(self, pairing: Pairing, deal: DealOutcome) -> bool:
        """Add a deal to its pairing's test; False if the test was already decided."""
        test = self.tests.get(_key(pairing))
        if test is None:
            return True
        if self._is_decided(pairing):
            return False
        test.add(deal_score(deal, pairing.lineup[0]))
        return True

    def _is_decided(self, pairing: Pairing) -> bool:
        test = self.tests.get(_key(pairing))
        return test is not None and test.verdict is not SprtVerdict.UNDECIDED


def _key(pairing: Pairing) -> tuple[tuple[int, ...], int]:
    return pairing.lineup, pairing.options


def _refuse(why: str) -> NoReturn:
    raise RecordError(f"{RESULTS_FILE}: {why}.", RESTORE)


def now_and_then(
    show: Callable[[Progress], None], pause: float = 0.25
) -> Callable[[Progress], None]:
    """Show progress at most every ``pause`` seconds, in a twentieth of the time; always the end."""
    following = 0.0

    def report(progress: Progress) -> None:
        nonlocal following
        started = time.monotonic()
        if started >= following or progress.done == progress.total:
            show(progress)
            following = started + max(pause, 20 * (time.monotonic() - started))

    return report
