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


def record_of(session: Session, path: Path | None) -> list[str]:
    """How the first person at a finished table has done so far in this game, a sentence each.

    Args:
        session: The table.
        path: Where results are noted; None notes none.

    Returns:
        Nothing where this game is the first, or is not noted.
    """
    from boardgames_cli.storage.results import ResultsFile, Tally, statistics

    if path is None or session.saving.at_end is None:
        return []
    try:
        games, _ = ResultsFile(path).read()
    except StorageError:
        return []  # that it can't be written has been said
    person = session.humans[0]
    name, game = session.names[person], session.game.info.id
    known = next((k for k in statistics(games) if (k.game, k.player) == (game, name)), None)
    if known is None or known.total.games < 2:  # the first one is not a record
        return []

    def told(tally: Tally) -> str:
        drawn = f", {tally.drawn} drawn" if tally.drawn else ""
        return f"{tally.won} of {tally.games} won{drawn}"

    rivals = [rival for rival in session.names if rival in known.opponents and rival != name]
    record = [f"{name} against {rival}: {told(known.opponents[rival])}." for rival in rivals]
    if all(known.opponents[rival].games < known.total.games for rival in rivals):
        record.append(f"{name} in all: {told(known.total)}.")
    if known.streak > 1:
        record.append(f"{known.streak} in a row!")
    return record


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
        hints=session.hints_taken,
    )


def _id(session: Session) -> str:
    """The same for a game and for its save that was taken up again, and for no other game."""
    header = "" if session.journal is None else session.journal.header.line()
    return hashlib.sha256(header.encode()).hexdigest()[:16]
