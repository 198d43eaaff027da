"""The page of a tournament that is still running: its report, made again from time to time."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

from aiohttp import web

from boardgames_cli.tournament.folder import stored_config, stored_deals
from boardgames_cli.tournament.reports.report import Report, report_of
from boardgames_cli.tournament.run import Tournament

TOURNAMENT_ROUTE: Final = "/tournament"

_RELOAD_SECONDS: Final = 10
_LARGEST_SHARE: Final = 20
"""Making the report takes at most this fraction (1/n) of the time, however many look at it."""
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The report brings its own style and pictures, and needs nothing else."""


class TournamentPage:
    """Shows the results in a folder so far. It only reads them, and runs no agent.

    Args:
        folder: The folder of the tournament, which another process may be playing.

    Raises:
        StorageError: It is not a folder of a tournament, or can't be read.
        RecordError: It is damaged.
        GameError: The tournament can't be played by this program.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._config = stored_config(folder)
        Tournament(self._config)
        self._lock = asyncio.Lock()
        self._text = ""
        self._is_finished = False
        self._next = 0.0

    async def handle(self, _: web.Request) -> web.StreamResponse:
        """Answer with the report, which loads itself again until the last game has been played.

        Raises:
            GameError: The results are damaged or can't be read.
        """
        async with self._lock:
            if not self._is_finished and time.monotonic() >= self._next:
                started = time.monotonic()
                report = await asyncio.to_thread(self._report)
                self._text = await asyncio.to_thread(report.html)
                self._is_finished = report.is_finished
                ended = time.monotonic()
                self._next = ended + max(_RELOAD_SECONDS / 2, (ended - started) * _LARGEST_SHARE)
        headers = {"Content-Security-Policy": _POLICY}
        if not self._is_finished:
            headers["Refresh"] = str(_RELOAD_SECONDS)
        return web.Response(text=self._text, content_type="text/html", headers=headers)

    def _report(self) -> Report:
        tournament = Tournament(self._config)
        is_finished = tournament.replay(stored_deals(self._folder))
        return report_of(tournament, is_finished=is_finished)
