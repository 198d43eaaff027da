"""Pauses at which a game waits for a key."""

from __future__ import annotations

from boardgames_cli.session.session import Session


def pause_word(session: Session) -> str:
    """What follows the last step if the game should pause there for people; else empty.

    Games between agents never pause.
    """
    match = session.match
    if not match.ply or match.is_over or not session.humans:
        return ""
    passage = session.viewpoint.passage(match, match.ply - 1)
    return session.view.pause_after(*passage, session.context())
