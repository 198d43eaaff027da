"""The commands of the game screen, and the palette that lists them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Protocol, runtime_checkable

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider, SearchIcon

from boardgames_cli.session.commands import Command, FrontEnd, Request, commands_of
from boardgames_cli.tui.keyboard import key_sign
from boardgames_cli.tui.keys import ACTION_OF_KEY

COMMANDS: Final = commands_of(FrontEnd.SCREEN)

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
    "first": "travel_first",
    "live": "travel_live",
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
    return ACTIONS[request.command.word].format(repr(request.argument))


@runtime_checkable
class RunsCommands(Protocol):
    """A screen to which the commands apply."""

    async def run_command(self, action: str) -> None:
        """Run the action of a command."""
        ...


class GameCommands(Provider):
    """The commands of the table, for the palette."""

    def _callback(self, command: Command) -> Callable[[], object]:
        screen = self.screen
        assert isinstance(screen, RunsCommands)
        return partial(screen.run_command, action_of(Request(command)))

    async def discover(self) -> Hits:
        """All commands, before anything is typed."""
        if isinstance(self.screen, RunsCommands):
            for command in COMMANDS:
                yield DiscoveryHit(command.word, self._callback(command), help=_help(command))

    async def search(self, query: str) -> Hits:
        """The commands whose name or help fits."""
        if not isinstance(self.screen, RunsCommands):
            return
        matcher = self.matcher(query)
        for command in COMMANDS:
            text = f"{command.word}: {_help(command)}"
            score = matcher.match(text)
            if score > 0:
                yield Hit(score, matcher.highlight(text), self._callback(command))


class SearchableCommands(CommandPalette):
    """Textual's command palette, made robust against keys before its first layout."""

    def on_mount(self) -> None:
        """Use a character that every terminal has."""
        self.query_one(SearchIcon).icon = "›"

    def _action_command_list(self, action: str) -> None:
        # Before the first layout the list has no size, so paging would fail.
        with contextlib.suppress(LookupError):
            super()._action_command_list(action)


def _help(command: Command) -> str:
    """The help of a command, with its key."""
    action = ACTIONS[command.word].format(repr(""))
    keys = [key_sign(key) for key, does in ACTION_OF_KEY.items() if does == action]
    key = f" ({keys[0]})" if keys else ""
    return command.help[0].upper() + command.help[1:] + key
