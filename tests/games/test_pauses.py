"""What people play for stays on the screen until they have seen it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from textual.pilot import Pilot

from boardgames_cli.games.pommerman.state import PommermanState
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Pace, Setup
from boardgames_cli.tui import keys as key_debounce
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.screens.table import GameScreen
from tests.tui.tables import (
    Time,
    game_screen,
    my_turn,
    says,
    settings,
    shown,
    until,
)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    fake = Time()
    monkeypatch.setattr(key_debounce, "time", fake)
    return fake


def seated(
    game: str, options: dict[str, Any], seats: Sequence[str], pace: Pace = Pace.FAST
) -> BoardgamesApp:
    chosen = settings(pace=pace, think_seconds=60, reduced_motion=True)
    setup = Setup(game, options, tuple(seats), "random", seed=3)
    return build_app(open_session(setup, chosen), chosen)


async def bet_once(pilot: Pilot[None], app: BoardgamesApp) -> GameScreen:
    """Bet against somebody who calls, and wait for the showdown."""
    screen = await my_turn(pilot, app)
    await pilot.press("2")
    await until(pilot, lambda: bool(screen.loop.awaited))
    return screen


async def test_a_showdown_stays_until_enter(time: Time) -> None:
    app = seated("kuhn", {"hands": 3}, ("human:Ann", "always-call"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await bet_once(pilot, app)
        ply = screen.session.match.ply
        for _ in range(13):  # the key of the bet is held, for less than 0.7 seconds
            time.now += 0.05
            await pilot.press("2", "enter", "space", "full_stop")
        assert screen.session.match.ply == ply
        text = "\n".join(shown(app))
        prompt = next(line for line in shown(app) if "enter next hand" in line)
        assert "Chips: Ann" in prompt  # the end of what has happened, not its beginning
        assert "…" not in prompt
        assert "showed" in text
        time.now += 1
        await pilot.press("2")
        assert says(app, "#message") == "Press enter: next hand."
        await pilot.press("enter")
        await until(pilot, lambda: screen.session.match.ply > ply)


async def test_an_undo_that_is_refused_ends_no_pause(time: Time) -> None:
    app = seated("kuhn", {"hands": 3}, ("human:Ann", "always-call"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await bet_once(pilot, app)
        ply = screen.session.match.ply
        time.now += 1
        await pilot.press("u")
        assert "can't be hidden again" in says(app, "#message")
        await pilot.pause(0.1)
        assert screen.loop.awaited == "next hand"
        assert "enter next hand" in "\n".join(shown(app))
        assert screen.session.match.ply == ply


async def test_repeated_enter_passes_a_pause(time: Time) -> None:
    app = seated("kuhn", {"hands": 3}, ("human:Ann", "always-call"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await bet_once(pilot, app)
        ply = screen.session.match.ply
        for _ in range(4):  # each one earlier than the time after which keys count
            time.now += 0.25
            await pilot.press("enter")
        await until(pilot, lambda: screen.session.match.ply > ply)


@pytest.mark.parametrize(
    ("seats", "pace"),
    [(("human:Ann", "always-call"), Pace.INSTANT), (("random", "always-call"), Pace.FAST)],
    ids=["instant", "watched"],
)
async def test_nobody_waits_who_watches_or_wants_it_at_once(
    seats: tuple[str, ...], pace: Pace
) -> None:
    app = seated("kuhn", {"hands": 2}, seats, pace)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = game_screen(app)
        while screen.session.match.state.hand == 0:
            if screen.seat is not None:
                await pilot.press("2")
            await pilot.pause(0.01)
        assert not screen.loop.awaited


def dies(session: Session, seat: int) -> bool:
    """Whether a seat was killed in the last step."""
    states: list[PommermanState] = [
        session.match.state_at(session.match.ply - back) for back in (1, 0)
    ]
    return states[0].agents[seat].alive and not states[1].agents[seat].alive


async def test_a_death_by_a_bomb_stays_until_enter(time: Time) -> None:
    app = seated("pommerman", {"mode": "ffa"}, ("human:Ann",), Pace.FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        screen.loop.pace = Pace.INSTANT
        await pilot.press("space")
        while not screen.loop.awaited:
            assert screen.session.match.ply < 30
            if screen.seat is not None:
                await pilot.press("full_stop")
            await pilot.pause(0.01)
        assert dies(screen.session, 0)
        assert "enter watch the others" in "\n".join(shown(app))
        time.now += 1
        ply = screen.session.match.ply
        await pilot.press("enter")
        await until(pilot, lambda: screen.session.match.ply > ply)


async def test_in_real_time_a_death_stops_the_beat() -> None:
    chosen = settings(tick=0.1, think_seconds=60)
    setup = Setup("pommerman", {"mode": "ffa"}, ("human:Ann",), "random", seed=3)
    app = build_app(open_session(setup, chosen), chosen)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = game_screen(app)
        assert screen.loop.tick is not None
        await until(pilot, lambda: screen.seat is not None)
        await until(pilot, lambda: bool(screen.loop.awaited), "space")
        assert dies(screen.session, 0)
        assert screen.loop.is_held
