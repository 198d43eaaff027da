"""What is seen of a tournament: a live table in a terminal, lines elsewhere, and the results."""

from __future__ import annotations

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import say, say_json
from boardgames_cli.terminal.streams import is_terminal, printable
from boardgames_cli.tournament.run import Progress, Tournament
from boardgames_cli.tournament.schedule import points_of
from boardgames_cli.tournament.tally import Tally

_LINE_SECONDS: Final = 5.0
_TABLE_SECONDS: Final = 0.25
_LARGEST_SHARE: Final = 20
"""Drawing takes at most one part in so many of the time."""


class Reporter(ABC):
    """Shows how a tournament goes.

    Args:
        names: What the entrants are called.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
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

    def __init__(self, names: Sequence[str], live: Any) -> None:
        super().__init__(names)
        self._live = live

    def note(self, text: str) -> None:
        self._live.console.print(printable(f"note: {text}"), markup=False, highlight=False)

    def _show(self, progress: Progress) -> None:
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(how_far(progress)), title_justify="left", box=None)
        table.add_column("entrant")
        for head in ("games", "points", "score"):
            table.add_column(head, justify="right")
        for name, games, points in standing(progress.tally, self._names):
            score = f"{points / games:.1%}" if games else "-"
            table.add_row(Text(printable(name)), f"{games:,}", f"{points:,.1f}", score)
        self._live.update(table, refresh=True)


@contextmanager
def reporter(names: Sequence[str], *, no_color: bool) -> Iterator[Reporter]:
    """What shows a tournament on standard error: a live table in a terminal, lines elsewhere.

    Args:
        names: What the entrants are called.
        no_color: Whether it must be plain text.
    """
    is_plain = no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if is_plain or not is_terminal(sys.stderr):
        yield _Lines(names)
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        yield _LiveTable(names, live)


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


def standing(tally: Tally, names: Sequence[str]) -> list[tuple[str, int, float]]:
    """Name, games and points of every entrant, the best score first."""
    points = [0.0] * len(names)
    for outcome, count in tally.outcomes.items():
        for entrant, won in points_of(outcome).items():
            points[entrant] += won * count
    games = [tally.totals[at].games if at in tally.totals else 0 for at in range(len(names))]
    rows = list(zip(names, games, points, strict=True))
    return sorted(rows, key=lambda row: -(row[2] / row[1] if row[1] else 0))


def show_results(tournament: Tournament, folder: Path, *, as_json: bool, is_finished: bool) -> None:
    """Write the tables, or all of it as JSON, on standard output."""
    from boardgames_cli.tournament import tables
    from boardgames_cli.tournament.standings import standings

    config = tournament.config
    names = [entrant.name for entrant in config.entrants]
    teams = [game.teams for game in tournament.games]
    tally = tournament.tally
    found = standings(tally.outcomes, tally.totals, names, teams=teams, seed=config.seed)
    if as_json:
        data = {
            "game": config.game,
            "folder": str(folder),
            "finished": is_finished,
            "sprt": [
                {"entrants": [names[at] for at in lineup], "options": options, "test": str(state)}
                for (lineup, options), state in tournament.tests.items()
            ],
            **found.as_json(),
        }
        say_json(data)
        return
    for table in (tables.standings_table(found), tables.cross_table(found)):
        say(table.text())
    for (lineup, options), state in tournament.tests.items():
        pair = " against ".join(names[at] for at in lineup)
        number = f", options {options + 1}" if len(config.option_sets) > 1 else ""
        say(f"{pair}{number}: {state}.")
    for note in found.notes:
        say(note)
    say(f"folder: {folder}")
