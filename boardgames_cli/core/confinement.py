"""Restrictions on processes that serve strangers: no running of programs, no files they name.

The user at the keyboard is trusted: they could run programs without us. A visitor of a served game
uses the same screens but is not trusted. So code that would run a program or open a file checks
here first, no matter which form, save or level led to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import OptionSpec
from boardgames_cli.core.spec import AgentSpec

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

    Args:
        spec: The agent.
        values: Its options as the user wrote them.
        declared: The options that it declares.

    Raises:
        ConfinedError: It would run a program, or has free text from the visitor.
    """
    free = {option.name for option in declared if option.type is str and not option.choices}
    names = sorted(values.keys() & free - set(spec.agent_options))
    if is_confined() and (names or spec.runs_commands or spec.runs_foreign_code):
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
