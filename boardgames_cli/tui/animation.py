"""Pictures shown one after the other between two states; nobody waits for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from boardgames_cli.core.text import Picture
from boardgames_cli.session.setup import Pace
from boardgames_cli.tui.game_loop import Alarm

_SHARE: Final = 0.65
"""The part of a step's time in which something moves; in the rest one sees where it came to."""

_LONGEST_FRAME: Final = 0.15
"""Seconds; a short way is not walked slowly only because there is time."""

_SHORTEST_FRAME: Final = 0.03
"""Seconds; more pictures than that nobody sees, and each must be drawn."""


def frame_seconds(pace: Pace, count: int) -> float:
    """Seconds for each of a number of frames at a pace; 0 if they are left out."""
    # Step by step there is all the time one wants; the usual pace looks right.
    seconds = pace.seconds if pace.seconds is not None else Pace.NORMAL.seconds
    return min(_SHARE * (seconds or 0.0) / count, _LONGEST_FRAME) if count else 0.0


def paced(frames: Sequence[Picture], pace: Pace) -> tuple[Sequence[Picture], float]:
    """As many frames as one can see at a pace, the last among them, and the seconds for each."""
    seconds = frame_seconds(pace, len(frames))
    if 0 < seconds < _SHORTEST_FRAME:
        frames = frames[::-1][:: math.ceil(_SHORTEST_FRAME / seconds)][::-1]
        seconds = frame_seconds(pace, len(frames))
    return frames, seconds


class Animation:
    """Shows some pictures in turn, by timers.

    Args:
        set_timer: Calls something after a number of seconds.
        changed: Another picture is to be shown, or none any more.
    """

    def __init__(
        self, set_timer: Callable[[float, Callable[[], None]], Alarm], changed: Callable[[], None]
    ) -> None:
        self._set_timer = set_timer
        self._changed = changed
        self._frames: tuple[Picture, ...] = ()
        self._place = 0
        self._run = 0
        self._alarm: Alarm | None = None

    @property
    def picture(self) -> Picture | None:
        """The picture to show in place of the board; None if nothing moves."""
        return self._frames[self._place] if self._frames else None

    def play(self, frames: Sequence[Picture], seconds: float) -> None:
        """Begin; an older one is broken off.

        Args:
            frames: The pictures.
            seconds: How long each is shown; 0 shows none.
        """
        self.stop()
        if frames and seconds > 0:
            self._frames, self._place = tuple(frames), 0
            self._arm(seconds)

    def stop(self) -> None:
        """Show the board itself from now on."""
        self._run += 1
        self._frames = ()
        if self._alarm is not None:
            self._alarm.stop()
            self._alarm = None

    def _arm(self, seconds: float) -> None:
        run = self._run
        self._alarm = self._set_timer(seconds, lambda: self._next(run, seconds))

    def _next(self, run: int, seconds: float) -> None:
        # A timer that was stopped may have rung already and still be on its way.
        if run != self._run:
            return
        if self._place + 1 < len(self._frames):
            self._place += 1
            self._arm(seconds)
        else:
            self.stop()
        self._changed()
