"""Monte Carlo tree search: for perfect information, and over information sets."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from boardgames_cli.algorithms.action_values import loaded_heuristic
from boardgames_cli.algorithms.game_tree import draw
from boardgames_cli.algorithms.tree_search import Leaves, RolloutPolicy, TreeSearch
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat, Traits
from boardgames_cli.core.options import option

_MOST_STEPS: Final = 1000


@dataclass
class Mcts(Agent[S, A]):
    """Grows a tree of the most promising steps by simulations (UCT), with chance drawn anew.

    Where several seats act at once, it plays a mixed strategy by regret matching. The same seed and
    number of simulations give the same action, if the time suffices. The sources are in
    `algorithms.tree_search`.
    """

    _: KW_ONLY
    simulations: int = option(
        1000, "games played on for a decision, if the time suffices", low=1, high=100_000_000
    )
    depth: int = option(
        0,
        "the steps of a rollout, after which the game's heuristic values the position; "
        "without a heuristic, 0 plays to the end",
        low=0, high=100_000,
    )  # fmt: skip
    exploration: float = option(
        0.7, "how much actions that were tried rarely are preferred", low=0.0, high=100.0
    )

    _game: Game[S, A, Any] = field(init=False, repr=False, compare=False)
    _rollouts: RolloutPolicy = field(init=False, repr=False, compare=False)

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
        return None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        self._game = game
        heuristic = loaded_heuristic(game)
        depth = self.depth if self.depth or heuristic else _MOST_STEPS
        self._rollouts = RolloutPolicy(game, heuristic, depth)

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
        return None
