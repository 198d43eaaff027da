"""A game's options as command-line options, derived from the game's class."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from typing import Any, Final

import typer

from boardgames_cli.cli.command import make_parameter
from boardgames_cli.cli.parameters import GAME_SECTION
from boardgames_cli.core.options import OptionSpec, options_of
from boardgames_cli.core.spec import GameSpec

_PREFIX: Final = "game_"


def game_parameters(spec: GameSpec, taken: Collection[str]) -> list[inspect.Parameter]:
    """A game's own options as parameters of a command.

    Args:
        spec: The game.
        taken: Names of options that the command already has; the game's are then prefixed with the
            game's name.
    """
    return [_parameter(spec.info.id, option, taken) for option in options_of(spec.game_class())]


def given_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """The game's options that were given on the command line."""
    return {
        name.removeprefix(_PREFIX): value for name, value in values.items() if value is not None
    }


def _parameter(id: str, option: OptionSpec, taken: Collection[str]) -> inspect.Parameter:
    flag = option.name.replace("_", "-")
    if option.name in taken:
        flag = f"{id}-{flag}"
    choices = [str(choice) for choice in option.choices]
    if option.type is bool:
        info = typer.Option(
            f"--{flag}/--no-{flag}",
            help=f"{option.help} [default: {'on' if option.default else 'off'}]",
            rich_help_panel=GAME_SECTION,
        )
        hint: Any = bool | None
    else:
        # The value stays a string, so that the game's own check reports errors.
        info = typer.Option(
            f"--{flag}",
            metavar="TEXT" if option.type is str else "NUMBER",
            help=f"{option.help} [{option.allowed}; default: {option.default}]",
            autocompletion=lambda: choices,
            rich_help_panel=GAME_SECTION,
        )
        hint = str | None
    return make_parameter(_PREFIX + option.name, hint, info)
