"""A program that runs beside ours and can always be ended, with everything that it started.

Between it and us stands a guard (see `guard`), which is the one that ends it: when we say so, when
it uses more than it may, and when we end ourselves, however that happens. It leads a session of its
own, so that a key pressed in our terminal does not reach it. It gets bytes on its standard input
and sends bytes on its standard output; what they mean is its user's business. POSIX only.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boardgames_cli.agents import guard

_CHUNK: Final = 65536
_REAPING_SECONDS: Final = 6.0
"""How long to wait for a guard that ends the rest; it gives up by itself a little earlier."""

_ENDING_SECONDS: Final = 0.5
"""How long a program that has closed a pipe may need to end."""

_GUARD: Final = str(Path(guard.__file__))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use, together with everything that it starts; 0 is no limit."""

    memory: int = 0
    """Bytes."""
    cpu: float = 0.0
    """Seconds of processor time since the last `ChildProcess.restart_clock`."""


UNLIMITED: Final = Limits()


class ProcessGone(Exception):
    """The process has ended or closed its pipes."""


class ChildProcess:
    """A running program.

    One thread at a time may read and write; any thread may `kill` or `close`.

    Args:
        words: The program and its arguments; no shell reads them.
        environment: Its environment.
        log: Where its standard error goes, up to 1 MiB; nowhere if left out.
        folder: Where it runs; the current folder if left out.
        limits: What it may use.

    Raises:
        OSError: No process can be started. A program that can't be found ends at once instead;
            `close` says so.
    """

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        log: Path | None = None,
        folder: Path | None = None,
        limits: Limits = UNLIMITED,
    ) -> None:
        ours, theirs = socket.socketpair()
        try:
            with open(log or os.devnull, "ab") as errors:  # noqa: PTH123  # it may be a device
                number, memory = str(theirs.fileno()), str(limits.memory)
                self._process = subprocess.Popen(  # noqa: S603  # no shell; the caller's words
                    [sys.executable, "-I", "-S", _GUARD, number, memory, str(limits.cpu), *words],
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=dict(environment),
                    cwd=folder,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        assert self._process.stdin is not None, "both are pipes"
        assert self._process.stdout is not None, "both are pipes"
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        for pipe in (self._input, self._output):
            os.set_blocking(pipe, False)
        self._pipes_lock = threading.Lock()
        self._is_open = True
        self._has_fallen_silent = False
        """Whether it has closed a pipe, as one does that ends."""
        self._remains = _Remains(self._process, ours)
        # Also when the program ends, and when nobody holds this object any more.
        self._finalizer = weakref.finalize(self, self._remains.end)

    @property
    def pid(self) -> int:
        """The number of its guard, which ends after everything else."""
        return self._process.pid

    @property
    def is_open(self) -> bool:
        """Whether it has neither been closed nor killed; it may have ended by itself."""
        return self._is_open and not self._remains.is_killed

    def write(
        self,
        data: bytes,
        seconds: float | None = None,
        take: Callable[[bytes], None] | None = None,
    ) -> None:
        """Send bytes.

        Args:
            data: The bytes.
            seconds: How long to wait for it to take them; None is without limit.
            take: Takes what it sends meanwhile; one that waits for us to read may not read itself.

        Raises:
            ProcessGone: It takes no more.
            TimeoutError: It did not take them in time.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        left = memoryview(data)
        with self._pipes_lock:
            while left:
                self._check_open()
                if self._input < 0:
                    raise ProcessGone
                try:
                    left = left[os.write(self._input, left) :]
                except BlockingIOError:
                    self._make_room(deadline, take)
                except OSError as error:
                    self._has_fallen_silent = True
                    raise ProcessGone from error

    def read(self, seconds: float) -> bytes | None:
        """The bytes that have come; None if none came in time.

        Raises:
            ProcessGone: There will be no more.
        """
        with self._pipes_lock:
            self._check_open()
            try:
                _wait_for({self._output: select.POLLIN}, time.monotonic() + seconds)
                data = os.read(self._output, _CHUNK)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError as error:
                raise ProcessGone from error
        if not data:
            self._has_fallen_silent = True
            raise ProcessGone
        return data

    @property
    def memory(self) -> int:
        """Bytes of memory that it uses with all that it has started; 0 where nobody can tell."""
        pages = sum(int(fields[21]) for fields in guard.family(self.pid))
        return pages * os.sysconf("SC_PAGE_SIZE")

    def restart_clock(self) -> None:
        """Begin a new count of its processor time."""
        self._remains.restart_clock()

    def finish(self) -> None:
        """Send it nothing more, so that it can end by itself."""
        with self._pipes_lock:
            if self._is_open:
                self._remains.close_input()
                self._input = -1

    def kill(self) -> None:
        """End it now, and everything that it has started."""
        self._remains.kill()

    def close(self, seconds: float = 0.0) -> str:
        """End it and release what it took.

        Args:
            seconds: How long it may take to end by itself; one that has closed a pipe gets a
                moment anyway.

        Returns:
            How it ended, in words, such as ``exit code 3``.
        """
        self._remains.await_end(max(seconds, _ENDING_SECONDS * self._has_fallen_silent))
        self.kill()
        with self._pipes_lock:  # a reader sees the end of the pipe and releases it
            self._is_open = False
            self._finalizer()
        return _in_words(self._remains.ending)

    def _make_room(self, deadline: float | None, take: Callable[[bytes], None] | None) -> None:
        """Wait until it takes more, or sends something that is in the way.

        Raises:
            ProcessGone: It takes no more.
            TimeoutError: The time is over.
        """
        wishes = {self._input: select.POLLOUT}
        if take is not None:
            wishes[self._output] = select.POLLIN
        if self._output in _wait_for(wishes, deadline) and take is not None:
            with contextlib.suppress(BlockingIOError):
                data = os.read(self._output, _CHUNK)
                if not data:
                    self._has_fallen_silent = True
                    raise ProcessGone
                take(data)

    def _check_open(self) -> None:
        if not self._is_open:
            raise ProcessGone


class _Remains:
    """What must be cleaned up after a process; it outlives the object that stands for it."""

    def __init__(self, process: subprocess.Popen[bytes], connection: socket.socket) -> None:
        self._process = process
        self._connection = connection
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self.is_killed = False
        self.ending = ""
        """How the program ended, in the guard's words; empty if that is not known."""
        self._is_reaped = False

    def restart_clock(self) -> None:
        with self._lock, contextlib.suppress(OSError):
            if not self._is_reaped:
                self._connection.send(b"g")

    def close_input(self) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def await_end(self, seconds: float) -> None:
        """Wait for the program to end by itself."""
        if self.is_killed or self._is_reaped or self._is_foreign:
            return
        with contextlib.suppress(TimeoutError, OSError, ValueError):
            _wait_for({self._connection.fileno(): select.POLLIN}, time.monotonic() + seconds)

    def kill(self) -> None:
        # A fork of ours must leave it alone. The guard sees the end of the connection.
        self.is_killed = True
        if not self._is_foreign:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_WR)

    def end(self) -> None:
        self.kill()
        with self._lock:
            if self._is_reaped or self._is_foreign:
                return
            try:
                self._process.wait(_REAPING_SECONDS)
            except subprocess.TimeoutExpired:  # the guard was stopped by a signal
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait(_REAPING_SECONDS)
            self._is_reaped = True
            self._connection.setblocking(False)
            with contextlib.suppress(OSError):
                self.ending = self._connection.recv(_CHUNK).decode(errors="replace")
            self._connection.close()
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()

    @property
    def _is_foreign(self) -> bool:
        return os.getpid() != self._owner


def _wait_for(wishes: Mapping[int, int], deadline: float | None) -> set[int]:
    """Wait until pipes can be used as wished, or have been closed at the other end.

    Returns:
        Those that can.

    Raises:
        TimeoutError: The time is over.
    """
    poll = select.poll()
    for pipe, wish in wishes.items():
        poll.register(pipe, wish)
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    ready = poll.poll(None if left is None else left * 1000)
    if not ready:
        raise TimeoutError
    return {pipe for pipe, _ in ready}


def _in_words(ending: str) -> str:
    """How a program ended, from what its guard says."""
    what, _, which = ending.partition(" ")
    match what:
        case "exit":
            return f"exit code {which}"
        case "signal":
            try:
                return f"signal {signal.Signals(int(which)).name}"
            except ValueError:
                return f"signal {which}"
        case "memory":
            return "it used more memory than it may"
        case "cpu":
            return "it used more processor time than it may"
        case "start":
            return f"it can't be started: {which}"
    return "its guard was killed"
