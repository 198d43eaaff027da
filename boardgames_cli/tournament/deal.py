"""Plays one deal: the same game from all sides.

Used by tournament workers and by the evaluation of training.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from boardgames_cli.core.agent import Agent
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.play import play


class DealEnds(NamedTuple):
    """How the games of one deal ended."""

    returns: tuple[tuple[float, ...], ...]
    """For each game the return of every seat."""
    truncated: tuple[bool, ...]
    """Which games were truncated."""
    plies: tuple[int, ...]
    """The number of steps of each game, chance included."""


def play_deal(
    game: AnyGame,
    tables: Sequence[Sequence[Agent[Any, Any]]],
    seed: int,
    max_plies: int | None = None,
) -> DealEnds:
    """Play the same deal once at each of some tables.

    Args:
        game: The rules.
        tables: For each game the agent on every seat.
        seed: The seed of all games.
        max_plies: Games are truncated after this many steps.

    Raises:
        GameError: An agent failed.
    """
    returns, truncated, plies = [], [], []
    for agents in tables:
        match: AnyMatch = Match(game, seed=seed, max_plies=max_plies)
        returns.append(play(match, agents))
        truncated.append(max_plies is not None and match.truncated)
        plies.append(match.ply)
    return DealEnds(tuple(returns), tuple(truncated), tuple(plies))
