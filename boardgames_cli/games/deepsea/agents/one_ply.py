"""One ply ahead: what has the highest expected points next, and no thought of later."""

from __future__ import annotations

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.agents.odds import chance_home, step_chances, turns_left
from boardgames_cli.games.deepsea.agents.planner import WORTH, WORTH_OF, carried_worth, way_home
from boardgames_cli.games.deepsea.agents.policies import Policy, is_at_end
from boardgames_cli.games.deepsea.state import DeepSeaState


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
                taken = carried + WORTH_OF[state.trail[place - 1]]
                value = max(value, _value(state, seat, place, load + 1, taken))
            total += chance * value
        return total


def _value(state: DeepSeaState, seat: Seat, place: int, load: int, worth: float) -> float:
    """What a load at a place promises if its diver goes home and the others keep theirs."""
    drain = state.lap - len(state.held[seat])
    turns = turns_left(state.oxygen, drain, load)
    return worth * chance_home(way_home(state.trail, place), load, turns)
