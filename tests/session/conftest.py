"""The toys as registered games."""

from __future__ import annotations

import pytest

from boardgames_cli.core.plugins import GAME_GROUP
from tests.plugins import Plugins


@pytest.fixture(autouse=True)
def toys(plugins: Plugins) -> None:
    plugins.add(GAME_GROUP, "race", "tests.toys:RACE")
    plugins.add(GAME_GROUP, "pennies", "tests.toys:PENNIES")
    plugins.add(GAME_GROUP, "cards", "tests.toys:CARDS")
