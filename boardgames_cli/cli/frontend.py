"""Chooses the front end."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

SMALLEST: Final = (60, 20)
"""The smallest terminal for the full screen, in columns and rows."""


class Front(Enum):
    """A front end."""

    JSON = "json"
    PLAIN = "plain"
    TUI = "tui"


@dataclass(frozen=True, slots=True)
class TerminalInfo:
    """The environment of the process."""

    stdin_is_terminal: bool
    stdout_is_terminal: bool
    environment: Mapping[str, str]
    size: tuple[int, int]
    """Columns and rows."""
    is_posix: bool = True

    @property
    def is_dumb(self) -> bool:
        """Whether it obeys no control sequences; Windows names no kind of terminal."""
        return self.environment.get("TERM", "" if self.is_posix else "windows") in ("", "dumb")

    @property
    def wants_no_colors(self) -> bool:
        return bool(self.environment.get("NO_COLOR"))

    @classmethod
    def here(cls) -> TerminalInfo:
        from shutil import get_terminal_size

        from boardgames_cli.terminal.streams import is_terminal

        columns, rows = get_terminal_size()
        return cls(
            is_terminal(sys.stdin),
            is_terminal(sys.stdout),
            os.environ,
            (columns, rows),
            os.name == "posix",
        )


def choose(place: TerminalInfo, *, json: bool, plain: bool, no_color: bool) -> tuple[Front, str]:
    """Choose a front end, with the reason; the first condition that holds decides."""
    environment = place.environment
    if json:
        return Front.JSON, "--json was given"
    if no_color or plain:
        return Front.PLAIN, f"--{'no-color' if no_color else 'plain'} was given"
    if environment.get("TEXTUAL_DRIVER"):
        return Front.TUI, "TEXTUAL_DRIVER is set"
    if not place.stdin_is_terminal:
        return Front.PLAIN, "standard input is not a terminal"
    if not place.stdout_is_terminal:
        return Front.PLAIN, "standard output is not a terminal"
    if place.is_dumb:
        return Front.PLAIN, f"TERM is {environment.get('TERM') or 'not set'}"
    columns, rows = place.size
    if columns < SMALLEST[0] or rows < SMALLEST[1]:
        return Front.TUI, f"the terminal is small ({columns}x{rows}), but can be made larger"
    if place.wants_no_colors:
        return Front.TUI, "NO_COLOR is set: no colours"
    return Front.TUI, "this is a terminal"


def may_color(place: TerminalInfo, no_color: bool) -> bool:
    """Whether help may use bold type; ``FORCE_COLOR`` wants it even in a pipe."""
    if no_color or place.wants_no_colors:
        return False
    is_able = place.stdout_is_terminal and not place.is_dumb
    return is_able or bool(place.environment.get("FORCE_COLOR"))
