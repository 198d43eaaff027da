from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from boardgames_cli.core.text import Picture
from boardgames_cli.session.settings import Pace
from boardgames_cli.tui.effects import Animation, EffectFrame, frame_seconds, paced
from tests.tui.tables import game_screen, on_screen, settings, table, until

FRAMES = tuple(EffectFrame(Picture.of([str(number)]), 0.1) for number in range(3))


class Clock:
    """Timers that ring when the test says so."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []
        self.changes = 0

    def set_timer(self, seconds: float, call: Callable[[], None]) -> Clock:
        self.calls.append(call)
        return self

    def stop(self) -> None:
        pass

    def changed(self) -> None:
        self.changes += 1

    def ring(self) -> None:
        self.calls.pop(0)()


def test_the_pictures_come_one_after_the_other() -> None:
    clock = Clock()
    animation = Animation(cast("Any", clock.set_timer), clock.changed)
    assert animation.picture is None
    animation.play(FRAMES)
    shown: list[Any] = []
    while animation.picture is not None:
        shown.append(animation.picture)
        clock.ring()
    assert shown == [frame.picture for frame in FRAMES]
    assert clock.changes == len(FRAMES)
    assert not clock.calls


@pytest.mark.parametrize("pace", list(Pace))
@pytest.mark.parametrize("count", [1, 6, 40])
def test_it_never_lasts_longer_than_the_pace_allows(pace: Pace, count: int) -> None:
    seconds = frame_seconds(pace, count)
    if pace.seconds is not None:
        assert seconds * count <= pace.seconds
    assert (seconds == 0) is (pace is Pace.INSTANT)
    assert frame_seconds(pace, 0) == 0


@pytest.mark.parametrize(
    ("changes", "count"), [({}, 6), ({"reduced_motion": True}, 0)], ids=["moving", "still"]
)
async def test_the_sticks_tumble_after_a_throw(
    changes: dict[str, Any], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = table("senet", ("human", "random"))
    async with on_screen(session, settings(pace=Pace.STEP, **changes)) as (pilot, app):
        await until(pilot, lambda: game_screen(app).loop.is_held)
        screen = game_screen(app)
        played: list[int] = []

        def play(frames: list[EffectFrame], before: object) -> None:
            played.append(len(frames))

        monkeypatch.setattr(screen.panes.animation, "play", play)
        await pilot.press("full_stop")
        await until(pilot, lambda: session.match.ply == 1)
        assert sum(played) == count
        # The past and what is drawn again do not move.
        await pilot.press("left_square_bracket", "right_square_bracket")
        assert sum(played) == count


@pytest.mark.parametrize("pace", [Pace.FAST, Pace.NORMAL])
@pytest.mark.parametrize("count", [1, 6, 9, 40])
def test_no_picture_is_too_short_to_be_seen_and_the_last_is_shown(pace: Pace, count: int) -> None:
    frames = tuple(Picture.of([str(number)]) for number in range(count))
    shown = paced(frames, pace)
    assert shown[-1].picture == frames[-1]
    pictures = [frame.picture for frame in shown]
    assert pictures == [frame for frame in frames if frame in pictures], "in order"
    assert all(frame.seconds >= 0.03 for frame in shown)
    assert sum(frame.seconds for frame in shown) <= (pace.seconds or 0)
    assert paced(frames, Pace.INSTANT) == []
