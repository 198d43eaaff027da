"""A screen that is taken away before it was laid out: keys and signals may come that fast."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.style import Style
from textual.command import CommandList
from textual.css.query import NoMatches
from textual.events import Click, Key, Resize
from textual.geometry import Size
from textual.message import Message

from boardgames_cli.tui.command_list import SearchableCommands
from boardgames_cli.tui.screens.frame import LiveScreen
from boardgames_cli.tui.widgets.choices import ChoiceList
from tests.tui.tables import at_table, settings, shown, table, until


@pytest.mark.parametrize("key", ["question_mark", "q", "ctrl+s", "ctrl+p"])
async def test_the_end_may_come_before_a_dialog_is_laid_out(tmp_path: Path, key: str) -> None:
    async with at_table(table(folder=tmp_path), settings(tmp_path)) as (_, app, _):
        _press_at_once(app, key)
        app.exit(return_code=143)
    assert app.crash_message == ""
    assert app.return_code == 143


@pytest.mark.parametrize("key", ["question_mark", "q", "ctrl+s", "ctrl+p"])
async def test_a_dialog_may_be_closed_before_it_is_laid_out(tmp_path: Path, key: str) -> None:
    async with at_table(table(folder=tmp_path), settings(tmp_path)) as (pilot, app, screen):
        for _ in range(3):
            _press_at_once(app, key)
            app.pop_screen()
            await pilot.pause()
        assert app.screen is screen
    assert app.crash_message == ""


async def test_what_misses_its_parts_while_all_is_shut_down_is_no_fault() -> None:
    async with at_table(table()) as (_, app, _):
        pass
    app._handle_exception(NoMatches("its parts were gone before it stood"))
    assert app.crash_message == ""


def _press_at_once(app, key: str) -> None:  # type: ignore[no-untyped-def]
    {
        "question_mark": lambda: app.screen.action_help(),
        "q": lambda: app.screen.action_leave(),
        "ctrl+s": lambda: app.screen.action_save_as(),
        "ctrl+p": lambda: app.action_command_palette(),
    }[key]()


async def test_a_click_on_a_command_that_is_gone_does_nothing() -> None:
    async with at_table(table()) as (pilot, app, _):
        app.action_command_palette()
        await until(pilot, lambda: any(one.option_count for one in app.screen.query(CommandList)))
        listed = app.screen.query_one(CommandList)
        x, y = listed.region.x + 2, listed.region.y + 2
        for option in (99, listed.option_count):
            style = Style.from_meta({"option": option})
            listed.post_message(Click(listed, 1, 1, 0, 0, 1, False, False, False, x, y, style))
            await pilot.pause()
        assert isinstance(app.screen, SearchableCommands)
    assert app.crash_message == ""


async def test_a_click_beyond_a_window_that_became_smaller_closes_the_palette() -> None:
    async with at_table(table()) as (pilot, app, screen):
        app.action_command_palette()
        await until(pilot, lambda: any(one.option_count for one in app.screen.query(CommandList)))
        app.screen.post_message(Click(None, 113, 27, 0, 0, 1, False, False, False, 113, 27))
        await until(pilot, lambda: app.screen is screen)
    assert app.crash_message == ""


async def test_a_click_on_a_refusal_that_is_gone_still_says_why() -> None:
    async with at_table(table()) as (pilot, app, screen):
        gone = ("9>9", "nothing stands there")
        screen.choices.post_message(ChoiceList.Refused(gone))
        await pilot.pause()
        assert "9>9 is illegal: nothing stands there." in "\n".join(shown(app))
    assert app.crash_message == ""


@pytest.mark.parametrize("size", [(4, 24), (1, 1), (80, 2)])
async def test_the_window_may_become_tiny_under_the_palette(size: tuple[int, int]) -> None:
    async with at_table(table()) as (pilot, app, _):
        app.action_command_palette()
        await until(pilot, lambda: any(one.option_count for one in app.screen.query(CommandList)))
        await pilot.resize_terminal(*size)
        await pilot.pause()
        await pilot.resize_terminal(80, 24)
        await pilot.press("escape")
        assert "Senet" in shown(app)[0]
    assert app.crash_message == ""


@pytest.mark.parametrize("is_over", [False, True], ids=["below the palette", "as it closes"])
async def test_sizes_in_quick_succession_are_laid_out_once(
    is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    dispatch = LiveScreen._dispatch_message

    async def count(screen: LiveScreen, message: Message) -> None:
        heard.append(type(message).__name__)
        assert len(heard) < 2000, "two sizes call for each other"
        await dispatch(screen, message)

    async with at_table(table()) as (pilot, app, screen):
        app.action_command_palette()
        await until(pilot, lambda: any(one.option_count for one in app.screen.query(CommandList)))
        monkeypatch.setattr(LiveScreen, "_dispatch_message", count)
        if is_over:
            app.pop_screen()
        app._size = Size(100, 35)
        for size in (Size(90, 30), Size(100, 35)):
            screen.post_message(Resize(size, size))
            screen.call_later(lambda: None)
        await until(pilot, lambda: screen.region.size == Size(100, 35))
    assert app.crash_message == ""
    assert heard.count("Resize") < 10


async def test_a_queue_that_is_never_empty_lets_others_in() -> None:
    async with at_table(table()) as (pilot, app, screen):
        is_over = False

        def again() -> None:
            if not is_over:
                screen.call_later(again)

        again()
        await pilot.pause(0)
        is_over = True
    assert app.crash_message == ""


async def test_a_key_may_come_before_the_help_has_its_pages() -> None:
    async with at_table(table()) as (pilot, app, screen):
        screen.action_help()
        await app._on_key(Key("right", None))
        await pilot.pause()
    assert app.crash_message == ""


async def test_a_result_may_go_after_its_table() -> None:
    async with at_table(table()) as (pilot, app, screen):
        await app.open_menu()
        await until(pilot, lambda: not screen.query("#below"))
        screen.make_room(0)
        await pilot.pause()
    assert app.crash_message == ""
