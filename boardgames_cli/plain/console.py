"""Line-based input and output without control characters."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, TextIO

from boardgames_cli.core.presentation.view import Size
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.streams import (
    is_terminal,
    printable,
    read_line,
    without_controls,
    wrap_lines,
)

_FEWEST_ROWS = 18
_ROWS_FOR_TEXT = 6
_MEANWHILE_SECONDS: Final = 0.2


class EndOfInput(Exception):
    """The input has ended."""


class Console:
    """The input and output of the plain front end.

    Whatever waits for somebody raises `EndOfInput` where the input ends, and `Stopped` where a
    signal arrives.

    Args:
        interrupts: Lets signals in while a line is awaited.
        source: The input; None if there is none.
        out: The output for the game.
        notices: The output for notices, such as "thinking".
    """

    def __init__(
        self, interrupts: SignalWatch, source: TextIO | None, out: TextIO, notices: TextIO
    ) -> None:
        self._interrupts = interrupts
        self._source = source
        self._out = out
        self._notices = notices
        self._reads_terminal = is_terminal(source)
        self.shows_terminal = is_terminal(out)
        self.is_live = self._reads_terminal and self.shows_terminal

    @classmethod
    def standard(cls, interrupts: SignalWatch) -> Console:
        """The console of the process; missing streams are empty."""
        notices = sys.stderr or io.StringIO()
        return cls(interrupts, sys.stdin, sys.stdout or io.StringIO(), notices)

    @property
    def size(self) -> Size:
        """The space for one picture; scrolling output has no fixed height."""
        columns, rows = shutil.get_terminal_size()
        return Size(columns, max(_FEWEST_ROWS, rows - _ROWS_FOR_TEXT))

    @property
    def room(self) -> Size:
        """The space without the last column, because some terminals wrap a full line."""
        return Size(max(1, self.size.width - 1), self.size.height)

    def say(self, text: str = "") -> None:
        """Write text, wrapped to the width if the output is a terminal."""
        if self.shows_terminal:
            text = wrap_lines(text, self.size.width)
        self.put(text)

    def put(self, text: str) -> None:
        """Write text unchanged, such as data to be copied."""
        self._out.write(printable(text) + "\n")
        self._out.flush()

    def notice(self, text: str) -> None:
        """Show a notice to a waiting person; nothing is written if the output is not a terminal."""
        if is_terminal(self._notices):
            self._notices.write(printable(text) + "\n")
            self._notices.flush()

    def prompt(self, text: str) -> None:
        """Write a prompt, behind which a line is typed."""
        self._out.write(printable(text))
        self._out.flush()

    def ask(
        self, prompt: str, hidden: bool = False, meanwhile: Callable[[], None] | None = None
    ) -> str:
        """Read a line.

        Args:
            prompt: The prompt.
            hidden: Whether to turn off echo on a terminal.
            meanwhile: Called regularly, in another thread, while the line is awaited.
        """
        self.prompt(prompt)
        silent = _echo_off(self._source if hidden else None)
        with self._interrupts.waiting(), silent, _repeating(meanwhile):
            line = read_line(self._source) if self._source is not None else ""
        if not line:
            self._out.write("\n")
            raise EndOfInput
        if not self._reads_terminal or hidden:
            # A terminal echoes the input; in other output it is added, so that it reads as a
            # dialogue.
            self._out.write("\n" if hidden else printable(line.rstrip("\n")) + "\n")
        return (without_controls(line) if self._reads_terminal else line).strip()

    def wait(self, seconds: float) -> None:
        """Sleep."""
        with self._interrupts.waiting():
            if seconds > 0:
                time.sleep(seconds)


@contextlib.contextmanager
def _repeating(work: Callable[[], None] | None) -> Iterator[None]:
    """Do something regularly in another thread while this one is blocked."""
    if work is None:
        yield
        return
    is_over = threading.Event()

    def repeat() -> None:
        while not is_over.wait(_MEANWHILE_SECONDS):
            work()

    thread = threading.Thread(target=repeat, name="meanwhile", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@contextlib.contextmanager
def _echo_off(terminal: TextIO | None) -> Iterator[None]:
    if terminal is None or not is_terminal(terminal) or os.name != "posix":
        yield
        return
    import termios  # not on Windows

    before = termios.tcgetattr(terminal)
    silent = list(before)
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
