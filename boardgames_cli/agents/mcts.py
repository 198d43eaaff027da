"""Monte Carlo tree search: for perfect information, and over information sets."""

from __future__ import annotations

import math
import random
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from boardgames_cli.agents.rollout import SimulationAgent
from boardgames_cli.algorithms.game_tree import draw
from boardgames_cli.algorithms.tree_search import Leaves, SearchNode, TreeSearch, edge_of
from boardgames_cli.core.agent import Budget, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat, Traits
from boardgames_cli.core.match import StepObservation
from boardgames_cli.core.options import option, option_values
from boardgames_cli.core.plugins import is_confined

_LOOK_SECONDS: Final = 0.02
"""How often a search that waits for other processes looks whether it is cancelled."""
_GRACE_SECONDS: Final = 0.25
"""How long after the time is over a search waits for what other processes found."""
_Found: TypeAlias = tuple[SearchNode, int]
"""What another process found at the root, and its simulations."""


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

    jobs: int = option(
        1,
        "processes that search side by side, each with its share of the simulations; what they "
        "found at the root is added up, and no tree is kept",
        low=1, high=64,
    )  # fmt: skip

    _pool: Any = field(init=False, repr=False, compare=False, default=None)
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
        if Traits.HIDDEN in game.traits:
            return "it hides things from the seats, which ismcts is for"
        return super().supports(game)

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Forget the tree; start the other processes, which load the game meanwhile."""
        super().reset(game, seat)
        self._root = None
        if self.jobs > 1 and self._pool is None and not is_confined():
            from boardgames_cli.agents.remote.process_pool import ProcessPool  # few use it

            self._pool = ProcessPool(self.jobs - 1)
            weakref.finalize(self, self._pool.shutdown)
            for _ in range(self.jobs - 1):
                self._pool.submit(self._alone().reset, game, seat)

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
        share = max(1, self.simulations // self.jobs)
        seconds = thinking.budget.seconds
        deadline = math.inf if seconds is None else time.monotonic() + seconds - thinking.elapsed
        others = self._start_others(seen, thinking, share, deadline)
        search.run(self.simulations - share * len(others), thinking.should_stop)
        for found, simulations in self._results_of(others, thinking, deadline):
            search.root.add(found)
            search.simulations += simulations
        thinking.report(f"{search.simulations:,} simulations")
        if self.keep and not others:
            self._root, self._ply = root, seen.ply
        return search

    def _alone(self, **options: Any) -> Mcts[S, A]:
        return type(self)(**option_values(self) | {"jobs": 1, "keep": False} | options)

    def _start_others(
        self, seen: Observation[S, A], thinking: Thinking, share: int, deadline: float
    ) -> list[Future[_Found]]:
        if self._pool is None:
            return []
        agent = self._alone(simulations=min(share, thinking.budget.nodes or share))
        seeds = [thinking.rng.getrandbits(64) for _ in range(min(self.jobs, self.simulations) - 1)]
        return [
            self._pool.submit(_search_alone, agent, self._game, seen, seed, deadline)
            for seed in seeds
        ]

    def _results_of(
        self, others: Sequence[Future[_Found]], thinking: Thinking, deadline: float
    ) -> list[_Found]:
        """What the other processes found; nothing if the search is cancelled before.

        A process that has died, or is late because it has only begun to start, takes only its share
        with it.
        """
        while wait(others, _LOOK_SECONDS).not_done:
            if thinking.cancelled() and self._pool is not None:
                for future in others:
                    future.cancel()
                self._pool.restart()
                return []
            if time.monotonic() > deadline + _GRACE_SECONDS:
                break
        done = [future for future in others if not future.cancel() and future.done()]
        return [one.result() for one in done if not isinstance(one.exception(), BrokenExecutor)]


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
        return self.observers == "multi"

    def supports(self, game: AnyGame) -> str | None:
        """Every game; without hidden information it is `mcts`."""
        return SimulationAgent.supports(self, game)


def _search_alone(
    agent: Mcts[S, A], game: Game[S, A, Any], seen: Observation[S, A], seed: int, deadline: float
) -> _Found:
    """What an agent's search finds at the root, and its simulations; a call for a process.

    The clock of ``deadline`` is that of the whole machine (`time.monotonic`), so that the time in
    which the process started counts.
    """
    assert seen.seat is not None, "a spectator has no decision"
    agent.reset(game, seen.seat)
    seconds = None if math.isinf(deadline) else max(deadline - time.monotonic(), 0.0)
    search = agent.search(seen, Thinking(random.Random(seed), Budget(seconds)))
    return search.root.without_tree(), search.simulations
