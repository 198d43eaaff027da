"""How Textual reads and writes our terminal: what Textual's own driver lacks.

Bytes that are not UTF-8, a terminal that goes away, and SIGSTOP don't end the program badly.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterable
from typing import IO, Any, Final

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.message import Message

from boardgames_cli.core.confinement import is_confined
from boardgames_cli.terminal.streams import is_terminal

_HUNG_UP: Final = 129
_BLOCK: Final = 4096
_LONGEST_WAIT: Final = 0.1


class TerminalDriver(LinuxDriver):
    """Textual's driver for POSIX terminals, hardened."""

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        # Textual draws on standard error, which may lead to a file.
        stream = sys.__stderr__ if is_terminal(sys.__stderr__) else sys.__stdout__
        assert stream is not None, "without a terminal there is no full screen"
        self._file: Any = _Lasting(stream)
        self.is_on_screen = False
        self._is_suspended = False

    def start_application_mode(self) -> None:
        """Enter the screen."""
        self.is_on_screen = True
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        """Leave the screen."""
        super().stop_application_mode()
        self.is_on_screen = False

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Open an address in a browser, but not for a visitor: it would be this machine's."""
        if not is_confined():
            super().open_url(url, new_tab)

    # -- stopped and continued ---------------------------------------------------------------

    def _sigtstp_application(self, *_: Any) -> None:
        if self._auto_restart:
            # Not in the handler: it may have interrupted a write, which would never go on.
            self._loop.call_soon_threadsafe(self._suspend)
        else:
            os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: Any) -> None:
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._resume)

    def _suspend(self) -> None:
        if self.is_on_screen:
            self.suspend_application_mode()
            self._is_suspended = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _resume(self) -> None:
        # SIGSTOP can't be noticed. Entering the screen twice would remember the raw mode as the
        # one to go back to, and read every key twice.
        if self.is_on_screen:
            self.suspend_application_mode()
        elif not self._is_suspended:
            return
        self._is_suspended = False
        self._must_signal_resume = True
        self.resume_application_mode()
        self._app.refresh(layout=True)

    # -- input -------------------------------------------------------------------------------

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:
            self._call(self._app._handle_exception, error)

    def run_input_thread(self) -> None:
        """Read keys and the mouse until the screen is left."""
        # A terminal with another encoding sends such bytes, and so does a paste.
        decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        parser = XTermParser(self._debug)
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno], [], [], _LONGEST_WAIT)
            if not ready:
                self._process(parser.tick())
                continue
            read = self._read()
            if not read:
                self._call(self._app.exit, None, _HUNG_UP)
                return
            # One by one, so that only what makes no sense is lost and nothing behind it.
            for character in decode(read):
                try:
                    self._process(parser.feed(character))
                except (ValueError, OverflowError):
                    parser = XTermParser(self._debug)

    def _process(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)

    def process_message(self, message: Message) -> None:
        """Pass on what was read; a size only if the terminal was asked for it."""
        if self._in_band_window_resize or not isinstance(message, Resize):
            super().process_message(message)

    def _read(self) -> bytes:
        """What has come; nothing if the terminal is gone."""
        try:
            return os.read(self.fileno, _BLOCK)
        except OSError:
            return b""

    def _call(self, function: Any, *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(function, *arguments)


class _Lasting:
    """A stream that swallows what can't be written any more.

    The thread that writes must not end before the program: everybody else would wait for it.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> None:
        """Write, if there is still somebody to see it."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        """Write what is held back, if there is still somebody to see it."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()
