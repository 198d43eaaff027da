"""An agent that follows the plan which `monte-carlo` searches with, and does not search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import AnyGame, Game, Observation, Seat
from boardgames_cli.core.options import check_options, option
from boardgames_cli.games.deepsea.actions import DeepSeaChoice
from boardgames_cli.games.deepsea.agents.monte_carlo import by_plan
from boardgames_cli.games.deepsea.state import DeepSeaState


@dataclass
class RiskAgent(Agent[DeepSeaState, DeepSeaChoice]):
    """Weighs chips by the chance to bring them home; see `plans.risk_plan`.

    With less care it is reckless, as people are who forget that all breathe from one tank.
    """

    care: float = option(
        1.0, "how much of what the others will breathe it expects; 1 is as tuned",
        low=0.0, high=1.0,
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: AnyGame) -> str | None:
        """Deep Sea Adventure only."""
        return None if game.info.id == "deepsea" else "it can only dive"

    def reset(self, game: Game[DeepSeaState, DeepSeaChoice, Any], seat: Seat) -> None:
        """Nothing to remember."""

    def act(
        self, seen: Observation[DeepSeaState, DeepSeaChoice], thinking: Thinking
    ) -> DeepSeaChoice:
        """The plan's action."""
        return by_plan(seen, self.care)
