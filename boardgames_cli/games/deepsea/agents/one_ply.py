"""One ply ahead: what has the highest expected points next, and no thought of later."""

from __future__ import annotations

from dataclasses import dataclass

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.agents.odds import chance_home, step_chances, turns_left
from boardgames_cli.games.deepsea.agents.planner import WORTH, WORTH_OF, way_home
from boardgames_cli.games.deepsea.agents.policies import Policy, PolicyAgent, RoundState, is_at_end
from boardgames_cli.games.deepsea.state import ascend, descend


@dataclass(frozen=True, slots=True)
class OnePlyPolicy(Policy):
    """Takes what has the highest expected points, one ply on.

    After its action, and the dice that follow, it counts what it carries times the chance to bring
    that home if it turned back there and everybody kept the load of now. So it takes the first
    chip that it comes to, turns back with it, and is home early with little: greedy and
    short-sighted, as beginners are.
    """

    def returns(self, sea: RoundState, seat: Seat) -> bool:
        """When the throw that follows is worth no less upward than downward."""
        if is_at_end(sea, seat):
            return True
        return self._after_throw(sea, seat, up=True) >= self._after_throw(sea, seat, up=False)

    def takes(self, sea: RoundState, seat: Seat) -> bool:
        """When that raises the expectation."""
        place, load, carried = sea.places[seat], len(sea.held[seat]), _carried(sea, seat)
        taken = carried + WORTH[sea.trail[place - 1]]
        return _value(sea, seat, place, load + 1, taken) > _value(sea, seat, place, load, carried)

    def drops(self, sea: RoundState, seat: Seat) -> bool:
        """When the rest, being lighter, is worth more."""
        place, load, carried = sea.places[seat], len(sea.held[seat]), _carried(sea, seat)
        if not load:
            return False
        rest = carried - min(WORTH[chip] for chip in sea.held[seat])
        return _value(sea, seat, place, load - 1, rest) > _value(sea, seat, place, load, carried)

    def _after_throw(self, sea: RoundState, seat: Seat, *, up: bool) -> float:
        load, carried = len(sea.held[seat]), _carried(sea, seat)
        move = ascend if up else descend
        total = 0.0
        for steps, chance in step_chances(load):
            place = move(sea.trail, sea.places, sea.places[seat], steps)
            value = _value(sea, seat, place, load, carried)
            if place and sea.trail[place - 1]:
                taken = carried + WORTH_OF[sea.trail[place - 1]]
                value = max(value, _value(sea, seat, place, load + 1, taken))
            total += chance * value
        return total


def _carried(sea: RoundState, seat: Seat) -> float:
    return sum(WORTH[chip] for chip in sea.held[seat])


def _value(sea: RoundState, seat: Seat, place: int, load: int, worth: float) -> float:
    """What a load at a place promises if its diver goes home and the others keep theirs."""
    drain = sum(
        len(chips)
        for other, chips in enumerate(sea.held)
        if other != seat and (sea.places[other] or sea.diving[other])
    )
    turns = turns_left(sea.oxygen, drain, load)
    return worth * chance_home(way_home(sea.trail, place), load, turns)


class OnePly(PolicyAgent):
    """Takes what has the highest expected points, one ply on."""

    def policy(self) -> Policy:
        """See `OnePlyPolicy`."""
        return OnePlyPolicy()
