"""The entry line for moves and commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from boardgames_cli.tui.widgets.picture import Bar

_CLOSED: Final = "press : to type a move or a command"
_OPEN: Final = "a move, its number, or a command such as undo or help; esc leaves"


class EntryLine(Horizontal):
    """An entry line that takes keys only while it is open."""

    @dataclass
    class Entered(Message):
        """A line was typed; empty if nothing was."""

        text: str

    def __init__(self) -> None:
        super().__init__(id="line")

    def compose(self) -> ComposeResult:
        yield Bar(id="mark")
        yield Input(placeholder=_CLOSED, compact=True, id="entry", select_on_focus=False)

    def on_mount(self) -> None:
        self._input.can_focus = False
        self._input.cursor_blink = False

    @property
    def _input(self) -> Input:
        return self.query_one(Input)

    @property
    def is_open(self) -> bool:
        return self._input.has_focus

    def open(self, text: str = "") -> None:
        """Open the line, perhaps with the beginning of what may be typed."""
        entry = self._input
        entry.can_focus = True
        entry.placeholder = _OPEN
        entry.focus()
        if text:
            entry.value = text
            entry.cursor_position = len(text)

    def close(self) -> None:
        entry = self._input
        entry.value = ""
        entry.placeholder = _CLOSED
        self.screen.set_focus(None)
        entry.can_focus = False

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(event.value.strip()))
