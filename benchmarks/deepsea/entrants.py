"""Divers to measure agents against: a one-ply maximiser of expected points, and strangers.

`TUNING` were among the divers that the plans of `hard` were tuned with; `HELD_OUT` were not looked
at before the last measurement, and decide by what no plan of `hard` can express.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.agents.odds import chance_home, step_chances, turns_left
from boardgames_cli.games.deepsea.agents.planner import WORTH, WORTH_OF, way_home
from boardgames_cli.games.deepsea.agents.policies import (
    DiverPolicy,
    GrabberPolicy,
    GreedyPolicy,
    Policy,
    RandomPolicy,
    RoundState,
    is_at_end,
)
from boardgames_cli.games.deepsea.trail import ascend, descend


def carried(sea: RoundState, seat: Seat) -> float:
    """The mean worth of what a diver holds."""
    return sum(WORTH[chip] for chip in sea.held[seat])


def others_load(sea: RoundState, seat: Seat) -> int:
    """What the others who are still out use between two turns of a seat."""
    return sum(
        len(load)
        for other, load in enumerate(sea.held)
        if other != seat and (sea.places[other] or sea.diving[other])
    )


@dataclass(frozen=True, slots=True)
class OnePlyPolicy(Policy):
    """Takes what has the highest expected points, one ply on.

    After its action, and the dice that follow, it counts what it carries times the chance to
    bring that home if it turned back there and everybody kept the load of now.
    """

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """When the throw that follows is worth more upward than downward."""
        return is_at_end(sea, seat) or self._after(sea, seat, up=True) >= self._after(
            sea, seat, up=False
        )

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """When that raises the expectation."""
        place = sea.places[seat]
        chip, load = sea.trail[place - 1], len(sea.held[seat])
        taken = self._worth(sea, seat, place, load + 1, carried(sea, seat) + WORTH[chip])
        return taken > self._worth(sea, seat, place, load, carried(sea, seat))

    def drops(self, sea: RoundState, seat: Seat) -> bool:
        """When the rest, being lighter, is worth more."""
        place, load, worth = sea.places[seat], len(sea.held[seat]), carried(sea, seat)
        lowest = min((WORTH[chip] for chip in sea.held[seat]), default=0.0)
        lighter = self._worth(sea, seat, place, load - 1, worth - lowest)
        return load > 0 and lighter > self._worth(sea, seat, place, load, worth)

    def _after(self, sea: RoundState, seat: Seat, *, up: bool) -> float:
        load, worth = len(sea.held[seat]), carried(sea, seat)
        move = ascend if up else descend
        total = 0.0
        for steps, chance in step_chances(load):
            there = move(sea.trail, sea.places, sea.places[seat], steps)
            value = self._worth(sea, seat, there, load, worth)
            if there and sea.trail[there - 1]:
                more = worth + WORTH_OF[sea.trail[there - 1]]
                value = max(value, self._worth(sea, seat, there, load + 1, more))
            total += chance * value
        return total

    def _worth(self, sea: RoundState, seat: Seat, place: int, load: int, worth: float) -> float:
        turns = turns_left(sea.oxygen, others_load(sea, seat), load)
        return worth * chance_home(way_home(sea.trail, place), load, turns)


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
TUNING: Final[Mapping[str, Policy]] = {"watcher": WatcherPolicy(), "hoarder": HoarderPolicy()}
HELD_OUT: Final[Mapping[str, Policy]] = {"follower": FollowerPolicy(), "gambler": GamblerPolicy()}
