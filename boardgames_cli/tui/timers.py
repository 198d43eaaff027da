"""Timers that fire even if they are late."""

from __future__ import annotations

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
        timer = super().set_timer(delay, callback, name=name, pause=pause)
        timer._skip = False  # its task has not begun; Textual has no argument for it
        return timer
