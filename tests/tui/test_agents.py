from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.session.session import Event
from boardgames_cli.session.setup import Pace
from boardgames_cli.storage import paths
from boardgames_cli.tui.app import build_app
from tests.tui.tables import game_screen, my_turn, says, settings, table, until


async def test_a_failing_agent_is_replaced_and_the_log_says_so() -> None:
    session = table("race", ("human", "failing"))
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        await pilot.press("1")
        await until(pilot, lambda: session.match.ply >= 4)
        assert any("out of ideas" in line.text for line in session.log.lines())
        assert "out of ideas" in screen.message


async def test_a_hanging_agent_is_replaced() -> None:
    session = table("race", ("human", "hanging"))
    app = build_app(session, settings(think_seconds=0.01))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        screen.session.runner.grace = 0.0
        session.runner.budget = type(session.budget)(seconds=0.01)
        await pilot.press("1")
        await until(pilot, lambda: session.match.ply >= 4)
        assert any("did not answer" in line.text for line in session.log.lines())
        assert "does not answer" in screen.message


async def test_x_makes_a_slow_agent_move_and_the_screen_shows_it_thinking() -> None:
    session = table("race", ("human", "slow"))
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        await pilot.press("1")
        await until(pilot, lambda: screen.loop.event is Event.AGENT)
        await until(pilot, lambda: "is thinking" in says(app, "#prompt"))
        await pilot.press("1")
        assert "not your turn" in says(app, "#message")
        ply = session.match.ply
        await pilot.press("x")
        await until(pilot, lambda: session.match.ply > ply)
        assert str(session.match.steps[ply].joint[1]).startswith("jump")


async def test_undo_while_an_agent_thinks_drops_its_answer() -> None:
    session = table("race", ("human", "slow"))
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        ply = session.match.ply
        await pilot.press("1")
        await until(pilot, lambda: screen.loop.event is Event.AGENT)
        await pilot.press("u")
        await until(pilot, lambda: session.match.ply == ply)
        assert screen.loop.event is Event.HUMAN
        for _ in range(5):
            await pilot.pause()
        assert session.match.ply == ply


async def test_watching_pauses_and_steps() -> None:
    session = table("race", ("random", "random"))
    app = build_app(session, settings(pace=Pace.STEP))
    async with app.run_test(size=(80, 24)) as pilot:
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
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: session.match.ply > 3)
        await pilot.press("left_curly_bracket")
        ply = session.match.ply
        for _ in range(5):
            await pilot.pause()
        assert session.match.ply == ply
        await pilot.press("escape")
        await until(pilot, lambda: session.match.ply > ply)


async def test_joint_moves_ask_people_one_after_the_other() -> None:
    session = table("pennies", ("human:name=Ann", "human:name=Ben"))
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        assert screen.model.viewer == 0
        await pilot.press("1")
        await until(pilot, lambda: screen.model.viewer == 1)
        assert session.match.ply == 0
        await pilot.press("2")
        await until(pilot, lambda: session.match.ply == 1)


async def test_a_crash_is_one_message_and_a_note_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log" / "errors.log"
    monkeypatch.setattr(paths, "log_file", lambda: log)
    session = table("race", folder=tmp_path)
    app = build_app(session, settings())

    async def play_until_it_breaks() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await my_turn(pilot, app)
            app.call_later(lambda: 1 / 0)
            await pilot.pause()

    with pytest.raises(ZeroDivisionError):
        await play_until_it_breaks()
    assert app.return_code == 1
    assert "race-1" in app.crash_message
    assert "Traceback" not in app.crash_message
    assert "ZeroDivisionError" in log.read_text()
