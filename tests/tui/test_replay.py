from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.session.replay import Replay
from boardgames_cli.session.session import Event, Session
from boardgames_cli.tui.screens.launcher import Launcher
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from boardgames_cli.tui.widgets.panes import LogPane
from boardgames_cli.tui.widgets.picture import PictureView
from tests.tui.tables import SIZES, at_table, comes, on_screen, settings, shown, table, until


def played(session: Session, steps: int = 10**6) -> Session:
    """The table after some steps, everybody doing the first thing that comes to mind."""
    for _ in range(steps):
        event = session.next_event()
        if event is Event.OVER:
            break
        if event is Event.CHANCE:
            session.resolve_chance()
        else:
            seat = session.match.waiting_for[0]
            session.submit(seat, session.observe(seat).legal[0])
    return session


def replay_screen(session: Session) -> ReplayScreen:
    return ReplayScreen(Replay.of_session(session), settings())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_going_through_by_hand(size: tuple[int, int]) -> None:
    session = played(table("senet"), 40)
    screen = replay_screen(session)
    async with on_screen(None, None, size, screen) as (pilot, app):
        await until(pilot, lambda: "step 0 of 40" in "\n".join(shown(app)))
        assert "REPLAY" in shown(app)[0]
        for keys, ply in (("]", 1), ("] ]", 3), ("[", 2), ("}", 40), ("]", 40), ("{", 0)):
            names = {"]": "right_square_bracket", "[": "left_square_bracket",
                     "{": "left_curly_bracket", "}": "right_curly_bracket"}  # fmt: skip
            await pilot.press(*(names[key] for key in keys.split()))
            assert screen.ply == ply
            wanted = f"step {ply} of 40"
            await until(pilot, lambda: wanted in "\n".join(shown(app)))  # noqa: B023
        await pilot.press("q")
    assert app.return_code == 0
    assert session.match.ply == 40


async def test_it_plays_by_itself_and_stops() -> None:
    screen = replay_screen(played(table("race")))
    async with on_screen(None, only=screen) as (pilot, app):
        await pilot.press("minus", "minus", "space")  # slow enough to be stopped on a busy machine
        await until(pilot, lambda: screen.ply > 0)
        await pilot.press("space")
        assert not screen.is_playing
        assert screen.ply < screen.last
        await pilot.press("plus", "plus", "space")
        await until(pilot, lambda: screen.ply == screen.last)
        assert not screen.is_playing
        await until(pilot, lambda: " won." in "\n".join(shown(app)))
        await pilot.press("question_mark", "escape", "minus", "minus", "space")
        assert screen.ply < screen.last


async def test_an_unfinished_game_keeps_its_secrets_and_a_finished_one_has_none() -> None:
    session = played(table("cards", ("human:name=Ann", "human:name=Ben")), 1)
    cards = f"cards={session.match.state.cards}"
    async with on_screen(None, None, (120, 40), replay_screen(session)) as (pilot, app):
        await pilot.press("right_curly_bracket")
        await until(pilot, lambda: "step 1 of 1" in "\n".join(shown(app)))
        assert "cards=(None, None)" in "\n".join(shown(app))
    async with on_screen(None, None, (120, 40), replay_screen(played(session))) as (pilot, app):
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: cards in "\n".join(shown(app)))


async def test_nobody_looks_back_before_the_game_is_over() -> None:
    async with at_table(table("cards")) as (pilot, _, screen):
        await pilot.press("v")
        assert "when it is over" in screen.message


async def test_the_menu_opens_a_finished_game_and_changes_no_save(tmp_path: Path) -> None:
    session = played(table("race", folder=tmp_path))
    session.close()
    before = (tmp_path / "race-1.jsonl").read_bytes()
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await pilot.press("r", "v")
        screen = await comes(pilot, ReplayScreen)
        await until(pilot, lambda: "REVIEW" in shown(app)[0])
        await pilot.press("space")
        await until(pilot, lambda: not screen.is_playing)
        await pilot.press("q")
        assert isinstance(app.screen, Launcher)
    assert (tmp_path / "race-1.jsonl").read_bytes() == before


async def test_the_wheel_and_a_click_on_the_story_travel() -> None:
    screen = replay_screen(played(table("race"), 3))
    async with on_screen(None, only=screen) as (pilot, _):
        board, story = screen.query_one("#board", PictureView), screen.query_one(LogPane)
        pictures = [str(board.picture)]
        for widget, message, ply in (
            (board, PictureView.Wheel(1), 1),
            (board, PictureView.Wheel(1), 2),
            (board, PictureView.Wheel(-1), 1),
            (story, LogPane.Picked(3), 3),
        ):
            widget.post_message(message)
            await pilot.pause()
            assert screen.ply == ply
            pictures.append(str(board.picture))
        assert pictures[0] != pictures[2] != pictures[3]
