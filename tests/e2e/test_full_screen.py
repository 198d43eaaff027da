"""The full-screen front end in a real terminal: colours, size, signals."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.e2e.screens import Terminal, colours

SENET = ("play", "senet", "--vs", "random", "--seed", "4799677", "--pace", "instant")
READY = r"7.?>.?10|7 to 10"
"""The first choice of that game."""


def test_empty_no_color_variable_means_nothing(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *SENET, COLORTERM="truecolor", empty=("NO_COLOR",))
    terminal.wait_for(READY)
    terminal.kill(signal.SIGTERM)
    terminal.end()
    assert colours(terminal.raw)


def test_resize_in_the_middle_of_a_game(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *SENET)
    terminal.wait_for(READY)
    terminal.resize(120, 40)
    terminal.wait_for(r"[^\n]{100}")
    terminal.wait_for(READY)
    terminal.resize(50, 15)
    terminal.wait_for(r"60|small|resize")
    terminal.resize(80, 24)
    terminal.wait_for(READY)
    terminal.kill(signal.SIGTERM)
    assert terminal.end() == 143
