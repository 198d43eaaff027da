"""A child process that can always be killed together with all its descendants.

The child is started by a `supervisor`, which kills it on request and when this process ends for any
reason. It has its own session, so that keys pressed in our terminal do not reach it. Lines go
through its standard input and output; this module does not interpret them. POSIX only.
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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from boardgames_cli.agents.remote.protocol import LineReader

_CHUNK: Final = 65536
_REAPING_SECONDS: Final = 6.0
"""How long the supervisor gets to kill all processes; it gives up a little earlier itself."""

_ENDING_SECONDS: Final = 0.5
"""How long a program may take to exit after closing a pipe."""

_SCRIPT: Final = str(Path(__file__).with_name("supervisor.py"))


class ProcessGone(Exception):
    """The process has exited or closed its pipes."""


class ChildProcess:
    """A running program.

    Only one thread at a time may read and write; any thread may `kill` or `close`. It ends with
    this object, too, and with this process, however that ends.

    Args:
        words: The program and its arguments; no shell is involved.
        environment: Its environment.
        log: The file for its standard error, up to 1 MiB; by default it is discarded.
        folder: Its working directory; by default the current one.
        memory: The bytes of data that each of its processes may hold; 0 is no limit.

    Raises:
        OSError: No process can be started. A program that can't be found exits at once instead;
            `close` reports it.
    """

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        log: Path | None = None,
        folder: Path | None = None,
        memory: int = 0,
    ) -> None:
        self._is_open = False
        ours, theirs = socket.socketpair()
        try:
            with open(log or os.devnull, "ab") as errors:  # noqa: PTH123  # it may be a device
                number = str(theirs.fileno())
                self._process = subprocess.Popen(  # noqa: S603  # no shell; the caller's words
                    [sys.executable, "-I", "-S", _SCRIPT, number, str(memory), *words],
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
        self._connection = ours
        self._owner = os.getpid()
        self._lock = threading.Lock()
        """Held by what reads, writes, or closes the pipes."""
        self._lines = LineReader()
        self._is_open = True
        self._is_killed = False
        self._has_fallen_silent = False
        """Whether it has closed a pipe, as exiting programs do."""
        self._ending = ""
        """How the program ended, as reported by the supervisor; empty if unknown."""
        self.has_spoken = False

    def __del__(self) -> None:
        self._release()

    @property
    def pid(self) -> int:
        """The pid of its supervisor, which exits after all other processes."""
        return self._process.pid

    @property
    def is_open(self) -> bool:
        """Whether it has been neither closed nor killed; it may have exited by itself."""
        return self._is_open and not self._is_killed

    @property
    def is_within_line(self) -> bool:
        """Whether it has written a part of a line."""
        return self._lines.has_more

    def write(self, data: bytes, seconds: float = 0.0) -> None:
        """Send bytes, and take what it writes meanwhile: blocked by that, it might not read.

        Raises:
            ProcessGone: It no longer reads.
            TimeoutError: It did not read them in time.
        """
        deadline = time.monotonic() + seconds
        left = memoryview(data)
        with self._lock:
            while left:
                if not self._is_open or self._input < 0:
                    raise ProcessGone
                try:
                    left = left[os.write(self._input, left) :]
                except BlockingIOError:
                    wishes = {self._input: select.POLLOUT, self._output: select.POLLIN}
                    ready = _wait_for(wishes, deadline)
                    if not ready:
                        raise TimeoutError from None
                    if self._output in ready:
                        self._take()
                except OSError as error:
                    self._has_fallen_silent = True
                    raise ProcessGone from error

    def read(self, seconds: float) -> bytes | None:
        """The next line; None after a timeout.

        Raises:
            ProcessGone: There is no more output.
            ValueError: The line is too long.
        """
        deadline = time.monotonic() + seconds
        with self._lock:
            while (line := self._lines.next()) is None:
                if not self._is_open:
                    raise ProcessGone
                if not _wait_for({self._output: select.POLLIN}, deadline):
                    return None
                self._take()
        return line

    def finish(self) -> None:
        """Close its standard input, so that it can exit by itself."""
        with self._lock, contextlib.suppress(OSError):
            if self._is_open and self._process.stdin is not None:
                self._input = -1
                self._process.stdin.close()

    def kill(self) -> None:
        """Kill it and all its descendants now."""
        # A fork of this process must not kill it. The supervisor sees the connection close.
        self._is_killed = True
        if not self._is_foreign:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_WR)

    def close(self, seconds: float = 0.0) -> str:
        """End it and release all resources.

        Args:
            seconds: How long it may take to exit by itself; a program that has closed a pipe gets a
                moment anyway.

        Returns:
            How it ended, in words, such as ``exit code 3``.
        """
        if self.is_open and not self._is_foreign:
            patience = max(seconds, _ENDING_SECONDS * self._has_fallen_silent)
            with contextlib.suppress(OSError, ValueError):
                _wait_for({self._connection.fileno(): select.POLLIN}, time.monotonic() + patience)
        self.kill()
        with self._lock:  # a blocked reader sees the end of the pipe and releases it
            self._release()
        return _in_words(self._ending)

    def _release(self) -> None:
        if not self._is_open:
            return
        self.kill()
        self._is_open = False
        if self._is_foreign:
            return
        try:
            self._process.wait(_REAPING_SECONDS)
        except subprocess.TimeoutExpired:  # the supervisor was stopped by a signal
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(_REAPING_SECONDS)
        self._connection.setblocking(False)
        with contextlib.suppress(OSError):
            self._ending = self._connection.recv(_CHUNK).decode(errors="replace")
        self._connection.close()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()

    @property
    def _is_foreign(self) -> bool:
        return os.getpid() != self._owner

    def _take(self) -> None:
        try:
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            raise ProcessGone from error
        if not data:
            self._has_fallen_silent = True
            raise ProcessGone
        self.has_spoken = True
        self._lines.feed(data)


def _wait_for(wishes: Mapping[int, int], deadline: float) -> set[int]:
    poll = select.poll()
    for pipe, wish in wishes.items():
        poll.register(pipe, wish)
    return {pipe for pipe, _ in poll.poll(max(0.0, deadline - time.monotonic()) * 1000)}


def _in_words(ending: str) -> str:
    what, _, which = ending.partition(" ")
    match what:
        case "exit":
            return f"exit code {which}"
        case "signal" | "stopped":
            how = "it was stopped by signal" if what == "stopped" else "signal"
            try:
                return f"{how} {signal.Signals(int(which)).name}"
            except ValueError:
                return f"{how} {which}"
        case "start":
            return f"it can't be started: {which}"
    return "its guard was killed"
