"""What can be typed after a colon or found in the command palette."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, runtime_checkable

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from boardgames_cli.core.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the game screen."""

    name: str
    help: str
    action: str
    """The action of the screen; ``{}`` stands for what is typed after the name."""


COMMANDS: Final = (
    Command("undo", "Take back to your last choice", "undo"),
    Command("redo", "Take again what was taken back", "redo"),
    Command("hint", "Ask the strongest agent for a hint", "hint"),
    Command("illegal", "Show all illegal actions with the reasons", "refusals"),
    Command("estimate", "Winning chances, analysis, or neither", "estimate"),
    Command("review", "Look back through the finished game", "review"),
    Command("help", "Keys, rules and legend", "help"),
    Command("pause", "Pause, or go on", "pause"),
    Command("faster", "Show steps faster", "pace(1)"),
    Command("slower", "Show steps slower", "pace(-1)"),
    Command("now", "Make the agent move now", "hurry"),
    Command("first", "Look at the beginning of the game", "travel_first"),
    Command("live", "Come back to the present", "travel_live"),
    Command("save", "Save a copy under a name", "save_as({})"),
    Command("copy", "Copy the position as JSON", "copy"),
    Command("dark", "Dark colours", "app.use_theme('dark')"),
    Command("light", "Light colours", "app.use_theme('light')"),
    Command("monochrome", "No colours", "app.use_theme('monochrome')"),
    Command("menu", "Save and open the menu", "menu"),
    Command("quit", "Save and quit, or stay", "leave"),
)

COMMAND_NAMES: Final = frozenset(command.name for command in COMMANDS)


def find_command(text: str) -> str:
    """The action string that a typed command means; a beginning of its name may be enough.

    Raises:
        UnknownNameError: There is no such command, or there are several.
    """
    name, _, rest = text.strip().removeprefix(":").strip().partition(" ")
    name = name.lower()
    found = [command for command in COMMANDS if command.name == name]
    found = found or [command for command in COMMANDS if name and command.name.startswith(name)]
    if len(found) != 1:
        raise UnknownNameError("command", text, [command.name for command in COMMANDS])
    argument = repr(rest.strip())
    return found[0].action.format(argument)


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
        return partial(screen.run_command, command.action.format("''"))

    async def discover(self) -> Hits:
        """All commands, before anything is typed."""
        if isinstance(self.screen, RunsCommands):
            for command in COMMANDS:
                yield DiscoveryHit(command.name, self._callback(command), help=command.help)

    async def search(self, query: str) -> Hits:
        """The commands whose name or help fits."""
        if not isinstance(self.screen, RunsCommands):
            return
        matcher = self.matcher(query)
        for command in COMMANDS:
            text = f"{command.name}: {command.help}"
            score = matcher.match(text)
            if score > 0:
                yield Hit(score, matcher.highlight(text), self._callback(command))


class SearchableCommands(CommandPalette):
    """Textual's command palette, in which keys may come before its list is laid out."""

    def _action_command_list(self, action: str) -> None:
        # Until then the list has lines, but does not know where; there is no page to turn yet.
        with contextlib.suppress(LookupError):
            super()._action_command_list(action)
