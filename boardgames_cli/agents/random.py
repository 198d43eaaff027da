"""The agent that every other one must beat."""

from __future__ import annotations

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, Observation, S


class RandomAgent(Agent[S, A]):
    """Chooses among the legal actions with equal chances."""

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        """Any legal action."""
        return thinking.rng.choice(seen.legal)
