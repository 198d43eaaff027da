"""Lessons on the screen and line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.questions import lesson_run
from boardgames_cli.tui.screens.launcher import Launcher
from boardgames_cli.tui.screens.question_screen import QuestionScreen
from tests.conftest import Program
from tests.tui.tables import SIZES, on_screen, settings, until, words

pytestmark = pytest.mark.usefixtures("more_games")

GAMES = ("senet", "tapnswap", "kuhn", "deepsea", "pommerman")


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_from_its_first_step_to_its_last(game: str, size: tuple[int, int]) -> None:
    screen = QuestionScreen(lesson_run(game, Glyphs.UNICODE), settings())
    async with on_screen(None, None, size, screen) as (pilot, app):
        while True:
            asked = screen.asked
            await until(pilot, lambda asked=asked: asked.about.task in words(app))  # type: ignore[misc]
            assert asked.comment.split(",")[0] in words(app)
            wrong = [one for one in asked.choices if one not in asked.about.right]
            for notation in wrong[:1]:
                screen.answer(notation)
                await pilot.pause()
                assert asked.comment[:40] in words(app)
            screen.answer(asked.about.right[0])
            await until(pilot, lambda: "Well done." in words(app))
            if not screen.run.has_next:
                break
            await pilot.press("n")
        await pilot.press("n")
    assert app.return_code == 0


async def test_the_menu_offers_it(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path)) as (pilot, app):
        await until(pilot, lambda: "l learn" in words(app))
        await pilot.press("l")
        await until(pilot, lambda: isinstance(app.screen, QuestionScreen))
        await pilot.press("enter", "enter")
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, Launcher))


def test_line_by_line(program: Program) -> None:
    answers = ["?", "swap 0-2", "nonsense", "board", "task", "1", "quit"]
    said = program("learn", "tapnswap", lines=answers).out
    assert "TapnSwap, step 1 of 7." in said
    assert "Aim: Both of their hands over 4 and you win" in said
    assert "That is a swap between your own hands" in said
    assert '"nonsense" is not a choice here.' in said
    assert "You tapped L>L: 1 + 1" in said
    assert "Opponent tapped L>L" in said
    assert "TapnSwap, step 2 of 7." in said
