"""What the menu says of saves: boundaries of time, and names that are numbers."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path

import pytest

from boardgames_cli import registry
from boardgames_cli.storage.store import Store
from boardgames_cli.tui import menu
from boardgames_cli.tui.screens.launcher import Launcher
from tests.tui.tables import my_turn, on_screen, settings, shown, table, until

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
    (tmp_path / "race-1.jsonl").rename(tmp_path / "2.jsonl")
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        assert isinstance(app.screen, Launcher)
        await until(pilot, lambda: "Race, You v" in "\n".join(shown(app)))
        await pilot.pause()
        await pilot.click("#today", offset=(3, 1))
        screen = await my_turn(pilot, app)
        assert screen.session.match.ply >= 1
        assert screen.session.game.info.id == "race"


def test_saves_stand_in_columns_and_name_fewer_seats_where_there_is_little_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "deepsea", "boardgames_cli.games.deepsea:GAME")
    table("race", ("human", "random"), tmp_path).close()
    table("deepsea", ("human:Ann", "easy", "medium", "hard"), tmp_path).close()
    shutil.copy(tmp_path / "race-1.jsonl", tmp_path / "evening.jsonl")
    saves = sorted(Store(tmp_path).summaries(), key=lambda save: save.name)
    labels = menu.save_labels(saves, saves[0].modified)
    assert [label.split("  ")[0] for label in labels] == ["deepsea-1", "evening", "race-1"]
    assert len({label.index("step 0") for label in labels}) == 1
    assert "Ann v easy v 2 more" in labels[0]
    assert "Race, You v easy" in labels[1], "its name does not say which game it is"
    shorter = [menu.who_plays(saves[0], room) for room in (60, 33, 25)]
    assert shorter == [
        "Deep Sea Adventure, Ann v easy v 2 more",
        "Deep Sea Adventure, Ann v 3 more",
        "Deep Sea Adventure, Ann",
    ]


async def test_an_arrow_shows_where_the_form_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "pommerman", "boardgames_cli.games.pommerman:GAME")
    async with on_screen(None, settings(tmp_path, games=("pommerman",))) as (pilot, app):
        await pilot.press("up", "right")
        await until(pilot, lambda: "↓" in "\n".join(line[-3:] for line in shown(app)))
        await pilot.press(*["up"] * 5)
        await until(pilot, lambda: "↑" in "\n".join(line[-3:] for line in shown(app)))
