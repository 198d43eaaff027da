"""A program that runs beside ours and can always be ended, with everything that it started.

It is the leader of a session of its own, so that a key pressed in our terminal does not reach it
and one signal ends it with its children. It gets bytes on its standard input and sends bytes on its
standard output; what they mean is its user's business. POSIX only.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

_CHUNK: Final = 65536
_REAPING_SECONDS: Final = 5.0
"""How long to wait for a killed process; one in the middle of a system call may need a moment."""

LIFELINE_VARIABLE: Final = "BOARDGAMES_LIFELINE"
"""Tells a child the number of the pipe that ends when its parent does."""


class ProcessGone(Exception):
    """The process has ended or closed its pipes."""


class ChildProcess:
    """A running program.

    One thread at a time may read and write; any thread may `kill` or `close`.

    Args:
        words: The program and its arguments; no shell reads them.
        environment: Its environment.
        log: Where its standard error goes; nowhere if left out.
        has_lifeline: Whether it gets a pipe that ends with us; its number is in the environment
            under `LIFELINE_VARIABLE`.

    Raises:
        OSError: It can't be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        log: Path | None = None,
        *,
        has_lifeline: bool = False,
    ) -> None:
        lifeline = os.pipe() if has_lifeline else None
        try:
            self._process = _start(words, dict(environment), log, lifeline)
        finally:
            if lifeline is not None:
                os.close(lifeline[0])
        assert self._process.stdin is not None, "both are pipes"
        assert self._process.stdout is not None, "both are pipes"
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        for pipe in (self._input, self._output):
            os.set_blocking(pipe, False)
        self._pipes_lock = threading.Lock()
        self._is_open = True
        self._remains = _Remains(self._process, None if lifeline is None else lifeline[1])
        # Also when the program ends, and when nobody holds this object any more.
        self._finalizer = weakref.finalize(self, self._remains.end)

    @property
    def pid(self) -> int:
        """Its number, which is also that of its process group."""
        return self._process.pid

    @property
    def is_open(self) -> bool:
        """Whether it has neither been closed nor killed; it may have ended by itself."""
        return self._is_open and not self._remains.is_killed

    def write(self, data: bytes, seconds: float | None = None) -> None:
        """Send bytes.

        Raises:
            ProcessGone: It takes no more.
            TimeoutError: It did not take them in time.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        left = memoryview(data)
        with self._pipes_lock:
            while left:
                self._check_open()
                try:
                    left = left[os.write(self._input, left) :]
                except BlockingIOError:
                    _wait_for(self._input, select.POLLOUT, deadline)
                except OSError as error:
                    raise ProcessGone from error

    def read(self, seconds: float) -> bytes | None:
        """The bytes that have come; None if none came in time.

        Raises:
            ProcessGone: There will be no more.
        """
        with self._pipes_lock:
            self._check_open()
            try:
                _wait_for(self._output, select.POLLIN, time.monotonic() + seconds)
                data = os.read(self._output, _CHUNK)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError as error:
                raise ProcessGone from error
        if not data:
            raise ProcessGone
        return data

    def kill(self) -> None:
        """End it now, and everything in its session."""
        self._remains.kill()

    def close(self) -> str:
        """End it and release what it took.

        Returns:
            How it ended, in words, such as ``exit code 3``.
        """
        self.kill()
        with self._pipes_lock:  # a reader sees the end of the pipe at once and lets go of it
            self._is_open = False
            self._finalizer()
        return _ending(self._process.returncode)

    def _check_open(self) -> None:
        if not self._is_open:
            raise ProcessGone


class _Remains:
    """What must be cleaned up after a process; it outlives the object that stands for it."""

    def __init__(self, process: subprocess.Popen[bytes], lifeline: int | None) -> None:
        self._process = process
        self._lifeline = lifeline
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self.is_killed = False
        self._is_reaped = False

    def kill(self) -> None:
        with self._lock:
            self.is_killed = True
            # A process that has been reaped may have passed its number on; a fork of ours must
            # leave it alone.
            if not self._is_reaped and os.getpid() == self._owner:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        self.kill()
        with self._lock:
            if self._is_reaped or os.getpid() != self._owner:
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_REAPING_SECONDS)
            self._is_reaped = True
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            if self._lifeline is not None:
                os.close(self._lifeline)


def _start(
    words: Sequence[str],
    environment: dict[str, str],
    log: Path | None,
    lifeline: tuple[int, int] | None,
) -> subprocess.Popen[bytes]:
    inherited: tuple[int, ...] = ()
    if lifeline is not None:
        environment[LIFELINE_VARIABLE] = str(lifeline[0])
        inherited = (lifeline[0],)
    try:
        with open(log or os.devnull, "ab") as errors:  # noqa: PTH123  # it may be a device
            return subprocess.Popen(  # noqa: S603  # no shell; the words are the caller's own
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
                pass_fds=inherited,
                start_new_session=True,
            )
    except BaseException:
        if lifeline is not None:
            os.close(lifeline[1])
        raise


def _wait_for(pipe: int, what: int, deadline: float | None) -> None:
    """Wait until a pipe can be used, or has been closed at the other end.

    Raises:
        TimeoutError: The time is over.
    """
    poll = select.poll()
    poll.register(pipe, what)
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    if not poll.poll(None if left is None else left * 1000):
        raise TimeoutError


def _ending(code: int | None) -> str:
    if code is None:
        return "it can't be ended"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
