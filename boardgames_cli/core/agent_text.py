"""Specifications of agents as people write them: ``NAME[:KEY=VALUE,...]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from boardgames_cli.core.errors import OptionError

COMMAND: Final = "cmd"
"""The name of the agent that runs a program in any language: ``cmd:python bot.py``."""

_COMMAND_FORM: Final = "Write cmd[KEY=VALUE,...]:COMMAND, such as cmd[memory=512M]:python bot.py"
_FORM: Final = "Write NAME[KEY=VALUE,...]:TEXT, with the options in the brackets."
_BRACKETS: Final = re.compile(r"([\w-]+)\[([^\[\]]*)\]:(.*)", re.DOTALL)
_ARGUMENTS: Final = "arguments"
"""The option that holds what is in brackets, for agents that seat a class with arguments."""


def split_agent(text: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,...``; a value without a key has the key ``""``.

    ``name[key=value,...]:text`` keeps a text whole that may contain commas and colons. The options
    in the brackets are those of a command (``cmd``); for other agents they are one option, the
    arguments of the class that the text names.

    Raises:
        OptionError: A key is repeated, or the brackets are not closed.
    """
    text = text.strip()
    name, colon, rest = text.partition(":")
    bracketed = _BRACKETS.fullmatch(text)
    if name == COMMAND and colon:
        return COMMAND, {"": rest.strip()}
    if bracketed is None:
        if "[" in name:
            form = _COMMAND_FORM if name.startswith(f"{COMMAND}[") else _FORM
            raise OptionError(f'the options in "{text}" are not closed.', form)
        return name.strip(), split_options(rest)
    name, given, rest = bracketed.groups()
    options = split_options(given)
    if name != COMMAND:
        return name, {"": rest.strip(), _ARGUMENTS: given}
    if "" in options:
        raise OptionError(f'"{options[""]}" is not an option of cmd.', _COMMAND_FORM)
    return COMMAND, {"": rest.strip(), **options}


def join_agent(name: str, options: Mapping[str, str]) -> str:
    """The text that `split_agent` splits into this name and these options."""
    if name == COMMAND:
        more = ",".join(f"{key}={value}" for key, value in options.items() if key)
        return f"{COMMAND}[{more}]:{options.get('', '')}"
    if _ARGUMENTS in options:
        return f"{name}[{options[_ARGUMENTS]}]:{options.get('', '')}"
    parts = [f"{key}={value}" if key else value for key, value in options.items()]
    return f"{name}:{','.join(parts)}" if parts else name


def split_options(text: str) -> dict[str, str]:
    """Split ``key=value,...``; a value without a key has the key ``""``.

    Raises:
        OptionError: A key is repeated.
    """
    options: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            key, value = "", part
        if key.strip() in options:
            raise OptionError(f'"{text}" gives the same option twice.', "Write name:key=value,...")
        options[key.strip()] = value.strip()
    return options
