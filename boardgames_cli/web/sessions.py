"""The sessions of a server: a program in a terminal for each visitor, and what shows it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import signal
import sys
import termios
import tty
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final, Protocol

from aiohttp import WSCloseCode, web

from boardgames_cli.core.errors import GameError
from boardgames_cli.web.visitors import Visitor

LEFT: Final = "You have left. Your games are saved."
IDLE: Final = "Nothing happened here for a while. Your games are saved."
STOPPED: Final = "The server was stopped. Your games are saved."
ELSEWHERE: Final = "The game goes on in another window."
FAILED: Final = "The program met an error. The owner of this server finds the details in its log."
MADE_ROOM: Final = "Somebody else needed the place while you were away. Your games are saved."
"""Messages for users who are disconnected."""

Size = tuple[int, int]
"""Columns and rows."""

_BLOCK: Final = 65536
_MOST_UNREAD: Final = 1 << 18
"""The maximum size of buffered input in bytes; more is dropped."""
_LONGEST_REASON: Final = 123
"""The maximum length of a websocket's close reason in bytes (RFC 6455)."""
_GRACE_SECONDS: Final = 5.0
"""How long a session may take to exit by itself."""
_ENDINGS: Final = {0, 129, 130, 143}
"""Exit codes of a normal end."""
_FOCUS_IN, _FOCUS_OUT = b"\x1b[I", b"\x1b[O"


class Viewer(Protocol):
    """What shows a session to its visitor."""

    async def send_bytes(self, data: bytes) -> None:
        """Show the program's output.

        Raises:
            ConnectionError: It has disconnected.
        """

    async def cut_off(self, reason: str) -> None:
        """Disconnect, with a sentence for the user."""


class Browser:
    """A connected browser: the other end of a websocket."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket

    async def send_bytes(self, data: bytes) -> None:
        """Show the program's output."""
        await self._socket.send_bytes(data)

    async def cut_off(self, reason: str, code: int = WSCloseCode.OK) -> None:
        """Disconnect, with a sentence for the user."""
        await self._socket.close(code=code, message=reason.encode()[:_LONGEST_REASON])


class ServedSession:
    """The program as used by one visitor.

    It keeps running without a viewer, so that a reload returns to the same screen.
    """

    def __init__(
        self, visitor: Visitor, words: Sequence[str], variables: Mapping[str, str]
    ) -> None:
        self.visitor = visitor
        self._variables = variables
        self.last_input = 0.0
        """The time of the last input, by the clock of the event loop."""
        self.gone = asyncio.Event()
        """Set when the program has ended."""
        self._words = words
        self._viewer: Viewer | None = None
        self._size: Size = (80, 24)
        self._reason = ""
        self._terminal = -1
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.WriteTransport | None = None
        self._pump: asyncio.Task[None] | None = None

    @property
    def is_watched(self) -> bool:
        return self._viewer is not None

    @property
    def is_ending(self) -> bool:
        return bool(self._reason)

    async def start(self, size: Size) -> None:
        """Start the program.

        Raises:
            GameError: Its folder can't be created, or no terminal or process can be started.
        """
        self.visitor.make_folder()
        try:
            self._terminal, inner = pty.openpty()
            try:
                self.resize(size)
                _prepare(inner)
                self._process = await asyncio.create_subprocess_exec(
                    # -P: a file in the visitor's folder must not shadow a module.
                    *(sys.executable, "-P", "-m", "boardgames_cli.web.seated", *self._words),
                    stdin=inner,
                    stdout=inner,
                    stderr=inner,
                    cwd=self.visitor.folder,
                    env={**self.visitor.environment(), **self._variables},
                    start_new_session=True,
                )
            finally:
                os.close(inner)
        except OSError as error:
            self._close()
            raise GameError(f"no session could be started ({error.strerror}).") from error
        self.last_input = asyncio.get_running_loop().time()
        self._pump = asyncio.create_task(self._show_output(await self._open_streams()))

    async def _open_streams(self) -> asyncio.StreamReader:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(_BLOCK)
        output, input = (os.fdopen(os.dup(self._terminal), mode, 0) for mode in ("rb", "wb"))
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), output)
        self._writer, _ = await loop.connect_write_pipe(asyncio.Protocol, input)
        return reader

    async def _show_output(self, output: asyncio.StreamReader) -> None:
        assert self._process is not None
        # On Linux a closed other end is reported as an error.
        with contextlib.suppress(OSError):
            while data := await output.read(_BLOCK):
                if self._viewer is not None:
                    await self._send(self._viewer, data)
        code = await self._process.wait()
        self._close()
        self.gone.set()
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            await viewer.cut_off(self._reason or (LEFT if code in _ENDINGS else FAILED))

    async def _send(self, viewer: Viewer, data: bytes) -> None:
        try:
            await viewer.send_bytes(data)
        except (ConnectionError, RuntimeError):  # it has disconnected
            self.detach(viewer)

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.abort()
        if self._terminal >= 0:
            os.close(self._terminal)
        self._terminal, self._writer = -1, None

    async def end(self, reason: str) -> None:
        """Let the program save and exit, and wait for it.

        Args:
            reason: A sentence for the user.
        """
        self._reason = self._reason or reason
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.gone.wait(), _GRACE_SECONDS)
        except TimeoutError:
            self.kill()
            await self.gone.wait()
        if self._pump is not None:
            await asyncio.wait([self._pump])  # callers may be cancelled; the pump must not

    def kill(self) -> None:
        """Kill the program and its children; every step has been saved."""
        self._reason = self._reason or STOPPED
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            if number == signal.SIGKILL:
                os.killpg(process.pid, number)
            else:
                # Its own method would also ask whether it has ended, and take the exit code away
                # from asyncio, which then complains of an unknown child.
                os.kill(process.pid, number)

    async def attach(self, viewer: Viewer, size: Size) -> None:
        """Show the session; a previous viewer is disconnected."""
        before, self._viewer = self._viewer, viewer
        if before is not None:
            await before.cut_off(ELSEWHERE)
        self.last_input = asyncio.get_running_loop().time()
        self.resize(size)
        # The program repaints after a stop, which a new screen needs.
        self._signal(signal.SIGCONT)
        self.type(_FOCUS_IN)

    def detach(self, viewer: Viewer) -> None:
        """Continue without a viewer, if it is still this one; real time stops meanwhile."""
        if self._viewer is viewer:
            self._viewer = None
            self.type(_FOCUS_OUT)

    def take_input(self, data: bytes) -> None:
        """Send what the visitor types to the program."""
        self.last_input = asyncio.get_running_loop().time()
        self.type(data)

    def type(self, data: bytes) -> None:
        if self._writer is not None and self._writer.get_write_buffer_size() < _MOST_UNREAD:
            self._writer.write(data)

    def resize(self, size: Size) -> None:
        """Tell the program the size of its terminal."""
        if self._terminal >= 0:
            columns, rows = size
            termios.tcsetwinsize(self._terminal, (rows, columns))


def _prepare(terminal: int) -> None:
    """Buffer keys without echo until the program is ready; newlines are output as usual."""
    tty.setraw(terminal)
    mode = termios.tcgetattr(terminal)
    mode[tty.OFLAG] |= termios.OPOST | termios.ONLCR
    termios.tcsetattr(terminal, termios.TCSANOW, mode)


class Sessions:
    """The sessions by visitor; each visitor has at most one.

    Args:
        words: The command line of each.
        variables: Returns further environment variables of a visitor's session.
        most: The maximum number of sessions; of those of one address, half as many.
        idle_seconds: The time after which an idle session ends.
    """

    def __init__(
        self,
        words: Sequence[str],
        variables: Callable[[Visitor], Mapping[str, str]],
        most: int,
        idle_seconds: float,
    ) -> None:
        self._words = tuple(words)
        self._variables = variables
        self._most = most
        self._idle_seconds = idle_seconds
        self._sessions: dict[str, ServedSession] = {}
        self._watchers: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._sessions)

    async def open(self, visitor: Visitor, size: Size) -> ServedSession:
        """The visitor's session, started if there is none.

        If there are too many, the session whose visitor has been away longest is ended.
        """
        async with self._opening:
            session = self._sessions.get(visitor.id)
            if session is not None and session.is_ending:
                await session.gone.wait()
            elif session is not None and not session.gone.is_set():
                if visitor.table in ("", session.visitor.table):
                    return session
                await session.end(ELSEWHERE)  # a link leads elsewhere
            await self._make_room(visitor)
            way = "--watch" if visitor.is_watching else "--table"
            linked = (way, visitor.table) if visitor.table else ()
            session = ServedSession(visitor, (*self._words, *linked), self._variables(visitor))
            await session.start(size)
            self._sessions[visitor.id] = session
            self._watch(self._end_when_idle(session))
            self._watch(self._forget(session))
            return session

    async def _make_room(self, visitor: Visitor) -> None:
        if self._is_closed:
            raise GameError(STOPPED)
        waiting = self._in_the_way(visitor)
        if waiting is not None:
            await waiting.end(MADE_ROOM)
            self._sessions.pop(waiting.visitor.id, None)

    def _in_the_way(self, visitor: Visitor) -> ServedSession | None:
        everybody = [*self._sessions.values()]
        near = [one for one in everybody if one.visitor.address == visitor.address != ""]
        most, most_near = self._most, (self._most + 1) // 2
        if len(near) >= most_near:
            crowd, refusal = near, f"There are {most_near} games from your address already."
        elif len(everybody) >= most:
            crowd, refusal = everybody, f"All tables are taken ({most})."
        else:
            return None
        unwatched = [session for session in crowd if not session.is_watched]
        if not unwatched:
            raise GameError(refusal, "Try again in a while.")
        return min(unwatched, key=lambda session: session.last_input)

    async def _forget(self, session: ServedSession) -> None:
        await session.gone.wait()
        if self._sessions.get(session.visitor.id) is session:
            del self._sessions[session.visitor.id]

    async def _end_when_idle(self, session: ServedSession) -> None:
        loop = asyncio.get_running_loop()
        while not session.gone.is_set():
            left = session.last_input + self._idle_seconds - loop.time()
            if left <= 0:
                await session.end(IDLE)
                return
            await asyncio.sleep(left)

    def _watch(self, watching: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(watching)
        self._watchers.add(task)
        task.add_done_callback(self._watchers.discard)

    async def close(self) -> None:
        """End all sessions; no new one is opened."""
        self._is_closed = True
        async with self._opening:  # sessions being opened must be closed, too
            pass
        await asyncio.gather(*(session.end(STOPPED) for session in [*self._sessions.values()]))
        for task in [*self._watchers]:
            task.cancel()

    def kill(self) -> None:
        """End all sessions without waiting for them."""
        for session in self._sessions.values():
            session.kill()
