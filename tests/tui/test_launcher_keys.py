"""Keys of the menu: digits are games, fields open on e, and what was chosen comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.events import Key

from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.preferences import PreferencesFile
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.help import HelpScreen
from boardgames_cli.tui.screens.launcher import Launcher
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from boardgames_cli.tui.screens.table import GameScreen
from boardgames_cli.tui.widgets.picture import Bar
from tests.tui.tables import comes, my_turn, on_screen, settings, shown, table, until
from tests.tui.test_launcher import command, launcher_of

pytestmark = pytest.mark.usefixtures("more_games")


def keys(app: BoardgamesApp) -> str:
    return launcher_of(app).query_one("#keys", Bar).text


def remembering(folder: Path, **values: Any) -> Settings:
    """Settings of somebody who is not here for the first time."""
    path = folder / "config.toml"
    PreferencesFile(path).remember(is_introduced=True, **values)
    preferences = PreferencesFile(path).read()
    return settings(folder / "saves", config_file=path, preferences=preferences)


async def go_to(pilot: Any, app: BoardgamesApp, key: str) -> None:
    if all(one.key != key for one in launcher_of(app).fields):
        await go_to(pilot, app, "more")
        await pilot.press("right")
    for _ in launcher_of(app).fields:
        if launcher_of(app).field.key == key:
            return
        await pilot.press("down")
    raise AssertionError(f"there is no field {key}")


async def test_digits_choose_games_on_every_field(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await pilot.press("5")
        assert "play pommerman" in command(app)
        for key in ("items", "steps", "seed", "name0", "seat1"):
            await go_to(pilot, app, key)
            await pilot.press("1")
            assert "play senet" in command(app)
            await pilot.press("5")
            assert "play pommerman" in command(app)


async def test_a_number_is_stepped_and_typed_only_after_e(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await pilot.press("5")
        await go_to(pilot, app, "steps")
        assert "enter start" in keys(app)
        assert "e type" in keys(app)
        await pilot.press("right")
        assert "--steps 810" in command(app)
        await pilot.press("left", "left")
        assert "--steps 790" in command(app)
        await pilot.press("e", "9", "2", "q", "escape")
        assert "--steps 790" in command(app)
        await pilot.press("e", "end", "backspace", "enter")
        assert "--steps 79 " in command(app)
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)


async def test_what_is_typed_before_the_field_opens_is_not_lost(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await go_to(pilot, app, "name0")
        launcher_of(app).action_type()
        for key in (*"Ann", "enter"):
            app.post_message(Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: "human:Ann" in command(app))


async def test_escape_never_leaves_the_menu(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await pilot.press("escape", "escape")
        assert app.is_running
        assert "q quits" in "\n".join(shown(app))
        await pilot.press("q")
    assert app.return_code == 0


async def test_other_begins_with_what_was_there(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await go_to(pilot, app, "seat1")
        await pilot.press(*["left"] * 3)
        assert launcher_of(app).field.is_typed
        assert launcher_of(app).form.problem == ""
        assert "unknown agent" not in "\n".join(shown(app))


async def test_the_form_is_remembered(tmp_path: Path) -> None:
    async with on_screen(None, remembering(tmp_path)) as (pilot, app):
        await pilot.press("right", "down", "right")
        await go_to(pilot, app, "name0")
        await pilot.press("e", *"Ann", "enter", "s")
        screen = await my_turn(pilot, app)
        assert screen.session.names[0] == "Ann"
        await pilot.press("q", "2")
        await until(pilot, lambda: isinstance(app.screen, Launcher))
        expected = "play senet --rules skyruk -s human:Ann -s hard"
        assert expected in command(app)
    found = PreferencesFile(tmp_path / "config.toml").read()
    assert (found.names, found.last_game) == (("Ann",), "senet")
    async with on_screen(None, remembering(tmp_path)) as (_, app):
        assert expected in command(app)


async def test_the_last_game_is_chosen_again(tmp_path: Path) -> None:
    async with on_screen(
        None, remembering(tmp_path, last_game="kuhn", forms={"kuhn": {"hands": "x"}})
    ) as (pilot, app):
        assert "play kuhn" in command(app)
        await pilot.press("1", "s")
        await my_turn(pilot, app)
    assert PreferencesFile(tmp_path / "config.toml").read().last_game == "senet"


async def test_what_can_not_be_remembered_is_said_and_the_game_begins(tmp_path: Path) -> None:
    chosen = remembering(tmp_path)
    async with on_screen(None, chosen) as (pilot, app):
        (tmp_path / "config.toml").write_text("theme = [")
        await pilot.press("comma", "down", "right")
        await until(pilot, lambda: "It counts until you quit" in "\n".join(shown(app)))
        await pilot.press("enter", "up", "e", *"a,b", "enter")
        assert app.theme == "light"
        assert "a name can't hold a comma" in "\n".join(shown(app))
        await pilot.press("q", "enter")
        await until(pilot, lambda: any(isinstance(s, GameScreen) for s in app.screen_stack))
        assert app.session is not None
        assert "is not remembered" in app.session.log.remarks[0].text
    assert (tmp_path / "config.toml").read_text() == "theme = ["


async def test_a_damaged_file_is_named_in_the_menu(tmp_path: Path) -> None:
    chosen = settings(tmp_path, preferences_problem="config.toml is not TOML.")
    async with on_screen(None, chosen) as (_, app):
        assert "config.toml is not TOML" in "\n".join(shown(app))


async def test_the_welcome_is_shown_once_and_its_keys_work(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    session = table("race", ("random", "random"))
    for is_first in (True, False):
        chosen = settings(tmp_path, config_file=path, preferences=PreferencesFile(path).read())
        async with on_screen(session if is_first else None, chosen) as (pilot, app):
            await pilot.pause()
            assert isinstance(app.screen, ChoiceDialog) is is_first
            if is_first:
                assert "Welcome to boardgames" in "\n".join(shown(app))
                assert "1  Watch" in "\n".join(shown(app)), "who watches is not asked to play"
                await pilot.press("question_mark")
                assert isinstance(app.screen, HelpScreen)
                await pilot.press("escape", "enter")
                assert "Welcome" not in "\n".join(shown(app))


def unfinished(folder: Path, count: int) -> None:
    for seed in range(count):
        session = table("senet", ("human:Ann", "hard"), folder, seed)
        session.resolve_chance()
        session.close()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_nine_saves_leave_the_form_and_the_preview(
    size: tuple[int, int], tmp_path: Path
) -> None:
    unfinished(tmp_path, 9)
    async with on_screen(None, settings(tmp_path), size=size) as (pilot, app):
        await go_to(pilot, app, "seed")
        await until(pilot, lambda: "more: r" in "\n".join(shown(app)))
        text = "\n".join(shown(app))
        assert "Senet, Ann v" in text
        for label in ("Rules", "Pieces", "Cones", "Spools", "Pace", "Seed", "Start"):
            assert f" {label}" in text
        if size == (120, 40):
            await until(pilot, lambda: "20    19    18" in "\n".join(shown(app)))


async def test_saves_are_resumed_seen_again_renamed_and_deleted_in_one_list(tmp_path: Path) -> None:
    unfinished(tmp_path, 2)
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await pilot.press("r", "down", "v")
        await until(pilot, lambda: "boardgames resume senet-1 " in "\n".join(shown(app)))
        await pilot.press("enter", "q", "r", "r")
        await comes(pilot, ReplayScreen)
        await pilot.press("q", "r", "n", *["backspace"] * 7, *"mine", "enter")
        await until(pilot, lambda: "  mine  " in "\n".join(shown(app)))
        await pilot.press("d", "1", "d", "2")
        await until(pilot, lambda: len(list(tmp_path.glob("*.jsonl"))) == 1)
        assert not (tmp_path / "mine.jsonl").exists()
        await pilot.press("c")
        await my_turn(pilot, app)
        await pilot.press("q", "1")
    async with on_screen(None, settings(tmp_path / "none")) as (pilot, app):
        await pilot.press("r")
        assert "There is no saved game yet" in "\n".join(shown(app))


async def test_a_preference_counts_at_once_and_is_written_beside_what_was_there(
    tmp_path: Path,
) -> None:
    (tmp_path / "config.toml").write_text("# mine\nbell = true  # loud\n")
    async with on_screen(None, remembering(tmp_path)) as (pilot, app):
        await pilot.press("right", "comma", "e", *"Ann", "enter", "down", "right", "down", "left")
        assert (app.theme, app.settings.glyphs) == ("light", Glyphs.ASCII)
        await pilot.press("down", "right", "down", "right", "down", "left", "down", "down", "right")
        await pilot.press("q", *["down"] * 3, "right")
        assert "B O A R D G A M E S" in "\n".join(shown(app))
        expected = "play senet -s human:Ann -s hard --tutor --pace fast"
        await until(pilot, lambda: expected in command(app))
        assert app.animation_level == "none"
    text = (tmp_path / "config.toml").read_text()
    assert text.startswith("# mine\nbell = false  # loud\n")
    found = PreferencesFile(tmp_path / "config.toml").read()
    assert (found.theme, found.glyphs, found.pace) == ("light", "ascii", "fast")
    assert (found.names, found.calm, found.tutor) == (("Ann",), True, True)
