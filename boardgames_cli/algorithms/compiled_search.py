"""Compiled search for the last decisions of `agents.expectimax`, which are nearly all its nodes.

A game names its compiled search in its spec. It returns the values that the readable rules give, so
that an agent plays the same moves with and without the extra ``fast``, only faster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import search_of

HASTE: Final = 1 - 1e-6
"""The discount per decision: a win now beats a later one, which might be postponed for ever."""


class CompiledSearch(Protocol):
    """Searches a few decisions deep, so fast that it need not be interruptible."""

    @property
    def deepest(self) -> int:
        """The maximum depth in decisions."""
        ...

    def value(self, state: Any, seat: Seat, depth: int) -> float | None:
        """The value of a non-terminal state to a seat; None if the search can't start there.

        Args:
            state: The state.
            seat: The seat whose return is estimated.
            depth: The number of decisions to look ahead, at least 1.
        """
        ...


WORTHWHILE: Final = 3.0
"""Seconds of search in this process after which compiling pays off. Compiling takes about as long,
so that a game against a person never waits for it, and a tournament soon benefits.
"""

MakeSearch: TypeAlias = Callable[[AnyGame, Heuristic], CompiledSearch | None]
"""``make(game, heuristic)``: None if it does not support the heuristic."""


_searched: Final[dict[str, float]] = {}


def count_seconds(game: AnyGame, seconds: float) -> None:
    """Add to the time that a game was searched without compiled rules."""
    _searched[game.info.id] = _searched.get(game.info.id, 0.0) + seconds


def compiled_search(game: AnyGame, heuristic: Heuristic) -> CompiledSearch | None:
    """The compiled search of a game; None without the extra ``fast``, or if there is none.

    Args:
        game: The rulebook.
        heuristic: The evaluation of leaf states.
    """
    make: MakeSearch | None = search_of(game)
    return None if make is None else make(game, heuristic)


def worthwhile_search(game: AnyGame, heuristic: Heuristic) -> CompiledSearch | None:
    """Like `compiled_search`, but None until compiling pays off."""
    if _searched.get(game.info.id, 0.0) < WORTHWHILE:
        return None
    return compiled_search(game, heuristic)
