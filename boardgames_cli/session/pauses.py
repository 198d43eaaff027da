"""Where a game waits until people have seen what happened."""

from __future__ import annotations

from boardgames_cli.session.session import Session


def pause_word(session: Session) -> str:
    """What comes after the last step of a table if people want to look at it first; else empty.

    Who only watches agents is not asked to press keys.
    """
    match = session.match
    if not match.ply or match.is_over or not session.humans:
        return ""
    passage = session.viewpoint.passage(match, match.ply - 1)
    return session.view.pause_after(*passage, session.context())
