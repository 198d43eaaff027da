"""The parts of the game screen, each for itself."""

from __future__ import annotations

import pytest

from boardgames_cli.core.presentation.styles import DARK
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.table import GameScreen
from boardgames_cli.tui.theme import Palette
from tests.tui.tables import at_table, my_turn, table


@pytest.mark.usefixtures("more_games")
async def test_a_games_own_keys_belong_to_its_own_table() -> None:
    bombers = table("pommerman", ("human", "random", "random", "random"), think_seconds=60)
    async with at_table(bombers) as (pilot, app, screen):
        assert screen.active_bindings["w"].binding.action == "press('w')"
        assert screen.active_bindings["up"].binding.action == "press('up')"
        await app.open_table(table("race"))
        other = await my_turn(pilot, app)
        assert "w" not in other.active_bindings
        assert other.active_bindings["up"].binding.action == "highlight(-1, True)"
        assert type(other) is type(screen) is GameScreen


def test_pages_of_a_dialog_turn_before_its_first_layout() -> None:
    dialog = ChoiceDialog("Which one?", (), [("A", None), ("B", None)], Palette(DARK))
    dialog.action_turn_page(1)
    assert dialog._index == 1
    dialog.action_turn_page(-1)
    assert dialog._index == 0
