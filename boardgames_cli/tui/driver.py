"""A hardened terminal driver for Textual.

It survives input that is not UTF-8, a terminal that goes away, signals, and crashes of the program,
and always restores the terminal.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterable
from types import FrameType, TracebackType
from typing import IO, Any, Final, Protocol, Self

from textual._context import active_message_pump
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.message import Message
from textual.worker import WorkerFailed, active_worker

from boardgames_cli.core.plugins import is_confined
from boardgames_cli.session.session import Session
from boardgames_cli.storage.paths import log_error, log_file
from boardgames_cli.terminal.guard import TerminalGuard
from boardgames_cli.terminal.signals import SignalHandling
from boardgames_cli.terminal.streams import is_terminal
from boardgames_cli.tui.screens.frame import is_gone

_HUNG_UP: Final = 129
_BLOCK: Final = 4096
_LONGEST_WAIT: Final = 0.1


class TerminalDriver(LinuxDriver):
    """Textual's driver for POSIX terminals, hardened."""

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        # Textual draws on standard error, which may be redirected to a file.
        stream = sys.__stderr__ if is_terminal(sys.__stderr__) else sys.__stdout__
        assert stream is not None, "without a terminal there is no full screen"
        self._file: Any = _Lasting(stream)
        self.is_on_screen = False
        self._is_suspended = False
        self._must_stop = False
        """Whether a signal to stop has come, and none to continue since."""

    def start_application_mode(self) -> None:
        """Enter full-screen mode."""
        self.is_on_screen = True
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        """Leave full-screen mode."""
        super().stop_application_mode()
        self.is_on_screen = False

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Open a URL in a browser, but not for a visitor, since it would open on this machine."""
        if not is_confined():
            super().open_url(url, new_tab)

    # -- stopped and continued ---------------------------------------------------------------

    @property
    def can_suspend(self) -> bool:
        """Whether a shell started the program as a job of its own, which it can continue."""
        try:
            return os.getpgid(os.getsid(0)) != os.getpgrp()
        except OSError:  # the shell is gone
            return False

    def _sigtstp_application(self, *_: Any) -> None:
        if self._auto_restart:
            self._must_stop = True
            # Deferred, because the handler may have interrupted a write.
            self._loop.call_soon_threadsafe(self._suspend)
        else:
            os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: Any) -> None:
        self._must_stop = False
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._resume)

    def _suspend(self) -> None:
        if self._must_stop and self.is_on_screen:
            self.suspend_application_mode()
            self._is_suspended = True
        if self._must_stop:  # the signal to continue may have come in the meantime
            os.kill(os.getpid(), signal.SIGSTOP)

    def _resume(self) -> None:
        # SIGSTOP can't be caught. Entering full-screen mode twice would save the raw mode as the
        # original one, and read every key twice.
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
        """Read keys and mouse events until full-screen mode ends."""
        # Invalid UTF-8 comes from terminals with other encodings, and from pasted text.
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
            # Byte by byte, so that only the invalid ones are lost.
            for character in decode(read):
                try:
                    self._process(parser.feed(character))
                except (ValueError, ArithmeticError):
                    parser = XTermParser(self._debug)

    def _process(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)

    def process_message(self, message: Message) -> None:
        """Pass on a message; a size only if the terminal was asked for it."""
        if self._in_band_window_resize or not isinstance(message, Resize):
            super().process_message(message)

    def _read(self) -> bytes:
        """Read available input; empty if the terminal is gone."""
        try:
            return os.read(self.fileno, _BLOCK)
        except OSError:
            return b""

    def _call(self, function: Any, *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has already ended
            self._loop.call_soon_threadsafe(function, *arguments)


class _Lasting:
    """A stream that ignores write errors.

    Textual's writer thread must not die before the program, because other threads would wait for
    it.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> None:
        """Write, ignoring errors."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        """Flush, ignoring errors."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()


_PATIENCE: Final = 1.0
"""Seconds after which a second signal ends the program immediately."""


class OnScreen(Protocol):
    """What the signal handler needs from the application."""

    @property
    def is_on_screen(self) -> bool:
        """Whether the application is in full-screen mode."""
        ...

    def exit(self, result: None = None, return_code: int = 0) -> None:
        """End as soon as possible."""


class AppSignals(SignalHandling):
    """Ends an application on SIGINT, SIGTERM and SIGHUP.

    A signal before the first screen is mounted is deferred until then, since an application can't
    be stopped while it starts. Finally the terminal is restored.

    Args:
        app: The application.
    """

    def __init__(self, app: OnScreen) -> None:
        super().__init__()
        self._app = app
        self._guard: TerminalGuard | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._code = 0
        self._since = 0.0

    def __enter__(self) -> Self:
        self._guard = TerminalGuard()
        return super().__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._restore()
        super().__exit__(kind, error, traceback)

    def let_in(self) -> None:
        """Let pending and future signals take effect; called in the event loop."""
        self._loop = asyncio.get_running_loop()
        if self._code:
            self._end()

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if not self._code:
            self._code, self._since = 128 + number, now
            if self._loop is not None:
                with contextlib.suppress(RuntimeError):  # the event loop has already ended
                    self._loop.call_soon_threadsafe(self._end)
        elif now > self._since + _PATIENCE:
            self._restore()
            os._exit(128 + number)

    def _end(self) -> None:
        self._app.exit(return_code=self._code)

    def _restore(self) -> None:
        if self._guard is not None:
            self._guard.restore(is_on_screen=self._app.is_on_screen)


def is_taken_away(error: Exception) -> bool:
    """Whether an error came from a widget that is gone."""
    is_worker = isinstance(error, WorkerFailed)
    part = active_worker.get().node if is_worker else active_message_pump.get(None)
    return part is not None and is_gone(part)


def crash_report(error: Exception, session: Session | None) -> str:
    """The message about a crash; the details go to the error log.

    Args:
        error: The exception.
        session: The open session, if any.
    """
    message = f"boardgames crashed ({type(error).__name__}: {error})."
    if session is not None and session.journal is not None:
        saved = session.saving.warning or "The game is saved:"
        message += f"\n{saved} boardgames resume {session.journal.name}"
    try:
        path = log_error(error)
    except OSError:
        return f"{message}\nThe details could not be written to {log_file()}."
    if is_confined():  # visitors must not see this machine's paths
        return f"{message}\nThe owner of this server finds the details in its log."
    return f"{message}\nDetails for a report: {path}"
