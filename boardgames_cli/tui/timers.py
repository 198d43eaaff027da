"""Timers that ring however late they are."""

from __future__ import annotations

from textual.message_pump import MessagePump
from textual.timer import Timer, TimerCallback


class SureTimers(MessagePump):
    """Something whose timers ring once, late on a busy machine, and never not at all.

    Textual leaves out what a timer is late for. That is right for one that rings again and again;
    one that rings once is lost, if its time is over before its task begins: the process had no
    processor for that long. A table, whose next step is such a timer of a millisecond, then stood
    still, and an application never noticed another new size.
    """

    def set_timer(
        self,
        delay: float,
        callback: TimerCallback | None = None,
        *,
        name: str | None = None,
        pause: bool = False,
    ) -> Timer:
        """Call something once, after a number of seconds or as soon as possible after them.

        Args:
            delay: Seconds.
            callback: What is called.
            name: The timer's name, for debugging.
            pause: Whether it begins only when it is resumed.

        Returns:
            The timer, which can be stopped.
        """
        timer = super().set_timer(delay, callback, name=name, pause=pause)
        timer._skip = False  # its task has not begun; Textual has no argument for it
        return timer
