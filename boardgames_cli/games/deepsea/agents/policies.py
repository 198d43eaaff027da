"""Divers who follow one plan, without search or memory.

The classic ones are those of the environment that the game was first written for; the fourth of
them, Randy, is the general agent ``random``.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from boardgames_cli.core.agent import SingleGameAgent, Thinking
from boardgames_cli.core.game import Game, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.deepsea.actions import DeepSeaChoice
from boardgames_cli.games.deepsea.agents.plans import Plan, decide, tuned_plan
from boardgames_cli.games.deepsea.chips import LEVELS, PLACES, values_of
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Seen


@dataclass
class Follower(SingleGameAgent[DeepSea, DeepSeaState, DeepSeaChoice]):
    """Follows a plan."""

    rulebook: ClassVar = DeepSea

    @abstractmethod
    def plan(self, seats: int) -> Plan:
        """The plan that it follows at a table with so many seats."""

    def reset(self, game: Game[DeepSeaState, DeepSeaChoice, Any], seat: Seat) -> None:
        super().reset(game, seat)
        self._plan = self.plan(game.seats)

    def act(self, seen: Seen, thinking: Thinking) -> DeepSeaChoice:
        return decide(self._plan, seen)


@dataclass
class Grabber(Follower):
    """Takes the first chips it comes to, then returns."""

    n: int = option(1, "chips to take", low=1, high=PLACES)

    def plan(self, seats: int) -> Plan:
        return Plan(chips_down=self.n, chips_return=self.n)


@dataclass
class Diver(Follower):
    """Dives to a depth, taking chips on the way while it has room, and returns from there.

    At its depth and below it takes any chip: so the recorded games of the reference have it, in
    which Diver(16,1) brings home more than the first chip of the trail.
    """

    depth: int = option(8, "place from which to return", low=1, high=PLACES)
    n: int = option(2, "chips to take on the way", low=0, high=PLACES)

    def plan(self, seats: int) -> Plan:
        return Plan(depth=self.depth, chips_down=self.n, chips_up=self.n)


class GreedyClassic(Follower):
    """Wants a chip of the last level, or a stack that is worth as much, and nothing else."""

    def plan(self, seats: int) -> Plan:
        """Any that may be one, and back with the first."""
        least = min(values_of(max(LEVELS)))
        return Plan(chips_down=9, worth_down=least, chips_return=1, chips_up=9, worth_up=least)


@dataclass
class RiskAgent(Follower):
    """Weighs chips by the chance to bring them home; see `plans.Plan`.

    With less care it is reckless, as people are who forget that all breathe from one tank.
    """

    care: float = option(
        1.0, "how much of what the others will breathe it expects; 1 is as tuned",
        low=-0.25, high=1.25,
    )  # fmt: skip

    def plan(self, seats: int) -> Plan:
        return tuned_plan(seats).reckless(self.care)
