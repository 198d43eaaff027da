"""Banners, the countdown, and that they never stand in the way of a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from textual.pilot import Pilot

from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.presentation.view import Size
from boardgames_cli.core.text import Glyphs, Picture, columns
from boardgames_cli.session.match_driver import Obstruction
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.effects import EffectFrame, large_text, moments_of, step_effect
from boardgames_cli.tui.screens.help import HelpScreen
from boardgames_cli.tui.screens.table import GameScreen
from boardgames_cli.tui.screens.table_dialogs import ResultScene
from boardgames_cli.tui.widgets.picture import PictureView
from tests.tui.tables import (
    Time,
    at_table,
    comes,
    game_screen,
    my_turn,
    on_screen,
    says,
    settings,
    shown,
    until,
)

pytestmark = pytest.mark.usefixtures("more_games")

SEATS = ("human:name=Ann", "random")
NEARLY_WON = {"hands": [[4, 1], [4, 0]], "player": 0}
"""A position of TapnSwap that the first tap wins."""


def nearly_won(seats: tuple[str, ...] = SEATS) -> Session:
    return open_session(Setup("tapnswap", seats=seats, seed=1, start=NEARLY_WON), settings())


MOVING = settings(pace=Pace.NORMAL)
"""What is played is shown for a while."""


@pytest.mark.parametrize("glyphs", list(Glyphs))
@pytest.mark.parametrize("is_wide", [False, True])
def test_block_letters_have_rows_of_one_width_and_differ(glyphs: Glyphs, is_wide: bool) -> None:
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-"
    made = [tuple(large_text(sign, glyphs, is_wide=is_wide)) for sign in signs]
    assert len(set(made)) == len(signs)
    for sign, rows in zip(signs, made, strict=True):
        dots = 5 if sign in "MNW" else 3
        assert {columns(row) for row in rows} == {2 * dots if is_wide else dots}


@pytest.mark.parametrize("size", [Size(51, 16), Size(77, 30), Size(40, 9), Size(30, 6)])
@pytest.mark.parametrize("glyphs", list(Glyphs))
def test_banners_fit_and_leave_the_board_in_its_place(size: Size, glyphs: Glyphs) -> None:
    session = nearly_won()
    before = session.snapshot()
    session.submit(0, session.game.parse(session.match.state, 0, "tap L>L"))
    shown = session.snapshot()
    frames = step_effect(before, shown, size, Pace.NORMAL)
    for frame in frames:
        assert frame.picture.width <= max(size.width, shown.board(size).width)
        assert frame.picture.height <= size.height
    assert "Ann won." in str(frames[-1].picture)
    assert step_effect(before, shown, size, Pace.INSTANT) == []


@pytest.mark.parametrize(
    ("seats", "says"),
    [
        (SEATS, "you won"),
        (SEATS[::-1], "you lost"),
        (("human:name=Ann", "human:name=Ben"), "Ann won"),
        (("human:Åsa", "human:Ben"), "Åsa won"),
    ],
)
def test_the_end_is_told_to_the_people_at_the_screen(seats: tuple[str, ...], says: str) -> None:
    session = nearly_won(seats)
    before = session.snapshot()
    session.submit(0, session.game.parse(session.match.state, 0, "tap L>L"))
    (end,) = moments_of(session.snapshot())
    assert (end.banner, end.seat) == (says, 0)
    picture = str(step_effect(before, session.snapshot(), Size(60, 20), Pace.NORMAL)[-1].picture)
    if says.startswith("Å"):
        assert large_text("GAME OVER", Glyphs.UNICODE)[0] in picture, "a name in another script"


async def test_any_key_ends_an_effect_and_is_acted_on() -> None:
    async with at_table(nearly_won(), MOVING) as (pilot, app, screen):
        await pilot.press("1")
        await until(pilot, lambda: screen.is_moving)
        assert app.screen is screen, "the result waits for the effect"
        await pilot.press("question_mark")
        assert not screen.is_moving
        await until(pilot, lambda: isinstance(app.screen, HelpScreen | ResultScene))


async def test_a_choice_is_taken_while_the_last_one_is_still_shown() -> None:
    session = open_session(Setup("tapnswap", seats=("human", "human"), seed=1), settings())
    async with at_table(session, MOVING) as (pilot, _, screen):
        await pilot.press("1")
        assert screen.is_moving
        await pilot.press("1")
        assert session.match.ply == 2


async def test_without_a_key_the_result_follows_the_effect() -> None:
    async with at_table(nearly_won(), settings(pace=Pace.FAST)) as (pilot, _, screen):
        await pilot.press("1")
        await comes(pilot, ResultScene)
        assert not screen.is_moving


@pytest.mark.parametrize(
    ("changes", "moves", "rings"),
    [
        ({"bell": True}, True, True),
        ({"bell": False}, True, False),
        ({"bell": True, "reduced_motion": True}, False, False),
        ({"bell": True, "pace": Pace.INSTANT}, False, False),
    ],
)
async def test_who_wants_calm_sees_nothing_move_and_hears_no_bell(
    changes: dict[str, Any], moves: bool, rings: bool
) -> None:
    chosen = settings(**{"pace": Pace.NORMAL, **changes})
    async with at_table(nearly_won(), chosen) as (pilot, app, screen):
        rung: list[int] = []
        app.bell = lambda: rung.append(1)  # type: ignore[method-assign]
        await pilot.press("1")
        assert screen.is_moving == moves
        if not moves:
            await comes(pilot, ResultScene)
        assert rung == [1] * rings


async def test_real_time_is_counted_down_until_a_key() -> None:
    told = settings(tick=5.0, pace=Pace.NORMAL, think_seconds=60)
    setup = Setup("pommerman", {"mode": "duel"}, ("human:Ann",), "random", seed=7)
    async with on_screen(open_session(setup, told), told) as (pilot, app):
        await until(pilot, lambda: game_screen(app).has_effect)
        screen = game_screen(app)
        assert Obstruction.COUNTDOWN in screen.loop.covers
        ply = screen.session.match.ply
        await pilot.press("d")
        assert not screen.has_effect
        assert not screen.loop.covers
        assert 0 in screen.session.chosen, "the key counts"
        assert screen.session.match.ply == ply, "and takes no step before its time"


async def test_an_effect_shows_no_more_than_the_screen_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two people share the screen: what one did is shown without their card."""
    setup = Setup("kuhn", {"hands": 3}, ("human:Ann", "human:Ben"), seed=5)
    session = open_session(setup, settings())
    pictures: list[Picture] = []
    async with on_screen(session, MOVING) as (pilot, app):
        await until(pilot, lambda: app.screen is not game_screen(app))
        screen = game_screen(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        play = screen.panes.animation.play

        def watched(frames: Sequence[EffectFrame], before: TableSnapshot | None = None) -> None:
            pictures.extend(frame.picture for frame in frames)
            play(frames, before)

        monkeypatch.setattr(screen.panes.animation, "play", watched)
        await pilot.press("2")
        await until(pilot, lambda: session.match.ply > 2)
        assert pictures
        assert not any(set("JQK") & set(line) for one in pictures for line in str(one).split())


async def killed(pilot: Pilot[None], app: BoardgamesApp) -> GameScreen:
    """Lay a bomb, and wait on it."""
    screen = await my_turn(pilot, app)
    await pilot.press("space")
    while not screen.loop.awaited:
        assert screen.session.match.ply < 40
        if screen.seat is not None:
            await pilot.press("full_stop")
        await pilot.pause(0.01)
    return screen


def doomed(**changes: Any) -> tuple[Session, Settings]:
    told = settings(**{"pace": Pace.FAST, "reduced_motion": True, **changes})
    setup = Setup("pommerman", {"mode": "ffa"}, ("human:Ann",), "random", seed=3)
    return open_session(setup, told), told


async def test_who_has_died_is_offered_the_end_and_a_rematch(time: Time) -> None:
    async with on_screen(*doomed(), (60, 20)) as (pilot, app):
        screen = await killed(pilot, app)
        bottom = "\n".join(shown(app)[-8:])
        assert all(word in bottom for word in ("watch the others", "to the end", "rematch"))
        assert "Ann died" in bottom
        time.now += 1
        screen.loop.pause(True)
        await pilot.press("enter")
        await until(pilot, lambda: "watch the others" not in says(app, "#keys"))
        assert all(word in says(app, "#keys") for word in ("to the end", "rematch", "quit"))
        screen.loop.pause(False)
        await pilot.press("x")
        assert screen.loop.pace is Pace.INSTANT
        await until(pilot, lambda: screen.session.match.is_over)
        await until(pilot, lambda: isinstance(app.screen, ResultScene))
        assert "Places: " in "\n".join(shown(app))
        await until(pilot, lambda: any(line.strip().startswith("10 ") for line in shown(app)))


async def test_a_rematch_need_not_wait_for_the_others(time: Time) -> None:
    async with on_screen(*doomed()) as (pilot, app):
        screen = await killed(pilot, app)
        time.now += 1
        await pilot.press("r")
        await until(pilot, lambda: app.screen is not screen and isinstance(app.screen, GameScreen))
        assert game_screen(app).session.match.ply < 3


async def test_who_still_plays_gets_no_rematch_by_a_key() -> None:
    async with at_table(*doomed()) as (pilot, app, screen):
        await pilot.press("r")
        assert "once you are out" in "\n".join(shown(app))
        assert app.screen is screen


async def test_real_time_goes_to_the_end_as_fast_as_it_can() -> None:
    async with on_screen(*doomed(tick=0.1, think_seconds=60)) as (pilot, app):
        await until(pilot, lambda: game_screen(app).seat is not None)
        screen = game_screen(app)
        await until(pilot, lambda: bool(screen.loop.awaited), "space")
        screen.rest = None
        await pilot.press("x")
        await until(pilot, lambda: screen.session.match.is_over)
        assert screen.loop.tick is not None
        assert screen.loop.tick < 0.1


def begun(game: str, options: dict[str, Any], seats: tuple[str, ...], seed: int) -> Session:
    return open_session(Setup(game, options, seats=seats, seed=seed), settings())


def drowning() -> Session:
    """Deep Sea just before the last turn of a round in which everybody dives on and drowns."""
    seats = ("human:name=Ann", "human:name=Ben", "random", "random")
    session = begun("deepsea", {"rounds": 2}, seats, 3)
    while session.match.state.round == 0:
        for seat in session.match.waiting_for:
            if seat == CHANCE:
                session.resolve_chance()
            else:
                dive = [one for one in session.observe(seat).legal if str(one) == "dive"]
                session.submit(seat, dive[0] if dive else session.observe(seat).legal[0])
    session.match.undo()
    return session


IN_MOTION: dict[str, tuple[Callable[[], Session], str]] = {
    "tapnswap": (lambda: begun("tapnswap", {}, ("human:name=Ann", "random"), 2), "1"),
    "two people": (lambda: begun("tapnswap", {}, ("human:name=Ann", "human:name=Ben"), 1), "1"),
    "its end": (lambda: nearly_won(), "1"),
    "senet": (lambda: begun("senet", {}, ("human:name=Ann", "random"), 1), "1"),
    "kuhn": (lambda: begun("kuhn", {"hands": 2}, ("human:name=Ann", "random"), 2), "2"),
    "deepsea": (drowning, ""),
}
"""A table, and the key that sets something in motion; none if chance does."""


@pytest.mark.parametrize("case", IN_MOTION)
async def test_nothing_speaks_of_the_position_after_what_moves(case: str) -> None:
    make, key = IN_MOTION[case]
    session = make()
    async with on_screen(session, MOVING) as (pilot, app):
        if key:
            screen = await my_turn(pilot, app)
            screen.end_effect()
            await pilot.press(key)
        await until(pilot, lambda: game_screen(app).is_moving)
        screen, samples = game_screen(app), 0
        while screen.is_moving:
            ply, side = session.match.ply - 1, screen.panes.side_width
            before = session.snapshot(screen._drawn_from, ply)
            assert says(app, "#prompt").strip() == before.prompt
            facts = screen.query_one("#facts", PictureView).picture
            assert str(facts) == str(before.sidebar(side))
            assert not screen.choices.choices
            assert "enter" not in says(app, "#keys")
            board = str(screen.query_one("#board", PictureView).picture)
            named = [name for name in session.names if f"{name} (seat" in before.prompt]
            assert all(f"{name} (" in board for name in named)
            samples += 1
            await pilot.pause(0.05)
        assert samples
        await until(pilot, lambda: says(app, "#prompt").strip() != before.prompt)
        facts = screen.query_one("#facts", PictureView).picture
        assert str(facts) == str(session.snapshot().sidebar(side)), "and then all change together"
