"""The commands of the game screen, and the palette: it lists them, or the keys of other screens."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.command import (
    CommandList,
    CommandPalette,
    DiscoveryHit,
    Hit,
    Hits,
    Provider,
    SearchIcon,
)

from boardgames_cli.core.plugins import is_confined
from boardgames_cli.session.commands import Request
from boardgames_cli.tui.keys import FAR, bindings_now, key_sign
from boardgames_cli.tui.screens.frame import Frame, LiveScreen

_CURSOR_KEYS: Final = frozenset(
    {"up", "down", "left", "right", "tab", "shift+tab", "enter", "space", "escape"}
)

ACTIONS: Final[Mapping[str, str]] = {
    "hint": "hint",
    "undo": "undo",
    "redo": "redo",
    "rules": "help('rules')",
    "legend": "help('legend')",
    "illegal": "refusals",
    "estimate": "estimate",
    "pause": "pause",
    "faster": "pace(1)",
    "slower": "pace(-1)",
    "now": "hurry",
    "first": f"travel(-{FAR})",
    "live": f"travel({FAR})",
    "review": "review",
    "dark": "app.use_theme('dark')",
    "light": "app.use_theme('light')",
    "monochrome": "app.use_theme('monochrome')",
    "copy": "copy",
    "save": "save_as({})",
    "help": "help",
    "menu": "menu",
    "quit": "leave",
}
"""The Textual action for each command; ``{}`` stands for the argument."""


def action_of(request: Request) -> str:
    """The Textual action of a typed command."""
    word = request.command.word
    if request.command.is_social:
        return f"talk({word!r}, {request.argument!r})"
    return ACTIONS[word].format(repr(request.argument))


class ScreenCommands(Provider):
    """The commands of the game screen; on other screens the actions of their keys."""

    def _listed(self) -> Iterator[tuple[str, str, Callable[[], object]]]:
        screen, run = self.screen, self.app.run_action
        told: dict[str, tuple[str, str]] = {}
        for binding in bindings_now(screen):
            # Numbered answers and cursor keys make no sense while the palette covers the screen.
            if binding.key not in _CURSOR_KEYS and not binding.key.isdigit():
                told.setdefault(binding.action, (binding.description, key_sign(binding.key)))
        if not (isinstance(screen, Frame) and screen.commands):
            for action, (text, key) in told.items():
                yield text, f"The key is {key}.", partial(run, action, screen)
        for command in screen.commands if isinstance(screen, Frame) else ():
            action = action_of(Request(command))
            help = command.help[0].upper() + command.help[1:]
            help += f" ({told[action][1]})" if action in told else ""
            if command.is_social and command.argument:
                action = f"type({f':{command.word} '!r})"
            yield command.word, help, partial(run, action, screen)
        if not is_confined():
            yield "save a picture", "What is shown, as SVG.", partial(run, "app.save_picture")

    async def discover(self) -> Hits:
        """All commands, before anything is typed."""
        for word, help, run in self._listed():
            yield DiscoveryHit(word, run, help=help)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for word, help, run in self._listed():
            text = f"{word}: {help}"
            score = matcher.match(text)
            if score > 0:
                yield Hit(score, matcher.highlight(text), run)


class _Commands(CommandList, can_focus=False):
    """The list of commands; it may have become shorter since the line under the mouse was drawn."""

    def on_click(self, event: events.Click) -> None:
        if event.style.meta.get("option", -1) >= self.option_count:
            event.prevent_default()


class SearchableCommands(CommandPalette, LiveScreen):
    """Textual's command palette, made robust against keys before its first layout."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield _Commands() if isinstance(widget, CommandList) else widget

    def on_mount(self) -> None:
        """Use a character that every terminal has."""
        self.query_one(SearchIcon).icon = "›"

    def _action_command_list(self, action: str) -> None:
        # Before the first layout the list has no size, so paging would fail.
        with contextlib.suppress(LookupError):
            super()._action_command_list(action)
