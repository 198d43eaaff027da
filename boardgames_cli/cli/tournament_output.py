"""What is seen of a tournament: a live table in a terminal, lines elsewhere, and the results."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import say, say_json, screen_width
from boardgames_cli.terminal.streams import is_terminal, printable
from boardgames_cli.tournament.progress import TABLE_SECONDS, Reporter, how_far
from boardgames_cli.tournament.run import Progress, Tournament

_LINE_SECONDS: Final = 5.0


class _Lines(Reporter):
    """A line now and then."""

    pause = _LINE_SECONDS

    def note(self, text: str) -> None:
        notify(f"note: {text}")

    def draw(self, progress: Progress) -> None:
        if progress.rate:
            notify(how_far(progress))


class _LiveTable(Reporter):
    """A table that grows in its place."""

    pause = TABLE_SECONDS

    def __init__(self, tournament: Tournament, live: Any) -> None:
        super().__init__(tournament)
        self._live = live

    def note(self, text: str) -> None:
        self._live.console.print(printable(f"note: {text}"), markup=False, highlight=False)

    def draw(self, progress: Progress) -> None:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        shown = self.standing(progress)
        table = Table(box=None)
        for at, head in enumerate(shown.heads):
            table.add_column(head, justify="left" if at < shown.left else "right")
        for row in shown.rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        self._live.update(Group(Text(how_far(progress)), table), refresh=True)


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
    from boardgames_cli.tournament import tables
    from boardgames_cli.tournament.documents import write_documents
    from boardgames_cli.tournament.report import HTML_FILE

    # Before anything is printed: a reader may have gone away.
    report = write_documents(tournament, folder, anchor=anchor, is_finished=is_finished)
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
