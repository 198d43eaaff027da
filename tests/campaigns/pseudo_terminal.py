"""A pseudo-terminal whose settings are compared, and what the program left switched on in it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

from tests.e2e.screens import PATIENCE, environment

_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_KEYBOARD = re.compile(rb"\x1b\[([<>])[0-9]*u")
_ON_AT_FIRST = {7, 25}
"""Modes that every terminal has on: wrapping at the edge, a visible cursor."""

# The byte says that the interpreter is up: what a signal does before is not the program's affair.
_START = (
    "import os, runpy, sys; os.write({0}, b'x'); os.close({0}); "
    "sys.argv[0] = 'boardgames'; runpy.run_module('boardgames_cli', run_name='__main__')"
)


class PseudoTerminal:
    """The program as the leader of a session in a terminal of its own.

    Args:
        folder: Where it runs and saves.
        *words: The command line.
        **variables: Changes to the environment.
    """

    def __init__(self, folder: Path, *words: str, **variables: str) -> None:
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = self.settings
        self.raw = b""
        ready, tell = os.pipe()
        self.child = subprocess.Popen(
            [sys.executable, "-c", _START.format(tell), *words],
            cwd=folder,
            env=environment(folder, **variables),
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            pass_fds=(tell,),
            preexec_fn=self._take_terminal,
        )
        os.close(tell)
        assert os.read(ready, 1) == b"x"
        os.close(ready)

    def _take_terminal(self) -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    @property
    def settings(self) -> list[Any]:
        """The settings of the terminal now."""
        return termios.tcgetattr(self._slave)

    def pump(self, seconds: float) -> None:
        """Read for a while."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                self.raw += os.read(self._master, 65536)

    def wait_for(self, mark: bytes) -> bool:
        """Read until something came; whether it did before the end of the process."""
        deadline = time.monotonic() + PATIENCE
        while mark not in self.raw:
            assert time.monotonic() < deadline, self.raw[-500:]
            if self.child.poll() is not None:
                return False
            self.pump(0.005)
        return True

    def send(self, keys: str) -> None:
        """Type."""
        os.write(self._master, keys.encode())

    def kill(self, number: int) -> None:
        """Send a signal to the process."""
        self.child.send_signal(number)

    def wait_stopped(self) -> None:
        """Wait until the process is stopped; a shell lets it go on no sooner."""
        status = Path(f"/proc/{self.child.pid}/stat")
        deadline = time.monotonic() + PATIENCE
        while status.read_text().rsplit(")", 1)[1].split()[0] != "T":
            assert time.monotonic() < deadline, "it does not stop"
            self.pump(0.01)

    def end(self) -> int:
        """Read to the end; the exit code, or minus the signal that killed it."""
        deadline = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            if time.monotonic() > deadline:
                self.child.send_signal(signal.SIGKILL)
                raise AssertionError(f"it does not end: {self.raw[-500:]!r}")
            self.pump(0.01)
        self.pump(0.02)
        return self.child.returncode

    def close(self) -> None:
        """Give the terminal back to the system."""
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self._slave)
        os.close(self._master)

    @property
    def left_on(self) -> set[str]:
        """What the program has switched in the terminal and not switched back."""
        modes = dict.fromkeys(_ON_AT_FIRST, True)
        for numbers, sign in _MODE.findall(self.raw):
            for number in numbers.split(b";"):
                modes[int(number)] = sign == b"h"
        left = {
            f"mode {mode} is {'on' if is_on else 'off'}"
            for mode, is_on in modes.items()
            if is_on != (mode in _ON_AT_FIRST)
        }
        depth = 0
        for sign in _KEYBOARD.findall(self.raw):
            depth = depth + 1 if sign == b">" else max(0, depth - 1)
        return left | ({"the keyboard protocol is on"} if depth else set())
