"""What went wrong on the screens once: pauses, titles, lists of saves, what follows a review."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli import registry
from boardgames_cli.core.text import columns
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Pace, Setup
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.table import GameScreen
from boardgames_cli.tui.widgets.picture import Bar
from tests.tui.tables import Time, at_table, on_screen, settings, shown, table, until

pytestmark = pytest.mark.usefixtures("more_games")

GAMES = ("senet", "tapnswap", "kuhn", "deepsea", "pommerman")


async def test_held_enter_passes_a_pause_once_it_has_been_seen(time: Time) -> None:
    calm = settings(pace=Pace.FAST)
    session = open_session(Setup("kuhn", {"hands": 3}, ("human", "always-call"), seed=5), calm)
    async with at_table(session, calm) as (pilot, _, screen):
        await pilot.press("2")
        await until(pilot, lambda: bool(screen.loop.awaited))
        prompt = screen.query_one("#prompt", Bar)
        for _ in range(6):
            await pilot.press("enter")
            time.now += 0.1
        assert screen.loop.awaited, "keys meant for the game are ignored"
        screen.draw_lines()
        muted = list(prompt.render_line(0))
        time.now += 0.2
        screen.draw_lines()
        assert list(prompt.render_line(0)) != muted, "it stands out"
        await pilot.press("enter")
        assert not screen.loop.awaited


@pytest.mark.parametrize("game", GAMES)
async def test_enter_starts_every_form(game: str, tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await until(pilot, lambda: "Start: enter" in "\n".join(shown(app)))
        await pilot.press(str([*registry.game_ids()].index(game) + 1), "enter")
        await until(pilot, lambda: any(isinstance(one, GameScreen) for one in app.screen_stack))


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_no_name_drops_out_of_the_title(width: int) -> None:
    names = [f"human:Diver {letter}" for letter in "ABCDEF"]
    session = open_session(Setup("deepsea", {"players": 6}, tuple(names), seed=3), settings())
    async with at_table(session, size=(width, 24)) as (_, _, screen):
        left, right = screen.title_bar()
    text = [span.text for span in right if span.role.startswith("seat")]
    assert len(text) == 6
    used = sum(columns(span.text) for span in (*left, *right))
    seeds = sum(columns(span.text) for span in right if span.text.startswith("seed"))
    assert used - seeds + 2 < width


async def test_lists_of_saves_show_names_results_and_all_rows(tmp_path: Path) -> None:
    for _ in range(30):
        table("race", ("human:Ann", "random"), folder=tmp_path).close()
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        assert "race-30" in "\n".join(shown(app))
        await pilot.press("up")
        assert "race-1 " in "\n".join(shown(app)), "the last row can be reached"
        await pilot.press("enter")
        await until(pilot, lambda: app.session is not None)
        assert app.session is not None
        assert app.session.journal is not None
        assert app.session.journal.name == "race-1"
