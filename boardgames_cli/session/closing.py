"""What is said about the save when the user leaves."""

from __future__ import annotations

import shlex

from boardgames_cli.session.session import Session
from boardgames_cli.session.setup import Settings
from boardgames_cli.storage.journal import Journal
from boardgames_cli.storage.names import SUFFIX
from boardgames_cli.storage.paths import save_folder


def closing_message(session: Session, settings: Settings) -> str:
    """Where the game is saved, and the commands to resume, replay or review it."""
    journal, warning = session.journal, session.saving.warning
    if journal is None:
        return "This game was not saved." if settings.save else "This game was not saved, as asked."
    where = _arguments(journal, settings)
    if warning:
        return f"{warning} What is saved: boardgames resume {where}"
    if session.match.is_over:
        said = f"Saved as {journal.name}. See it again: boardgames replay {where}"
        # A line of its own: with a folder, both commands are too long for one.
        return f"{said}\nHave it judged: boardgames review {where}" if _is_judged(session) else said
    return f"Saved as {journal.name}. Go on with: boardgames resume {where}"


def _is_judged(session: Session) -> bool:
    """Whether the game can be reviewed: it is over, and there is an analyst."""
    from boardgames_cli.evaluation.analysts import why_no_analyst  # needed only at the end

    match = session.match
    return match.game.is_over(match.state) and why_no_analyst(match.game) is None


def _arguments(journal: Journal, settings: Settings) -> str:
    """The arguments that open the save again."""
    if journal.path != save_folder(settings.save_folder) / f"{journal.name}{SUFFIX}":
        return shlex.quote(str(journal.path))
    name = shlex.quote(journal.name)
    if settings.save_folder is None:
        return name
    return f"{name} --save-dir {shlex.quote(str(settings.save_folder))}"
