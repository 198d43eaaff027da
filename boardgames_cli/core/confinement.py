"""What a process refuses that plays for strangers: running programs, and using files they name.

The program trusts who sits at its keyboard, who could do all that without it. A visitor of a
served game has the same screens, but is not trusted. So the places that would run a program or use
a file ask here, whichever form, save or level led to them.
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
    """From now on this process serves a visitor; there is no way back."""
    _confined.append(True)


def is_confined() -> bool:
    """Whether this process serves a visitor."""
    return bool(_confined)


def check_agent(spec: AgentSpec, values: Mapping[str, str], declared: Sequence[OptionSpec]) -> None:
    """Refuse an agent that a visitor may not choose, if this process serves one.

    Numbers, and words from a list, can do no harm. A free text may be a command or name a file,
    unless it names another agent, which is then checked in its turn.

    Args:
        spec: The agent.
        values: Its options as they were written.
        declared: The options that it has.

    Raises:
        ConfinedError: It would run a program, or has a text of the visitor's own.
    """
    free = {option.name for option in declared if option.type is str and not option.choices}
    names = sorted(values.keys() & free - set(spec.agent_options))
    if is_confined() and (names or spec.runs_commands or spec.runs_foreign_code):
        raise _refusal(":".join([spec.name, *names[:1]]))


def check_stranger(name: str, values: Mapping[str, str]) -> None:
    """Refuse options of an agent that runs elsewhere, where nobody knows yet what they mean.

    Raises:
        ConfinedError: It has some, and this process serves a visitor.
    """
    if is_confined() and values:
        raise _refusal(name)


def _refusal(what: str) -> ConfinedError:
    return ConfinedError(
        f'agent "{what}" is not for games in a browser: '
        "it may run programs or read files of the machine that serves them.",
        "Choose a level, or an agent that needs no such text.",
    )
