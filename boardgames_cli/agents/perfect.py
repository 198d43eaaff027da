"""An agent that plays perfectly, for games that are small enough to be solved."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.algorithms.action_values import pick_best
from boardgames_cli.algorithms.position_graph import (
    NotSmallError,
    SmallGame,
    explore,
    why_not_small,
)
from boardgames_cli.algorithms.retrograde import AnySolution, Verdict, solve
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat

_MOST_UNLISTED: Final = 2_000
"""The maximum number of positions of a game without `SmallGame`. Every list of agents asks whether
this one supports a game, so large games must be refused quickly."""


@dataclass
class Perfect(Agent[S, A]):
    """Knows the exact value of every position; wins as fast and loses as late as possible.

    Ties are broken at random. The values come from retrograde analysis
    (`boardgames_cli.algorithms.retrograde`), which ignores limits on a game's length.
    """

    _solution: AnySolution = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        """Small two-player zero-sum games with perfect information and without chance."""
        reason = why_not_small(game)
        if reason:
            return reason
        try:
            solution_of(game)
        except NotSmallError as error:
            return error.message.rstrip(".")
        return None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Solve the game, unless the solution is cached."""
        self._solution = solution_of(game)

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        return pick_best(self.evaluate_actions(seen, thinking), thinking.rng)

    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """1, 0 or -1 for every action, with a correction of 1e-6 for every ply to the end."""
        return {action: verdict.value for action, verdict in self.judge(seen).items()}

    def judge(self, seen: Observation[S, A]) -> dict[A, Verdict]:
        """The exact verdict on every legal action, for the viewer's seat."""
        return self._solution.judge(seen.state) if seen.legal else {}


@functools.lru_cache(maxsize=8)
def solution_of(game: AnyGame) -> AnySolution:
    """The solution of a game, cached; mirror images share one position.

    Raises:
        NotSmallError: The game can't be solved.
    """
    if isinstance(game, SmallGame):
        return solve(explore(game, game.every_position()))
    return solve(explore(game, most=_MOST_UNLISTED))
