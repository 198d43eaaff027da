"""A report on a solved game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boardgames_cli.algorithms.position_graph import SmallGame, explore, position_key
from boardgames_cli.algorithms.retrograde import Counts, Solution, Verdict, solve
from boardgames_cli.core.game import AnyGame


@dataclass(frozen=True, slots=True)
class Survey:
    """Statistics of a solved game."""

    start: Verdict
    """The verdict on the initial position, for the side that begins."""
    everywhere: Counts | None
    """All positions, reachable or not; None if the game can't list them."""
    reachable: Counts
    """The positions reachable from the start, including their mirror images."""
    solution: Solution[Any, Any]


def survey(game: AnyGame) -> Survey:
    """Solve a game and count how its positions end.

    Raises:
        NotSmallError: The game can't be solved.
    """
    if not isinstance(game, SmallGame):
        plain = solve(game)
        return Survey(plain.verdict(game.initial_state()), None, plain.counts(), plain)
    solution = solve(game, game.every_position())
    reached = explore(game).numbers
    keys = [
        game.position_key(state)
        for state in game.every_position()
        if position_key(game, state) in reached
    ]
    start = solution.verdict(game.initial_state())
    return Survey(start, solution.counts(), solution.counts(keys), solution)
