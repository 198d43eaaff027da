"""Real time on the screen: a line for each person, and the bar that drains."""

from __future__ import annotations

import pytest

from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.tui.table.table_screen import beat_bar
from boardgames_cli.tui.widgets.picture import Bar, PictureView
from tests.tui.tables import at_table, settings, shown, until
from tests.tui.test_real_time import DUEL, TWO, Band

pytestmark = pytest.mark.usefixtures("more_games")

SLOW = 5.0
"""Seconds from step to step: none comes while a test looks."""


def slow(*seats: str) -> tuple[Session, Settings]:
    told = settings(tick=SLOW, think_seconds=60)
    setup = Setup("pommerman", DUEL, seats, "random", seed=7)
    return open_session(setup, told), told


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_every_person_has_a_line_with_the_move_to_come(size: tuple[int, int]) -> None:
    async with at_table(*slow(*TWO), size=size) as (pilot, app, screen):
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
    async with at_table(*slow("human:Ann")) as (pilot, _, screen):
        assert not screen.query("#people")
        assert screen.choices.display
        await pilot.press("d")
        await until(pilot, lambda: "next: right" in screen.query_one("#prompt", Bar).text)


async def test_the_line_to_type_in_takes_the_place_of_the_bar() -> None:
    async with at_table(*slow("human:Ann")) as (pilot, _, screen):
        bar = screen.query_one("#gauge", Bar)
        await until(pilot, lambda: "a step every 5 s" in bar.text and bar.display)
        await pilot.press("colon")
        await until(pilot, lambda: not bar.display and screen.entry.display)
        await pilot.press("escape")
        await until(pilot, lambda: bar.display and not screen.entry.display)


async def test_without_motion_nothing_drains() -> None:
    async with at_table(*slow("human:Ann")) as (pilot, app, screen):
        app.animation_level = "none"
        bar = screen.query_one("#gauge", Bar)
        await until(pilot, lambda: bar.text == "a step every 5 s")


def test_the_bar_is_as_long_as_the_time_that_is_left() -> None:
    band = Band(TWO, DUEL)
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
