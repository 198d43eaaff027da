"""Policies: fixed rules by which a diver decides.

The classic ones are those of the environment that the game was first written for; the fourth of
them, Randy, is the general agent ``random``. For searches the same rules are there as rows of
numbers: `plans`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from boardgames_cli.core.agent import SingleGameAgent, Thinking
from boardgames_cli.core.game import Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.deepsea.actions import DIVE, LEAVE, RETURN, TAKE, DeepSeaChoice
from boardgames_cli.games.deepsea.chips import DOTS, GONE, PLACES, WEIGHT
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase, Seen


def is_at_end(state: DeepSeaState, seat: Seat) -> bool:
    """Whether no free place lies further out, so that diving on leads nowhere."""
    places, trail = state.places, state.trail
    return not any(
        trail[there] != GONE and there + 1 not in places
        for there in range(places[seat], len(trail))
    )


@dataclass
class Policy(SingleGameAgent[DeepSea, DeepSeaState, DeepSeaChoice]):
    """An agent that decides by the state of the round alone, without search or memory.

    By default it dives to the end of the trail, takes nothing and keeps all.
    """

    rulebook: ClassVar = DeepSea

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether the diver turns back now; without a load it could stay down for ever."""
        return is_at_end(state, seat)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether the diver takes the chip it is on."""
        return False

    def drops(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether the diver puts its lowest chip down on the blank it is on."""
        return False

    def act(self, seen: Seen, thinking: Thinking) -> DeepSeaChoice:
        """The policy's action."""
        return self.decide(seen)

    def decide(self, seen: Seen) -> DeepSeaChoice:
        """The action where its seat is to act; of the chips it carries the lowest goes."""
        state, seat = seen.state, seen.own_seat
        if state.phase is Phase.DIRECTION:
            return RETURN if self.returns(state, seat) else DIVE
        if state.chip_under(seat):
            return TAKE if self.takes(state, seat) else LEAVE
        drops = [action for action in seen.legal if action.text.startswith("drop")]
        if not self.drops(state, seat):
            return next(action for action in seen.legal if action not in drops)
        return min(drops, key=lambda action: WEIGHT[action.chip])


@dataclass
class Grabber(Policy):
    """Takes the first chips it comes to, then returns."""

    n: int = option(1, "chips to take", low=1, high=PLACES)

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """With ``n`` chips, or at the end of the trail."""
        return len(state.held[seat]) >= self.n or is_at_end(state, seat)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """Up to ``n`` chips, on the way down."""
        return state.diving[seat] and len(state.held[seat]) < self.n


@dataclass
class Diver(Policy):
    """Dives to a depth, taking chips on the way while it has room, and returns from there.

    At its depth and below it takes any chip: so the recorded games of the reference have it, in
    which Diver(16,1) brings home more than the first chip of the trail.
    """

    depth: int = option(8, "place from which to return", low=1, high=PLACES)
    n: int = option(2, "chips to take on the way", low=0, high=PLACES)

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """At its depth, or at the end of the trail."""
        return state.places[seat] >= self.depth or is_at_end(state, seat)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """Up to ``n`` chips, and any at its depth."""
        return len(state.held[seat]) < self.n or state.places[seat] >= self.depth


class GreedyClassic(Policy):
    """Wants a chip of the last level, and nothing else."""

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """With a 4-dot chip, or at the end of the trail."""
        return any(4 in DOTS[chip] for chip in state.held[seat]) or is_at_end(state, seat)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """A 4-dot chip."""
        return 4 in DOTS[state.trail[state.places[seat] - 1]]
