"""The toys as registered games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardgames_cli.core.plugins import GAME_GROUP
from tests.plugins import Plugins, forget


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    plugins = Plugins()
    plugins.add(GAME_GROUP, "race", "tests.toys:RACE")
    plugins.add(GAME_GROUP, "pennies", "tests.toys:PENNIES")
    plugins.add(GAME_GROUP, "cards", "tests.toys:CARDS")
    monkeypatch.setattr("boardgames_cli.core.plugins.entry_points", plugins)
    forget()
    yield
    forget()
