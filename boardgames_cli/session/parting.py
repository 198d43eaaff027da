"""What is said and kept of a game when people leave it."""

from __future__ import annotations

import datetime
import hashlib
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import OVER, Ending, Seat
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.store import Store

if TYPE_CHECKING:
    from boardgames_cli.core.presentation.home_page import Opponent
    from boardgames_cli.storage.played_games import PlayedGame


def note_results(session: Session, settings: Settings) -> None:
    """Record the result of people's session when its saved game ends, and again after undo."""
    path = settings.results_file
    if path is None or not session.humans:
        return

    def note() -> None:
        from boardgames_cli.storage.played_games import add_result  # not needed before the end

        if not session.match.has_result:
            return
        try:
            add_result(path, played_game(session))
        except StorageError as error:
            session.remark(f"Your statistics miss this game: {error.message}")

    session.saving.at_end = note


def record_of(session: Session, path: Path | None) -> list[str]:
    """What a finished game has changed for the first person, and their record, as sentences.

    Empty without a file of results, and for a first game that has changed nothing.
    """
    from boardgames_cli.evaluation.milestones import progress_in_words
    from boardgames_cli.storage.played_games import played_games, statistics

    is_noted = session.saving.at_end is not None and session.journal is not None
    games, ending = played_games(path) if is_noted else [], session.match.ending
    if not games or (ending is not None and not ending.outcomes):
        return []
    person = session.humans[0]
    names, game = _names(session), session.game.info.id
    name = names[person]
    news = _parting_words(session, person)
    news += progress_in_words(games, _id(session), game, name)
    known = next((k for k in statistics(games) if (k.game, k.player) == (game, name)), None)
    if known is None or known.total.games < 2:  # one game is not a record
        return news
    rivals = [one for one in dict.fromkeys(names) if one in known.opponents and one != name]
    record = [f"{name} against {rival}: {known.opponents[rival]}." for rival in rivals]
    if all(known.opponents[rival].games < known.total.games for rival in rivals):
        record.append(f"{name} in all: {known.total}.")
    return [*news, *record]


def _parting_words(session: Session, person: Seat) -> list[str]:
    best, rival = session.match.winners, rival_of(session)
    said = "" if rival is None else rival.on_loss if person in best else rival.on_win
    return [f'{rival.face} {rival.name}: "{said}"'.strip()] if rival and best and said else []


def rival_of(session: Session) -> Opponent | None:
    """The opponent of the ladder whom the only person plays; else None."""
    from boardgames_cli.core.presentation.home_page import opponent_of

    names, persons = _names(session), session.humans
    rivals = {name for seat, name in enumerate(names) if seat not in persons}
    return opponent_of(session.spec, *rivals) if len(rivals) == len(persons) == 1 else None


def next_opponent(session: Session, path: Path | None) -> Opponent | None:
    """Who is next on the ladder after an opponent who is beaten; else None."""
    from boardgames_cli.evaluation.milestones import climb_of
    from boardgames_cli.storage.played_games import played_games

    rival = rival_of(session)
    if rival is None:
        return None
    name = _names(session)[session.humans[0]]
    climb = climb_of(played_games(path), session.game.info.id, name)
    ahead = None if climb is None else climb.next
    return None if ahead == rival else ahead


def played_game(session: Session) -> PlayedGame:
    """The result of a finished session."""
    from boardgames_cli.storage.played_games import PlayedGame

    ending = session.match.ending or Ending(OVER)
    return PlayedGame(
        id=_id(session),
        game=session.game.info.id,
        ended=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        people=session.humans,
        names=_names(session),
        returns=session.match.returns,
        hints=session.hints_taken,
        agents=tuple(holder.exact_agent for holder in session.holders),
        reason=ending.reason,
        outcomes=ending.outcomes,
    )


def _names(session: Session) -> tuple[str, ...]:
    return tuple(
        holder.name if holder.is_human else holder.shared_name or holder.name
        for holder in session.holders
    )


def _id(session: Session) -> str:
    header = "" if session.journal is None else session.journal.header.line()
    if session.company is not None:  # several people of one machine may play it, each with a save
        header += f"{session.humans}"
    return hashlib.sha256(header.encode()).hexdigest()[:16]


def closing_message(session: Session, settings: Settings) -> str:
    """Where the game is saved, and the commands to resume, replay or review it."""
    journal, warning = session.journal, session.saving.warning
    if journal is None:
        return "It was not saved here." if settings.save else "This game was not saved, as asked."
    if not journal.path.exists():
        return "You had not played yet, so nothing was saved."
    where = save_arguments(journal.path, settings.save_folder)
    if warning:
        return f"{warning} What is saved: boardgames resume {where}"
    if session.match.is_over:
        # Not needed before.
        from boardgames_cli.algorithms.analysts.choose_analyst import why_no_analyst

        said = f"Saved as {journal.name}. See it again: boardgames replay {where}"
        # A line of its own: with a folder, both commands are too long for one.
        is_judged = session.match.has_result and why_no_analyst(session.game) is None
        return f"{said}\nHave it judged: boardgames review {where}" if is_judged else said
    return f"Saved as {journal.name}. Go on with: boardgames resume {where}"


def save_arguments(path: Path, folder: Path | None) -> str:
    """What names a save on a command line, with the folder if one was given."""
    name = Store.at(folder).name_of(path)
    if folder is None or name != path.stem:
        return shlex.quote(name)
    return f"{name} --save-dir {shlex.quote(str(folder))}"
