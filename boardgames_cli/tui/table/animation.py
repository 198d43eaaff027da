"""Animations between two states, which never delay the game."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from boardgames_cli.core.text import Picture
from boardgames_cli.session.setup import Pace
from boardgames_cli.tui.table.game_loop import Alarm

_SHARE: Final = 0.65
"""The share of a step's time used for motion; the rest shows the result."""

_LONGEST_FRAME: Final = 0.15
"""The longest duration of a frame in seconds, so that short moves are not slow."""

_SHORTEST_FRAME: Final = 0.03
"""The shortest duration of a frame in seconds; faster frames would not be seen."""


def frame_seconds(pace: Pace, count: int) -> float:
    """The duration of each frame in seconds at a pace; 0 for no animation."""
    # Stepping has no time limit, so the normal pace is used.
    seconds = pace.seconds if pace.seconds is not None else Pace.NORMAL.seconds
    return min(_SHARE * (seconds or 0.0) / count, _LONGEST_FRAME) if count else 0.0


def paced(frames: Sequence[Picture], pace: Pace) -> tuple[Sequence[Picture], float]:
    """A subset of frames that fits a pace, including the last, and the seconds for each."""
    seconds = frame_seconds(pace, len(frames))
    if 0 < seconds < _SHORTEST_FRAME:
        frames = frames[::-1][:: math.ceil(_SHORTEST_FRAME / seconds)][::-1]
        seconds = frame_seconds(pace, len(frames))
    return frames, seconds


class Animation:
    """Shows pictures one after the other, driven by timers.

    Args:
        set_timer: Calls a function after a number of seconds.
        changed: Called when the picture to show has changed.
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
        """The current frame; None if there is no animation."""
        return self._frames[self._place] if self._frames else None

    def play(self, frames: Sequence[Picture], seconds: float) -> None:
        """Start an animation, ending the previous one.

        Args:
            frames: The pictures.
            seconds: The duration of each frame; 0 for no animation.
        """
        self.stop()
        if frames and seconds > 0:
            self._frames, self._place = tuple(frames), 0
            self._arm(seconds)

    def stop(self) -> None:
        """End the animation."""
        self._run += 1
        self._frames = ()
        if self._alarm is not None:
            self._alarm.stop()
            self._alarm = None

    def _arm(self, seconds: float) -> None:
        run = self._run
        self._alarm = self._set_timer(seconds, lambda: self._next(run, seconds))

    def _next(self, run: int, seconds: float) -> None:
        # A stopped timer may have fired already, with its event still in the queue.
        if run != self._run:
            return
        if self._place + 1 < len(self._frames):
            self._place += 1
            self._arm(seconds)
        else:
            self.stop()
        self._changed()
