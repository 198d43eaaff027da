"""A game's own keys on the full screen, shown with Pommerman."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from textual import events

from boardgames_cli.core.game import Seat
from boardgames_cli.core.presentation.view import KeyedView, KeySet
from boardgames_cli.games.senet.view import SenetView
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Pace, Setup
from tests.tui.tables import (
    at_table,
    game_screen,
    my_turn,
    on_screen,
    says,
    settings,
    shown,
    table,
    until,
)

pytestmark = pytest.mark.usefixtures("more_games")

FOUR = ("human:Ann", "random", "random", "random")
TWO = ("human:Ann", "human:Ben")


def bombers(seats: tuple[str, ...] = FOUR, mode: str = "ffa", **changes: Any) -> Session:
    return table("pommerman", seats, seed=42, options={"mode": mode}, think_seconds=60, **changes)


def did(session: Session, seat: Seat) -> str:
    """What a seat did in the last step."""
    return str(session.match.steps[-1].joint[seat])


@pytest.mark.parametrize(
    ("key", "action"),
    [
        ("up", "up"), ("w", "up"), ("a", "left"), ("s", "down"), ("right", "right"),
        ("space", "bomb"), ("full_stop", "stop"), ("6", "bomb"),
    ],
)  # fmt: skip
async def test_one_key_is_one_step(key: str, action: str) -> None:
    session = bombers()
    async with at_table(session) as (pilot, _, _):
        await pilot.press(key)
        await until(pilot, lambda: session.match.ply == 2)
        assert did(session, 0) == action


async def test_digits_are_radio_words_that_go_with_the_next_move() -> None:
    session = bombers(mode="radio")
    async with at_table(session) as (pilot, app, _):
        await pilot.press("3", "7")
        assert session.match.ply == 1
        assert "says 3 7" in says(app, "#prompt")
        await pilot.press("s")
        await until(pilot, lambda: session.match.ply == 2)
        assert did(session, 0) == "down 3 7"
        await my_turn(pilot, app)
        await pilot.press("5", "s")  # one word is none
        await until(pilot, lambda: session.match.ply == 3)
        assert did(session, 0) == "down"


async def test_a_second_move_in_the_same_step_is_refused_in_words() -> None:
    session = bombers(TWO, mode="duel")
    async with at_table(session) as (pilot, app, _):
        await pilot.press("d", "d")
        assert session.match.committed.keys() == {0}
        assert says(app, "#message") == "That key does nothing now. ? lists the keys."


async def test_two_people_share_the_keyboard() -> None:
    session = bombers(TWO, mode="duel")
    async with at_table(session) as (pilot, app, _):
        await pilot.press("enter")  # Ben, although Ann is named first
        assert session.match.committed.keys() == {1}
        assert "A -  B *" in " ".join(shown(app))
        await pilot.press("q")
        assert (did(session, 0), did(session, 1)) == ("bomb", "bomb")
        await pilot.press("0", "e")
        assert (did(session, 0), did(session, 1)) == ("stop", "stop")
        assert session.match.ply == 3


async def test_the_footer_and_the_list_name_the_keys() -> None:
    async with at_table(bombers(TWO, mode="duel")) as (_, app, _):
        lines = shown(app)
        assert "wasd q e Ann  arrows enter 0 Ben" in lines[-1]
        assert "ctrl+c quit" in lines[-1]
        assert any("q  bomb" in line for line in lines)


async def test_keys_of_the_game_mean_the_usual_where_they_mean_nothing_else() -> None:
    session = bombers(("random", "random", "random", "random"))
    async with on_screen(session, settings(pace=Pace.STEP)) as (pilot, app):
        await until(pilot, lambda: bool(app.screen_stack[1:]))
        await pilot.press("full_stop")
        await until(pilot, lambda: session.match.ply == 1)
        await pilot.press("a")
        assert "You see everything." in says(app, "#message")


async def test_the_danger_can_be_taken_off_the_board() -> None:
    session = bombers()
    async with at_table(session) as (pilot, _, screen):
        assert session.shows_layer
        await pilot.press("b")
        assert not session.shows_layer
        assert screen.message == "Danger: hidden."


async def test_the_dead_watch_on_from_whose_viewpoint_they_like() -> None:
    session = bombers(mode="team")
    async with at_table(session) as (pilot, app, screen):
        await pilot.press("f")
        assert "while one of you still plays" in says(app, "#message")
        while session.match.state.agents[0].alive:
            ply = session.match.ply
            if ply == 10:
                screen.loop.pace = Pace.SLOW  # leaves time to pause
            await pilot.press("space" if ply == 1 else "full_stop")
            await until(pilot, lambda ply=ply: session.match.ply > ply)  # type: ignore[misc]
            if session.match.state.agents[0].alive:
                await my_turn(pilot, app)
        await pilot.press("p", "f")
        assert screen.loop.is_paused
        assert session.viewpoint.seats == (1,)
        assert "seen by random B" in says(app, "#title")
        await pilot.press("a")
        assert session.viewpoint.see_all
        assert session.snapshot().seen.state == session.match.state


@pytest.mark.parametrize("reason", ["size", "focus"])
async def test_real_time_stands_still_while_nobody_can_see_or_play(reason: str) -> None:
    calm = settings(tick=0.1, think_seconds=60, is_shared=True)
    setup = Setup("pommerman", {"mode": "duel"}, ("human:Ann", "human:Ben"), seed=5)
    async with on_screen(open_session(setup, calm), calm) as (pilot, app):
        screen = game_screen(app)
        match = screen.session.match
        await until(pilot, lambda: match.ply > 2)
        if reason == "size":
            await pilot.resize_terminal(50, 18)
        else:
            app.post_message(events.AppBlur())
        await until(pilot, lambda: screen.loop.is_held)
        ply = match.ply
        for _ in range(40):
            await pilot.pause(0.01)
        assert match.ply == ply
        if reason == "size":
            await pilot.resize_terminal(80, 24)
        else:
            app.post_message(events.AppFocus())
        await until(pilot, lambda: match.ply > ply)


async def test_a_key_that_is_illegal_now_says_why() -> None:
    def key_sets(self: SenetView, people: int) -> Sequence[KeySet]:
        return (KeySet({"w": "1>5", "i": "1>4"}, (("w i", "move"),)),)

    session = table("senet", ("human:Ann", "random"))
    kind = type("Keyed", (SenetView, KeyedView), {"key_sets": key_sets})
    session.view = kind(session.game)
    async with at_table(session, size=(120, 40)) as (pilot, app, _):
        before = session.match.ply
        await pilot.press("w")
        assert "illegal" in says(app, "#message")
        assert session.match.ply == before
        assert "f2 hint" in shown(app)[-1]  # the game has taken the i
