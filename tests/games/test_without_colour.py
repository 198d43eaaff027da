"""NO_COLOR takes the colours away and nothing else: the drawings stay, and can be told apart."""

from __future__ import annotations

from typing import Any

import pytest
from rich.style import Style

from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Setup
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.widgets.picture import PictureView, underlined_text
from tests.tui.tables import game_screen, my_turn, settings

DRAWINGS = {
    "senet": ({}, ("▟█▙", "│", "┬")),
    "tapnswap": ({}, ("█", "▙")),
    "kuhn": ({"hands": 3}, ("╭───────╮", "╱╲", "▄▄▄▄")),
    "deepsea": ({"players": 2}, ("▴1", "◆2", "●4")),
    "pommerman": ({"mode": "duel"}, ("▀▀▀▀▀", "═════", "• •")),
}


def seated(game: str, monkeypatch: pytest.MonkeyPatch) -> BoardgamesApp:
    monkeypatch.setenv("NO_COLOR", "1")
    setup = Setup(game, DRAWINGS[game][0], ("human:Ann",), "random", seed=7)  # type: ignore[arg-type]
    return build_app(open_session(setup, settings(think_seconds=60)), settings())


@pytest.mark.parametrize("game", DRAWINGS)
async def test_the_drawing_stays(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = seated(game, monkeypatch)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        board = str(screen.query_one("#board", PictureView).picture)
        assert all(shape in board for shape in DRAWINGS[game][1])


def reversed_texts(app: BoardgamesApp) -> list[str]:
    """What is drawn in reverse on the board."""
    board = game_screen(app).query_one("#board", PictureView)
    lines = [board.render_line(y) for y in range(board.size.height)]
    return [
        segment.text
        for line in lines
        for segment in line
        if segment.style is not None and segment.style.reverse
    ]


async def test_only_the_chosen_button_is_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    app = seated("kuhn", monkeypatch)
    async with app.run_test(size=(80, 24)) as pilot:
        await my_turn(pilot, app)
        assert reversed_texts(app) == []
        await pilot.press("down")
        await pilot.pause()
        (button,) = reversed_texts(app)
        assert button.startswith("[")


@pytest.mark.parametrize(
    ("text", "parts"),
    [("  L 3 ", ["  ", "L 3", " "]), ("12", ["12"]), ("   ", ["   "]), (" a", [" ", "a"])],
)
def test_padding_is_not_underlined(text: str, parts: list[str]) -> None:
    segments = underlined_text(text, Style(underline=True, bold=True))
    assert [segment.text for segment in segments] == parts
    for segment in segments:
        style: Any = segment.style
        assert style.bold
        assert bool(style.underline) == bool(segment.text.strip())
