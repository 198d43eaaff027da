"""The parts of the game screen, each for itself."""

from __future__ import annotations

from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Input

from boardgames_cli.core.presentation.styles import DARK
from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.replay import Replay
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.table import GameScreen
from boardgames_cli.tui.table.table_screen import EntryLine
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.panes import LogPane, TablePanes
from boardgames_cli.tui.widgets.picture import PictureView
from tests.tui.tables import at_table, my_turn, table, until


class LineApp(App[None]):
    """Nothing but the line."""

    def __init__(self) -> None:
        super().__init__()
        self.entered: list[str] = []

    def compose(self) -> ComposeResult:
        yield EntryLine()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.entered.append(event.value.strip())


async def test_the_line_takes_keys_only_while_it_is_open() -> None:
    app = LineApp()
    async with app.run_test() as pilot:
        line = app.query_one(EntryLine)
        await pilot.press("x", "enter")
        assert not line.is_open
        assert app.entered == []
        line.open()
        await pilot.press(*" 5>9 ", "enter")
        assert line.is_open, "what comes of the text is for others to say"
        assert app.entered == ["5>9"]
        line.close()
        await pilot.press("y", "enter")
        assert app.entered == ["5>9"]
        assert app.query_one(Input).value == ""


class PanesApp(App[None]):
    """Nothing but the board and what is beside it, of a game that was played."""

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay
        self.panes = TablePanes(replay.view)
        self.travelled: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.panes

    def show(self, ply: int) -> None:
        replay = self.replay
        self.panes.show(replay.snapshot(ply), Palette(DARK))

    def on_table_panes_travelled(self, event: TablePanes.Travelled) -> None:
        self.travelled.append(event.ply)


async def test_the_panes_show_a_moment_and_tell_where_to_travel() -> None:
    session = table("race")
    session.resolve_chance()
    session.submit(0, session.observe(0).legal[0])
    app = PanesApp(Replay.of_session(session))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.show(2)
        board = app.query_one("#board", PictureView)
        after = str(board.picture)
        app.show(0)
        assert str(board.picture) != after
        app.show(1)
        board.post_message(PictureView.Wheel(1))
        board.post_message(PictureView.Wheel(-1))
        app.query_one(LogPane).post_message(LogPane.Picked(2))
        await pilot.pause()
        assert sorted(app.travelled) == [0, 2, 2]


async def test_only_people_who_can_see_it_move_get_pictures_in_between() -> None:
    app = PanesApp(Replay.of_session(table("race")))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.show(0)
        drawn: list[Any] = []
        app.animation_level = "none"
        app.panes.play(lambda size: drawn.append(size) or ())
        assert drawn == []
        app.animation_level = "full"
        app.panes.play(lambda size: drawn.append(size) or ())
        assert len(drawn) == 1


async def test_a_table_says_why_nothing_can_be_done() -> None:
    session = table("race", ("human", "slow"), glyphs=Glyphs.ASCII)
    async with at_table(session) as (pilot, _, screen):
        assert screen.why_not(9) == "There is no action 9; choose 1 to 2."
        assert screen.parse("step") == "step"
        screen.travel(0)
        assert "the past" in screen.why_not()
        assert screen.listed == ()
        screen.travel(session.match.ply)
        await pilot.press("1")
        await until(pilot, lambda: screen.loop.request is not None)
        assert screen.why_not() == "It is not your turn yet."


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
