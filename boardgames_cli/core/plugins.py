"""Plug-ins: packages that add games and agents through entry points.

The groups are ``boardgames_cli.games`` (an object of type `GameSpec`) and ``boardgames_cli.agents``
(an `AgentSpec`). `boardgames_cli.registry` resolves conflicts between their names.

The second half restricts processes that serve strangers: no programs, no files they name. The user
at the keyboard is trusted: they could run programs without us. A visitor of a served game uses the
same screens but is not trusted. So code that would run a program or open a file checks here first,
no matter which form, save or level led to it.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Final, TypeVar

from boardgames_cli.core.agent import describe_error
from boardgames_cli.core.errors import GameError, instead_of, is_gone
from boardgames_cli.core.options import OptionSpec
from boardgames_cli.core.spec import AgentSpec, GameSpec

GAME_GROUP: Final = "boardgames_cli.games"
AGENT_GROUP: Final = "boardgames_cli.agents"

SpecT = TypeVar("SpecT", GameSpec, AgentSpec)


class PluginWarning(UserWarning):
    """An installed plug-in can't be used; the message names it."""


def plugin_entries() -> list[tuple[str, str, str]]:
    """The entry points of all plug-ins as (group, name, value), without importing them."""
    groups = (GAME_GROUP, AGENT_GROUP)
    return [(group, entry.name, entry.value) for group in groups for entry in entries_of(group)]


def give_entries(entries: Iterable[tuple[str, str, str]]) -> None:
    """Use these entry points, as of `plugin_entries`, instead of the installed ones."""
    _given.append([EntryPoint(name, value, group) for group, name, value in entries])


_given: list[list[EntryPoint]] = []


def entries_of(group: str) -> list[EntryPoint]:
    """The entry points of one group, without importing them."""
    if _given:
        return [entry for entry in _given[-1] if entry.group == group]
    return list(entry_points(group=group))


def load_plugin(entry: EntryPoint, kind: type[SpecT]) -> SpecT | None:
    """Load an entry point; None, with a `PluginWarning`, if it can't be used."""
    try:
        # Standard output is for results, but a foreign module may print while it is imported.
        with contextlib.redirect_stdout(sys.stderr):
            spec = entry.load()
    except (Exception, SystemExit) as error:  # a plug-in must never stop the program
        _warn(entry, _gone_field(error) or describe_error(error))
        return None
    if not isinstance(spec, kind):
        _warn(entry, f"it is a {type(spec).__name__}, not a {kind.__name__}")
        return None
    name = spec.info.id if isinstance(spec, GameSpec) else spec.name
    if name != entry.name:
        _warn(entry, f'it calls itself "{name}"; give both the same name')
        return None
    return spec


def _gone_field(error: BaseException) -> str:
    words = str(error).split("'") if isinstance(error, TypeError) else []
    instead = instead_of("field", words[1]) if len(words) > 1 else ""
    return f"{is_gone(words[1])} {instead}" if instead else ""


def package_of(entry: EntryPoint) -> str:
    """The package and version of a plug-in, for messages."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"


def _warn(entry: EntryPoint, reason: str) -> None:
    warnings.warn(
        f'plug-in "{entry.name}" of {package_of(entry)} is left out ({reason}).',
        PluginWarning,
        stacklevel=2,
    )


_confined: Final[list[bool]] = []


class ConfinedError(GameError):
    """A visitor asked for something that only the owner of the machine may do."""


def confine() -> None:
    """Mark this process as serving a visitor. It can't be undone."""
    _confined.append(True)


def is_confined() -> bool:
    """Whether this process serves a visitor."""
    return bool(_confined)


def check_agent(spec: AgentSpec, values: Mapping[str, str], declared: Sequence[OptionSpec]) -> None:
    """Refuse an agent that a visitor may not choose, if this process serves one.

    Numbers and words from a list are harmless. Free text may be a command or a file name, unless it
    names another agent, which is then checked in turn.

    Raises:
        ConfinedError: It would run a program, or has free text from the visitor.
    """
    free = {option.name for option in declared if option.type is str and not option.choices}
    names = sorted(values.keys() & free - set(spec.agent_options))
    if is_confined() and (names or spec.runs_commands):
        raise _refusal(":".join([spec.name, *names[:1]]))


def check_stranger(name: str, values: Mapping[str, str]) -> None:
    """Refuse options of an agent in another process, since their meaning is unknown here.

    Raises:
        ConfinedError: There are options, and this process serves a visitor.
    """
    if is_confined() and values:
        raise _refusal(name)


def _refusal(what: str) -> ConfinedError:
    return ConfinedError(
        f'agent "{what}" is not for games in a browser: '
        "it may run programs or read files of the machine that serves them.",
        "Choose a level, or an agent that needs no such text.",
    )
