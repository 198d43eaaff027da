"""What is seen of a tournament: a live table in a terminal, lines elsewhere, and the results."""

from __future__ import annotations

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import say, say_json, screen_width
from boardgames_cli.storage.files import replace_file
from boardgames_cli.terminal.streams import is_terminal, printable
from boardgames_cli.tournament.run import Progress, Tournament
from boardgames_cli.tournament.tally import Tally

_LINE_SECONDS: Final = 5.0
_TABLE_SECONDS: Final = 0.25
_LARGEST_SHARE: Final = 20
"""Drawing takes at most one part in so many of the time."""


class Reporter(ABC):
    """Shows how a tournament goes.

    Args:
        tournament: The tournament.
    """

    def __init__(self, tournament: Tournament) -> None:
        self._names = [entrant.name for entrant in tournament.config.entrants]
        self._teams = [game.teams for game in tournament.games]
        self._next = 0.0

    def show(self, progress: Progress) -> None:
        """Show how far it is, unless it was just shown."""
        started = time.monotonic()
        if started < self._next and progress.games != progress.total:
            return
        self._show(progress)
        taken = time.monotonic() - started
        self._next = started + max(self._pause, taken * _LARGEST_SHARE)

    def note(self, text: str) -> None:
        """Say what went wrong with workers."""
        notify(f"note: {text}")

    _pause: float = 0.0

    @abstractmethod
    def _show(self, progress: Progress) -> None: ...


class _Lines(Reporter):
    """A line now and then."""

    _pause = _LINE_SECONDS

    def _show(self, progress: Progress) -> None:
        if progress.rate:
            notify(how_far(progress))


class _LiveTable(Reporter):
    """A table that grows in its place."""

    _pause = _TABLE_SECONDS

    def __init__(self, tournament: Tournament, live: Any) -> None:
        super().__init__(tournament)
        self._live = live

    def note(self, text: str) -> None:
        self._live.console.print(printable(f"note: {text}"), markup=False, highlight=False)

    def _show(self, progress: Progress) -> None:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None)
        table.add_column("entrant")
        for head in ("games", "points", "score"):
            table.add_column(head, justify="right")
        for name, games, points in self._standing(progress.tally):
            score = f"{points / games:.1%}" if games else "-"
            table.add_row(Text(printable(name)), f"{games:,}", f"{points:,.1f}", score)
        self._live.update(Group(Text(how_far(progress)), table), refresh=True)

    def _standing(self, tally: Tally) -> list[tuple[str, int, float]]:
        """Name, games and points of every entrant, the best score first."""
        from boardgames_cli.tournament.standings import scores

        known = scores(tally.outcomes, len(self._names), self._teams)
        rows = [
            (name, games, float(points))
            for name, (games, points) in zip(self._names, known, strict=True)
        ]
        return sorted(rows, key=lambda row: -(row[2] / row[1] if row[1] else 0))


@contextmanager
def reporter(tournament: Tournament, *, no_color: bool) -> Iterator[Reporter]:
    """What shows a tournament on standard error: a live table in a terminal, lines elsewhere.

    Args:
        tournament: The tournament.
        no_color: Whether it must be plain text.
    """
    is_plain = no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if is_plain or not is_terminal(sys.stderr):
        yield _Lines(tournament)
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        yield _LiveTable(tournament, live)


def how_far(progress: Progress) -> str:
    """Games played, speed, and the time that is left, such as ``120 of 2,000 games, 35/s``."""
    games = f"{progress.games:,} games"
    if progress.total is not None:
        games = f"{progress.games:,} of {progress.total:,} games"
    parts = [games]
    if progress.rate:
        parts.append(f"{progress.rate:,.{0 if progress.rate >= 10 else 1}f} a second")
    if progress.seconds_left is not None:
        minutes, seconds = divmod(round(progress.seconds_left), 60)
        parts.append(f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left")
    return ", ".join(parts)


def show_results(
    tournament: Tournament,
    folder: Path,
    *,
    anchor: str | None,
    as_json: bool,
    is_finished: bool,
) -> None:
    """Print the tables, or all of it as JSON, and write the reports into the folder.

    Raises:
        StorageError: A report can't be written.
    """
    from boardgames_cli.tournament import bundled, tables
    from boardgames_cli.tournament.report import HTML_FILE, make_report

    report = make_report(
        tournament.config,
        tournament.games,
        tournament.tally,
        tournament.tests,
        anchor=anchor,
        is_finished=is_finished,
    )
    # Before anything is printed: a reader may have gone away.
    report.write(folder)
    replace_file(folder / bundled.FILE, bundled.ratings_text(report))
    if as_json:
        game = tournament.config.game
        say_json({"game": game, "folder": str(folder), **report.as_json()})
    else:
        shown = [tables.standings_table(report.table), tables.cross_table(report.table)]
        if any(row.totals.failures or row.totals.late for row in report.table.rows):
            shown.append(tables.behaviour_table(report.table))
        for table in shown:
            say(table.text(screen_width()))
        for remark in report.remarks:
            say(remark)
        say(f"folder: {folder}")
    if not as_json:
        notify(f"The whole report: {folder / HTML_FILE}")
