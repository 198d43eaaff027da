from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from textual.widgets import Input

from boardgames_cli.tui.keys import bindings_now
from boardgames_cli.tui.screens.dialogs import NameDialog
from boardgames_cli.tui.screens.help import HelpScreen
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.picture import PictureView
from tests.tui.tables import at_table, my_turn, says, settings, shown, table, until


async def test_a_typed_move_plays_and_an_illegal_one_says_why() -> None:
    async with at_table(table()) as (pilot, app, screen):
        ply = screen.session.match.ply
        await pilot.press("colon", *"1", "greater_than_sign", *"4", "enter")
        assert "illegal: the throw is 1" in says(app, "#message")
        assert screen.session.match.ply == ply
        assert screen.query_one(Input).value == "1>4"
        await pilot.press("backspace", "2", "enter")
        await until(pilot, lambda: screen.session.match.ply > ply)
        assert str(screen.session.match.steps[ply].joint[0]) == "1>2"
        line = screen.query_one(Input)
        assert (line.has_focus, line.value) == (False, "")


async def test_a_typed_command() -> None:
    async with at_table(table()) as (pilot, app, screen):
        ply = screen.session.match.ply
        await pilot.press("2")
        await my_turn(pilot, app)
        await pilot.press("colon", *"undo", "enter")
        await until(pilot, lambda: screen.session.match.ply == ply)
        await pilot.press("colon", "colon", *"nonsense", "enter")
        assert 'unknown command "' in says(app, "#message")
        await pilot.press("escape")
        assert not screen.query_one(Input).has_focus


async def test_what_is_typed_out_of_turn_is_refused() -> None:
    async with at_table(table("race", ("human", "slow")), settings(think_seconds=60.0)) as (
        pilot,
        app,
        screen,
    ):
        await pilot.press("1")
        await until(pilot, lambda: screen.loop.request is not None)
        await pilot.press("colon", "1", "enter")
        assert "It is not your turn yet." in says(app, "#message")
        await pilot.press("backspace", *"rules", "enter")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_a_number_that_is_not_there() -> None:
    async with at_table(table()) as (pilot, app, screen):
        ply = screen.session.match.ply
        await pilot.press("9")
        assert "There is no action 9; choose 1 to 5." in says(app, "#message")
        assert screen.session.match.ply == ply


async def test_arrows_highlight_and_enter_confirms() -> None:
    async with at_table(table()) as (pilot, _, screen):
        ply = screen.session.match.ply
        assert screen.shown.context.highlight is None
        await pilot.press("enter")
        assert screen.index == 0
        assert screen.session.match.ply == ply
        await pilot.press("right", "tab")
        third = screen.listed[2]
        assert screen.shown.context.highlight == third
        assert any(
            span.role.endswith("target")
            for line in screen.query_one("#board", PictureView).picture.lines
            for span in line
        )
        await pilot.press("space")
        await until(pilot, lambda: screen.session.match.ply > ply)
        assert screen.session.match.steps[ply].joint == {0: third}


async def test_clicks_on_board_and_list() -> None:
    async with at_table(table()) as (pilot, app, screen):
        ply = screen.session.match.ply
        await pilot.click("#board", offset=(12, 3))
        await until(pilot, lambda: screen.session.match.ply > ply)
        assert str(screen.session.match.steps[ply].joint[0]) == "3>4"
        screen = await my_turn(pilot, app)
        ply, first = screen.session.match.ply, screen.listed[0]
        await pilot.click("#choices", offset=(4, 0))
        await until(pilot, lambda: screen.session.match.ply > ply)
        assert screen.session.match.steps[ply].joint == {0: first}


async def test_refusals_have_reasons() -> None:
    async with at_table(table(), size=(120, 40)) as (pilot, app, screen):
        while not screen.choices.refusals:
            await pilot.press("1")
            await my_turn(pilot, app)
        await pilot.press("L")
        await pilot.pause()
        action, reason = screen.choices.refusals[0]
        assert any(f"{action}  illegal: {reason}"[:60] in line for line in shown(app))
        ply = screen.session.match.ply
        rows = -(-len(screen.listed) // screen.query_one(ChoiceList).columns)
        await pilot.click("#choices", offset=(6, rows))
        assert reason in says(app, "#message")
        assert screen.session.match.ply == ply


async def test_history_is_read_only() -> None:
    async with at_table(table()) as (pilot, app, screen):
        for _ in range(3):
            await pilot.press("1")
            await my_turn(pilot, app)
        ply, state = screen.session.match.ply, screen.session.match.state
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert screen.past == ply - 2
        assert "History" in says(app, "#prompt")
        await pilot.press("1", "i")
        assert "the past" in says(app, "#message")
        assert screen.session.match.state == state
        await pilot.press("left_curly_bracket")
        assert screen.past == 0
        await pilot.press("right_square_bracket")
        assert screen.past == 1
        await pilot.press("right_curly_bracket")
        assert screen.past is None
        assert screen.session.match.state == state


async def test_estimate_is_labelled() -> None:
    async with at_table(table("race")) as (pilot, app, _):
        await pilot.press("e")
        await pilot.pause()
        assert any(line.startswith(" estimate  You 5") for line in shown(app))
        await pilot.press("e", "e")
        await pilot.pause()
        assert not any("estimate" in line for line in shown(app))


@pytest.mark.parametrize(
    ("played", "keys", "is_kept"),
    [
        ("", ("q", "1"), False),
        ("1", ("q", "3"), False),
        ("1", ("q", "4", "ctrl+c", "enter"), True),
        ("1", ("ctrl+c", "ctrl+c"), True),
    ],
)
async def test_leaving_keeps_the_save_unless_it_is_not_wanted_or_nobody_has_played(
    played: str, keys: tuple[str, ...], is_kept: bool, tmp_path: Path
) -> None:
    async with at_table(table(folder=tmp_path), settings(tmp_path)) as (pilot, app, _):
        await pilot.press(*played)
        await my_turn(pilot, app)
        await pilot.press(*keys)
    assert app.return_code == 0
    assert [file.name for file in tmp_path.iterdir()] == ["senet-1.jsonl"] * is_kept


async def test_save_as(tmp_path: Path) -> None:
    async with at_table(table(folder=tmp_path), settings(tmp_path)) as (pilot, app, _):
        await pilot.press("ctrl+s")
        assert isinstance(app.screen, NameDialog)
        await pilot.press("enter")
        assert "Saved a copy as senet-1-copy" in says(app, "#message")
        await pilot.press("colon", *"save", "space", *"senet-1-copy", "enter")
        assert "already" in says(app, "#message")
    assert (tmp_path / "senet-1-copy.jsonl").exists()


async def test_copy_puts_the_position_in_the_clipboard() -> None:
    session = table()
    async with at_table(session) as (pilot, app, _):
        await pilot.press("y")
        position = json.loads(app.clipboard)
        assert session.game.from_json(position) == session.match.state


async def test_help_lists_every_key() -> None:
    async with at_table(table()) as (pilot, app, screen):
        bound = [*bindings_now(screen), *bindings_now(app)]
        await pilot.press("question_mark")
        help = app.screen
        assert isinstance(help, HelpScreen)
        told = {text for _, text in help.keys}
        assert told == {own.description for own in bound} | {
            "all commands, searchable",
            "seed 101",
        }
        assert len(told) == len(help.keys), "what is said in the same words stands in one line"
        listed = " ".join(key for key, _ in help.keys)
        for key in ("1", "0", "u", "U", "[", "}", "?", "f1", "ctrl+s", "ctrl+p", "ctrl+c", ":"):
            assert key in listed.split()
        await pilot.press("2", "end")
        rules = help.query_one("#rules")
        assert rules.scroll_offset.y == rules.max_scroll_y > 12
        await pilot.press("home", "pagedown", "3", "left", "escape")
        assert app.screen is screen


@pytest.mark.usefixtures("more_games")
@pytest.mark.parametrize("game", ["kuhn", "deepsea", "pommerman"])
async def test_in_a_small_window_long_lines_of_the_help_go_on_below(game: str) -> None:
    async with at_table(table(game), size=(60, 20)) as (pilot, app, _):
        await pilot.press("question_mark")
        for key, page in (("3", "#legend-picture"), ("1", "#key-table")):
            await pilot.press(key)
            view = app.screen.query_one(page, PictureView)

            def fits(view: PictureView = view) -> bool:
                return 0 < view.picture.width <= view.size.width

            await until(pilot, fits)
        words = " ".join(str(view.picture).split())
        assert "type a move, its number, or a command" in words


async def test_resizing_and_too_small() -> None:
    async with at_table(table(), size=(120, 40)) as (pilot, app, screen):
        large = screen.query_one("#board", PictureView).picture.width
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        await until(pilot, lambda: screen.query_one("#board", PictureView).picture.width < large)
        assert not screen.query_one("#side").display
        await pilot.press("tab")
        assert screen.query_one("#side").display
        await pilot.press("tab")
        await pilot.resize_terminal(50, 18)
        await pilot.pause()
        await until(pilot, lambda: "too small: 50x18" in "\n".join(shown(app)))
        assert "You threw" not in "\n".join(shown(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "You threw" in "\n".join(shown(app)))


async def test_a_name_in_wide_characters_costs_nothing_beside_it(tmp_path: Path) -> None:
    name = "長い名前のひと"
    session = table(seats=(f"human:{name}", "random"), folder=tmp_path, seed=101)
    async with at_table(session) as (pilot, app, _):
        for _ in range(3):
            await pilot.press("1")
            await my_turn(pilot, app)
        lines = [line.rstrip() for line in shown(app)]
        assert lines[0].endswith(f"{name} v random")
        log = " ".join(" ".join(line.partition("▏")[2] for line in lines).split())
        told = [line for line in log.split(". ") if name in line]
        assert told
        assert re.search(rf"{name} threw \d\. {name} \d+>\d+", log)
        assert app.session is not None
        app.session.remark(f"{app.session.names[0]} waits.")
    assert f"{name} waits." in (tmp_path / "senet-1.jsonl").read_text()


async def test_the_palette_has_our_commands() -> None:
    async with at_table(table()) as (pilot, app, _):
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "undo" in "\n".join(shown(app)))
        await pilot.press(*"light")
        await until(pilot, lambda: "Light colours" in "\n".join(shown(app)))
        await pilot.press("enter")
        await until(pilot, lambda: app.theme == "light")


@pytest.mark.parametrize(("width", "side"), [(80, 29), (120, 42), (160, 48), (200, 60), (240, 64)])
async def test_in_wide_windows_board_and_analysis_grow(width: int, side: int) -> None:
    async with at_table(table(), size=(width, 50)) as (pilot, _, screen):
        assert screen.query_one("#side").region.width == side
        board = screen.query_one("#board", PictureView)
        await until(pilot, lambda: board.picture.width > 0.85 * min(board.size.width, 150))
