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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import IO, Any, Final, Self

from rich.cells import cell_len
from rich.cells import get_character_cell_size as _width
from rich.color import ColorSystem
from rich.console import Console
from rich.control import Control
from textual import constants
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual._context import active_message_pump
from textual._xterm_parser import (
    _MAX_SEQUENCE_SEARCH_THRESHOLD,
    BRACKETED_PASTE_END,
    BRACKETED_PASTE_START,
    XTermParser,
)
from textual.drivers.linux_driver import LinuxDriver
from textual.events import InputEvent, Key, Paste, Resize
from textual.message import Message
from textual.strip import Strip
from textual.worker import WorkerFailed, active_worker

from boardgames_cli.core.plugins import is_confined
from boardgames_cli.session.session import Session
from boardgames_cli.storage.paths import log_error, log_file
from boardgames_cli.terminal.guard import TerminalGuard
from boardgames_cli.terminal.signals import SignalHandling
from boardgames_cli.terminal.startup import end_at_once_again
from boardgames_cli.terminal.streams import CONTROL, CONTROL_STRINGS, is_terminal, seven_bits
from boardgames_cli.tui.screens.frame import is_gone

_HUNG_UP: Final = 129
_BLOCK: Final = 4096
ESCAPE: Final = "\x1b"
KEYS_AT_ONCE: Final = ("ctrl+c", "ctrl+q", "ctrl+z")
"""The keys of the application, which count before anything is shown."""

_LONGEST_WAIT: Final = 0.1
_LONGEST_KEY: Final = _MAX_SEQUENCE_SEARCH_THRESHOLD + 1


class TerminalDriver(LinuxDriver):
    """Textual's driver for POSIX terminals, hardened."""

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        # Textual draws on standard error, which may be redirected to a file.
        stream = sys.__stderr__ if is_terminal(sys.__stderr__) else sys.__stdout__
        assert stream is not None, "without a terminal there is no full screen"
        self._file: Any = _Lasting(stream)
        self._shown: ShownCells = app.shown
        self.is_on_screen = False
        self._is_suspended = False
        self._must_stop = False
        """Whether a signal to stop has come, and none to continue since."""

    def start_application_mode(self) -> None:
        self.is_on_screen = True
        self._shown.forget()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        super().stop_application_mode()
        self.close()  # not before all is written
        self.is_on_screen = False

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Open a URL in a browser, but not for a visitor, since it would open on this machine."""
        if not is_confined():
            super().open_url(url, new_tab)

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

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:
            self._call(self._app._handle_exception, error)

    def run_input_thread(self) -> None:
        typed = TerminalInput()
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno], [], [], _LONGEST_WAIT)
            if not ready:
                self._process(typed.pause(_LONGEST_WAIT))
                continue
            read = self._read()
            if not read:
                self._call(self._app.exit, None, _HUNG_UP)
                return
            self._process(typed.feed(read))

    def _process(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)

    def process_message(self, message: Message) -> None:
        """Pass on a message; a size only if the terminal was asked for it.

        What is typed before anything is shown is not meant for what is shown then, except the keys
        of the application.
        """
        is_size = isinstance(message, Resize) and not self._in_band_window_resize
        is_key = isinstance(message, Key) and message.key in KEYS_AT_ONCE
        is_typed = isinstance(message, InputEvent | Paste) and not is_key
        if not is_size and (self._shown.has_text or not is_typed):
            super().process_message(message)

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, _BLOCK)
        except OSError:
            return b""

    def _call(self, function: Any, *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has already ended
            self._loop.call_soon_threadsafe(function, *arguments)


class _Parser(XTermParser):
    @property
    def is_in_sequence(self) -> bool:
        return self._timeout_time is not None

    def end_sequence(self) -> list[Message]:
        self._timeout_time = 0.0
        return [*self.tick()]


class TerminalInput:
    """Makes messages of what a terminal sends, for which Textual's parser gets only what it knows.

    It would take other control functions apart into keys: the answer to a question for a colour is
    a row of digits. These are swallowed whole, also if they come in parts or never end. A key with
    alt is swallowed, too, where it looks like their beginning or end: brackets, P, X, O, ^, _.
    """

    _PATIENCE: Final = 1.0
    """Seconds of silence after which the rest of a control function will not come."""

    def __init__(self) -> None:
        # Invalid UTF-8 comes from terminals with other encodings, and from pasted text.
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._parser = _Parser()
        self._held = ""
        self._silence = 0.0
        self._is_pasting = False

    def feed(self, read: bytes) -> Iterator[Message]:
        text = self._held + seven_bits(self._decode(read))
        self._held, self._silence = "", 0.0
        at = 0
        while at < len(text):
            control = CONTROL.match(text, at)
            if control is not None:
                yield from self._control(control[0])
                at = control.end()
            elif text[at] == ESCAPE:
                # What is longer than a key is not fed to the parser, so its middle may go.
                self._held = text[at : at + _LONGEST_KEY]
                self._held += ESCAPE if at + _LONGEST_KEY < len(text) and text[-1] == ESCAPE else ""
                return
            else:
                # One by one, so that only the invalid ones are lost.
                yield from self._parse(text[at])
                at += 1

    def pause(self, seconds: float) -> Iterator[Message]:
        self._silence += seconds
        if self._held == ESCAPE and self._silence >= constants.ESCAPE_DELAY:
            self._held = ""
            yield from self._control(ESCAPE)
        elif self._silence >= self._PATIENCE:
            self._held = ""
            if self._is_pasting and self._silence >= 5 * self._PATIENCE:
                yield from self._control(BRACKETED_PASTE_END)

    def _control(self, whole: str) -> Iterator[Message]:
        if self._is_pasting and whole != BRACKETED_PASTE_END:
            return
        self._is_pasting = whole == BRACKETED_PASTE_START
        if whole.startswith(CONTROL_STRINGS) or len(whole) >= _LONGEST_KEY:
            return
        yield from self._parse(whole)
        if self._parser.is_in_sequence:
            keys = self._parser.end_sequence()
            yield from keys if len(whole) <= len("\x1bx") else ()

    def _parse(self, text: str) -> Iterator[Message]:
        try:
            yield from self._parser.feed(text)
        except (ValueError, ArithmeticError):
            self._parser = _Parser()


class ShownCells:
    """What the terminal shows, so that it is sent nothing that it shows already."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}
        self.has_text = False
        """Whether anything was ever to be read."""

    def forget(self) -> None:
        self._cells.clear()

    def changes(
        self, update: LayoutUpdate | ChopsUpdate, console: Console, size: tuple[int, int]
    ) -> str:
        """What must be sent for an update of a screen of this size."""
        sent: list[str] = []
        text, last, end, between = "", "", (-1, -1), ""
        for (x, y), cell, width in _cells_of(update, console):
            if x + width > size[0] or y >= size[1]:
                continue
            goes_on = (x, y) == end and cell[1] == last
            if self._cells.get((x, y)) == cell:
                # A few cells that stay cost less than a jump over them.
                if goes_on and len(between) < _SHORTEST_JUMP:
                    between, end = between + cell[0], (x + width, y)
                continue
            self._put(x, y, cell, width)
            if goes_on:
                text += between
            else:
                sent.append(last.replace(_TEXT, text))
                text, last = "", cell[1]
                if (x, y) != end or between:
                    sent.append(Control.move_to(x, y).segment.text)
            text, between, end = text + cell[0], "", (x + width, y)
        sent.append(last.replace(_TEXT, text))
        self.has_text = self.has_text or any(one.strip() for one, _ in self._cells.values())
        return "".join(sent)

    def _put(self, x: int, y: int, cell: tuple[str, str], width: int) -> None:
        # Half of a wide character is overwritten: the terminal drops the other half.
        left, right = x, x + width
        while self._cells.get((left, y), _UNKNOWN)[0] == "":
            left -= 1
        while self._cells.get((right, y), _UNKNOWN)[0] == "":
            right += 1
        for lost in (*range(left, x), *range(x + width, right)):
            self._cells.pop((lost, y), None)
        self._cells[x, y] = cell
        self._cells.update({(covered, y): ("", "") for covered in range(x + 1, x + width)})


_SHORTEST_JUMP: Final = 8
_UNKNOWN: Final = "?", "?"
_TEXT: Final = "\0"
"""Stands for the text in the sequences of a style."""


def _cells_of(
    update: LayoutUpdate | ChopsUpdate, console: Console
) -> Iterator[tuple[tuple[int, int], tuple[str, str], int]]:
    x = y = 0
    segments: Iterable[Any] = update.__rich_console__(console, console.options)
    for text, style, control in segments:
        if control:
            _, x, y = control[0]
            continue
        look = _TEXT
        if style is not None:
            look = Strip.render_style(style, _TEXT, console._color_system or ColorSystem.TRUECOLOR)
        text = text.strip("\n")
        whole = cell_len(text)
        # Characters without a width stand in the cells before them: then it is sent in one piece.
        pieces = text if whole == sum(max(1, _width(one)) for one in text) else [text]
        for piece in filter(None, pieces):
            width = whole if piece is text else _width(piece)
            yield (x, y), (piece, look), width
            x += width


@dataclass(frozen=True)
class ChangedCells(CompositorUpdate):
    """An update of which only that is sent which the terminal does not show yet."""

    update: LayoutUpdate | ChopsUpdate
    shown: ShownCells
    size: tuple[int, int]

    def render_segments(self, console: Console) -> str:
        return self.shown.changes(self.update, console, self.size)


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
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()


_PATIENCE: Final = 1.0
"""Seconds after which a second signal ends the program immediately."""
_HAS_ALARM: Final = hasattr(signal, "alarm")
_STARVED: Final = 4
"""Seconds after which a signal ends a program that does not come to it."""


class AppSignals(SignalHandling):
    """Ends an application on SIGINT, SIGTERM and SIGHUP.

    A signal before the first screen is mounted is deferred until then, since an application can't
    be stopped while it starts. Finally the terminal is restored.
    """

    def __init__(self, app: Any) -> None:
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
        if self._code:  # another signal adds nothing now
            end_at_once_again()
            if _HAS_ALARM:
                signal.alarm(0)

    def let_in(self) -> None:
        """Let pending and future signals take effect; called in the event loop."""
        self._loop = asyncio.get_running_loop()
        if self._code:
            self._end()

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if not self._code:
            self._code, self._since = 128 + number, now
            if _HAS_ALARM:
                signal.signal(signal.SIGALRM, self._give_up)
                signal.alarm(_STARVED)
            if self._loop is not None:
                with contextlib.suppress(RuntimeError):  # the event loop has already ended
                    self._loop.call_soon_threadsafe(self._end)
        elif now > self._since + _PATIENCE:
            self._restore()
            os._exit(128 + number)

    def _give_up(self, number: int, frame: FrameType | None) -> None:
        # After the screen the game is closed, which may take its time.
        if self._app.is_on_screen or self._loop is None:
            self._restore()
            os._exit(self._code)

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
    """The message about a crash; the details go to the error log."""
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
