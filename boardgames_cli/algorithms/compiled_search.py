"""Compiled rules in a search: for the last decisions of `agents.expectimax`, nearly all its nodes.

A game that has them names them in its spec. They give the values that the readable rules would
give, so that an agent plays the same with the extra ``fast`` and without, only sooner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import search_of

HASTE: Final = 1 - 1e-6
"""What a value keeps per decision: a win now beats the same win later, or it might never come."""


class CompiledSearch(Protocol):
    """Searches a few decisions deep, soon enough that nobody wants to stop it."""

    @property
    def deepest(self) -> int:
        """The most decisions it may be asked for."""
        ...

    def value(self, state: Any, seat: Seat, depth: int) -> float | None:
        """What a state that is not over is worth to a seat; None if it can't begin there.

        Args:
            state: The state.
            seat: Whose return is expected.
            depth: How many decisions to look at, at least one.
        """
        ...


WORTHWHILE: Final = 3.0
"""Seconds of searching in this process after which compiling is worth its time.

It takes about as long: a game or two against a person never wait for it, a tournament soon has it.
"""

MakeSearch: TypeAlias = Callable[[AnyGame, Heuristic], CompiledSearch | None]
"""``make(game, heuristic)``: None if it does not know the heuristic."""


_searched: Final[dict[str, float]] = {}


def count_seconds(game: AnyGame, seconds: float) -> None:
    """Remember that a game was searched so long without compiled rules."""
    _searched[game.info.id] = _searched.get(game.info.id, 0.0) + seconds


def compiled_search(game: AnyGame, heuristic: Heuristic) -> CompiledSearch | None:
    """The compiled search of a game; None without the extra ``fast``, or if it has none.

    Args:
        game: The rulebook.
        heuristic: What the states at the end of the search are worth.
    """
    make: MakeSearch | None = search_of(game)
    return None if make is None else make(game, heuristic)


def worthwhile_search(game: AnyGame, heuristic: Heuristic) -> CompiledSearch | None:
    """As `compiled_search`, but None as long as it is not worth compiling."""
    if _searched.get(game.info.id, 0.0) < WORTHWHILE:
        return None
    return compiled_search(game, heuristic)
