"""An agent between two others in strength: each of its moves is one of theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.options import option
from boardgames_cli.registry import make_agent


@dataclass
class Mix(Agent[S, A]):
    """Draws anew for every move which of two agents chooses it; both watch the whole game."""

    weaker: str = option("easy", "the one agent or level")
    stronger: str = option("medium", "the other agent or level")
    share: float = option(0.5, "the share of moves that the other one chooses", low=0.0, high=1.0)

    _agents: tuple[Agent[S, A], Agent[S, A]] = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        """Every game that both can play.

        Raises:
            GameError: There is no such agent, or it can't play the game.
        """
        self._make(game)
        return None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        self._agents = self._make(game)
        for agent in self._agents:
            agent.reset(game, seat)

    def watch(self, seen: Observation[S, A]) -> None:
        for agent in self._agents:
            agent.watch(seen)

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        return self._agents[thinking.rng.random() < self.share].act(seen, thinking)

    def _make(self, game: AnyGame) -> tuple[Agent[S, A], Agent[S, A]]:
        return make_agent(self.weaker, game), make_agent(self.stronger, game)
