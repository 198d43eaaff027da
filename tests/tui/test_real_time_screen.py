"""Real time on the screen: a line for each person, and the bar that drains."""

from __future__ import annotations

import pytest

from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Setup
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.table.table_screen import beat_bar
from boardgames_cli.tui.widgets.picture import Bar, PictureView
from tests.tui.tables import game_screen, my_turn, settings, shown, until
from tests.tui.test_real_time import Band

pytestmark = pytest.mark.usefixtures("more_games")

SLOW = 5.0
"""Seconds from step to step: none comes while a test looks."""
TWO = ("human:Ann", "human:Ben")


def app_of(*seats: str, glyphs: Glyphs = Glyphs.UNICODE) -> BoardgamesApp:
    told = settings(tick=SLOW, glyphs=glyphs, think_seconds=60)
    setup = Setup("pommerman", {"mode": "duel"}, seats, "random", seed=7)
    return build_app(open_session(setup, told), told)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_every_person_has_a_line_with_the_move_to_come(size: tuple[int, int]) -> None:
    app = app_of(*TWO)
    async with app.run_test(size=size) as pilot:
        screen = await my_turn(pilot, app)
        people = screen.query_one("#people", PictureView)
        await until(pilot, lambda: "next: -" in str(people.picture))
        await pilot.press("d", "enter")
        await until(pilot, lambda: str(people.picture).count("next: -") == 0)
        first, second = str(people.picture).splitlines()
        assert first.split() == ["A", "Ann", "1", "bomb,", "range", "3", "next:", "right"]
        assert second.split() == ["B", "Ben", "1", "bomb,", "range", "3", "next:", "bomb"]
        text = "\n".join(shown(app))
        assert first.strip() in text
        assert second.strip() in text
        assert not screen.choices.display


async def test_one_person_keeps_the_list_and_sees_the_move_to_come() -> None:
    app = app_of("human:Ann")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        assert not screen.query("#people")
        assert screen.choices.display
        await pilot.press("d")
        await until(pilot, lambda: "next: right" in screen.query_one("#prompt", Bar).text)


async def test_the_line_to_type_in_takes_the_place_of_the_bar() -> None:
    app = app_of("human:Ann")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        bar = screen.query_one("#gauge", Bar)
        await until(pilot, lambda: "a step every 5 s" in bar.text and bar.display)
        await pilot.press("colon")
        await until(pilot, lambda: not bar.display and screen.entry.display)
        await pilot.press("escape")
        await until(pilot, lambda: bar.display and not screen.entry.display)


async def test_without_motion_nothing_drains(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_of("human:Ann")
    app.animation_level = "none"
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        bar = screen.query_one("#gauge", Bar)
        await until(pilot, lambda: bar.text == "a step every 5 s")
        assert game_screen(app) is screen


def test_the_bar_is_as_long_as_the_time_that_is_left() -> None:
    band = Band(TWO, {"mode": "duel"})
    timed = band.loop
    assert timed.tick is not None
    lengths = []
    for _ in range(6):
        left, right = beat_bar(timed, 80, is_plain=True, moves=True)
        lengths.append(left[0].text.count("#"))
        assert len(left[0].text + left[1].text + right[0].text) < 80
        band.clock.now += timed.tick / 5
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > 50
    assert lengths[-1] == 0
    timed.pause(True)
    assert timed.share_left == 1.0
