"""The end of a game: what is said about it, and what a stray key must not do."""

from __future__ import annotations

import pytest

from boardgames_cli import registry
from boardgames_cli.session.setup import Pace, Setup, open_session
from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.screens import table_dialogs
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from tests.tui.tables import my_turn, settings, shown, until


@pytest.fixture(autouse=True)
def kuhn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game with a review, beside the toys."""
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "kuhn", "boardgames_cli.games.kuhn:GAME")


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_review_of_a_match_stands_in_the_result(size: tuple[int, int]) -> None:
    setup = Setup("kuhn", {"hands": 1}, ("human:Ann", "always-call"), seed=5)
    app = build_app(open_session(setup, settings()), settings())
    async with app.run_test(size=size) as pilot:
        screen = await my_turn(pilot, app)
        while not screen.session.match.is_over:
            await pilot.press("2")
            await my_turn(pilot, app)
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        text = "\n".join(shown(app))
        for line in screen.session.review():
            assert line in text
        assert "luck" in text
        assert "5  Quit" in text, "all answers have room"


async def test_a_digit_pressed_too_late_for_a_move_starts_no_rematch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_dialogs, "_GUARD_SECONDS", 600.0)
    setup = Setup("kuhn", {"hands": 1}, ("human:Ann", "always-call"), seed=5)
    calm = settings(pace=Pace.FAST)
    app = build_app(open_session(setup, calm), calm)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        while not screen.session.match.is_over:
            await pilot.press("2")
            await my_turn(pilot, app)
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        dialog = app.screen
        assert isinstance(dialog, ChoiceDialog)
        await pilot.press("1", "enter")
        assert app.screen is dialog
        dialog.unlock()
        await pilot.press("1")
        await until(pilot, lambda: app.session is not screen.session)
