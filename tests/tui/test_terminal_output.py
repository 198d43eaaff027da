"""What is sent to the terminal: only what it does not show yet."""

from __future__ import annotations

from typing import Any

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip

from boardgames_cli import registry
from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.driver import ShownCells
from tests.campaigns.screen import RecordingDriver
from tests.tui.tables import my_turn, settings, shown, table

SIZE = (30, 3)
MOST = 4096
"""The bytes that a key may cost."""

TEXTS = st.lists(
    st.tuples(st.text("ab \u754c\u00e9", max_size=6), st.sampled_from(["", "red", "bold blue"])),
    max_size=4,
)


def everything(screen: pyte.Screen) -> list[list[Any]]:
    return [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]


@given(st.lists(st.tuples(st.integers(0, 2), st.none() | TEXTS), max_size=8))
def test_the_terminal_shows_what_was_drawn(updates: list[tuple[int, Any]]) -> None:
    console = Console(color_system="truecolor", force_terminal=True)
    cells, screens = ShownCells(), [pyte.Screen(30, 3) for _ in range(2)]
    for y, line in updates:
        if line is None:  # it was rearranged
            cells.forget()
            screens[0].draw("?")
            continue
        segments = [Segment(text, Style.parse(style)) for text, style in line]
        strip = Strip(segments).adjust_cell_length(30)
        update = LayoutUpdate([[strip]], Region(0, y, 30, 1))
        pyte.Stream(screens[0]).feed(cells.changes(update, console, SIZE))
        pyte.Stream(screens[1]).feed(update.render_segments(console))
        assert cells.changes(update, console, SIZE) == ""
        assert everything(screens[0])[y] == everything(screens[1])[y]


def test_a_character_of_two_columns_that_lost_half_is_sent_again() -> None:
    cells, console = ShownCells(), Console(color_system="truecolor", force_terminal=True)
    wide = LayoutUpdate([[Strip([Segment("\u754c")])]], Region(3, 0, 2, 1))
    half = LayoutUpdate([[Strip([Segment("x")])]], Region(4, 0, 1, 1))
    assert "\u754c" in cells.changes(wide, console, SIZE)
    assert "x" in cells.changes(half, console, SIZE)
    assert "\u754c" in cells.changes(wide, console, SIZE)
    marked = LayoutUpdate([[Strip([Segment("e\u0301")])]], Region(3, 0, 1, 1))
    assert "e\u0301" in cells.changes(marked, console, SIZE)


@pytest.mark.parametrize("game", ["senet", "kuhn", "tapnswap", "pommerman", "deepsea"])
async def test_a_key_sends_what_has_changed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, game, f"boardgames_cli.games.{game}:GAME")
    seats = ("human", *["random"] * (3 if game == "pommerman" else 1))
    app = build_app(table(game, seats, seed=2), settings())
    app.driver_class = RecordingDriver
    costs = []

    async def press(pilot: Pilot[Any]) -> None:
        await my_turn(pilot, app)
        for key in ("down", "down", "up", "left"):
            await pilot.pause()
            RecordingDriver.sent.clear()
            await pilot.press(key)
            await pilot.pause()
            costs.append(len("".join(RecordingDriver.sent)))
        app.exit()

    await app.run_async(size=(80, 24), auto_pilot=press)
    assert max(costs) <= MOST, costs
    assert app.crash_message == ""


async def test_everything_is_sent_again_where_the_terminal_may_have_lost_it() -> None:
    app = build_app(table(), settings())
    app.driver_class = RecordingDriver
    screen = pyte.Screen(80, 24)

    async def resize(pilot: Pilot[Any]) -> None:
        await my_turn(pilot, app)
        for again in (app.on_resize, lambda: app.watch_app_focus(True)):
            await pilot.pause()
            RecordingDriver.sent.clear()
            screen.reset()
            again()
            await pilot.pause()
            pyte.Stream(screen).feed("".join(RecordingDriver.sent))
            found = [line.rstrip() for line in screen.display]
            assert found == [line.rstrip() for line in shown(app)]
        app.exit()

    await app.run_async(size=(80, 24), auto_pilot=resize)
    assert app.crash_message == ""
