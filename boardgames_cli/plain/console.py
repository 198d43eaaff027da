"""Reading and writing lines, without a single control character."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import time
from collections.abc import Iterator
from typing import TextIO

from boardgames_cli.core.view import Size
from boardgames_cli.terminal.prose import wrap_lines
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.streams import is_terminal, printable

_FEWEST_ROWS = 18
_ROWS_FOR_TEXT = 6


class EndOfInput(Exception):
    """There are no more lines to read."""


class Console:
    """Where the plain front end reads and writes.

    Args:
        interrupts: Lets signals in while a line is awaited.
        source: Where lines come from; None if there is nothing to read.
        out: The game itself.
        notices: What is not part of the game, such as "thinking".
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
    def standard(cls, interrupts: SignalWatch, out: TextIO | None = None) -> Console:
        """The console of the process; a missing stream is replaced by nothing."""
        notices = sys.stderr or io.StringIO()
        return cls(interrupts, sys.stdin, out or sys.stdout or io.StringIO(), notices)

    @property
    def size(self) -> Size:
        """Room for one picture; a page that scrolls has no fixed height."""
        columns, rows = shutil.get_terminal_size()
        return Size(columns, max(_FEWEST_ROWS, rows - _ROWS_FOR_TEXT))

    def say(self, text: str = "") -> None:
        """Write a text as lines; a terminal gets none that is longer than it is wide."""
        if self.shows_terminal:
            text = wrap_lines(text, self.size.width)
        self.put(text)

    def put(self, text: str) -> None:
        """Write a text as it is, such as data to be copied."""
        self._out.write(printable(text) + "\n")
        self._out.flush()

    def notice(self, text: str) -> None:
        """Tell a person who waits what is going on; scripts and files don't want to know."""
        if is_terminal(self._notices):
            self._notices.write(printable(text) + "\n")
            self._notices.flush()

    def ask(self, prompt: str, hidden: bool = False) -> str:
        """Read a line.

        Args:
            prompt: What stands before the cursor.
            hidden: Whether a terminal is not to show what is typed.

        Raises:
            EndOfInput: There is none.
            Stopped: A signal came instead.
        """
        self._out.write(printable(prompt))
        self._out.flush()
        with self._interrupts.waiting(), _echo_off(self._source if hidden else None):
            line = self._source.readline() if self._source is not None else ""
        if not line:
            self._out.write("\n")
            raise EndOfInput
        if not self._reads_terminal or hidden:
            # A terminal shows what is typed; elsewhere the text would not read as a dialogue.
            self._out.write("\n" if hidden else printable(line.rstrip("\n")) + "\n")
        return line.strip()

    def wait(self, seconds: float) -> None:
        """Let time pass.

        Raises:
            Stopped: A signal came.
        """
        with self._interrupts.waiting():
            if seconds > 0:
                time.sleep(seconds)


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
