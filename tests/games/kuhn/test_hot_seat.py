"""Two people at one screen: nobody sees the other's card while the screen is handed over."""

from __future__ import annotations

import pytest

from boardgames_cli.session.settings import Pace
from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.screens.dialogs import HandOver
from tests.tui.tables import my_turn, says, settings, shown, table, until

RANKS = ("JACK", "QUEEN", "KING")


async def test_lock_reveal_act() -> None:
    session = table("kuhn", ("human:name=Ann", "human:name=Ben"))
    app = build_app(session, settings())
    async with app.run_test(size=(120, 45)) as pilot:
        screen = await my_turn(pilot, app)
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        assert ranks_shown(app) == set(), "locked"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        ann, ben = (RANKS[card] for card in session.match.state.cards)
        assert ranks_shown(app) == {ann}
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        assert ranks_shown(app) == set(), "locked again"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        assert ranks_shown(app) == {ben}
        await pilot.press("2")
        await until(pilot, lambda: session.match.is_over)
        await pilot.pause()
        assert session.game.returns(session.match.state) in ((2, -2), (-2, 2))


def ranks_shown(app: object) -> set[str]:
    """The cards whose names stand anywhere on the screen: on their faces, or in the log."""
    text = "\n".join(shown(app)).upper()  # type: ignore[arg-type]
    return {rank for rank in RANKS if rank in text}


@pytest.mark.parametrize("seats", [("human", "random"), ("random", "random")])
async def test_other_viewpoints_are_offered_to_watchers_alone(seats: tuple[str, str]) -> None:
    # Step by step, so that the deal waits for a key.
    app = build_app(table("kuhn", seats, pace=Pace.STEP), settings(pace=Pace.STEP))
    async with app.run_test(size=(120, 45)) as pilot:
        await until(pilot, lambda: "step" in says(app, "#keys"))
        is_watched = "human" not in seats
        for offer in ("follow", "see all", "f follow  a see all"):
            assert (offer in says(app, "#keys")) == is_watched
        await pilot.press("f")
        assert is_watched or "viewpoint" in says(app, "#message")


async def test_only_the_button_lifts_the_screen_between_people() -> None:
    app = build_app(table("kuhn", ("human:name=Ann", "human:name=Ben")), settings())
    async with app.run_test(size=(120, 45)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        await pilot.pause()
        button = app.screen.query_one("#handover-go")
        assert button.has_focus
        left, top, width, height = button.region
        around = [(left - 1, top), (left + width, top), (left, top - 1), (left, top + height)]
        for place in [(0, 0), (119, 44), (60, 20), *around]:
            await pilot.click(offset=place)
        await pilot.press("x", "1", "escape", "down")
        assert isinstance(app.screen, HandOver)
        assert ranks_shown(app) == set()
        await pilot.click("#handover-go")
        await until(pilot, lambda: len(ranks_shown(app)) == 1)


async def test_space_lifts_the_screen_as_enter_does() -> None:
    app = build_app(table("kuhn", ("human:name=Ann", "human:name=Ben")), settings())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        await pilot.press("space")
        await until(pilot, lambda: not isinstance(app.screen, HandOver))
