"""An agent for Goofspiel only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boardgames_cli import Agent, AnyGame, Game, Observation, Seat, Thinking, option

from boardgames_goofspiel.rules import Bid, Goofspiel, State


@dataclass
class Matching(Agent[State, Bid]):
    """Bids the card with the points of the prize.

    No strategy wins more against bids at random (S. M. Ross, 1971); who knows it bids one more.
    """

    slips: float = option(0.0, "probability of any card instead", low=0.0, high=1.0)

    def supports(self, game: AnyGame) -> str | None:
        """Goofspiel only."""
        return None if isinstance(game, Goofspiel) else "it plays Goofspiel only"

    def reset(self, game: Game[State, Bid, Any], seat: Seat) -> None:
        """It keeps nothing."""

    def act(self, seen: Observation[State, Bid], thinking: Thinking) -> Bid:
        """The matching card, or, after a slip, that nearest to it."""
        if thinking.rng.random() < self.slips:
            return thinking.rng.choice(seen.legal)
        prize = seen.state.prizes[-1]
        return min(seen.legal, key=lambda bid: abs(bid.card - prize))
