"""Runs a tournament in a background thread, so that the screen stays responsive."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from boardgames_cli.agents.remote.process_pool import Pool, ProcessPool, core_count
from boardgames_cli.core.background import BackgroundJob, Progress
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import check_entrants
from boardgames_cli.tournament.pools import PATIENCE_SECONDS, Dispatcher
from boardgames_cli.tournament.reports.report import write_documents
from boardgames_cli.tournament.reports.tables import Table, short_standings_table
from boardgames_cli.tournament.results import GameResult
from boardgames_cli.tournament.run import TABLE_SECONDS, Reporter, Tournament
from boardgames_cli.tournament.tournament_config import TournamentConfig

_MOST_JOBS: Final = 2
"""The maximum number of worker processes; the screen needs processor time, too."""


@dataclass(frozen=True, slots=True)
class LiveStandings:
    """The current table and progress."""

    folder: Path
    table: Table
    progress: str


@dataclass(frozen=True, slots=True)
class WorkerNote:
    """A problem with the workers."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a tournament."""

    folder: Path
    table: Table
    remarks: tuple[str, ...]
    games: tuple[tuple[Path, GameResult], ...]
    """Every saved game with its result."""
    is_finished: bool
    """Whether all games have been played; otherwise it was stopped and can be resumed."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The tournament failed to start or to finish."""

    error: BaseException
    folder: Path | None
    """The folder with the games so far; None if nothing was played."""


News: TypeAlias = LiveStandings | WorkerNote | Ended | Failed


class _StopRequest(Exception):
    """The tournament was asked to stop."""


class BackgroundTournament(BackgroundJob[News]):
    """Plays a tournament in the background, on at most two processes.

    Args:
        config: The tournament.
        path: A new folder for the results; None chooses one of today in the current folder.
    """

    def __init__(self, config: TournamentConfig, path: Path | None = None) -> None:
        self._config = config
        self._path = path
        self._folder: Path | None = None
        self._stop = threading.Event()
        self._is_abandoned = False

    def hurry(self) -> None:
        """Stop playing; `Ended` delivers the games so far."""
        self._stop.set()

    def stop(self) -> None:
        """End all processes as soon as possible."""
        self._is_abandoned = True
        self._stop.set()

    def run(self, deliver: Callable[[News], None]) -> None:
        """Play it."""
        self._deliver = deliver
        news: News | None
        try:
            news = self._play()
        except BaseException as error:
            news = Failed(error, self._folder)
        if news is not None:
            deliver(news)

    def _play(self) -> Ended | None:
        tournament = Tournament(self._config)
        check_entrants(self._config.entrants, tournament.games, self._config.seed)
        with make_workers() as pool:
            # The folder is created last, so that a failure leaves nothing behind.
            folder = RunFolder.create(self._path, self._config)
            try:
                self._folder = folder.path
                return self._fill(tournament, folder, pool)
            finally:
                folder.close()

    def _fill(self, tournament: Tournament, folder: RunFolder, pool: Pool) -> Ended | None:
        def draw(progress: Progress, table: Table) -> None:
            self._deliver(LiveStandings(folder.path, table, str(progress)))

        def note(text: str) -> None:
            self._deliver(WorkerNote(text))

        reporter = Reporter(tournament, draw, TABLE_SECONDS)
        dispatcher = Dispatcher(pool, self._config, self._waiting, PATIENCE_SECONDS, note)
        is_finished = True
        try:
            tournament.run(folder, dispatcher, reporter.show)
        except _StopRequest:
            is_finished = False
        if self._is_abandoned:
            return None
        pool.shutdown()
        report = write_documents(tournament, folder.path, is_finished=is_finished)
        return Ended(
            folder.path,
            short_standings_table(report.table),
            tuple(report.remarks),
            tuple(folder.recorded()),
            is_finished,
        )

    @contextlib.contextmanager
    def _waiting(self) -> Iterator[None]:
        """The context in which the dispatcher waits for short intervals."""
        if self._stop.is_set():
            raise _StopRequest
        yield


def make_workers() -> Pool:
    """The worker processes; games in this process would block the screen."""
    return ProcessPool(min(_MOST_JOBS, core_count()))
