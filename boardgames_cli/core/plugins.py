"""Plug-ins: other packages that add games and agents through entry points.

The groups are ``boardgames_cli.games`` (an object of type `GameSpec`) and ``boardgames_cli.agents``
(an `AgentSpec`). What a plug-in means for the names of games and agents is the registry's business.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Final, TypeVar

from boardgames_cli.core.agent import describe_error
from boardgames_cli.core.spec import AgentSpec, GameSpec

GAME_GROUP: Final = "boardgames_cli.games"
AGENT_GROUP: Final = "boardgames_cli.agents"

SpecT = TypeVar("SpecT", GameSpec, AgentSpec)


class PluginWarning(UserWarning):
    """An installed plug-in can't be used; the message names it."""


def plugin_entries() -> list[tuple[str, str, str]]:
    """The entry points of all plug-ins as (group, name, value); nothing of them is imported."""
    groups = (GAME_GROUP, AGENT_GROUP)
    return [(group, entry.name, entry.value) for group in groups for entry in entries_of(group)]


def give_entries(entries: Iterable[tuple[str, str, str]]) -> None:
    """Know these entry points and no others, whatever is installed.

    Args:
        entries: As `plugin_entries` gives them.
    """
    _given.append([EntryPoint(name, value, group) for group, name, value in entries])


_given: list[list[EntryPoint]] = []


def entries_of(group: str) -> list[EntryPoint]:
    """The entry points of one group; nothing of them is imported."""
    if _given:
        return [entry for entry in _given[-1] if entry.group == group]
    return list(entry_points(group=group))


def load_plugin(entry: EntryPoint, kind: type[SpecT]) -> SpecT | None:
    """What an entry point stands for; None, with a `PluginWarning`, if it can't be used."""
    try:
        # Standard output is for results; a stranger's module may print while it is imported.
        with contextlib.redirect_stdout(sys.stderr):
            spec = entry.load()
    except (Exception, SystemExit) as error:  # whatever a stranger does at import, we go on
        _warn(entry, describe_error(error))
        return None
    if not isinstance(spec, kind):
        _warn(entry, f"it is a {type(spec).__name__}, not a {kind.__name__}")
        return None
    name = spec.info.id if isinstance(spec, GameSpec) else spec.name
    if name != entry.name:
        _warn(entry, f'it calls itself "{name}"; give both the same name')
        return None
    return spec


def package_of(entry: EntryPoint) -> str:
    """What a plug-in belongs to, with its version, in words."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"


def _warn(entry: EntryPoint, reason: str) -> None:
    warnings.warn(
        f'plug-in "{entry.name}" of {package_of(entry)} is left out ({reason}).',
        PluginWarning,
        stacklevel=2,
    )
