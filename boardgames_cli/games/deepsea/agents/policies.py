"""Policies: fixed rules by which a diver decides, and the agents that follow one.

A policy reads the round alone. The classic agents are those of the environment that the game was
first written for; the fourth of them, Randy, is the general agent ``random``. For searches the same
rules are there as rows of numbers: `plans`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import AnyGame, Game, Observation, Seat
from boardgames_cli.core.options import check_options, option
from boardgames_cli.games.deepsea.actions import DIVE, LEAVE, RETURN, TAKE, DeepSeaChoice
from boardgames_cli.games.deepsea.chips import DOTS, GONE, PLACES, WEIGHT
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase


class RoundState(Protocol):
    """What a policy can read of a state."""

    @property
    def oxygen(self) -> int:
        """What is left in the tank."""

    @property
    def places(self) -> Sequence[int]:
        """By seat: 0 the submarine, 1 to 32 a place of the trail."""

    @property
    def diving(self) -> Sequence[bool]:
        """By seat: whether it has not turned back."""

    @property
    def held(self) -> Sequence[bytes]:
        """By seat the chips carried."""

    @property
    def trail(self) -> bytes | bytearray:
        """What lies on each place; index 0 is place 1."""


def is_at_end(sea: RoundState, seat: Seat) -> bool:
    """Whether no free place lies further out, so that diving on leads nowhere."""
    places, trail = sea.places, sea.trail
    return not any(
        trail[there] != GONE and there + 1 not in places
        for there in range(places[seat], len(trail))
    )


class Policy:
    """Decides for one diver at a time. By default it dives to the end, takes nothing, keeps all."""

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """Whether the diver turns back now; without a load it could stay down for ever."""
        return is_at_end(sea, seat)

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """Whether the diver takes the chip it is on."""
        return False

    def drops(self, sea: RoundState, seat: Seat) -> bool:
        """Whether the diver puts its lowest chip down on the blank it is on."""
        return False


@dataclass(frozen=True, slots=True)
class GrabberPolicy(Policy):
    """Takes the first chips it comes to, then returns."""

    n: int

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """With ``n`` chips, or at the end of the trail."""
        return len(sea.held[seat]) >= self.n or is_at_end(sea, seat)

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """Up to ``n`` chips, on the way down."""
        return sea.diving[seat] and len(sea.held[seat]) < self.n


@dataclass(frozen=True, slots=True)
class DiverPolicy(Policy):
    """Dives to a depth, taking chips on the way while it has room, and returns from there.

    At its depth and below it takes any chip: so the recorded games of the reference have it, in
    which Diver(16,1) brings home more than the first chip of the trail.
    """

    depth: int
    n: int

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """At its depth, or at the end of the trail."""
        return sea.places[seat] >= self.depth or is_at_end(sea, seat)

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """Up to ``n`` chips, and any at its depth."""
        return len(sea.held[seat]) < self.n or sea.places[seat] >= self.depth


class GreedyPolicy(Policy):
    """Wants a chip of the last level, and nothing else."""

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """With a 4-dot chip, or at the end of the trail."""
        return any(4 in DOTS[chip] for chip in sea.held[seat]) or is_at_end(sea, seat)

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """A 4-dot chip."""
        return 4 in DOTS[sea.trail[sea.places[seat] - 1]]


@dataclass(frozen=True, slots=True)
class RandomPolicy(Policy):
    """Tosses a coin for every decision."""

    rng: random.Random

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """As the coin falls."""
        return self.rng.random() < 0.5

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """As the coin falls."""
        return self.rng.random() < 0.5

    def drops(self, sea: RoundState, seat: Seat) -> bool:
        """As the coin falls."""
        return self.rng.random() < 0.5


# -- agents -------------------------------------------------------------------------------


def decide(
    policy: Policy, seen: Observation[DeepSeaState, DeepSeaChoice], sea: RoundState | None = None
) -> DeepSeaChoice:
    """The action of a policy where its seat is to act; of the chips it carries the lowest goes."""
    state, seat = seen.state, seen.seat
    assert seat is not None, "a spectator has no actions"
    sea = sea or state
    if state.phase is Phase.DIRECTION:
        return RETURN if policy.returns(sea, seat) else DIVE
    if state.chip_under(seat):
        return TAKE if policy.takes(sea, seat) else LEAVE
    drops = [action for action in seen.legal if str(action).startswith("drop")]
    if not policy.drops(sea, seat):
        return next(action for action in seen.legal if action not in drops)
    return min(drops, key=lambda action: WEIGHT[getattr(action, "chip", 0)])


class PolicyAgent(Agent[DeepSeaState, DeepSeaChoice]):
    """An agent that follows a policy, without search or memory."""

    def supports(self, game: AnyGame) -> str | None:
        """Deep Sea Adventure only."""
        return None if game.info.id == "deepsea" else "it can only dive"

    def policy(self) -> Policy:
        """How it decides."""
        raise NotImplementedError

    def reset(self, game: Game[DeepSeaState, DeepSeaChoice, Any], seat: Seat) -> None:
        """Nothing to remember."""

    def act(
        self, seen: Observation[DeepSeaState, DeepSeaChoice], thinking: Thinking
    ) -> DeepSeaChoice:
        """The policy's action."""
        return decide(self.policy(), seen)


@dataclass
class Grabber(PolicyAgent):
    """Takes the first chips it comes to, then returns."""

    n: int = option(1, "chips to take", low=1, high=PLACES)

    def __post_init__(self) -> None:
        check_options(self)

    def policy(self) -> Policy:
        """See `GrabberPolicy`."""
        return GrabberPolicy(self.n)


@dataclass
class Diver(PolicyAgent):
    """Dives to a depth, taking chips on the way while it has room."""

    depth: int = option(8, "place from which to return", low=1, high=PLACES)
    n: int = option(2, "chips to take on the way", low=0, high=PLACES)

    def __post_init__(self) -> None:
        check_options(self)

    def policy(self) -> Policy:
        """See `DiverPolicy`."""
        return DiverPolicy(self.depth, self.n)


class GreedyClassic(PolicyAgent):
    """Returns with the first 4-dot chip."""

    def policy(self) -> Policy:
        """See `GreedyPolicy`."""
        return GreedyPolicy()
