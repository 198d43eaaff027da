"""Progress reports of a running tournament."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import ClassVar, Final

from boardgames_cli.core.progress import Progress
from boardgames_cli.tournament.run import Tournament
from boardgames_cli.tournament.standings import scores
from boardgames_cli.tournament.tables import Table, number, share_text

TABLE_SECONDS: Final = 0.25
"""The interval between updates of a live table."""

_LARGEST_SHARE: Final = 20
"""Drawing takes at most this fraction (1/n) of the time."""


class Reporter(ABC):
    """Shows the progress of a tournament.

    Args:
        tournament: The tournament.
    """

    pause: ClassVar[float] = 0.0
    """The shortest interval between updates in seconds."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._names = [entrant.name for entrant in tournament.config.entrants]
        self._teams = [game.teams for game in tournament.games]
        self._next = 0.0

    def show(self, progress: Progress) -> None:
        """Show the progress, unless it was just shown."""
        started = time.monotonic()
        if started < self._next and progress.done != progress.total:
            return
        self.draw(progress)
        taken = time.monotonic() - started
        self._next = started + max(self.pause, taken * _LARGEST_SHARE)

    def standing(self) -> Table:
        """Games, points and score of every entrant, best first."""
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

    @abstractmethod
    def note(self, text: str) -> None:
        """Report a problem of workers."""

    @abstractmethod
    def draw(self, progress: Progress) -> None:
        """Show the progress."""
