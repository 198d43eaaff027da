"""Puzzles on the screen: asked, answered, looked at, left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from boardgames_cli import registry
from boardgames_cli.core.text import Glyphs
from boardgames_cli.evaluation.puzzles import Puzzle, bundled_puzzles
from boardgames_cli.session.questions import PuzzleRun
from boardgames_cli.storage.practice import read_progress
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.screens.help import HelpScreen
from boardgames_cli.tui.screens.launcher import Launcher
from boardgames_cli.tui.screens.question_screen import QuestionScreen
from boardgames_cli.tui.widgets.picture import PictureView
from tests.tui.tables import SIZES, Time, comes, on_screen, settings, until, words

pytestmark = pytest.mark.usefixtures("more_games")


def first_of(game: str, count: int = 3) -> list[Puzzle]:
    return bundled_puzzles(game)[:count]


def puzzle_screen(
    puzzles: Sequence[Puzzle], file: Path | None = None, **changes: Any
) -> QuestionScreen:
    return QuestionScreen(PuzzleRun(puzzles, file, Glyphs.UNICODE), settings(**changes))


@asynccontextmanager
async def asking(
    puzzles: Sequence[Puzzle], file: Path | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[None], BoardgamesApp, QuestionScreen]]:
    """Puzzles on the screen, as soon as the first is asked."""
    screen = puzzle_screen(puzzles, file)
    async with on_screen(None, None, size, screen) as (pilot, app):
        await stands(pilot, app)
        yield pilot, app, screen


def puzzle_in(screen: QuestionScreen) -> Puzzle:
    assert screen.asked.puzzle is not None
    return screen.asked.puzzle


def number_of(screen: QuestionScreen, notation: str) -> str:
    return str(screen.asked.choices.index(notation) + 1)


async def stands(pilot: Pilot[None], app: BoardgamesApp) -> QuestionScreen:
    screen = await comes(pilot, QuestionScreen)
    await until(pilot, lambda: screen.asked.about.task in words(app))
    return screen


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_wrong_then_right_then_what_all_choices_are_worth(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with asking(first_of("tapnswap"), tmp_path / "puzzles.json", size=size) as (
        pilot,
        app,
        screen,
    ):
        puzzle = puzzle_in(screen)
        wrong = next(iter(puzzle.losses))
        assert "PUZZLE" in words(app)
        assert "solved 0 of 3" in words(app)
        assert puzzle.words[puzzle.answer] not in words(app).replace(puzzle.task, "")
        await pilot.press(number_of(screen, wrong))
        assert f"Not the best: {wrong}: {puzzle.verdict(wrong)}" in words(app)
        assert "1 try" in words(app)
        await pilot.press(number_of(screen, puzzle.answer))
        await until(pilot, lambda: f"Right: {puzzle.answer}." in words(app))
        assert "solved 1 of 3" in words(app)
        assert puzzle.reason[:30] in words(app)
        if size[0] < 80:
            await pilot.press("tab")
        await until(pilot, lambda: "Choices exact" in words(app))
        for choice, worth in puzzle.words.items():
            assert choice in words(app)
            assert worth in words(app)
        await pilot.press("n")
        await until(pilot, lambda: screen.asked.puzzle is not puzzle)
        await until(pilot, lambda: screen.asked.about.task in words(app))
        assert "Choices exact" not in words(app)
    assert read_progress(tmp_path / "puzzles.json").solved == {puzzle.id: 2}


async def test_arrows_look_and_enter_answers_and_goes_on(time: Time) -> None:
    async with asking(first_of("tapnswap")) as (pilot, app, screen):
        puzzle = puzzle_in(screen)
        await pilot.press("enter")
        assert screen.index == 0, "enter first highlights, and answers nothing"
        assert not screen.asked.tried
        notations = screen.asked.choices
        await pilot.press(*["right"] * notations.index(puzzle.answer), "enter")
        assert screen.asked.is_solved
        # The same key, pressed again at once, does not hide what there is to see.
        await pilot.press("enter")
        assert screen.asked.puzzle is puzzle
        await pilot.press("down")
        assert screen.index == 1
        assert f"> {puzzle.choices[1]}" in words(app)
        time.now += 1
        await pilot.press("enter")
        assert screen.asked.puzzle is not puzzle


async def test_the_answer_can_be_shown_and_the_last_one_says_so() -> None:
    async with asking(first_of("tapnswap", 2)) as (pilot, app, screen):
        await pilot.press("i")
        assert "It is " in words(app)
        await pilot.press("i")
        assert "next puzzle" in words(app)
        await pilot.press("n", "i", "i")
        assert "next puzzle" not in words(app)
        assert f"The answer is {screen.asked.about.right[0]}." in words(app)
        assert "solved 0 of 2" in words(app)
        await pilot.press("1")
        assert "This one is done" in words(app)
        await pilot.press("n")
        assert "That was the last one. q closes." in words(app)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.press("escape", "q")
        await until(pilot, lambda: not app.is_running)
    assert app.return_code == 0


async def test_a_games_own_keys_answer_and_afterwards_look() -> None:
    async with asking(first_of("pommerman", 1)) as (pilot, app, screen):
        puzzle = puzzle_in(screen)
        keys = {"up": "up", "down": "down", "left": "a", "right": "d"}
        wrong = next(one for one in puzzle.losses if one in keys)
        await pilot.press(keys[wrong])
        assert screen.asked.tried == [wrong]
        await pilot.press("i", "i", "down")
        assert screen.asked.tried == [wrong]
        assert screen.index == 1
        assert "estimate" in words(app)


async def test_clicks_answer_and_look() -> None:
    moves = [puzzle for puzzle in bundled_puzzles("kuhn") if not puzzle.share_of]
    async with asking(moves[:1]) as (pilot, app, screen):
        puzzle = puzzle_in(screen)
        await pilot.click("#choices", offset=(4, 0))
        assert screen.asked.tried == [screen.asked.choices[0]]
        await pilot.press("i", "i")
        await until(pilot, lambda: screen.query_one("#analysis").size.height > 2)
        panel = screen.query_one("#analysis", PictureView)
        await pilot.click(panel, offset=(3, 2))
        assert screen.index == 1
        assert puzzle.choices[1] in words(app)


async def test_a_share_is_asked_for_and_any_of_the_range_is_right() -> None:
    wide = [puzzle for puzzle in bundled_puzzles("kuhn") if puzzle.also]
    async with asking(wide[:1]) as (pilot, app, _):
        assert "1 0 %" in words(app)
        await pilot.press("7")
        assert "Not the best: 100 %: 67 points too often." in words(app)
        await pilot.press("2")
        assert "Right: 17 %." in words(app)
        # Beside the board all that is right is marked.
        await until(pilot, lambda: words(app).count("! ") == 3)


async def test_puzzles_of_several_games_change_board_and_keys() -> None:
    async with asking([first_of("pommerman", 1)[0], *first_of("kuhn", 1)], size=(120, 40)) as (
        pilot,
        app,
        screen,
    ):
        seen = set()
        for _ in range(2):
            game = screen.asked.game.info
            seen.add(game.id)
            assert game.name in words(app)
            assert ("w" in screen.active_bindings) is (game.id == "pommerman")
            assert ("space bomb" in words(app)) is (game.id == "pommerman")
            await pilot.press("n")
            await until(pilot, lambda: screen.asked.about.task in words(app))
        assert seen == {"pommerman", "kuhn"}


async def test_the_menu_asks_puzzles_of_the_chosen_game_and_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    async with on_screen(None, settings(tmp_path, puzzles_file=file)) as (pilot, app):
        await comes(pilot, Launcher)
        await pilot.press(str(list(registry.BUILT_IN_GAMES).index("race") + 1), "p")
        await until(pilot, lambda: "has no puzzles" in words(app))
        await pilot.press("enter", str(list(registry.BUILT_IN_GAMES).index("kuhn") + 1), "p")
        screen = await stands(pilot, app)
        assert screen.asked.game.info.id == "kuhn"
        assert isinstance(screen.run, PuzzleRun)
        await pilot.press(number_of(screen, puzzle_in(screen).answer))
        assert read_progress(file).solved == {puzzle_in(screen).id: 1}
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, Launcher))


async def test_damaged_progress_is_said_in_the_menu(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text("{")
    async with on_screen(None, settings(tmp_path, puzzles_file=file)) as (pilot, app):
        await comes(pilot, Launcher)
        await pilot.press(str(list(registry.BUILT_IN_GAMES).index("kuhn") + 1), "p")
        await until(pilot, lambda: "the progress of puzzles" in words(app))


def answered(*keys: str) -> Any:
    async def run(pilot: Pilot[None]) -> None:
        app: Any = pilot.app
        await stands(pilot, app)
        await pilot.press(*keys)
        await pilot.pause()

    return run


@pytest.mark.parametrize(
    ("game", "size", "keys", "theme"),
    [
        ("tapnswap", (80, 24), ("down",), "dark"),
        ("tapnswap", (80, 24), ("1", "i", "i"), "monochrome"),
        ("pommerman", (60, 20), ("up",), "dark"),
        ("deepsea", (120, 40), ("i", "i"), "light"),
    ],
    ids=["asked", "answered", "small", "wide"],
)
def test_how_it_looks(
    snap_compare: Any, game: str, size: tuple[int, int], keys: tuple[str, ...], theme: str
) -> None:
    screen = puzzle_screen(first_of(game), theme=theme)
    app = BoardgamesApp(None, settings(theme=theme), screen)
    assert snap_compare(app, terminal_size=size, run_before=answered(*keys))
