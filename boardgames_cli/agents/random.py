"""The uniformly random agent, the baseline for all others."""

from __future__ import annotations

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, Observation, S


class RandomAgent(Agent[S, A]):
    """Chooses uniformly among the legal actions."""

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        return thinking.rng.choice(seen.legal)
