"""Writes a whole match as a save, for games that were not played in a session."""

from __future__ import annotations

from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.record import lines_after, note_line
from boardgames_cli.storage.store import new_header


def save_text(match: AnyMatch, seats: tuple[str, ...], note: str) -> str:
    """The text of a save for a match.

    Args:
        match: The match.
        seats: The specification of every seat's holder.
        note: A remark at the first ply.
    """
    game = match.game
    start = game.to_json(match.start)
    header = new_header(
        game,
        seed=match.seed,
        seats=seats,
        start=start,
        max_plies=match.max_plies,
        agent_seed=match.agent_seed,
    )
    lines = [header.line(), note_line(0, note), *lines_after(match, 0)]
    return "".join(f"{line}\n" for line in lines)
