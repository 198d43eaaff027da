"""Monte Carlo tree search: for perfect information, and over information sets."""

from __future__ import annotations

from dataclasses import dataclass

from boardgames_cli.agents.rollout import SimulationAgent
from boardgames_cli.algorithms.game_tree import draw
from boardgames_cli.algorithms.tree_search import Leaves, TreeSearch
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import A, AnyGame, Observation, S, Traits
from boardgames_cli.core.options import option


@dataclass
class Mcts(SimulationAgent[S, A]):
    """Grows a tree of the most promising steps by simulations (UCT), with chance drawn anew.

    Where several seats act at once, it plays a mixed strategy by regret matching. The sources are
    in `algorithms.tree_search`.
    """

    depth: int = option(
        0,
        "the steps of a rollout, after which the game's heuristic values the position; "
        "without a heuristic, 0 plays to the end",
        low=0, high=100_000,
    )  # fmt: skip
    exploration: float = option(
        0.7, "how much actions that were tried rarely are preferred", low=0.0, high=100.0
    )

    @property
    def is_multi(self) -> bool:
        """Whether every seat has a tree of its own."""
        return False

    @property
    def leaves(self) -> Leaves:
        return self._rollouts

    def supports(self, game: AnyGame) -> str | None:
        if Traits.HIDDEN in game.traits:
            return "it hides things from the seats, which ismcts is for"
        return super().supports(game)

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        """The action of the search, drawn from a mixed strategy in a joint step."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        return draw(self.search(seen, thinking).policy(), thinking.rng)

    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """The mean return of the seat after every legal action; see `EvaluatesActions`."""
        return self.search(seen, thinking).values()

    def search(self, seen: Observation[S, A], thinking: Thinking) -> TreeSearch[S, A]:
        """Search a decision until the simulations or the time are used up."""
        search = TreeSearch(
            self._game, seen, self.leaves, thinking.rng, self.exploration, multi=self.is_multi
        )
        search.run(self.simulations, thinking.should_stop)
        thinking.report(f"{search.simulations:,} simulations")
        return search


@dataclass
class Ismcts(Mcts[S, A]):
    """Searches over what seats see; each simulation draws anew what is hidden.

    Every seat has a tree of its own and decides by what it sees. Unlike in the published form, the
    root of another seat's tree depends on what that seat knows at the start, such as its cards.
    """

    @property
    def is_multi(self) -> bool:
        return True

    def supports(self, game: AnyGame) -> str | None:
        """Every game; without hidden information it is `mcts`."""
        return SimulationAgent.supports(self, game)
