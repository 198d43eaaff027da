"""Small things that people stumbled over on the screen, each at the table where it was seen."""

from __future__ import annotations

from typing import Any

from textual.command import SearchIcon

from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Pace, Setup
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from boardgames_cli.tui.widgets.picture import PictureView
from tests.session.test_saving import go_on
from tests.tui.tables import at_table, game_screen, says, settings, shown, until


def session_of(
    game: str, options: dict[str, Any], seats: tuple[str, ...] = ("human:Ann",), **changes: Any
) -> Session:
    max_plies = changes.pop("max_plies", None)
    setup = Setup(game, options, seats, "random", seed=7, max_plies=max_plies)
    return open_session(setup, settings(think_seconds=60, **changes))


def seated(game: str, options: dict[str, Any], **changes: Any) -> BoardgamesApp:
    return build_app(session_of(game, options, **changes), settings(**changes))


async def test_in_the_smallest_window_all_six_moves_can_be_seen() -> None:
    async with at_table(session_of("pommerman", {"mode": "ffa"}), size=(60, 20)) as (
        _,
        app,
        screen,
    ):
        text = "\n".join(shown(app))
        choices = screen.choices.choices
        assert [choice.mark for choice in choices] == [".", "↑", "↓", "←", "→", "space"]
        for choice in choices:
            assert f"{choice.mark}  {choice.label}" in text


def test_a_sentence_has_the_colour_of_whom_it_is_about() -> None:
    session = session_of("deepsea", {"players": 2}, ("random", "random"))
    while not any("breathed" in line.text for line in session.log.lines()):
        go_on(session)
    (line, *_) = [line for line in session.log.lines() if "breathed" in line.text]
    assert line.seat is not None
    assert line.text.startswith(session.names[line.seat])


async def test_a_refusal_is_forgotten_when_the_game_goes_on() -> None:
    async with at_table(session_of("kuhn", {"hands": 1})) as (pilot, app, screen):
        await pilot.press("9")
        assert "no action 9" in says(app, "#message")
        screen.loop.play(0, screen.listed[0])
        await until(pilot, lambda: "no action 9" not in says(app, "#message"))


async def test_the_result_counts_as_the_game_does() -> None:
    app = seated("pommerman", {"mode": "duel", "steps": 3})
    async with app.run_test(size=(80, 24)) as pilot:
        while not isinstance(app.screen, ChoiceDialog):
            if game_screen(app).seat is not None:
                await pilot.press("full_stop")
            await pilot.pause(0.01)
        await until(pilot, lambda: "seed 7" in "\n".join(shown(app)))
        assert " steps, seed" not in "\n".join(shown(app))


async def test_help_tells_all_digits_in_one_line() -> None:
    async with at_table(session_of("kuhn", {"hands": 1}), size=(120, 40)) as (pilot, app, _):
        rows = app.key_descriptions(app.screen)
        digits = [keys for keys, text in rows if "action of that number" in text]
        assert digits == ["1 2 3 4 5 6 7 8 9 0"]
        await pilot.press("f1")
        await pilot.pause()
        assert "back to the game" not in "\n".join(shown(app))


async def test_the_palette_has_keys_and_themes_and_no_emoji() -> None:
    async with at_table(session_of("kuhn", {"hands": 1})) as (pilot, app, _):
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "(i)" in "\n".join(shown(app)))
        assert app.screen.query_one(SearchIcon).icon.isprintable()
        assert app.screen.query_one(SearchIcon).icon < "\u2fff"
        await pilot.press(*"theme")
        await until(pilot, lambda: "Dark colours (theme)" in "\n".join(shown(app)))


async def test_a_throw_is_told_when_the_sticks_lie_still() -> None:
    session = session_of("senet", {}, pace=Pace.STEP)
    app = build_app(session, settings(pace=Pace.STEP))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = game_screen(app)
        await until(pilot, lambda: screen.loop.is_held)
        await pilot.press("full_stop")
        while screen.panes.animation.picture is not None:
            assert "threw" not in "\n".join(shown(app))
            await pilot.pause(0.01)
        await until(pilot, lambda: "threw" in "\n".join(shown(app)))


async def test_a_long_replay_can_be_jumped_through() -> None:
    session = session_of("kuhn", {"hands": 10}, ("random", "random"))
    while session.match.waiting_for:
        go_on(session)
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        await pilot.press("home", "pagedown", "pagedown", "pageup")
        assert replay.ply == 10
        await pilot.click("#progress", offset=(79 - 6, 0))
        await until(pilot, lambda: replay.ply > 20)
        assert replay.query_one("#board", PictureView).picture.height
