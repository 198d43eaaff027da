"""How far a strategy is from an equilibrium, measured by the best answers to it.

If each seat's best response to the other's strategy wins nothing beyond the value of the game,
nobody can do better, and that is an equilibrium. *Exploitability* is the mean of what the two best
responses win, *NashConv* their sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boardgames_cli.agents.game_tree import GameTree, Profile
from boardgames_cli.agents.strategy import Strategy
from boardgames_cli.agents.tree_values import best_response, profile_value
from boardgames_cli.core.game import Game


@dataclass(frozen=True, slots=True)
class Quality:
    """How good a strategy for both seats is."""

    value: float
    """What seat 0 wins if both play it."""
    best: tuple[float, float]
    """What each seat wins with its best response to the other's part."""

    @property
    def nash_conv(self) -> float:
        """What both seats together could gain by leaving the strategy; 0 in equilibrium."""
        return sum(self.best)

    @property
    def exploitability(self) -> float:
        """What a seat could gain on average by leaving the strategy; 0 in equilibrium."""
        return self.nash_conv / 2


def quality(tree: GameTree[Any, Any], profile: Profile) -> Quality:
    """Measure a profile on a game tree."""
    best = (best_response(tree, profile, 0).value, best_response(tree, profile, 1).value)
    return Quality(profile_value(tree, profile), best)


def strategy_quality(game: Game[Any, Any], strategy: Strategy) -> Quality:
    """Measure a strategy table.

    Raises:
        TreeError: The game can't be spread out as a tree.
        StrategyError: The table does not fit the game.
    """
    tree = GameTree(game)
    return quality(tree, strategy.profile(tree))
