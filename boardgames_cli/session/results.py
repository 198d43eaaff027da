"""Records the results of people's games for their statistics."""

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
    """Record the result of a session when its game ends, and again after undo."""

    def note() -> None:
        from boardgames_cli.storage.results import (
            ResultsFile,
        )  # imported late: not needed before the end

        try:
            ResultsFile(path).add(played_game(session))
        except StorageError as error:
            session.remark(f"Your statistics miss this game: {error.message}")

    session.saving.at_end = note


def record_of(session: Session, path: Path | None) -> list[str]:
    """The statistics of the first person after a finished game, as sentences.

    Args:
        session: The session.
        path: The file of results; None for none.

    Returns:
        Empty if this is the first game, or if results are not recorded.
    """
    from boardgames_cli.storage.results import ResultsFile, ResultTally, statistics

    if path is None or session.saving.at_end is None:
        return []
    try:
        games, _ = ResultsFile(path).read()
    except StorageError:
        return []  # the failure to write has been reported
    person = session.humans[0]
    names, game = _names(session), session.game.info.id
    name = names[person]
    known = next((k for k in statistics(games) if (k.game, k.player) == (game, name)), None)
    if known is None or known.total.games < 2:  # one game is not a record
        return []

    def told(tally: ResultTally) -> str:
        drawn = f", {tally.drawn} drawn" if tally.drawn else ""
        return f"{tally.won} of {tally.games} won{drawn}"

    rivals = [one for one in dict.fromkeys(names) if one in known.opponents and one != name]
    record = [f"{name} against {rival}: {told(known.opponents[rival])}." for rival in rivals]
    if all(known.opponents[rival].games < known.total.games for rival in rivals):
        record.append(f"{name} in all: {told(known.total)}.")
    if known.streak > 1:
        record.append(f"{known.streak} in a row!")
    return record


def played_game(session: Session) -> PlayedGame:
    """The result of a finished session."""
    from boardgames_cli.storage.results import PlayedGame

    return PlayedGame(
        id=_id(session),
        game=session.game.info.id,
        ended=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        people=session.humans,
        names=_names(session),
        returns=session.match.returns,
        hints=session.hints_taken,
    )


def _names(session: Session) -> tuple[str, ...]:
    """The names of all seats; an agent on several seats has one name."""
    return tuple(
        holder.name if holder.is_human else holder.shared_name or holder.name
        for holder in session.holders
    )


def _id(session: Session) -> str:
    """An id that stays the same when the save of a game is resumed, and is otherwise unique."""
    header = "" if session.journal is None else session.journal.header.line()
    return hashlib.sha256(header.encode()).hexdigest()[:16]
