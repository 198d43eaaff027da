"""How screens look. After a wanted change: pytest tests/tui --snapshot-update, and look at them."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.widgets import preview
from tests.tui.tables import my_turn, settings, shown, table, until


def after(*keys: str, turns: int = 4) -> Callable[[Pilot[None]], Awaitable[None]]:

    async def run(pilot: Pilot[None]) -> None:
        app: Any = pilot.app
        for _ in range(turns):
            await my_turn(pilot, app)
            await pilot.press("1")
        await my_turn(pilot, app)
        await pilot.press(*keys)
        # The line would show how long the agent took.
        await pilot.pause()

    return run


async def menu_is_there(pilot: Pilot[None]) -> None:
    """Wait for the menu and for all that it finds out after its first paint."""
    app: Any = pilot.app
    await until(pilot, lambda: "Start: enter" in "\n".join(shown(app)))
    await until(pilot, lambda: bool(app.screen.saved.today.puzzles))
    shown_game = app.screen.query_one(preview.Preview)
    await until(pilot, lambda: not shown_game.size.width or shown_game.picture.height > 0)


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        ((60, 20), "dark"),
        ((80, 24), "dark"),
        ((80, 24), "monochrome"),
        ((120, 40), "light"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value[0]}x{value[1]}",
)
def test_table(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    app = build_app(table(), settings(theme=theme))
    assert snap_compare(app, terminal_size=size, run_before=after("down"))


def test_leaving(snap_compare: Any) -> None:
    app = build_app(table(), settings())
    assert snap_compare(app, terminal_size=(80, 24), run_before=after("q", turns=1))


def test_keys(snap_compare: Any) -> None:
    app = build_app(table("race"), settings())
    assert snap_compare(app, terminal_size=(80, 24), run_before=after("f1", turns=0))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_menu(
    snap_compare: Any, size: tuple[int, int], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "random", random.Random(1))  # the game that is previewed
    # Still from the start: on a busy machine the preview would move before the picture is taken.
    own = settings(tmp_path, reduced_motion=True, drill_file=tmp_path / "drill.json")
    app = build_app(None, own)
    assert snap_compare(app, terminal_size=size, run_before=menu_is_there)
