"""A real pseudo-terminal with the installed program in it, and a screen that can be read."""

from __future__ import annotations

import os
import re
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pexpect
import pyte

from boardgames_cli.storage.preferences import PreferencesFile
from tests.caches import own_cache

PATIENCE = 60.0
"""Seconds to wait for something that must come; only failures take so long."""

_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_ON_AT_FIRST = {7, 25}
"""Modes that every terminal has on: wrapping at the edge, a visible cursor."""

_SGR = re.compile(rb"\x1b\[([0-9;:]*)m")
_COLOURS = {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}


class Terminal:
    """The program in a terminal.

    Args:
        folder: Where it runs and saves.
        *words: The command line.
        program: What is run with it.
        size: Columns and rows.
        empty: Variables that are set to nothing.
        **variables: Changes to the environment; an empty text takes a variable away.
    """

    def __init__(
        self,
        folder: Path,
        *words: str,
        program: Sequence[str] = (sys.executable, "-m", "boardgames_cli"),
        size: tuple[int, int] = (80, 24),
        empty: tuple[str, ...] = (),
        **variables: str,
    ) -> None:
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.child = pexpect.spawn(
            program[0],
            [*program[1:], *words],
            cwd=str(folder),
            env=environment(folder, **variables) | dict.fromkeys(empty, ""),
            dimensions=(rows, columns),
            timeout=PATIENCE,
        )
        self.child.delaybeforesend = None
        self.first_mode = self.mode
        self.last_mode: list[Any] = []
        """How the terminal was left."""

    @property
    def mode(self) -> list[Any]:
        """How the terminal treats what is typed and written."""
        return termios.tcgetattr(self.child.child_fd)

    def pump(self, seconds: float = 0.05) -> None:
        try:
            new = self.child.read_nonblocking(65536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return
        self.raw += new
        self._stream.feed(new)

    def wait_for(self, pattern: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not re.search(pattern, self.text):
            assert time.monotonic() < deadline, f"no {pattern!r} on:\n{self.text}"
            assert self.child.isalive() or self._is_left_over(), f"it ended:\n{self.text}"
            self.pump()

    def wait_for_bytes(self, sign: bytes) -> None:
        """Wait until the program writes something, seen or not."""
        deadline = time.monotonic() + PATIENCE
        while sign not in self.raw:
            assert time.monotonic() < deadline, f"no {sign!r} in {self.raw[-2000:]!r}"
            assert self.child.isalive() or self._is_left_over(), f"it ended:\n{self.text}"
            self.pump(0.001)

    def _is_left_over(self) -> bool:
        before = len(self.raw)
        self.pump(0.5)
        return len(self.raw) > before

    def send(self, keys: str) -> None:
        self.child.send(keys)

    def kill(self, number: int) -> None:
        self.child.kill(number)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def end(self) -> int:
        """Read to the end and return the exit code (minus the signal if one killed it)."""
        deadline = time.monotonic() + PATIENCE
        while self.child.isalive():
            assert time.monotonic() < deadline, f"it does not end:\n{self.text}"
            self.pump()
        self.pump()
        self.last_mode = self.mode
        self.child.close()
        if self.child.exitstatus is None:
            return -int(self.child.signalstatus or 0)
        return int(self.child.exitstatus)

    def check_given_back(self) -> None:
        """The terminal, after the end, is as it was before the program."""
        assert self.last_mode == self.first_mode, "it is still in raw mode"
        modes = {
            int(number): sign == b"h"
            for numbers, sign in _MODE.findall(self.raw)
            for number in numbers.split(b";")
        }
        left = {mode for mode, is_on in modes.items() if is_on != (mode in _ON_AT_FIRST)}
        assert not left, f"modes that were left changed: {left}"
        assert self.raw.count(b"\x1b[>") <= self.raw.count(b"\x1b[<u"), "keyboard protocol"

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """An environment that says nothing but what the test wants."""
    kept = {
        name: os.environ[name] for name in ("PATH", "HOME", "VIRTUAL_ENV") if name in os.environ
    }
    config = folder / "config.toml"
    if not config.exists():
        PreferencesFile(config).remember(is_introduced=True)
    chosen = {
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "BOARDGAMES_SAVES": str(folder / "saves"),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": own_cache(folder / "cache"),
        "BOARDGAMES_CONFIG": str(config),
        **variables,
    }
    return kept | {name: value for name, value in chosen.items() if value}


def colours(raw: bytes) -> set[str]:
    """All colours that were set; 39 and 49, which take them away, are none."""
    found = set()
    for match in _SGR.finditer(raw):
        numbers = [int(part or 0) for part in re.split("[;:]", match[1].decode())]
        found |= {match[1].decode() for number in numbers[:1] if number in _COLOURS}
        found |= {match[1].decode() for number in numbers[1:] if number in _COLOURS - {38, 48}}
    return found
