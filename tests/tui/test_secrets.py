from __future__ import annotations

from boardgames_cli.session.viewpoint import PUBLIC
from boardgames_cli.tui.screens.dialogs import HandOver
from tests.tui.tables import at_table, shown, table, until


async def test_nothing_secret_is_shown_before_the_screen_is_handed_over() -> None:
    session = table("cards", ("human:name=Ann", "human:name=Ben"))
    async with at_table(session) as (pilot, app, screen):
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        own, other = session.match.state.cards
        text = "\n".join(shown(app))
        assert "Pass to ANN" in text
        assert "cards=" not in text
        assert screen.viewpoint == PUBLIC, "also below the dialog"
        await pilot.press("1")
        assert session.match.ply == 1
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        assert f"cards=({own}, None)" in "\n".join(shown(app))
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        assert screen.shown.seen.seat is None
        assert "cards=" not in "\n".join(shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        assert f"cards=(None, {other})" in "\n".join(shown(app))
        # Ann's card stays hidden from Ben in the history, too.
        await pilot.press("left_square_bracket")
        assert f"cards=(None, {other})" in "\n".join(shown(app))


async def test_one_person_needs_no_handing_over() -> None:
    session = table("cards", ("human", "random"))
    async with at_table(session) as (_, app, screen):
        assert screen.shown.seen.seat == 0
        assert f"cards=({session.match.state.cards[0]}, None)" in "\n".join(shown(app))
