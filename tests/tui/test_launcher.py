from __future__ import annotations

import sys
from pathlib import Path

import pytest

from boardgames_cli.session.settings import Pace
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.help import HelpScreen
from boardgames_cli.tui.screens.launcher import Launcher
from boardgames_cli.tui.screens.table import GameScreen
from boardgames_cli.tui.widgets.form import FormView
from boardgames_cli.tui.widgets.picture import Bar, PictureView
from tests.tui.tables import my_turn, on_screen, settings, shown, table, text, until


def launcher_of(app: BoardgamesApp) -> Launcher:
    return next(screen for screen in app.screen_stack if isinstance(screen, Launcher))


def command(app: BoardgamesApp) -> str:
    return launcher_of(app).query_one("#command", Bar).text


async def test_what_has_no_room_in_a_line_is_said_in_a_box(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with on_screen(None, settings(tmp_path / "file" / "saves")) as (pilot, app):
        await until(pilot, lambda: "Start: enter" in "\n".join(shown(app)))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        text = "".join(line.split("│")[1] for line in shown(app) if line.count("│") == 2)
        text = " ".join(text.split())
        assert "That did not work the save folder" in text
        assert "or play without saving: --no-save." in text
        await pilot.press("enter")
        assert isinstance(app.screen, Launcher)


async def test_the_palette_of_the_menu_does_what_its_keys_do(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await until(pilot, lambda: "Start: enter" in "\n".join(shown(app)))
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "The key is d." in "\n".join(shown(app)))
        listed = "\n".join(shown(app))
        assert "field below" not in listed
        assert "game 1" not in listed
        await pilot.press(*"keys and rules")
        await until(pilot, lambda: "The key is ?" in "\n".join(shown(app)))
        assert "puzzles of the game" not in "\n".join(shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_it_starts_a_game_with_what_was_chosen(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path, pace=Pace.NORMAL)) as (pilot, app):
        await pilot.press("left", "down", "right", "down", "right", "down", "right")
        await pilot.press(*["down"] * 4, "right", "down", "left", "left", "down", "right")
        await pilot.press("e", *"123", "enter")
        expected = "boardgames play senet --rules skyruk --pieces 7 -s human -s easy --seed 123"
        assert command(app) == f"$ {expected} --tutor --pace instant"
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, GameScreen))
        screen = await my_turn(pilot, app)
        assert screen.session.title == "Senet - skyruk, pieces 7"
        assert screen.session.match.seed == 123
        assert screen.loop.pace is Pace.INSTANT
        assert screen.tutor_dialog is not None
    assert (tmp_path / "senet-1.jsonl").exists()


async def test_bad_input_is_refused_beside_its_field(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path), size=(120, 40)) as (pilot, app):
        await pilot.press(*["down"] * 3, "right", *["up"] * 4, "right", "e", *"12x", "enter")
        line = next(line for line in shown(app) if "Seed" in line and "12x" in line)
        assert "the seed is a whole number" in line
        await pilot.press("s")
        assert isinstance(app.screen, Launcher)
        await pilot.press("e", "end", "backspace", "enter")
        assert "--seed 12" in command(app)


async def test_clicking_games_choices_and_start(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await until(pilot, lambda: "Start: enter" in "\n".join(shown(app)))
        await pilot.click("#form", offset=(22, 1))
        assert "--rules skyruk" in command(app)
        form = launcher_of(app).query_one("#form", FormView)
        row = "".join(span.text for span in form.spans(0))
        await pilot.click("#form", offset=(row.index("›"), 0))
        assert "-s hard" in command(app)
        assert not launcher_of(app).query_one("#command").display
        await pilot.click("#form", offset=(3, 3))
        assert "boardgames play senet" in text(app)
        await pilot.click("#game1", offset=(5, 0))
        assert "play race" in command(app)
        await pilot.click("#start", offset=(3, 0))
        await until(pilot, lambda: isinstance(app.screen, GameScreen))


async def test_it_asks_before_a_save_runs_a_program(tmp_path: Path) -> None:
    odd = Path(__file__).parents[1] / "odd_program.py"
    (tmp_path / "noted.sh").write_text(
        f"touch {tmp_path}/ran\nexec {sys.executable} -I -S {odd} well\n"
    )
    session = table("senet", ("human", f"cmd:sh {tmp_path}/noted.sh"), tmp_path, 1)
    session.close()
    (tmp_path / "ran").unlink(missing_ok=True)
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await until(pilot, lambda: "You v" in "\n".join(shown(app)))
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        assert "noted.sh" in "\n".join(shown(app)).replace("\n", "")
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, Launcher))
        assert not (tmp_path / "ran").exists()
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        await pilot.press("2")
        await my_turn(pilot, app)
        assert (tmp_path / "ran").exists()


async def test_what_can_not_be_read_is_marked_and_the_rest_is_there(tmp_path: Path) -> None:
    table(folder=tmp_path).close()
    (tmp_path / "damaged.jsonl").write_text('{"boardgames": 1, "seed": [')
    (tmp_path / "strange.jsonl").write_text("[" * 100_000)
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await until(pilot, lambda: "Senet, You v random" in "\n".join(shown(app)))
        assert "2 unreadable" in "\n".join(shown(app))


@pytest.mark.parametrize("width", [120, 160, 200])
async def test_the_cards_stand_in_the_middle_and_grow_with_the_window(
    width: int, tmp_path: Path
) -> None:
    async with on_screen(None, settings(tmp_path), size=(width, 50)) as (pilot, app):
        cards = list(app.screen.query(".game").results(PictureView))
        most = {120: 28, 160: 34, 200: 34}[width]
        await until(pilot, lambda: {card.region.width for card in cards} == {most})
        assert all(card.picture.width == most for card in cards)
        menu = app.screen.query_one("#menu").region
        assert abs(menu.x - (width - menu.right)) <= 1
        assert cards[0].region.x >= menu.x
        assert cards[-1].region.right <= menu.right
        preview = app.screen.query_one("#preview").region
        assert preview.width >= 0.5 * menu.width
