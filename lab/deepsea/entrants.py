"""Divers to measure agents against: the classic ones, a one-ply maximiser, and strangers.

The strangers of `FAMILY` decide by what the plans that `hard` thinks of can nearly express. Those
of `HELD_OUT` do not, and were not looked at before the last measurement.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from boardgames_cli.core.agent import Agent, SingleGameAgent, Thinking
from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    KEEP,
    LEAVE,
    RETURN,
    TAKE,
    DeepSeaChoice,
)
from boardgames_cli.games.deepsea.agents.odds import (
    WORTH,
    carried_worth,
    chance_home,
    step_chances,
    turns_left,
    way_home,
)
from boardgames_cli.games.deepsea.agents.policies import Diver, Grabber, GreedyClassic
from boardgames_cli.games.deepsea.chips import GONE, WEIGHT
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase, Seen


def is_at_end(state: DeepSeaState, seat: Seat) -> bool:
    """Whether no free place lies further out."""
    return not any(
        chip != GONE and place not in state.places
        for place, chip in enumerate(state.trail, start=1)
        if place > state.places[seat]
    )


class Policy(SingleGameAgent[DeepSea, DeepSeaState, DeepSeaChoice]):
    """Decides by rules of its own, which no plan has."""

    rulebook: ClassVar = DeepSea

    rng: random.Random
    """The luck of a decision, where it needs some."""

    @abstractmethod
    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether the diver turns back now."""

    @abstractmethod
    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether the diver takes the chip it is on."""

    def drops(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether the diver puts its lowest chip down on the blank it is on."""
        return False

    def act(self, seen: Seen, thinking: Thinking) -> DeepSeaChoice:
        """What the rules say; of the chips it carries the lowest goes."""
        state, seat = seen.state, seen.own_seat
        self.rng = thinking.rng
        if state.phase is Phase.DIRECTION:
            return RETURN if self.returns(state, seat) else DIVE
        if state.chip_under(seat):
            return TAKE if self.takes(state, seat) else LEAVE
        drops = [action for action in seen.legal if action != KEEP]
        wants = self.drops(state, seat)
        return min(drops, key=lambda action: WEIGHT[action.chip]) if wants else KEEP


def others_load(state: DeepSeaState, seat: Seat) -> int:
    """What the others who are still out use between two turns of a seat."""
    return sum(
        len(load)
        for other, load in enumerate(state.held)
        if other != seat and (state.places[other] or state.diving[other])
    )


@dataclass
class WatcherPolicy(Policy):
    """Looks at the gauge: dives until the tank is down to a mark; two good chips on the way."""

    mark: int = 16

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """At the mark."""
        return state.oxygen <= self.mark or is_at_end(state, seat)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """Two chips of five points or more, and later whatever the tank seems to allow."""
        held = len(state.held[seat])
        if state.diving[seat]:
            return held < 2 and WORTH[state.trail[state.places[seat] - 1]] > 5
        return held < 1 or state.oxygen > 3 * state.places[seat]


class HoarderPolicy(Policy):
    """Fills its hands with three chips from place 5 on, and regrets it when the air gets thin."""

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """With three chips."""
        return len(state.held[seat]) >= 3 or is_at_end(state, seat)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """From place 5 on; on the way home a fourth while there is plenty."""
        if state.diving[seat]:
            return state.places[seat] >= 5
        return len(state.held[seat]) < 4 and state.oxygen > 12

    def drops(self, state: DeepSeaState, seat: Seat) -> bool:
        """When the tank is nearly empty and the way is long."""
        return len(state.held[seat]) > 1 and state.oxygen < state.places[seat]


class FollowerPolicy(Policy):
    """Does what the others do: takes when others hold chips, turns back when one has."""

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """When somebody else has, and it holds something or is far out."""
        turned = any(not diving for other, diving in enumerate(state.diving) if other != seat)
        wants = bool(state.held[seat]) or state.places[seat] > 12
        return (turned and wants) or state.oxygen < 10 or is_at_end(state, seat)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """As long as somebody holds more than it does; near home always a first one."""
        held = len(state.held[seat])
        most = max(len(load) for other, load in enumerate(state.held) if other != seat)
        return held < most or (held == 0 and (state.places[seat] > 9 or not state.diving[seat]))


class GamblerPolicy(Policy):
    """Lets luck decide, with better odds for better chips; turns when the way frightens it."""

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """When the way, times what all carry, has come near the oxygen; else seldom."""
        load = others_load(state, seat) + len(state.held[seat])
        fright = state.places[seat] * load / (3.5 * max(1, state.oxygen))
        return is_at_end(state, seat) or self.rng.random() < fright**2

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """With a chance by the level, less with full hands."""
        chip = state.trail[state.places[seat] - 1]
        return self.rng.random() < (0.1 + WORTH[chip] / 18) / (1 + len(state.held[seat]) / 2)

    def drops(self, state: DeepSeaState, seat: Seat) -> bool:
        """Now and then, with three or more."""
        return len(state.held[seat]) > 2 and self.rng.random() < 0.4


class RandomPolicy(Policy):
    """Tosses a coin for every decision."""

    def _toss(self, state: DeepSeaState, seat: Seat) -> bool:  # asked like a policy
        return self.rng.random() < 0.5

    returns = takes = drops = _toss


class OnePly(Policy):
    """Takes what has the highest expected points, one ply on.

    After its action, and the dice that follow, it counts what it carries times the chance to bring
    that home if it turned back there and everybody kept the load of now. So it takes the first
    chip that it comes to, turns back with it, and is home early with little: greedy and
    short-sighted, as beginners are.
    """

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """When the throw that follows is worth no less upward than downward."""
        if is_at_end(state, seat):
            return True
        return self._after_throw(state, seat, up=True) >= self._after_throw(state, seat, up=False)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """When that raises the expectation."""
        place, load, carried = state.places[seat], len(state.held[seat]), carried_worth(state, seat)
        taken = carried + WORTH[state.trail[place - 1]]
        return _value(state, seat, place, load + 1, taken) > _value(
            state, seat, place, load, carried
        )

    def drops(self, state: DeepSeaState, seat: Seat) -> bool:
        """When the rest, being lighter, is worth more."""
        place, load, carried = state.places[seat], len(state.held[seat]), carried_worth(state, seat)
        if not load:
            return False
        rest = carried - min(WORTH[chip] for chip in state.held[seat])
        return _value(state, seat, place, load - 1, rest) > _value(
            state, seat, place, load, carried
        )

    def _after_throw(self, state: DeepSeaState, seat: Seat, *, up: bool) -> float:
        load, carried = len(state.held[seat]), carried_worth(state, seat)
        total = 0.0
        for steps, chance in step_chances(load):
            place = state.place_after(seat, steps, diving=not up)
            value = _value(state, seat, place, load, carried)
            if place and state.trail[place - 1]:
                taken = carried + WORTH[state.trail[place - 1]]
                value = max(value, _value(state, seat, place, load + 1, taken))
            total += chance * value
        return total


def _value(state: DeepSeaState, seat: Seat, place: int, load: int, worth: float) -> float:
    """What a load at a place promises if its diver goes home and the others keep theirs."""
    drain = state.lap - len(state.held[seat])
    turns = turns_left(state.oxygen, drain, load)
    return worth * chance_home(way_home(state.trail, place), load, turns)


Field = Mapping[str, Agent[Any, Any]]
ONE_PLY: Final[Field] = {"one-ply": OnePly()}
CLASSICS: Final[Field] = {
    "grabber 1": Grabber(1),
    "grabber 2": Grabber(2),
    "diver 8,2": Diver(8, 2),
    "diver 16,1": Diver(16, 1),
    "greedy-classic": GreedyClassic(),
    "random": RandomPolicy(),
}
FAMILY: Final[Field] = {"watcher": WatcherPolicy(), "hoarder": HoarderPolicy()}
HELD_OUT: Final[Field] = {"follower": FollowerPolicy(), "gambler": GamblerPolicy()}
