"""Writes the reports of a tournament when it ends or is stopped."""

from __future__ import annotations

from pathlib import Path

from boardgames_cli.storage.files import replace_file
from boardgames_cli.tournament import bundled
from boardgames_cli.tournament.report import Report, make_report
from boardgames_cli.tournament.run import Tournament


def write_documents(
    tournament: Tournament, folder: Path, *, anchor: str | None = None, is_finished: bool
) -> Report:
    """Write the report and the ratings, replacing older ones.

    Args:
        tournament: The tournament.
        folder: Its folder.
        anchor: The entrant whose rating is 0; None makes the mean of all ratings 0.
        is_finished: Whether all games have been played.

    Raises:
        UnknownNameError: The anchor is not an entrant.
        StorageError: They can't be written.
    """
    report = make_report(
        tournament.config,
        tournament.games,
        tournament.tally,
        tournament.tests,
        anchor=anchor,
        is_finished=is_finished,
    )
    report.write(folder)
    replace_file(folder / bundled.FILE, bundled.ratings_text(report))
    return report
