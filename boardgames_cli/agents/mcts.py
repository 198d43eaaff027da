"""Monte Carlo tree search for games of perfect information."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from boardgames_cli.agents.rollout import SimulationAgent
from boardgames_cli.algorithms.game_tree import draw
from boardgames_cli.algorithms.tree_search import Leaves, SearchNode, TreeSearch, edge_of
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat, Traits
from boardgames_cli.core.match import StepObservation
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
    keep: bool = option(
        False,
        "keep the tree for the next decision; its actions then depend on those it made before, "
        "which undo and resume can't repeat",
    )

    _root: SearchNode | None = field(init=False, repr=False, compare=False, default=None)
    _ply: int = field(init=False, repr=False, compare=False, default=-1)

    @property
    def is_multi(self) -> bool:
        """Whether every seat has a tree of its own."""
        return False

    @property
    def leaves(self) -> Leaves:
        """What values the leaves of the tree."""
        return self._rollouts

    def supports(self, game: AnyGame) -> str | None:
        """A game of perfect information, apart from simultaneous actions."""
        if Traits.HIDDEN in game.traits:
            return "it hides things from the seats, which ismcts is for"
        return super().supports(game)

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Forget the tree."""
        super().reset(game, seat)
        self._root = None

    def watch(self, seen: Observation[S, A]) -> None:
        """Follow the tree along a step; it is forgotten if the step is not known."""
        if self._root is None or seen.ply == self._ply:
            return
        step = seen.step if isinstance(seen, StepObservation) else None
        follows = step is not None and seen.ply == self._ply + 1
        self._root = self._root.children.get(edge_of(step)) if step and follows else None
        self._ply = seen.ply

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
        root = self._root if self._root is not None and self._ply == seen.ply else SearchNode()
        search = TreeSearch(
            self._game, seen, self.leaves, thinking.rng, self.exploration,
            multi=self.is_multi, root=root,
        )  # fmt: skip
        search.run(self.simulations, thinking.should_stop)
        thinking.report(f"{search.simulations:,} simulations")
        if self.keep:
            self._root, self._ply = root, seen.ply
        return search
