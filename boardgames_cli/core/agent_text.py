"""Specifications of agents as people write them: ``NAME[:KEY=VALUE,...]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from boardgames_cli.core.errors import OptionError

COMMAND: Final = "cmd"
"""The name of the agent that runs a program in any language: ``cmd:python bot.py``."""

_COMMAND_FORM: Final = "Write cmd[KEY=VALUE,...]:COMMAND, such as cmd[memory=512M]:python bot.py"
_COMMAND: Final = re.compile(r"cmd(?:\[([^\[\]]*)\])?:(.*)", re.DOTALL)


def split_agent(text: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,...``; a value without a key has the key ``""``.

    A command's options go in brackets, ``cmd[key=value,...]:command line``, because the command
    line itself may contain commas and colons.

    Raises:
        OptionError: A key is repeated, or the brackets are not closed.
    """
    name, _, rest = text.strip().partition(":")
    command = _COMMAND.fullmatch(text.strip())
    if command is not None:
        options = _split_options(text, command[1] or "")
        if "" in options:
            raise OptionError(f'"{options[""]}" is not an option of cmd.', _COMMAND_FORM)
        return COMMAND, {"": command[2].strip(), **options}
    if name.startswith(f"{COMMAND}["):
        raise OptionError(f'the options in "{text}" are not closed.', _COMMAND_FORM)
    return name.strip(), _split_options(text, rest)


def join_agent(name: str, options: Mapping[str, str]) -> str:
    """The text that `split_agent` splits into this name and these options."""
    if name == COMMAND:
        more = ",".join(f"{key}={value}" for key, value in options.items() if key)
        return f"{COMMAND}[{more}]:{options.get('', '')}"
    parts = [f"{key}={value}" if key else value for key, value in options.items()]
    return f"{name}:{','.join(parts)}" if parts else name


def _split_options(text: str, rest: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            key, value = "", part
        if key.strip() in options:
            raise OptionError(f'"{text}" gives the same option twice.', "Write name:key=value,...")
        options[key.strip()] = value.strip()
    return options
