from __future__ import annotations

from boardgames_cli.session.session import Event
from boardgames_cli.session.settings import Pace
from tests.tui.tables import at_table, game_screen, on_screen, says, settings, table, until


async def test_a_hanging_agent_is_replaced() -> None:
    session = table("race", ("human", "hanging"))
    async with at_table(session, settings(think_seconds=0.01)) as (pilot, _, screen):
        session.budget = type(session.budget)(seconds=0.01)
        await pilot.press("1")
        await until(pilot, lambda: session.match.ply >= 4)
        assert any("did not answer" in line.text for line in session.log.lines())
        assert "does not answer" in screen.message


async def test_x_makes_a_slow_agent_move_and_the_screen_shows_it_thinking() -> None:
    session = table("race", ("human", "slow"))
    async with at_table(session) as (pilot, app, screen):
        await pilot.press("1")
        await until(pilot, lambda: screen.loop.event is Event.AGENT)
        await until(pilot, lambda: "is thinking" in says(app, "#prompt"))
        await pilot.press("1")
        assert "not your turn" in says(app, "#message")
        ply = session.match.ply
        await pilot.press("x")
        await until(pilot, lambda: session.match.ply > ply)
        assert str(session.match.steps[ply].joint[1]).startswith("jump")


async def test_watching_pauses_and_steps() -> None:
    session = table("race", ("random", "random"))
    async with on_screen(session, settings(pace=Pace.STEP)) as (pilot, app):
        await until(pilot, lambda: "next step" in says(app, "#prompt"))
        assert session.match.ply == 0
        await pilot.press("full_stop")
        await until(pilot, lambda: session.match.ply == 1)
        await pilot.press("p", "plus", "plus", "plus", "plus")
        assert game_screen(app).loop.pace is Pace.INSTANT
        for _ in range(5):
            await pilot.pause()
        assert session.match.ply == 1
        await pilot.press("p")
        await until(pilot, lambda: session.match.is_over)


async def test_looking_back_holds_the_game() -> None:
    session = table("senet", ("random", "random"))
    # Without a pause it could be over before the key is pressed.
    async with on_screen(session, settings(pace=Pace.FAST)) as (pilot, _):
        await until(pilot, lambda: session.match.ply > 3)
        await pilot.press("left_curly_bracket")
        ply = session.match.ply
        await pilot.pause(0.5)  # more than between two steps
        assert session.match.ply == ply
        await pilot.press("escape")
        await until(pilot, lambda: session.match.ply > ply)
