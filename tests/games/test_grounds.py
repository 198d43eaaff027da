"""Boards have no holes: whatever stands on a board keeps the ground of its cell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from textual.geometry import Region

from boardgames_cli.core.presentation.styles import DARK, GROUND, LIGHT
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Setup
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.widgets.picture import PictureView
from tests.games.boards import GAMES, Paint, pictures
from tests.games.test_screens import play_on
from tests.tui.tables import at_table, game_screen, my_turn, settings

THEMES = (DARK, LIGHT)


def holes(grounds: list[list[str]], paper: str) -> Iterator[tuple[int, int]]:
    """The cells that show the paper below the board although the board goes on around them.

    Such a cell lies between two cells of one ground in its line, or no way leads from it over
    the paper to the edge. Columns of paper from top to bottom part two boards from each other.
    """
    width = max(map(len, grounds), default=0)
    cells = [[*line, *[paper] * (width - len(line))] for line in grounds]
    outside = _outside(cells, paper)
    gutters = {x for x in range(width) if all(line[x] == paper for line in cells)}
    for y, line in enumerate(cells):
        for x, ground in enumerate(line):
            is_paper = ground == paper and x not in gutters
            if is_paper and ((x, y) not in outside or _is_between(line, x, paper)):
                yield x, y


def _is_between(line: list[str], x: int, paper: str) -> bool:
    left = next((ground for ground in reversed(line[:x]) if ground != paper), paper)
    right = next((ground for ground in line[x:] if ground != paper), paper)
    return left == right != paper


def _outside(cells: list[list[str]], paper: str) -> set[tuple[int, int]]:
    height, width = len(cells), len(cells[0]) if cells else 0
    edge = [(x, y) for y in range(height) for x in (0, width - 1)]
    edge += [(x, y) for x in range(width) for y in (0, height - 1)]
    found: set[tuple[int, int]] = set()
    while edge:
        x, y = edge.pop()
        if 0 <= x < width and 0 <= y < height and cells[y][x] == paper and (x, y) not in found:
            found.add((x, y))
            edge += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return found


def test_holes_are_found() -> None:
    sea, paper = "blue", "black"
    assert list(holes([[paper, sea, sea], [paper, sea, paper]], paper)) == []
    assert list(holes([[sea, paper, sea], [sea, sea, sea]], paper)) == [(1, 0)]
    assert list(holes([[sea, paper, "red"], [sea, sea, sea]], paper)) == []
    assert list(holes([[sea, paper, sea], [sea, paper, sea]], paper)) == []
    box = [[sea, "red", sea], [sea, paper, "red"], [sea, sea, sea]]
    assert list(holes(box, paper)) == [(1, 1)]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_no_board_has_holes(game: str, theme: str) -> None:
    paint = Paint(game, theme)
    for picture in pictures(game):
        assert not list(holes(paint.grounds(picture), GROUND[theme][1])), str(picture)


@pytest.mark.parametrize(
    ("game", "theme"), [("senet", LIGHT), ("deepsea", DARK), ("kuhn", DARK), ("tapnswap", LIGHT)]
)
async def test_the_painted_screen_has_no_holes(game: str, theme: str) -> None:
    setup = Setup(game, GAMES[game], ("human:Ann",), "random", seed=3)
    session = open_session(setup, settings(think_seconds=60))
    async with at_table(session, settings(theme=theme)) as (pilot, app, _):
        for _ in range(2):
            await play_on(pilot, app, turns=1)
            await my_turn(pilot, app)
            await pilot.press("down")
            await pilot.pause()
            grounds = painted(app)
            assert any(ground != GROUND[theme][1] for line in grounds for ground in line)
            assert not list(holes(grounds, GROUND[theme][1]))


def painted(app: BoardgamesApp) -> list[list[str]]:
    """The ground of each cell of the board as it goes to the terminal."""
    board = game_screen(app).query_one("#board", PictureView)
    return [
        [
            str(segment.style.bgcolor.get_truecolor().hex)
            for segment in line
            for _ in segment.text
            if segment.style is not None and segment.style.bgcolor is not None
        ]
        for line in board.render_lines(Region(0, 0, *board.size))
    ]
