"""Two people at one screen: nobody sees the other's card while the screen is handed over."""

from __future__ import annotations

from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.screens.dialogs import HandOver
from tests.tui.tables import my_turn, settings, shown, table, until

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
