"""Shell completion. Nothing here may fail or take long."""

from __future__ import annotations

from boardgames_cli.core.errors import GameError


def games(incomplete: str) -> list[str]:
    """Names of games."""
    from boardgames_cli.registry import game_ids

    return [id for id in game_ids() if id.startswith(incomplete)]


def agents(incomplete: str) -> list[tuple[str, str]]:
    """Names of agents of any game."""
    from boardgames_cli.registry import agents_for, find_game, game_ids

    offered: dict[str, str] = {}
    for id in game_ids():
        try:
            spec = find_game(id)
        except (GameError, ImportError):
            continue
        offered |= {name: agent.summary for name, agent in agents_for(spec).items()}
    return [item for item in offered.items() if item[0].startswith(incomplete)]


def saves(incomplete: str) -> list[str]:
    """Names of saves, most recently used first."""
    from boardgames_cli.storage.paths import save_folder
    from boardgames_cli.storage.store import Store

    return [name for name in Store(save_folder()).names() if name.startswith(incomplete)]


def holders(incomplete: str) -> list[tuple[str, str]]:
    """Possible seat holders: people, levels, and agents of any game."""
    from boardgames_cli.registry import find_game, game_ids

    offered = {"human": "a person", "ai": "the game's own agent"}
    for id in game_ids():
        try:
            levels = find_game(id).levels
        except (GameError, ImportError):
            continue
        offered |= {level: f"the level {level}" for level in levels}
    chosen = [item for item in offered.items() if item[0].startswith(incomplete)]
    return [*chosen, *agents(incomplete)]
