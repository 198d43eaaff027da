"""The base classes of screens and dialogs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from textual import on
from textual._styles_cache import StylesCache
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from boardgames_cli.tui.timers import SureTimers

LEAST_WIDTH: Final = 60
LEAST_HEIGHT: Final = 20

WIDTHS: Final = [(0, "-narrow"), (LEAST_WIDTH, "-compact"), (80, "-standard"), (120, "-wide")]
HEIGHTS: Final = [(0, "-flat"), (LEAST_HEIGHT, "-low"), (24, "-middle"), (40, "-tall")]


class TooSmall(Static):
    """Covers everything while the terminal is too small; shown and hidden by the style sheet."""

    def render(self) -> str:
        """The current size and the required one."""
        width, height = self.app.size
        return (
            f"This terminal is too small: {width}x{height}.\n"
            f"The game needs {LEAST_WIDTH}x{LEAST_HEIGHT}.\n\n"
            "Make the window larger, or play\nwith --no-color. ctrl+c quits."
        )

    def on_resize(self) -> None:
        """Name the new size."""
        self.refresh()


class Frame(SureTimers, Screen[Any]):
    """A screen of the program: breakpoints, and the notice when the terminal is too small."""

    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    @dataclass
    class FromThread(Message):
        """Another thread has a result."""

        take: Callable[[Any], None]
        result: Any

    def compose(self) -> ComposeResult:
        """The screen's own widgets, and the notice over them."""
        yield from self.body()
        yield TooSmall(id="too-small")

    def body(self) -> ComposeResult:
        """The screen's own widgets."""
        yield Widget()

    def from_thread(self, take: Callable[[Any], None], result: Any) -> None:
        """Pass a result to the screen's thread; called in another thread."""
        with contextlib.suppress(RuntimeError):  # the application may have ended
            self.post_message(self.FromThread(take, result))

    @on(FromThread)
    def _from_thread(self, event: FromThread) -> None:
        event.take(event.result)

    def on_mount(self) -> None:
        """Follow the theme."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self.use_theme())

    def on_unmount(self) -> None:
        """Clear caches that would keep the screen, its game and its agents alive."""
        self.app.theme_changed_signal.unsubscribe(self)
        # The cache of a method, which holds the last thousand widgets with their lines.
        StylesCache.get_inner_outer.cache_clear()

    def use_theme(self) -> None:
        """Take the colours of the application's theme."""

    def close(self) -> None:
        """Go back to the screen below, or out of the program if there is none."""
        if len(self.app.screen_stack) > 2:  # the first is Textual's own
            self.app.pop_screen()
        else:
            self.app.exit(return_code=0)


class Dialog(ModalScreen[str | None]):
    """A box over the screen below."""

    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
