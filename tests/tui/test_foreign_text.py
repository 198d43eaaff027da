"""Notes, messages and names that others wrote, on every screen that shows them."""

from __future__ import annotations

import json
from pathlib import Path

from boardgames_cli.session.opening import resume_session
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.reading import load_record
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.screens.dialogs import HandOver, NameDialog
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from tests.foreign import MARKUP, POISON
from tests.tui.tables import (
    at_table,
    game_screen,
    my_turn,
    on_screen,
    settings,
    shown,
    table,
    until,
)


def check(app: BoardgamesApp) -> str:
    """Every line of the screen can be printed; returns them."""
    lines = shown(app)
    for line in lines:
        assert line.isprintable(), ascii(line)
    return "\n".join(lines)


def poisoned_save(folder: Path) -> Path:
    """A save with a note and a name that a terminal would obey."""
    session = table(folder=folder)
    session.close()
    assert session.journal is not None
    path = session.journal.path
    with path.open("a") as file:
        for note in ("long " * 20_000, POISON, MARKUP):
            file.write(json.dumps({"note": note, "ply": 0}) + "\n")
    return path.rename(path.with_name("odd\x1b]0;title\x07\udcff\u202e[red].jsonl"))


async def test_notes_of_a_save(tmp_path: Path) -> None:
    path = poisoned_save(tmp_path)
    opened = resume_session(str(path), settings(tmp_path))
    async with at_table(opened, settings(tmp_path), size=(120, 40)) as (pilot, app, screen):
        screen.travel(0)
        await pilot.pause()
        assert MARKUP in check(app)
        screen.say(POISON + MARKUP)
        await pilot.pause()
        check(app)
        await pilot.press("q")  # the dialog names the save
        await pilot.pause()
        check(app)
        app.push_screen(NameDialog(POISON, POISON))
        await pilot.pause()
        check(app)


async def test_notes_in_a_replay(tmp_path: Path) -> None:
    record = load_record(poisoned_save(tmp_path))
    screen = ReplayScreen(Replay.of_record(table().match, record), settings())
    async with on_screen(None, None, (120, 40), screen) as (pilot, app):
        await pilot.pause()
        check(app)


async def test_names_of_people_in_the_launcher(tmp_path: Path) -> None:
    path = poisoned_save(tmp_path)
    header, *rest = path.read_text().splitlines()
    data = json.loads(header)
    data["seats"][0] = f"human:name=odd {POISON}{MARKUP}"
    path.write_text("\n".join([json.dumps(data), *rest, ""]))
    async with on_screen(None, settings(tmp_path), size=(120, 40)) as (pilot, app):
        await until(pilot, lambda: "odd" in check(app))
        await pilot.press("r")
        await until(pilot, lambda: "Saved games" in check(app))
        await pilot.press("d")
        await until(pilot, lambda: "Delete this game?" in check(app))


async def test_words_of_an_agent_that_fails() -> None:
    async with at_table(table(seats=("human", "poisonous"))) as (pilot, app, screen):
        for _ in range(9):  # it is not asked where it has no choice
            await pilot.press("1")
            await my_turn(pilot, app)
        assert screen.session.log.remarks
        check(app)


async def test_name_of_a_person_is_no_markup() -> None:
    async with on_screen(table("cards", (f"human:name={MARKUP}", "human:name=Ben"))) as (
        pilot,
        app,
    ):
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        await pilot.pause()
        assert MARKUP in check(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is game_screen(app))
        assert MARKUP in check(app)
