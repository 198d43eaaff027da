"""A tournament that goes on in a thread, so that the screen which watches it never stands still."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

from boardgames_cli.tournament.config import TournamentConfig
from boardgames_cli.tournament.dispatch import PATIENCE_SECONDS, Dispatcher
from boardgames_cli.tournament.documents import write_documents
from boardgames_cli.tournament.entrants import check_entrants
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import Job
from boardgames_cli.tournament.pools import Pool, ProcessPool, core_count
from boardgames_cli.tournament.progress import TABLE_SECONDS, Reporter, how_far
from boardgames_cli.tournament.results import GameResult
from boardgames_cli.tournament.run import Progress, Tournament
from boardgames_cli.tournament.tables import Table, short_standings_table

_MOST_JOBS: Final = 2
"""The screen, and whatever else runs on the machine, need something, too."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How it goes."""

    folder: Path
    table: Table
    progress: str


@dataclass(frozen=True, slots=True)
class Note:
    """What went wrong with workers."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """All that came of it."""

    folder: Path
    table: Table
    remarks: tuple[str, ...]
    games: tuple[tuple[Path, GameResult], ...]
    """Every game that was kept, as a save, with its result."""
    is_finished: bool
    """Whether all games have been played; otherwise it was stopped, and can be gone on with."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It can't be played, or not to its end."""

    error: BaseException
    folder: Path | None
    """What was played before is there; None if nothing has begun."""


News: TypeAlias = Standing | Note | Ended | Failed


class _StopRequest(Exception):
    """Somebody wants it to end."""


class BackgroundTournament:
    """Plays a tournament in a thread, on at most two processes.

    Args:
        config: What is played.
        deliver: Told how it goes; called in the thread.
        path: A new folder for the results; None chooses one of today in the current folder.
    """

    def __init__(
        self,
        config: TournamentConfig,
        deliver: Callable[[News], None],
        path: Path | None = None,
    ) -> None:
        self._config = config
        self._deliver = deliver
        self._path = path
        self._folder: Path | None = None
        self._stop = threading.Event()
        self._is_abandoned = False
        # No daemon: the interpreter waits until it has ended its processes.
        self._thread = threading.Thread(target=self._run, name="tournament")

    @property
    def is_running(self) -> bool:
        """Whether the thread and its processes are still there."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Play no more; `Ended` comes with what was played."""
        self._stop.set()

    def abandon(self) -> None:
        """End all processes as soon as possible; nothing more is told."""
        self._is_abandoned = True
        self._stop.set()

    def _run(self) -> None:
        news: News | None
        try:
            news = self._play()
        except BaseException as error:
            news = Failed(error, self._folder)
        if news is not None and not self._is_abandoned:
            self._deliver(news)

    def _play(self) -> Ended | None:
        tournament = Tournament(self._config)
        check_entrants(self._config.entrants, tournament.games, self._config.seed)
        pool = make_workers()
        try:
            # The folder comes last: nothing is left behind if there is nobody to play.
            folder = RunFolder.create(self._path, self._config)
            try:
                self._folder = folder.path
                return self._fill(tournament, folder, pool)
            finally:
                folder.close()
        finally:
            pool.close()

    def _fill(self, tournament: Tournament, folder: RunFolder, pool: Pool) -> Ended | None:
        reporter = _Reporter(tournament, folder.path, self._deliver)
        job = Job.of(self._config)
        dispatcher = Dispatcher(pool, job, self._waiting, PATIENCE_SECONDS, reporter.note)
        is_finished = True
        try:
            tournament.run(folder, dispatcher, reporter.show)
        except _StopRequest:
            is_finished = False
        if self._is_abandoned:
            return None
        pool.close()
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
        """What the dispatcher waits in, a moment at a time."""
        if self._stop.is_set():
            raise _StopRequest
        yield


class _Reporter(Reporter):
    """Delivers the table now and then."""

    pause: ClassVar[float] = TABLE_SECONDS

    def __init__(
        self, tournament: Tournament, folder: Path, deliver: Callable[[News], None]
    ) -> None:
        super().__init__(tournament)
        self._folder = folder
        self._deliver = deliver

    def note(self, text: str) -> None:
        self._deliver(Note(text))

    def draw(self, progress: Progress) -> None:
        self._deliver(Standing(self._folder, self.standing(progress), how_far(progress)))


def make_workers() -> Pool:
    """The processes that play: in this one, games would hold up the screen."""
    if os.name == "posix":
        # It starts with the first process, and is given standard error; while the screen is up that
        # has no descriptor.
        with contextlib.redirect_stderr(sys.__stderr__):
            resource_tracker.ensure_running()
    return ProcessPool(min(_MOST_JOBS, core_count()))
