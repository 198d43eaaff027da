"""The agent that searches one action ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardgames_cli.algorithms.action_values import HeuristicAgent, estimate, pick_like_a_person
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import A, Observation, S, Seat, Traits
from boardgames_cli.core.options import option

_WORLDS: Final = 8
"""The number of determinizations over which values are averaged."""


@dataclass
class Greedy(HeuristicAgent[S, A]):
    """Takes the action whose resulting state has the best heuristic value for its seat.

    It searches one ply: no chance nodes, no replies. With hidden information, the values are
    averaged over several determinizations of the observation.

    With a temperature it makes human-like mistakes: small ones often, large ones rarely. An action
    whose value is lower than the best by the temperature is e times less likely (softmax).
    """

    slips: float = option(
        0.0, "probability of a random action instead of the best", low=0.0, high=1.0
    )
    temperature: float = option(
        0.0, "0 takes the best; the higher, the less differences in value matter",
        low=0.0, high=100.0,
    )  # fmt: skip

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        """The action with the highest value, or with probability `slips` any action."""
        if len(seen.legal) > 1 and thinking.rng.random() < self.slips:
            return thinking.rng.choice(seen.legal)
        if len(seen.legal) == 1:
            return seen.legal[0]
        values = self.evaluate_actions(seen, thinking)
        return pick_like_a_person(self._game, seen, values, self.temperature, thinking.rng)

    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """The heuristic value after each action; see `EvaluatesActions`."""
        is_hidden = Traits.HIDDEN in self._game.info.traits
        worlds = [
            self._game.determinize(seen, thinking.rng) for _ in range(_WORLDS if is_hidden else 1)
        ]
        return {
            action: sum(self._try(world, seen.own_seat, action) for world in worlds) / len(worlds)
            for action in seen.legal
        }

    def _try(self, state: S, seat: Seat, action: A) -> float:
        after = self._game.apply(state, {seat: action})
        return estimate(self._game, self._heuristic, after, seat)
