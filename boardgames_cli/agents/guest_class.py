"""Classes of other programs that play here: importing them, and making their instances.

The module is imported as usual, from PYTHONPATH and the installed packages, and finally from the
current folder. Agents that use this run foreign code (`AgentSpec.runs_foreign_code`).
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from boardgames_cli.core.agent import split_options
from boardgames_cli.core.errors import OptionError

Maker: TypeAlias = Callable[[], Any]
"""Makes a new instance of a class, with its arguments."""


def load_class(text: str, agent: str, methods: Sequence[str] = ("act",)) -> type[Any]:
    """Import the class ``module:Class``.

    Args:
        text: The module and the class.
        agent: The name of the agent that seats it, for messages.
        methods: The methods it must have.

    Raises:
        OptionError: The class does not exist, or lacks a method.
    """
    form = how_to_write(agent)
    module_name, colon, class_name = text.partition(":")
    if not colon or not module_name or not class_name:
        raise OptionError(f'"{text}" names no class.', form)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # last, so that files here don't shadow packages
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        raise OptionError(
            f'there is no module "{module_name}".',
            "It is looked for on PYTHONPATH, among the installed packages and in this folder.",
        ) from None
    found = getattr(module, class_name, None)
    if not inspect.isclass(found):
        raise OptionError(f'the module "{module_name}" has no class "{class_name}".', form)
    for method in methods:
        if not callable(getattr(found, method, None)):
            raise OptionError(
                f'"{text}" is not an agent: it has no method {method}.',
                f"It needs {', '.join(methods)}.",
            )
    return found


def how_to_write(agent: str) -> str:
    """How to name a class, to complete a message."""
    return f"Write {agent}:MODULE:CLASS, such as {agent}:my_agents:Bold"


def read_arguments(text: str) -> dict[str, Any]:
    """Parse ``KEY=VALUE,...``: numbers, true, false and null as in JSON, all else as text.

    Raises:
        OptionError: A key is missing or repeated.
    """
    values = split_options(text)
    if "" in values:
        raise OptionError(
            f'"{values[""]}" is not an argument of a class.',
            "Write KEY=VALUE in the brackets, such as [port=10080]",
        )
    return {name: _value(word) for name, word in values.items()}


def _value(word: str) -> Any:
    try:
        value = json.loads(word)
    except ValueError:
        return word
    return word if isinstance(value, list | dict) else value


def maker_of(kind: type[object], arguments: Mapping[str, Any]) -> Maker:
    """A function that makes instances of a class.

    Raises:
        OptionError: The class has no such argument, or needs another one.
    """
    known = arguments_of(kind)
    if known is not None:
        _check_arguments(kind.__name__, known, arguments)
    return functools.partial(kind, **arguments)


def arguments_of(kind: Callable[..., Any]) -> Mapping[str, inspect.Parameter] | None:
    """The named arguments with which a class is made; None if they can't be known."""
    try:
        found = inspect.signature(kind).parameters
    except (TypeError, ValueError):
        return None
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in found.values()):
        return None
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {name: one for name, one in found.items() if one.kind in by_name}


def _check_arguments(
    name: str, known: Mapping[str, inspect.Parameter], given: Mapping[str, Any]
) -> None:
    for argument in given:
        if argument not in known:
            listed = f"Its arguments: {' '.join(known)}" if known else "It takes none."
            raise OptionError(f'{name} has no argument "{argument}".', listed)
    for argument, parameter in known.items():
        if parameter.default is inspect.Parameter.empty and argument not in given:
            raise OptionError(
                f'{name} needs the argument "{argument}".',
                f"Write it in brackets after the agent's name: [{argument}=VALUE]",
            )
