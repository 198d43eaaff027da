"""Plans: how a diver decides, as named numbers, so that plans can be weighed, mixed and tuned.

Everybody who decides, or expects others to, asks here: agents, playouts, reviews and the tuning.
The functions read the fields of a `Plan` and a `Sea` and call nothing but their neighbours: numba
can compile them as they stand, for arrays of such fields, and ``lab/deepsea_tuning.py`` does.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Final, TypeAlias

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea import GAME
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    KEEP,
    LEAVE,
    RETURN,
    TAKE,
    DeepSeaChoice,
)
from boardgames_cli.games.deepsea.agents.odds import (
    SLOWEST,
    chip_worths,
    home_chances,
    step_chances,
    turns_left,
)
from boardgames_cli.games.deepsea.chips import GONE, PLACES, WEIGHT
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase, Seen

SLOTS: Final = 8
"""The chips of each seat that a `Sea` has room for."""
_NEVER: Final = 99.0
"""More chips, and deeper, than there can be."""
_HOPELESS: Final = 0.05
"""Points; a load that is expected to bring less is lost."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a diver decides: a rule of thumb, or the chances to bring chips home, weighed."""

    slip: float = 0.0
    """How often it departs from itself."""
    hesitation: float = 0.0
    """How often it dives on where it should turn back."""
    weighs: bool = False
    """Whether it weighs chips by the chance to bring them home; else it is a rule of thumb."""

    # A rule of thumb
    chips_down: float = _NEVER
    """On the way down it takes chips as long as it holds fewer."""
    depth: float = _NEVER
    """The place at which it turns back, and from which it takes anything."""
    worth_down: float = 0.0
    """What a chip must be worth to be taken on the way down."""
    chips_return: float = _NEVER
    """It turns back with so many."""
    risk_return: float = 0.0
    """It turns back when the oxygen is less than so many times what all use while it goes home."""
    low_oxygen: float = -1.0
    """It turns back when that is left."""
    chips_up: float = 0.0
    """On the way up it takes chips as long as it holds fewer."""
    worth_up: float = 0.0
    """What they must be worth."""
    risk_take: float = 0.0
    """It takes no chip when the oxygen is less than so many times what all would use."""
    risk_drop: float = 0.0
    """It puts chips down when the oxygen is less than so many times what all use."""

    # A plan that weighs
    sinking: float = 0.7
    """How the loads of others count who are on their way down,"""
    rising: float = 0.7
    """and of those on their way up: 1 is what they use now."""
    growth: float = 0.6
    """What every other diver on its way down will use beyond its present load."""
    drop_gain: float = 0.0
    """What putting a chip down must gain."""
    patience: float = 1.0
    """How many times what can be had now diving on must promise."""
    take_down: tuple[float, ...] = (4.0, 2.0, 1.0, 0.0)
    """By load what taking must gain on the way down,"""
    take_down_oxygen: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    """and what is added to that for each oxygen that is left."""
    take_up: tuple[float, ...] = (0.0, 0.0, 0.0)
    """The same on the way up: without a load, with one, for each oxygen."""
    turn_back: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    """By load what diving on must promise beyond what can be had now."""
    ahead: float = 3.0

    @classmethod
    def read(cls, data: dict[str, Any]) -> Plan:
        """The plan of a JSON object; what it leaves out is as by default."""
        made: dict[str, Any] = {
            name: tuple(one) if isinstance(one, list) else one for name, one in data.items()
        }
        return cls(**made)

    def reckless(self, care: float) -> Plan:
        """The plan of a diver who expects the others to use that share; with 1 nothing changes."""
        return replace(
            self,
            sinking=self.sinking * care,
            rising=self.rising * care,
            growth=self.growth * care,
        )

    def cautious(self, points: float) -> Plan:
        """A plan that wants so many points more for all that makes the way home harder."""
        empty, loaded, per_oxygen = self.take_up
        return replace(
            self,
            take_down=tuple(least + points for least in self.take_down),
            take_up=(empty + points, loaded + points, per_oxygen),
            turn_back=tuple(least + points for least in self.turn_back),
            drop_gain=self.drop_gain - points,
        )


@dataclass(slots=True)
class Sea:
    """A position in the middle of a round, as numbers that playouts change."""

    places: list[int]
    diving: list[int]
    """By seat 1 on the way down."""
    loads: list[int]
    """By seat the number of chips that it carries,"""
    carried: list[float]
    """what they are worth,"""
    held: list[int]
    """and the chips themselves, `SLOTS` for each seat."""
    trail: list[int]
    blocked: list[int]
    """By place 1 where nobody can stop."""
    ways: list[int]
    """By place the way home."""
    worth: tuple[float, ...]
    """By chip; see `odds.chip_worths`."""
    oxygen: int
    sinking: int
    """The chips that all divers on their way down carry."""
    rising: int
    """Those of all divers on their way up."""
    divers: int
    """How many are on their way down."""
    outermost: int
    """The last place that is not removed."""

    @classmethod
    def of(cls, state: DeepSeaState) -> Sea:
        """The numbers of a position in the middle of a round."""
        worth = chip_worths(state.ledger.revealed)
        loads = [*map(len, state.held)]
        held = [0] * (len(loads) * SLOTS)
        for seat, chips in enumerate(state.held):
            held[seat * SLOTS : seat * SLOTS + len(chips)] = chips
        blocked = [0, *(int(chip == GONE) for chip in state.trail)]
        for place in state.places:
            if place:
                blocked[place] = 1
        ways = accumulate((chip != GONE for chip in state.trail), initial=0)
        sinking = sum(load for load, diving in zip(loads, state.diving, strict=True) if diving)
        return cls(
            [*state.places], [*map(int, state.diving)], loads,
            [sum([worth[chip] for chip in chips]) for chips in state.held], held,
            [*state.trail], blocked, [max(1, way) for way in ways], worth, state.oxygen, sinking,
            state.lap - sinking, sum(state.diving), len(state.trail.rstrip(bytes((GONE,)))),
        )  # fmt: skip

    def copy(self) -> Sea:
        return Sea(
            self.places.copy(), self.diving.copy(), self.loads.copy(), self.carried.copy(),
            self.held.copy(), self.trail.copy(), self.blocked.copy(), self.ways, self.worth,
            self.oxygen, self.sinking, self.rising, self.divers, self.outermost,
        )  # fmt: skip

    def brought(self, seat: Seat) -> float | None:
        """What a diver who is home carries; None for one who is not."""
        return None if self.places[seat] or self.diving[seat] else self.carried[seat]


def _expected_turns() -> list[list[float]]:
    turns = []
    for load in range(SLOWEST + 1):
        chances = dict(step_chances(load))
        stays = chances.get(0, 0.0)
        row = [0.0]
        for way in range(1, PLACES + 1):
            if stays >= 1.0:
                row.append(999.0)
                continue
            later = sum(
                chance * row[max(0, way - steps)] for steps, chance in chances.items() if steps
            )
            row.append((1.0 + later) / (1.0 - stays))
        turns.append(row)
    return turns


NEED: Final = _expected_turns()
"""``[load][way]``: the mean number of turns that the way home takes."""
HOME: Final = [home_chances(load) for load in range(SLOWEST + 1)]
"""``[load][turns][way]``: see `odds.home_chances`."""


def chance(oxygen: float, drain: float, load: int, way: int) -> float:
    """The chance to come home for a diver who has just moved; see `odds.turns_left`."""
    if load >= SLOWEST:
        return 0.0
    return HOME[load][turns_left(oxygen, drain, load)][way]


def drain_of(plan: Plan, sea: Sea, seat: int) -> float:
    """What the others are reckoned to use between two turns of a seat."""
    sinking, rising, divers = sea.sinking, sea.rising, sea.divers
    if sea.diving[seat]:
        sinking -= sea.loads[seat]
        divers -= 1
    else:
        rising -= sea.loads[seat]
    return plan.sinking * sinking + plan.rising * rising + plan.growth * divers


def is_short(sea: Sea, margin: float, load: int, place: int, lap: int) -> bool:
    """Whether the oxygen is less than so many times what all use while a diver goes home."""
    return sea.oxygen < margin * NEED[min(load, SLOWEST)][sea.ways[place]] * lap


def at_end(sea: Sea, place: int) -> bool:
    """Whether nobody can stop further out."""
    blocked = sea.blocked
    for there in range(place + 1, sea.outermost + 1):  # noqa: SIM110  # numba knows no all()
        if not blocked[there]:
            return False
    return True


def returns(plan: Plan, sea: Sea, seat: int) -> bool:
    """Whether a diver who follows a plan turns back now; at the end of the trail all do."""
    place, load = sea.places[seat], sea.loads[seat]
    if at_end(sea, place):
        return True
    if plan.weighs:
        return not hopes(plan, sea, seat)
    return (
        load >= plan.chips_return
        or place >= plan.depth
        or sea.oxygen <= plan.low_oxygen
        or is_short(sea, plan.risk_return, load, place, sea.sinking + sea.rising)
    )


def hopes(plan: Plan, sea: Sea, seat: int) -> bool:
    """Whether a plan that weighs sees something further out that is worth the way."""
    ways, worth, trail, outermost = sea.ways, sea.worth, sea.trail, sea.outermost
    there, load, carried = sea.places[seat], sea.loads[seat], sea.carried[seat]
    drain = drain_of(plan, sea, seat)
    now = 0.0
    if load:
        # The oxygen of this turn is paid already.
        now = carried * chance(sea.oxygen + drain + load, drain, load, ways[there])
    best = 0.0
    stride = 4 - load if load < 3 else 1
    left = float(sea.oxygen)
    for _ in range(int(plan.ahead)):
        there += stride
        if there > outermost:
            there = outermost
        value = carried + worth[trail[there - 1]]
        value *= chance(left, drain, load + 1, ways[there])
        if value > best:
            best = value
        left -= drain + load
        if left <= 0:
            break
    return best > plan.patience * now + plan.turn_back[min(load, 3)]


def takes(plan: Plan, sea: Sea, seat: int) -> bool:
    """Whether a diver who follows a plan takes the chip that it is on."""
    place, load, oxygen = sea.places[seat], sea.loads[seat], sea.oxygen
    chip_worth = sea.worth[sea.trail[place - 1]]
    if not plan.weighs:
        if sea.diving[seat]:
            wants = load < plan.chips_down and chip_worth >= plan.worth_down
        else:
            wants = load < plan.chips_up and chip_worth >= plan.worth_up
        if not (wants or place >= plan.depth):
            return False
        return not is_short(sea, plan.risk_take, load + 1, place, sea.sinking + sea.rising + 1)
    way, carried = sea.ways[place], sea.carried[seat]
    drain = drain_of(plan, sea, seat)
    gain = (carried + chip_worth) * chance(oxygen, drain, load + 1, way)
    if load:
        gain -= carried * chance(oxygen, drain, load, way)
    if sea.diving[seat]:
        index = min(load, 3)
        return gain > plan.take_down[index] + plan.take_down_oxygen[index] * oxygen
    if load:
        return gain > plan.take_up[1] + plan.take_up[2] * oxygen
    return gain > plan.take_up[0]


def drops(plan: Plan, sea: Sea, seat: int) -> bool:
    """Whether a diver who follows a plan puts its lowest chip down on the blank that it is on."""
    place, load, oxygen = sea.places[seat], sea.loads[seat], sea.oxygen
    if not plan.weighs:
        return is_short(sea, plan.risk_drop, load, place, sea.sinking + sea.rising)
    if load == 1:
        return False
    way, carried = sea.ways[place], sea.carried[seat]
    drain = drain_of(plan, sea, seat)
    kept = carried * chance(oxygen, drain, load, way)
    lowest = sea.worth[sea.held[seat * SLOTS + lowest_slot(sea, seat)]]
    lighter = (carried - lowest) * chance(oxygen, drain, load - 1, way)
    return lighter > kept + plan.drop_gain or kept < _HOPELESS


def lowest_slot(sea: Sea, seat: int) -> int:
    """Which of a diver's chips is worth least; of equal ones the first taken."""
    held, worth = sea.held, sea.worth
    found = 0
    for slot in range(1, sea.loads[seat]):
        if worth[held[seat * SLOTS + slot]] < worth[held[seat * SLOTS + found]]:
            found = slot
    return found


Question: TypeAlias = Callable[[Plan, Sea, Seat], bool]
"""`returns`, `takes` or `drops`."""


def question_of(state: DeepSeaState) -> Question:
    """What the diver is asked whose turn it is."""
    if state.phase is Phase.DIRECTION:
        return returns
    return takes if state.chip_under(state.current) else drops


def decide(plan: Plan, seen: Seen) -> DeepSeaChoice:
    """What a plan does, without slips, where its seat is to act; the lowest chip goes."""
    question = question_of(seen.state)
    is_yes = question(plan, Sea.of(seen.state), seen.own_seat)
    if question is returns:
        return RETURN if is_yes else DIVE
    if question is takes:
        return TAKE if is_yes else LEAVE
    choices = [action for action in seen.legal if action != KEEP]
    return min(choices, key=lambda action: WEIGHT[action.chip]) if is_yes else KEEP


@functools.cache
def _bundled() -> dict[str, Any]:
    text = GAME.data_text("plans.json")
    assert text is not None, "the package is complete"
    read: dict[str, Any] = json.loads(text)
    return read


@functools.cache
def tuned_plan(seats: int) -> Plan:
    """The plan that was found best at tables of 2 to 6 seats."""
    return Plan.read(_bundled()["plans"][str(seats)])


@functools.cache
def plan_like(name: str, seats: int) -> Plan | None:
    """The plan that decides most like an agent; None for one whose decisions were not learnt."""
    if name == "monte-carlo":  # goes on by the plan itself
        return tuned_plan(seats)
    learnt = _bundled()["agents"][str(seats)].get(name)
    return Plan.read(learnt) if learnt else None
