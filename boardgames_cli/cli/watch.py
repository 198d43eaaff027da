"""``boardgames watch GAME``: agents on all seats."""

from __future__ import annotations

from boardgames_cli.cli.play import Games


def make(name: str) -> Games:
    """Create the command."""
    group: Games = Games.below(
        name,
        "Watch agents play a game, or let them play it out and get the result with --json.",
        "Each game has options of its own: boardgames watch GAME --help",
    )
    return group
