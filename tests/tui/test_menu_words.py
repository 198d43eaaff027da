"""What the menu says of saves: boundaries of time, and names that are numbers."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from boardgames_cli.storage.store import Store
from boardgames_cli.tui import menu
from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.screens.launcher import Launcher
from tests.tui.tables import my_turn, settings, shown, table, until

NOW = datetime.datetime(2026, 5, 4, 12, 0, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"),
        (3600, "1 h ago"), (48 * 3600 - 1, "47 h ago"), (48 * 3600, "2 days ago"),
        (30 * 86400, "30 days ago"), (-120, "just now"),
    ],
)  # fmt: skip
def test_how_long_ago(seconds: int, words: str) -> None:
    assert menu.ago(NOW - datetime.timedelta(seconds=seconds), NOW) == words


async def test_a_save_whose_name_is_a_number_is_no_game_of_the_menu(tmp_path: Path) -> None:
    session = table("race", ("human", "random"), tmp_path)
    session.resolve_chance()
    session.close()
    Store(tmp_path).copy("race-1", "2")
    (tmp_path / "race-1.jsonl").unlink()
    app = build_app(None, settings(tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        assert isinstance(app.screen, Launcher)
        await until(pilot, lambda: "Race, You v" in "\n".join(shown(app)))
        await pilot.pause()
        await pilot.click("#today", offset=(3, 1))
        screen = await my_turn(pilot, app)
        assert screen.session.match.ply >= 1
        assert screen.session.game.info.id == "race"
