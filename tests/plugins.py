"""Stand-ins for installed plug-ins."""

from __future__ import annotations

from importlib.metadata import EntryPoint

from boardgames_cli import registry


class Plugins:
    """Stands in for the installed plug-ins."""

    def __init__(self) -> None:
        self.entries: list[EntryPoint] = []

    def add(self, group: str, name: str, value: str) -> None:
        self.entries.append(EntryPoint(name, value, group))

    def __call__(self, group: str) -> list[EntryPoint]:
        return [entry for entry in self.entries if entry.group == group]


def forget() -> None:
    registry._plugin_games.cache_clear()
    registry._plugin_agent_entries.cache_clear()
    registry._general_agents.cache_clear()
