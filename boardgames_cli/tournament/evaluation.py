"""Measures an agent against another in this process, without a tournament folder."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boardgames_cli.core.agent import Agent
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.text import percent
from boardgames_cli.tournament.deal import play_deal
from boardgames_cli.tournament.results import DealOutcome, GameOutcome, places_of
from boardgames_cli.tournament.schedule import one_against_rest, rotations
from boardgames_cli.tournament.standings import scores
from boardgames_cli.tournament.statistics import wilson_interval


@dataclass(frozen=True, slots=True)
class Score:
    """The share of points won, with its interval."""

    points: float
    games: int

    @property
    def share(self) -> float:
        """Points per game, 0 to 1."""
        return self.points / self.games

    def __str__(self) -> str:
        low, high = wilson_interval(self.points, self.games)
        margin = f"95 %: {percent(low, 1)} to {percent(high, 1)}"
        return f"{percent(self.share, 1)} of {self.games} games ({margin})"


def evaluate(
    game: AnyGame,
    agent: Callable[[], Agent[Any, Any]],
    rival: Callable[[], Agent[Any, Any]],
    games: int,
) -> Score:
    """Play an agent on one side against another agent on all other sides.

    Args:
        game: The rules.
        agent: Creates the agent to measure; each seat has its own instance.
        rival: Creates the other agent.
        games: The number of games, rounded up to whole deals; each deal is played from all sides.
            The seeds are 0, 1, 2 and so on.

    Raises:
        GameError: An agent failed.
    """
    makers = (agent, rival)
    seatings = tuple(rotations(one_against_rest(0, 1, game), game))
    tables = [[makers[entrant]() for entrant in seating] for seating in seatings]
    outcomes: Counter[DealOutcome] = Counter()
    for seed in range(math.ceil(games / len(seatings))):
        ends = play_deal(game, tables, seed)
        outcome = [
            GameOutcome(seating, places_of(returns))
            for seating, returns in zip(seatings, ends.returns, strict=True)
        ]
        outcomes[DealOutcome(0, tuple(outcome))] += 1
    played, points = scores(outcomes, 2, [game.teams])[0]
    return Score(float(points), played)
