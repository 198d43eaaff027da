"""Divers to measure agents against: the classic ones, a one-ply maximiser, and strangers.

The strangers of `FAMILY` decide by what the plans that `hard` thinks of can nearly express. Those
of `HELD_OUT` do not, and were not looked at before the last measurement.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.agents.one_ply import OnePlyPolicy
from boardgames_cli.games.deepsea.agents.planner import WORTH
from boardgames_cli.games.deepsea.agents.policies import (
    DiverPolicy,
    GrabberPolicy,
    GreedyPolicy,
    Policy,
    RandomPolicy,
    RoundState,
    is_at_end,
)


def others_load(sea: RoundState, seat: Seat) -> int:
    """What the others who are still out use between two turns of a seat."""
    return sum(
        len(load)
        for other, load in enumerate(sea.held)
        if other != seat and (sea.places[other] or sea.diving[other])
    )


@dataclass(frozen=True, slots=True)
class WatcherPolicy(Policy):
    """Looks at the gauge: dives until the tank is down to a mark; two good chips on the way."""

    mark: int = 16

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """At the mark."""
        return sea.oxygen <= self.mark or is_at_end(sea, seat)

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """Two chips of five points or more, and later whatever the tank seems to allow."""
        held = len(sea.held[seat])
        if sea.diving[seat]:
            return held < 2 and WORTH[sea.trail[sea.places[seat] - 1]] > 5
        return held < 1 or sea.oxygen > 3 * sea.places[seat]


@dataclass(frozen=True, slots=True)
class HoarderPolicy(Policy):
    """Fills its hands with three chips from place 5 on, and regrets it when the air gets thin."""

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """With three chips."""
        return len(sea.held[seat]) >= 3 or is_at_end(sea, seat)

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """From place 5 on; on the way home a fourth while there is plenty."""
        if sea.diving[seat]:
            return sea.places[seat] >= 5
        return len(sea.held[seat]) < 4 and sea.oxygen > 12

    def drops(self, sea: RoundState, seat: Seat) -> bool:
        """When the tank is nearly empty and the way is long."""
        return len(sea.held[seat]) > 1 and sea.oxygen < sea.places[seat]


@dataclass(frozen=True, slots=True)
class FollowerPolicy(Policy):
    """Does what the others do: takes when others hold chips, turns back when one has."""

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """When somebody else has, and it holds something or is far out."""
        turned = any(not diving for other, diving in enumerate(sea.diving) if other != seat)
        wants = bool(sea.held[seat]) or sea.places[seat] > 12
        return (turned and wants) or sea.oxygen < 10 or is_at_end(sea, seat)

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """As long as somebody holds more than it does; near home always a first one."""
        held = len(sea.held[seat])
        most = max(len(load) for other, load in enumerate(sea.held) if other != seat)
        return held < most or (held == 0 and (sea.places[seat] > 9 or not sea.diving[seat]))


@dataclass(frozen=True, slots=True)
class GamblerPolicy(Policy):
    """Lets luck decide, with better odds for better chips; turns when the way frightens it."""

    rng: random.Random = field(default_factory=lambda: random.Random(0))

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """When the way, times what all carry, has come near the oxygen; else seldom."""
        load = others_load(sea, seat) + len(sea.held[seat])
        fright = sea.places[seat] * load / (3.5 * max(1, sea.oxygen))
        return is_at_end(sea, seat) or self.rng.random() < fright**2

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """With a chance by the level, less with full hands."""
        chip = sea.trail[sea.places[seat] - 1]
        return self.rng.random() < (0.1 + WORTH[chip] / 18) / (1 + len(sea.held[seat]) / 2)

    def drops(self, sea: RoundState, seat: Seat) -> bool:
        """Now and then, with three or more."""
        return len(sea.held[seat]) > 2 and self.rng.random() < 0.4


ONE_PLY: Final[Mapping[str, Policy]] = {"one-ply": OnePlyPolicy()}
CLASSICS: Final[Mapping[str, Policy]] = {
    "grabber 1": GrabberPolicy(1),
    "grabber 2": GrabberPolicy(2),
    "diver 8,2": DiverPolicy(8, 2),
    "diver 16,1": DiverPolicy(16, 1),
    "greedy-classic": GreedyPolicy(),
    "random": RandomPolicy(random.Random(0)),
}
FAMILY: Final[Mapping[str, Policy]] = {"watcher": WatcherPolicy(), "hoarder": HoarderPolicy()}
HELD_OUT: Final[Mapping[str, Policy]] = {"follower": FollowerPolicy(), "gambler": GamblerPolicy()}
