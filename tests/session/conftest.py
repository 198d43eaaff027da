"""The toys as registered games."""

from __future__ import annotations

import pytest

from boardgames_cli.core.plugins import GAME_GROUP
from tests.plugins import Plugins


@pytest.fixture(autouse=True)
def toys(plugins: Plugins) -> None:
    for name in ("race", "pennies", "cards"):
        plugins.add(GAME_GROUP, name, f"tests.toys:{name.upper()}")
