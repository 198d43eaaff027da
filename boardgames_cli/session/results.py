"""Noting how a person's game ended, for their statistics."""

from __future__ import annotations

import datetime
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from boardgames_cli.core.errors import StorageError
from boardgames_cli.session.session import Session

if TYPE_CHECKING:
    from boardgames_cli.storage.results import PlayedGame


def note_results(session: Session, path: Path) -> None:
    """Note the result of a table in a file when its game ends, and again if it ends anew."""

    def note() -> None:
        from boardgames_cli.storage.results import ResultsFile  # at the end, not before the board

        try:
            ResultsFile(path).add(played_game(session))
        except StorageError as error:
            session.remark(f"Your statistics miss this game: {error.message}")

    session.saving.at_end = note


def played_game(session: Session) -> PlayedGame:
    """What is noted of a table whose game is over."""
    from boardgames_cli.storage.results import PlayedGame

    return PlayedGame(
        id=_id(session),
        game=session.game.info.id,
        ended=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        people=session.humans,
        names=session.names,
        returns=session.match.returns,
        hints=sum(" took a hint" in line.text for line in session.remarks),
    )


def _id(session: Session) -> str:
    """The same for a game and for its save that was taken up again, and for no other game."""
    header = "" if session.journal is None else session.journal.header.line()
    return hashlib.sha256(header.encode()).hexdigest()[:16]
