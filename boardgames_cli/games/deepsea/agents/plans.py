"""Plans: how a diver decides, as a row of numbers, so that plans can be weighed, mixed and tuned.

There are two sorts. A *rule of thumb* knows numbers of chips, depths and a margin of oxygen. A
*risk plan* weighs chips by the chance to bring them home. Everything here reads flat sequences of
numbers and calls nothing but its neighbours: numba can compile it as it stands, and
``lab/deepsea_tuning.py`` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from boardgames_cli.games.deepsea.agents.odds import (
    MOST_TURNS,
    SLOWEST,
    home_chances,
    step_chances,
)
from boardgames_cli.games.deepsea.chips import PLACES

Ints: TypeAlias = list[int]
Floats: TypeAlias = list[float]
Sea: TypeAlias = tuple[Ints, Ints, Ints, Floats, Ints, Ints, Ints, Ints]
"""Places, directions (1 diving), loads, worth carried, chips carried (`SLOTS` a seat), trail,
blocked (1 where nobody can stop, by place), tank (see `OXYGEN`)."""
Tables: TypeAlias = tuple[Sequence[int], Sequence[float], Sequence[float], Sequence[float]]
"""The way home by place, worth by chip, `HOME`, `NEED`."""

OXYGEN: Final = 0
SINKING: Final = 1
"""The chips that all divers on their way down carry."""
RISING: Final = 2
"""Those of all divers on their way up."""
DIVERS: Final = 3
"""How many are on their way down."""
OUTERMOST: Final = 4
"""The last place that is not removed."""
SLOTS: Final = 8

WIDTH: Final = 24
"""The numbers of one plan."""
SORT, SLIP = 0, 1
RULE, RISK = 0.0, 1.0

# A rule of thumb
CHIPS_DOWN, DEPTH, WORTH_DOWN, CHIPS_RETURN, RISK_RETURN, LOW_OXYGEN = 2, 3, 4, 5, 6, 7
CHIPS_UP, WORTH_UP, RISK_TAKE, RISK_DROP = 8, 9, 10, 11

# A risk plan
SINKING_WEIGHT, RISING_WEIGHT, GROWTH, DROP_GAIN, PATIENCE = 2, 3, 4, 5, 6
TAKE_DOWN, TAKE_DOWN_OXYGEN, TAKE_UP, RETURN = 7, 11, 15, 18
TURNS_AHEAD: Final = 22
HESITATION: Final = 23
"""Of both sorts: how often it dives on where it should turn back."""

_NEVER: Final = 99.0
"""More chips, and deeper, than there can be."""


def rule(
    *,
    slip: float = 0.0,
    chips_down: float = _NEVER,
    depth: float = _NEVER,
    worth_down: float = 0.0,
    chips_return: float = _NEVER,
    risk_return: float = 0.0,
    low_oxygen: float = -1.0,
    chips_up: float = 0.0,
    worth_up: float = 0.0,
    risk_take: float = 0.0,
    risk_drop: float = 0.0,
) -> list[float]:
    """A rule of thumb.

    Args:
        slip: How often it departs from itself.
        chips_down: On the way down it takes chips as long as it holds fewer.
        depth: The place at which it turns back, and from which it takes anything.
        worth_down: What a chip must be worth to be taken on the way down.
        chips_return: It turns back with so many.
        risk_return: It turns back when the oxygen is less than so many times what all use while
            it goes home; 0 if it never thinks of that.
        low_oxygen: It turns back when that is left.
        chips_up: On the way up it takes chips as long as it holds fewer.
        worth_up: What they must be worth.
        risk_take: It takes no chip when the oxygen is less than so many times what all would use.
        risk_drop: It puts chips down when the oxygen is less than so many times what all use.
    """
    numbers = [RULE, slip, chips_down, depth, worth_down, chips_return, risk_return, low_oxygen,
               chips_up, worth_up, risk_take, risk_drop]  # fmt: skip
    return numbers + [0.0] * (WIDTH - len(numbers))


def risk_plan(
    *,
    slip: float = 0.0,
    fear: float = 0.7,
    growth: float = 0.6,
    drop_gain: float = 0.0,
    patience: float = 1.0,
    take_down: Sequence[float] = (4.0, 2.0, 1.0, 0.0),
    take_down_oxygen: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    take_up: Sequence[float] = (0.0, 0.0, 0.0),
    turn_back: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    ahead: int = 3,
) -> list[float]:
    """A risk plan.

    Args:
        slip: How often it departs from itself.
        fear: How the others' loads count.
        growth: What every other diver on its way down will use beyond its present load.
        drop_gain: What putting a chip down must gain.
        patience: How many times what can be had now diving on must promise.
        take_down: By load what taking must gain on the way down,
        take_down_oxygen: and what is added to that for each oxygen that is left.
        take_up: The same on the way up: without a load, with one, for each oxygen.
        turn_back: By load what diving on must promise beyond what can be had now.
        ahead: Turns that it looks ahead.
    """
    numbers = [RISK, slip, fear, fear, growth, drop_gain, patience, *take_down,
               *take_down_oxygen, *take_up, *turn_back, float(ahead)]  # fmt: skip
    return numbers + [0.0] * (WIDTH - len(numbers))


HEAVIEST: Final = SLOWEST - 1
ROW: Final = PLACES + 1
BLOCK: Final = (MOST_TURNS + 2) * ROW


def _expected_turns() -> list[float]:
    """``[load * ROW + way]``: the mean number of turns that the way home takes."""
    turns = [0.0] * ((SLOWEST + 1) * ROW)
    for load in range(SLOWEST + 1):
        chances = dict(step_chances(load))
        stays = chances.get(0, 0.0)
        for way in range(1, ROW):
            if stays >= 1.0:
                turns[load * ROW + way] = 999.0
                continue
            later = sum(
                chance * turns[load * ROW + max(0, way - steps)]
                for steps, chance in chances.items()
                if steps
            )
            turns[load * ROW + way] = (1.0 + later) / (1.0 - stays)
    return turns


NEED: Final = _expected_turns()
HOME: Final = [
    chance for load in range(SLOWEST + 1) for row in home_chances(load) for chance in row
]
"""``[load * BLOCK + turns * ROW + way]``: see `odds.home_chances`."""


def chance(home: Sequence[float], oxygen: float, drain: float, load: int, way: int) -> float:
    """The chance to come home for a diver who has just moved; see `odds.turns_left`."""
    if load > HEAVIEST:
        return 0.0
    used = drain + load
    turns = MOST_TURNS if used <= 0 else int((oxygen + load) / used - 1e-9)
    if turns > MOST_TURNS:
        turns = MOST_TURNS
    return home[load * BLOCK + turns * ROW + way]


def drain_of(sea: Sea, plans: Sequence[float], base: int, seat: int) -> float:
    """What the others are reckoned to use between two turns of a seat."""
    diving, loads, tank = sea[1], sea[2], sea[7]
    sinking, rising, divers = tank[SINKING], tank[RISING], tank[DIVERS]
    if diving[seat]:
        sinking -= loads[seat]
        divers -= 1
    else:
        rising -= loads[seat]
    return (
        plans[base + SINKING_WEIGHT] * sinking
        + plans[base + RISING_WEIGHT] * rising
        + plans[base + GROWTH] * divers
    )


def at_end(sea: Sea, place: int) -> bool:
    """Whether nobody can stop further out."""
    blocked = sea[6]
    for there in range(place + 1, sea[7][OUTERMOST] + 1):  # noqa: SIM110  # numba knows no all()
        if not blocked[there]:
            return False
    return True


def returns(sea: Sea, tables: Tables, plans: Sequence[float], base: int, seat: int) -> bool:
    """Whether a diver who follows a plan turns back now."""
    place = sea[0][seat]
    if at_end(sea, place):
        return True
    load = sea[2][seat]
    if plans[base] == RULE:
        tank = sea[7]
        oxygen = tank[OXYGEN]
        if (
            load >= plans[base + CHIPS_RETURN]
            or place >= plans[base + DEPTH]
            or oxygen <= plans[base + LOW_OXYGEN]
        ):
            return True
        risk = plans[base + RISK_RETURN]
        if risk <= 0.0:
            return False
        need = tables[3][min(load, SLOWEST) * ROW + tables[0][place]]
        return oxygen < risk * need * (tank[SINKING] + tank[RISING])
    return risk_plan_returns(sea, tables, plans, base, seat)


def risk_plan_returns(
    sea: Sea, tables: Tables, plans: Sequence[float], base: int, seat: int
) -> bool:
    """Whether a risk plan sees nothing further out that is worth the way."""
    ways, worth, home = tables[0], tables[1], tables[2]
    place, load, carried, trail = sea[0][seat], sea[2][seat], sea[3][seat], sea[5]
    oxygen, outermost = sea[7][OXYGEN], sea[7][OUTERMOST]
    drain = drain_of(sea, plans, base, seat)
    way = ways[place]
    now = 0.0
    if load:
        # The oxygen of this turn is paid already.
        now = carried * chance(home, oxygen + drain + load, drain, load, way)
    best = 0.0
    stride = 4 - load if load < 3 else 1
    left = float(oxygen)
    there = place
    for _ in range(int(plans[base + TURNS_AHEAD])):
        there += stride
        if there > outermost:
            there = outermost
        value = carried + worth[trail[there - 1]]
        value *= chance(home, left, drain, load + 1, ways[there])
        if value > best:
            best = value
        left -= drain + load
        if left <= 0:
            break
    return best <= plans[base + PATIENCE] * now + plans[base + RETURN + min(load, 3)]


def takes(sea: Sea, tables: Tables, plans: Sequence[float], base: int, seat: int) -> bool:
    """Whether a diver who follows a plan takes the chip that it is on."""
    place, load = sea[0][seat], sea[2][seat]
    chip_worth = tables[1][sea[5][place - 1]]
    if plans[base] == RULE:
        is_deep = place >= plans[base + DEPTH]
        if sea[1][seat]:
            wants = load < plans[base + CHIPS_DOWN] and chip_worth >= plans[base + WORTH_DOWN]
        else:
            wants = load < plans[base + CHIPS_UP] and chip_worth >= plans[base + WORTH_UP]
        if not (wants or is_deep):
            return False
        risk = plans[base + RISK_TAKE]
        if risk <= 0.0:
            return True
        tank = sea[7]
        need = tables[3][min(load + 1, SLOWEST) * ROW + tables[0][place]]
        return tank[OXYGEN] >= risk * need * (tank[SINKING] + tank[RISING] + 1)
    home, way, oxygen, carried = tables[2], tables[0][place], sea[7][OXYGEN], sea[3][seat]
    drain = drain_of(sea, plans, base, seat)
    gain = (carried + chip_worth) * chance(home, oxygen, drain, load + 1, way)
    if load:
        gain -= carried * chance(home, oxygen, drain, load, way)
    if sea[1][seat]:
        index = min(load, 3)
        return (
            gain > plans[base + TAKE_DOWN + index] + plans[base + TAKE_DOWN_OXYGEN + index] * oxygen
        )
    if load:
        return gain > plans[base + TAKE_UP + 1] + plans[base + TAKE_UP + 2] * oxygen
    return gain > plans[base + TAKE_UP]


def drops(sea: Sea, tables: Tables, plans: Sequence[float], base: int, seat: int) -> bool:
    """Whether a diver who follows a plan puts its lowest chip down on the blank that it is on."""
    place, load, tank = sea[0][seat], sea[2][seat], sea[7]
    way, oxygen = tables[0][place], tank[OXYGEN]
    if plans[base] == RULE:
        risk = plans[base + RISK_DROP]
        if risk <= 0.0:
            return False
        need = tables[3][min(load, SLOWEST) * ROW + way]
        return oxygen < risk * need * (tank[SINKING] + tank[RISING])
    if load == 1:
        return False
    home, carried = tables[2], sea[3][seat]
    drain = drain_of(sea, plans, base, seat)
    kept = carried * chance(home, oxygen, drain, load, way)
    lowest = tables[1][sea[4][seat * SLOTS + lowest_slot(sea, tables, seat)]]
    lighter = (carried - lowest) * chance(home, oxygen, drain, load - 1, way)
    return lighter > kept + plans[base + DROP_GAIN] or kept < 0.05


def lowest_slot(sea: Sea, tables: Tables, seat: int) -> int:
    """Which of a diver's chips is worth least; of equal ones the first taken."""
    held, worth = sea[4], tables[1]
    found = 0
    for slot in range(1, sea[2][seat]):
        if worth[held[seat * SLOTS + slot]] < worth[held[seat * SLOTS + found]]:
            found = slot
    return found


def reckless(plan: Sequence[float], care: float) -> tuple[float, ...]:
    """The plan of a diver who forgets that all breathe from one tank.

    Args:
        plan: A risk plan.
        care: The share that it expects of what the others will use; with 1 nothing changes.
    """
    changed = list(plan)
    for index in (SINKING_WEIGHT, RISING_WEIGHT, GROWTH):
        changed[index] *= care
    return tuple(changed)


def cautious(plan: Sequence[float], points: float) -> tuple[float, ...]:
    """A plan that demands more for everything that makes the way home harder.

    Args:
        plan: A risk plan.
        points: How many points more; below 0 the plan is bolder.
    """
    changed = list(plan)
    for first, count in ((TAKE_DOWN, TAKE_DOWN_OXYGEN - TAKE_DOWN), (TAKE_UP, 2), (RETURN, 4)):
        for index in range(first, first + count):
            changed[index] += points
    changed[DROP_GAIN] -= points
    return tuple(changed)
