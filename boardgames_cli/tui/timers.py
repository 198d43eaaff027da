"""Timers that fire even if they are late, and pauses in which keys are ignored."""

from __future__ import annotations

import time
from typing import Final

from textual._callback import invoke
from textual.message_pump import MessagePump
from textual.timer import Timer, TimerCallback


class ReliableTimers(MessagePump):
    """A message pump whose one-shot timers always fire, even if late.

    Textual skips firings that a timer is late for. That is right for repeating timers. But a
    one-shot timer is lost if it expires before its task starts, because the process had no
    processor time. A table whose next step depends on such a timer would freeze, and an application
    would miss a resize.
    """

    def set_timer(
        self,
        delay: float,
        callback: TimerCallback | None = None,
        *,
        name: str | None = None,
        pause: bool = False,
    ) -> Timer:
        """Call something once, after a delay or as soon as possible after it.

        Args:
            delay: The delay in seconds.
            callback: The function to call.
            name: The timer's name, for debugging.
            pause: Whether it starts paused.

        Returns:
            The timer, which can be stopped.
        """

        async def ring() -> None:
            # It may be stopped once it has rung, while its message still waits.
            if timer._task is not None and callback is not None:
                await invoke(callback)

        timer = super().set_timer(delay, ring, name=name, pause=pause)
        timer._skip = False  # its task has not begun; Textual has no argument for it
        return timer


REST_SECONDS: Final = 0.7
"""Longer than the repeat interval of held keys on common systems."""

RESULT_SECONDS: Final = 1.5
"""The time a person needs to notice that the game is over."""


class KeyDebounce:
    """Decides when keys count: some time after a question has appeared, however many came before.

    Args:
        seconds: The time before an answer counts.
    """

    def __init__(self, seconds: float = RESULT_SECONDS) -> None:
        self._earliest = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._earliest
