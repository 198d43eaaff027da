"""Whole games of divers who follow plans, compiled by numba if wanted: thousands a second.

The functions that are compiled are those that the agents call (`agents/plans.py`,
`agents/playout.py`), on records with the fields of `Plan` and `Sea`; only the frame of a game is
written here.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.games.deepsea.agents import odds, plans, playout
from boardgames_cli.games.deepsea.agents.plans import Plan, Sea
from boardgames_cli.games.deepsea.chips import CHIPS_A_LEVEL, GONE, PLACES

Rows = npt.NDArray[Any]
"""Plans, as records of `PLAN`."""
Points = npt.NDArray[np.float64]
Tables = npt.NDArray[np.int64]
Player = Callable[[Rows, Tables, int], Points]
"""Plays games; see `player`."""

FULL_TANK: Final = 25
ROUNDS: Final = 3

PLAN: Final = np.dtype([(name, "f8", np.shape(one)) for name, one in asdict(Plan()).items()])
"""A plan; all numbers are fractions."""
TUNED: Final = (
    "sinking", "rising", "growth", "drop_gain", "patience", "take_down", "take_down_oxygen",
    "take_up", "turn_back",
)  # fmt: skip
"""The fields of a plan that weighs which are tuned."""
START: Final = np.hstack([getattr(Plan(), name) for name in TUNED])
SPREAD: Final = np.array(
    [0.3, 0.3, 0.5, 0.3, 0.2, *[2, 2, 1, 1], *[0.1] * 4, *[1, 1, 0.05], *[1.0] * 4]
)
"""How far plans are drawn around the first."""

# In an order in which callees come first.
_SHARED: Final = (
    "turns_left", "chance", "drain_of", "is_short", "at_end", "lowest_slot", "hopes", "returns",
    "takes", "drops", "turn_back", "move", "carry", "take", "drop", "next_seat", "finish_round",
)  # fmt: skip

# The functions below are compiled with those of the agents in their globals.
STREAM, DICE = playout.STREAM, playout.DICE
SLOTS = plans.SLOTS
finish_round = playout.finish_round
returns, takes, drops = plans.returns, plans.takes, plans.drops
RETURNS, TAKES, DROPS = 0, 1, 2
"""What a diver is asked."""


def rows_of(found: Sequence[Plan]) -> Rows:
    """Plans as records."""
    return np.array([tuple(asdict(plan).values()) for plan in found], PLAN)


def plan_of(numbers: Points, names: Sequence[str] = TUNED) -> Plan:
    """The plan that weighs with these numbers in the fields of these names."""
    found = np.ascontiguousarray(numbers).view([(name, PLAN[name]) for name in names])[0]
    return Plan.read({"weighs": True} | {name: found[name].tolist() for name in names})


def sea_type(seats: int) -> np.dtype[Any]:
    """The record of a `Sea`."""
    shapes = {
        **dict.fromkeys(("places", "diving", "loads", "carried"), seats),
        "held": seats * plans.SLOTS, "trail": PLACES, "blocked": PLACES + 1, "ways": PLACES + 1,
        "worth": GONE + 1,
    }  # fmt: skip
    kinds = dict.fromkeys(("carried", "worth"), "f8")
    names = [field.name for field in fields(Sea)]
    return np.dtype([(name, kinds.get(name, "i8"), shapes.get(name, ())) for name in names])


def new_round(sea, chips):  # type: ignore[no-untyped-def]
    """Fill the numbers of a round that begins."""
    sea.places[:] = sea.loads[:] = sea.held[:] = sea.blocked[:] = 0
    sea.diving[:] = sea.ways[0] = 1
    sea.carried[:] = 0.0
    sea.oxygen, sea.divers = FULL_TANK, len(sea.places)
    sea.sinking = sea.rising = 0
    way = 0
    for place in range(1, PLACES + 1):
        sea.trail[place - 1] = chips[place - 1]
        if chips[place - 1] == GONE:
            sea.blocked[place] = 1
        else:
            way += 1
            sea.outermost = place
        sea.ways[place] = max(1, way)


def count_round(sea, left, points):  # type: ignore[no-untyped-def]
    """Turn over what was brought home; who begins the next round."""
    places, held = sea.places, sea.held
    starter, furthest = np.random.randint(len(places)), -1
    for seat in range(len(places)):
        if places[seat] or sea.diving[seat]:
            if places[seat] > furthest:
                starter, furthest = seat, places[seat]
            continue
        for slot in range(sea.loads[seat]):
            level = held[seat * SLOTS + slot]
            pick = np.random.randint(left[level].sum())
            for value in range(4):
                pick -= left[level, value]
                if pick < 0:
                    left[level, value] -= 1
                    points[seat] += (level - 1) * 4 + value
                    break
    return starter


def play_game(sea, seated, seed, points):  # type: ignore[no-untyped-def]
    """Play a game; ``points`` is filled, by round and seat."""
    np.random.seed(seed)
    seats = len(seated)
    chips = np.zeros(PLACES, np.int64)
    for place in range(PLACES):
        chips[place] = place // CHIPS_A_LEVEL + 1
    left = np.full((5, 4), 2)
    dice = np.zeros(seats * STREAM, np.int64)
    slips = np.zeros(seats * STREAM)
    starter = np.random.randint(seats)
    for number in range(ROUNDS):
        new_round(sea, chips)
        for index in range(seats * STREAM):
            dice[index] = np.random.randint(1, 4) + np.random.randint(1, 4)
            slips[index] = np.random.random()
        finish_round(sea, seated, dice, slips, starter, DICE)
        starter = count_round(sea, left, points[number])
        for place in range(PLACES):
            chips[place] = GONE if sea.trail[place] == 0 else sea.trail[place]


def play_many(rows, tables, seed, seas, points):  # type: ignore[no-untyped-def]
    """Play a game at each table; ``points`` is filled, by table, round and seat."""
    for game in range(len(tables)):
        play_game(seas[0], rows[tables[game]], seed + game, points[game])


def count_claims(plan, seas, facts, claims):  # type: ignore[no-untyped-def]
    """Compare a plan with decisions; ``claims`` is filled.

    Args:
        plan: A record of it.
        seas: The positions.
        facts: By position the seat, what it was asked and what it did.
        claims: Counts how often the plan is wrong, how often it is right, and apart from these how
            often a diver whom it turns back dives on, and how often it does turn back.
    """
    for number in range(len(facts)):
        sea = seas[number]
        seat, question, came = facts[number]
        if question == RETURNS:
            if returns(plan, sea, seat):
                claims[2 + came] += 1
            else:
                claims[1 - came] += 1
        elif question == TAKES:
            claims[int(takes(plan, sea, seat) == (came == 1))] += 1
        else:
            claims[int(drops(plan, sea, seat) == (came == 1))] += 1


def shares_of(scores: Points) -> Points:
    """The shares of the wins.

    Args:
        scores: By table and seat the points of a game.
    """
    is_first = scores == scores.max(axis=1, keepdims=True)
    shares: Points = is_first / is_first.sum(axis=1, keepdims=True)
    return shares


@functools.cache
def functions(*, compile: bool) -> dict[str, Any]:
    """The functions of agents and games by name, which are compiled at their first use if wanted.

    Args:
        compile: By numba; it takes a quarter of a minute, and then games take microseconds.
    """
    space: dict[str, Any] = {**vars(odds), **vars(plans), **vars(playout), **globals()}
    if compile:
        import numba  # an extra

        space |= {"HOME": np.array(plans.HOME), "NEED": np.array(plans.NEED)}
        for name in (
            *_SHARED,
            "new_round",
            "count_round",
            "play_game",
            "play_many",
            "count_claims",
        ):
            plain = space[name]
            space[name] = numba.njit(types.FunctionType(plain.__code__, space, name))
    return space


def player(*, compile: bool) -> Player:
    """What plays a game at each of many tables.

    Args:
        compile: See `functions`.

    Returns:
        A function of the plans, for each table and seat the number of a plan, and a seed. It
        gives the points, by table, round and seat.
    """
    play = functions(compile=compile)["play_many"]

    def play_tables(rows: Rows, tables: Tables, seed: int) -> Points:
        games, seats = tables.shape
        points = np.zeros((games, ROUNDS, seats))
        # Whoever follows plans plays against strangers whose chips nobody has seen.
        seas = np.zeros(1, sea_type(seats)).view(np.recarray)
        seas["worth"] = odds.WORTH
        play(rows.view(np.recarray), tables, seed, seas, points)
        return points

    return play_tables
