"""``boardgames config``: the file of preferences."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

from boardgames_cli.cli.command import command, group
from boardgames_cli.cli.output import say, say_table
from boardgames_cli.core.errors import GameError
from boardgames_cli.storage.files import changing, create_file
from boardgames_cli.storage.paths import config_file
from boardgames_cli.storage.preferences import HEADING, PreferencesFile
from boardgames_cli.terminal.streams import is_terminal


def show_path() -> int:
    """Write where the file is."""
    say(str(config_file()))
    return 0


def show() -> int:
    """Write what is in the file."""
    path = config_file()
    if not path.exists():
        say(f"There is no {path} yet: all preferences have their defaults.")
        say("To make it: boardgames config edit")
        return 0
    say(PreferencesFile(path).text(is_strict=False).rstrip())
    PreferencesFile(path).read()  # or an error: exit code 4
    return 0


def show_keys() -> int:
    """List the actions that [keymap] can change, with their current keys."""
    from boardgames_cli.tui.app import remappable

    rows = [(binding.id or "", binding.key, binding.description) for binding in remappable()]
    say_table(("id", "keys", "what they do"), rows)
    return 0


def edit() -> int:
    """Open the file in an editor: VISUAL, EDITOR or vi."""
    path = config_file()
    if not is_terminal(sys.stdin):
        raise GameError("config edit needs a terminal.", f"Edit the file yourself: {path}")
    if not path.exists():
        with changing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            create_file(path, HEADING)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        subprocess.run([*shlex.split(editor), str(path)], check=False)  # noqa: S603  # the user's
    except (OSError, ValueError) as error:
        raise GameError(
            f'the editor "{editor}" can\'t be started ({error}).',
            f"Set EDITOR, or edit the file yourself: {path}",
        ) from error
    PreferencesFile(path).read()  # or an error
    return 0


make = group(
    {
        "path": command(show_path),
        "show": command(show),
        "keys": command(show_keys),
        "edit": command(edit),
    },
    help="Show or edit your preferences.",
    default="show",
)
