"""Finding an action by its notation; case and spacing are ignored."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, TypeVar

from boardgames_cli.core.errors import AmbiguousActionError

T = TypeVar("T", bound=Hashable)

_MOST_LISTED: Final = 12


def plain(text: str) -> str:
    """The text in lower case without extra spaces."""
    return " ".join(text.lower().split())


def written_as(text: str, choices: Sequence[T]) -> T | None:
    """The choice with this notation; None if there is none."""
    wanted = plain(text)
    return next((choice for choice in choices if plain(str(choice)) == wanted), None)


def beginning_with(text: str, choices: Sequence[T]) -> T | None:
    """The only choice whose notation starts with the text; None if there is none.

    Raises:
        AmbiguousActionError: Several choices start with it.
    """
    wanted = plain(text)
    begun = [choice for choice in choices if wanted and plain(str(choice)).startswith(wanted)]
    if len(begun) > 1:
        raise AmbiguousActionError(f'"{text}" fits several actions.', f"Choose: {listed(begun)}.")
    return begun[0] if begun else None


def listed(choices: Sequence[T]) -> str:
    """The first few choices, for messages."""
    return ", ".join(str(choice) for choice in choices[:_MOST_LISTED])
