"""Stand-ins for installed plug-ins."""

from __future__ import annotations

from boardgames_cli.registry import use_plugins


class Plugins:
    """The plug-ins that count as installed; none at first."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, str, str]] = []
        use_plugins(())

    def add(self, group: str, name: str, value: str) -> None:
        self.entries.append((group, name, value))
        use_plugins(self.entries)


def forget() -> None:
    """No plug-in counts as installed; agents and games are looked up again."""
    use_plugins(())
