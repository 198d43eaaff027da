"""Information set Monte Carlo tree search for games with hidden information."""

from __future__ import annotations

from dataclasses import dataclass

from boardgames_cli.agents.mcts import Mcts
from boardgames_cli.agents.rollout import SimulationAgent
from boardgames_cli.core.game import A, AnyGame, S
from boardgames_cli.core.options import option


@dataclass
class Ismcts(Mcts[S, A]):
    """Searches over what seats see; each simulation draws anew what is hidden.

    With ``observers=multi`` every seat has a tree of its own and decides by what it sees. Unlike in
    the published form, the root of another seat's tree depends on what that seat knows at the
    start, such as its cards.
    """

    observers: str = option(
        "multi",
        "multi: a tree for every seat; single: one tree with what this seat sees, "
        "better where the others know far more than can be tried",
        choices=("multi", "single"),
    )

    @property
    def is_multi(self) -> bool:
        """Whether every seat has a tree of its own."""
        return self.observers == "multi"

    def supports(self, game: AnyGame) -> str | None:
        """Every game; without hidden information it is `mcts`."""
        return SimulationAgent.supports(self, game)
