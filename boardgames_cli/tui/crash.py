"""Errors of the program itself: which are none, and what people are told of the others."""

from __future__ import annotations

from textual._context import active_message_pump
from textual.widget import Widget
from textual.worker import WorkerFailed, active_worker

from boardgames_cli.core.confinement import is_confined
from boardgames_cli.session.session import Session
from boardgames_cli.storage.errorlog import log_error
from boardgames_cli.storage.paths import log_file


def is_taken_away(error: Exception) -> bool:
    """Whether what has just failed is on no screen any more."""
    is_worker = isinstance(error, WorkerFailed)
    part = active_worker.get().node if is_worker else active_message_pump.get(None)
    return isinstance(part, Widget) and (part._closing or part._pruning)


def crash_report(error: Exception, session: Session | None) -> str:
    """What people are told of an error of the program itself; the details go to a file.

    Args:
        error: What went wrong.
        session: The table that was open, if any.
    """
    message = f"boardgames met an error of its own ({type(error).__name__}: {error})."
    if session is not None and session.journal is not None:
        saved = session.saving.warning or "The game is saved:"
        message += f"\n{saved} boardgames resume {session.journal.name}"
    try:
        path = log_error(error)
    except OSError:
        return f"{message}\nThe details could not be written to {log_file()}."
    if is_confined():  # where this machine keeps its files is nothing for visitors
        return f"{message}\nThe owner of this server finds the details in its log."
    return f"{message}\nDetails for a report: {path}"
