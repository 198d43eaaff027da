"""Flat Monte Carlo: every action is valued by games played on, and the base of such agents."""

from __future__ import annotations

import random
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from boardgames_cli.algorithms.action_values import loaded_heuristic, pick_best
from boardgames_cli.algorithms.tree_search import RolloutPolicy
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.options import option
from boardgames_cli.registry import make_agent

_UNIFORM: Final = "random"
_MOST_STEPS: Final = 1000


@dataclass
class SimulationAgent(Agent[S, A]):
    """An agent that plays games on from the position.

    The same seed and number of simulations give the same action, if the time suffices.
    """

    _: KW_ONLY
    simulations: int = option(
        1000, "games played on for a decision, if the time suffices", low=1, high=100_000_000
    )
    rollout: str = option(_UNIFORM, "the agent that plays them on, such as greedy")
    depth: int = option(
        _MOST_STEPS,
        "the steps after which a game is cut and valued by the game's heuristic, "
        "or by the returns so far",
        low=0, high=100_000,
    )  # fmt: skip

    _game: Game[S, A, Any] = field(init=False, repr=False, compare=False)
    _rollouts: RolloutPolicy = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        """Every game that the rollout's agent can play.

        Raises:
            GameError: There is no such agent, or it can't play the game.
        """
        if self.rollout != _UNIFORM:
            make_agent(self.rollout, game)
        return None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        self._game = game
        agents: list[Agent[Any, Any]] = []
        if self.rollout != _UNIFORM:
            agents = [make_agent(self.rollout, game) for _ in range(game.seats)]
        for place, agent in enumerate(agents):
            agent.reset(game, place)
        heuristic = loaded_heuristic(game)
        depth = self.depth if self.depth or heuristic else _MOST_STEPS
        self._rollouts = RolloutPolicy(game, heuristic, depth, agents)


@dataclass
class RolloutAgent(SimulationAgent[S, A]):
    """Plays on equally often after every action, and takes that with the highest mean return.

    All actions meet the same hidden information and the same random numbers in turn, so that their
    differences are due to the actions (G. Tesauro and G. Galperin, "On-line Policy Improvement
    using Monte-Carlo Search", 1996).
    """

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        if len(seen.legal) == 1:
            return seen.legal[0]
        return pick_best(self.evaluate_actions(seen, thinking), thinking.rng)

    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """The mean return of the seat after every legal action; see `EvaluatesActions`.

        In a joint step the other seats act by the rollout policy. A round is left out unless it is
        complete; if the first is not, every value is the return so far.
        """
        game, seat, rollouts, rng = self._game, seen.own_seat, self._rollouts, thinking.rng
        rows: dict[A, list[float]] = {action: [] for action in seen.legal}
        done = 0
        while done == 0 or done + len(rows) <= self.simulations:
            state, luck = game.determinize(seen, rng), rng.getrandbits(64)
            values = []
            for action in seen.legal:
                if thinking.should_stop(done):
                    banked = game.returns(seen.state)[seat]
                    return {
                        one: sum(row) / len(row) if row else banked for one, row in rows.items()
                    }
                same = random.Random(luck)
                joint = {other: rollouts.choose(state, other, same) for other in game.to_act(state)}
                after = game.apply(state, {**joint, seat: action})
                values.append(rollouts.play(after, same)[seat])
                done += 1
            for action, value in zip(seen.legal, values, strict=True):
                rows[action].append(value)
        return {action: sum(row) / len(row) for action, row in rows.items()}
