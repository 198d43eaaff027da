"""Restores the terminal after the program, even after a crash."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from typing import Any, Final

try:
    import termios
except ImportError:  # not on Windows, where a console resets its mode itself
    termios = None  # type: ignore[assignment]

RESET: Final = "".join(
    (
        "\x1b[?2026l",  # synchronized output
        "\x1b[?2004l",  # pasting
        "\x1b[?2048l",  # reports of the size
        "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l",  # the mouse
        "\x1b[?1004l",  # reports of the focus
        "\x1b[<u",  # the keyboard protocol, which belongs to the alternate screen
        "\x1b[?7h",  # line wrap
        "\x1b[?1049l",  # the main screen
        "\x1b[?25h",  # the cursor
    )
)
"""Sequences of xterm and kitty that turn off every mode a full-screen program may have set."""


class TerminalGuard:
    """Saves the terminal's mode on construction, and restores it."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._mode: list[Any] | None = None
        with contextlib.suppress(OSError, ValueError, AttributeError):
            self._number = sys.stdin.fileno()
            self._mode = None if termios is None else _mode(self._number)

    def restore(self, *, is_on_screen: bool) -> None:
        """Restore the mode.

        Args:
            is_on_screen: Whether the program is still in full-screen mode, which is then left.
        """
        if self._number is None or self._mode is None:
            return
        if is_on_screen:
            with contextlib.suppress(OSError, ValueError):
                # A terminal that takes nothing must not keep the program.
                if select.select([], [self._number], [], 0)[1]:
                    os.write(self._number, RESET.encode())
        if _mode(self._number) not in (None, self._mode):
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._number, termios.TCSANOW, self._mode)


def _mode(number: int) -> list[Any] | None:
    try:
        return termios.tcgetattr(number)
    except termios.error:
        return None
