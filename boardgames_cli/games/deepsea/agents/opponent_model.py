"""A model of the opponents: how they dive, inferred from what they have decided so far."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.agents.planner import PlannerPolicy
from boardgames_cli.games.deepsea.agents.policies import (
    DiverPolicy,
    GrabberPolicy,
    GreedyPolicy,
    Policy,
    RandomPolicy,
    RoundState,
)
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

_SLIP: Final = 0.06
"""How often somebody of a known kind is believed to decide otherwise; people are never pure."""


class _Coin(Policy):
    """Stands for a diver whose decisions follow no rule; it is never asked."""


KINDS: Final[Sequence[tuple[Policy, float]]] = (
    (PlannerPolicy(), 3.0),
    (GrabberPolicy(1), 1.0),
    (GrabberPolicy(2), 1.0),
    (GrabberPolicy(3), 0.5),
    (DiverPolicy(8, 2), 1.0),
    (DiverPolicy(12, 1), 0.5),
    (DiverPolicy(16, 1), 1.0),
    (GreedyPolicy(), 1.0),
    (_Coin(), 1.0),
)
"""The kinds of divers that are thought of, with their weights before anything was seen."""


class OpponentModel:
    """For every seat how likely each of `KINDS` is, by Bayes' rule.

    Args:
        seats: Number of seats at the table.
    """

    def __init__(self, seats: int) -> None:
        self.weights = [[weight for _, weight in KINDS] for _ in range(seats)]

    def learn(self, before: DeepSeaState, after: DeepSeaState) -> None:
        """Take in what a diver decided between two neighbouring states."""
        seat = before.current
        if before.phase is Phase.DIRECTION:
            self._weigh(seat, before, "returns", not after.diving[seat])
        elif before.phase is Phase.CHIP and after.round == before.round:
            # A new round empties all hands, so what was done last in the old one stays unknown.
            has_acted = after.held[seat] != before.held[seat]
            question = "takes" if before.chip_under(seat) else "drops"
            self._weigh(seat, before, question, has_acted)

    def _weigh(self, seat: Seat, sea: RoundState, question: str, answer: bool) -> None:
        weights = self.weights[seat]
        for kind, (policy, _) in enumerate(KINDS):
            if isinstance(policy, _Coin):
                weights[kind] *= 0.5
            else:
                expected = getattr(policy, question)(sea, seat)
                weights[kind] *= 1 - _SLIP if expected == answer else _SLIP
        total = sum(weights)
        self.weights[seat] = [weight / total for weight in weights]

    def sample(self, rng: random.Random) -> list[Policy]:
        """Somebody for every seat, each kind as often as it is likely."""
        drawn = [rng.choices(KINDS, weights)[0][0] for weights in self.weights]
        return [RandomPolicy(rng) if isinstance(policy, _Coin) else policy for policy in drawn]
