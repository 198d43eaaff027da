"""``boardgames list`` and ``boardgames rules GAME``: the games, and their rules for people."""

from __future__ import annotations

from typing import Any

from boardgames_cli.cli.command import GameArgument, command
from boardgames_cli.cli.output import say, say_json, say_table, screen_width
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.core.game import GameInfo, Traits
from boardgames_cli.registry import find_game, list_games
from boardgames_cli.terminal.streams import reflow


def show_games(form: AsJson) -> int:
    """List the games."""
    if form.json:
        say_json([_facts(info) for info in list_games()])
        return 0
    say_table(
        ("game", "players", "minutes", "about"),
        [(info.id, players(info), str(info.minutes), info.summary) for info in list_games()],
    )
    say()
    say("To play one: boardgames play GAME. Its rules: boardgames rules GAME")
    return 0


def players(info: GameInfo) -> str:
    """The numbers of players in words, such as ``2-6``."""
    fewest, most = min(info.seats), max(info.seats)
    return str(fewest) if fewest == most else f"{fewest}-{most}"


def _facts(info: GameInfo) -> dict[str, Any]:
    traits = [str(trait.name).lower() for trait in Traits if trait in info.traits]
    return {
        "id": info.id,
        "name": info.name,
        "seats": list(info.seats),
        "seat_names": list(info.seat_names),
        "traits": traits,
        "minutes": info.minutes,
        "rules_version": info.rules_version,
        "summary": info.summary,
    }


make = command(show_games)


def show_rules(which: GameArgument) -> int:
    """Read the rules of a game."""
    text = find_game(which.game).rules_text().rstrip()
    width = screen_width()
    say(text if width is None else reflow(text, width))
    return 0


make_rules = command(show_rules, "rules senet")
