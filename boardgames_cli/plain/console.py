"""Line-based input and output without control characters."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import select
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, TextIO

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.presentation.view import Size
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.streams import (
    LONGEST_LINE,
    is_terminal,
    printable,
    read_line,
    without_controls,
    wrap_lines,
)

_FEWEST_ROWS = 18
_ROWS_FOR_TEXT = 6
_MEANWHILE_SECONDS: Final = 0.05
"""The pause between two looks at what else has happened while a line is awaited."""


_CHUNK: Final = 4096


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
        self._lines: AwaitedLines | None = None
        """Reads in place of the source once something else is awaited, too."""
        self._kept: list[str] = []
        self.reads_terminal = is_terminal(source)
        self.shows_terminal = is_terminal(out)
        self.is_live = self.reads_terminal and self.shows_terminal

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

    def ask(self, prompt: str, hidden: bool = False) -> str:
        """Read a line.

        Args:
            prompt: The prompt.
            hidden: Whether to turn off echo on a terminal.
        """
        self.prompt(prompt)
        with _echo_off(self._source if hidden else None):
            line = self._read()
            while line is None:
                line = self._read()
        return self._answer(line, hidden)

    def await_lines(self) -> None:
        """Await lines beside other things from now on; what was typed before answers nothing."""
        if self._lines is None and self._source is not None:
            _forget_typed(self._source)
            self._lines = AwaitedLines(self._source)

    def ask_until(
        self, prompt: str, is_void: Callable[[], bool], hidden: bool = False
    ) -> str | None:
        """Read a line like `ask`, unless the question becomes void; None then.

        It is asked regularly whether it is, where the prompt may be written again.
        """
        self.await_lines()
        self.prompt(prompt)
        with _echo_off(self._source if hidden else None):
            while (line := self._read()) is None:
                if is_void():
                    self._out.write("\n")
                    return None
        return self._answer(line, hidden)

    def overhear(self) -> str | None:
        """Read a line that is typed although nothing was asked; None if there is none right now."""
        self.await_lines()
        line = None if self._kept else self._read()
        if line == "" and self.reads_terminal:
            raise EndOfInput
        if line:
            return line.strip()
        if line is not None or self._kept:
            self.wait(_MEANWHILE_SECONDS)
        return None

    def keep(self, line: str) -> None:
        """Let what was overheard answer the next question; nothing is overheard until then."""
        self._kept.append(f"{line}\n")

    def _read(self) -> str | None:
        if self._kept:
            return self._kept.pop(0)
        if self._source is None:
            return ""
        with self._interrupts.waiting():
            lines = self._lines
            return read_line(self._source) if lines is None else lines.take(_MEANWHILE_SECONDS)

    def _answer(self, line: str, hidden: bool) -> str:
        if not line:
            self._out.write("\n")
            raise EndOfInput
        if not self.reads_terminal or hidden:
            # A terminal echoes the input; in other output it is added, so that it reads as a
            # dialogue.
            self._out.write("\n" if hidden else printable(line.rstrip("\n")) + "\n")
        return (without_controls(line) if self.reads_terminal else line).strip()

    def wait(self, seconds: float) -> None:
        with self._interrupts.waiting():
            if seconds > 0:
                time.sleep(seconds)


class AwaitedLines:
    """The lines of a source, none of which is awaited for long.

    Where the system can tell whether there is something to read, nothing is left waiting for it: a
    thread that does could not be stopped when the program ends.
    """

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self._descriptor = _descriptor(source)
        self._begun = b""
        self._is_reading = False
        self._inbox: queue.SimpleQueue[str | GameError] = queue.SimpleQueue()

    def take(self, seconds: float) -> str | None:
        """The next line with its end, empty at the end of the input; None without one in time."""
        if self._descriptor is not None:
            return self._select(self._descriptor, seconds)
        if not self._is_reading:
            self._is_reading = True
            threading.Thread(target=self._read, name="lines", daemon=True).start()
        try:
            found = self._inbox.get(timeout=seconds)
        except queue.Empty:
            return None
        self._is_reading = False
        if isinstance(found, GameError):
            raise found
        return found

    def _read(self) -> None:
        try:
            self._inbox.put(read_line(self._source))
        except GameError as error:
            self._inbox.put(error)

    def _select(self, descriptor: int, seconds: float) -> str | None:
        while b"\n" not in self._begun and len(self._begun) <= LONGEST_LINE:
            if not _is_in_front(descriptor):
                time.sleep(seconds)
                return None
            if not select.select([descriptor], [], [], seconds)[0]:
                return None
            try:
                data = os.read(descriptor, _CHUNK)
            except OSError:  # of a terminal that is gone
                data = b""
            if not data:
                break
            self._begun += data
        line, end, self._begun = self._begun.partition(b"\n")
        text = (line + end).decode(self._source.encoding, "replace")
        return read_line(io.StringIO(text))


def _descriptor(source: TextIO) -> int | None:
    try:
        return source.fileno() if os.name == "posix" else None
    except (OSError, AttributeError):
        return None


def _is_in_front(descriptor: int) -> bool:
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:  # no terminal, or not the one that controls this process
        return True


def _forget_typed(terminal: TextIO) -> None:
    if is_terminal(terminal) and os.name == "posix" and _is_in_front(terminal.fileno()):
        import termios  # not on Windows

        with contextlib.suppress(termios.error):
            termios.tcflush(terminal, termios.TCIFLUSH)


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
