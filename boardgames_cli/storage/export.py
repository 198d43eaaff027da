"""A whole match as the text of a save, for games that were not played at a table here."""

from __future__ import annotations

import datetime
from typing import Any

import boardgames_cli
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import Header, lines_after, note_line


def save_text(match: Match[Any, Any], seats: tuple[str, ...], note: str) -> str:
    """All lines of a save that starts where the match did.

    Args:
        match: The match.
        seats: The specification of every seat's owner.
        note: A remark about its beginning.
    """
    game = match.game
    header = Header(
        game=game.info.id,
        rules_version=game.info.rules_version,
        options=option_values(game),
        seed=match.seed,
        seats=seats,
        start=game.to_json(match.start),
        max_plies=match.max_plies,
        created=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        program=boardgames_cli.__version__,
    )
    lines = [header.line(), note_line(0, note), *lines_after(match, 0)]
    return "".join(f"{line}\n" for line in lines)
