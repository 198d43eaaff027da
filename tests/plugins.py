"""Plug-ins that tests register without installing packages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from boardgames_cli.core import plugins
from boardgames_cli.registry import use_plugins


class Plugins:
    """The plug-ins that count as installed."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, str, str]] = []

    def add(self, group: str, name: str, value: str) -> None:
        self.entries.append((group, name, value))
        use_plugins(self.entries)


@contextmanager
def plugged() -> Iterator[Plugins]:
    """No plug-ins count as installed but those that are added; at the end those that were."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plugins, "_given", [])
        use_plugins(())
        try:
            yield Plugins()
        finally:
            forget()


def forget() -> None:
    """Let agents and games be looked up again."""
    use_plugins(plugins.plugin_entries())
