"""Whole games of divers who follow plans, compiled by numba if wanted: thousands a second.

The functions that are compiled are those that the agents call (`agents/plans.py`,
`agents/playout.py`); only the frame of a game is written here.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.games.deepsea.agents import plans, playout
from boardgames_cli.games.deepsea.chips import CHIPS_A_LEVEL, GONE, LEVELS, PLACES, mean_value

Rows = npt.NDArray[np.float64]
Tables = npt.NDArray[np.int64]
Player = Callable[[Rows, Tables, int], Rows]
"""Plays games; see `player`."""

WORTH: Final = np.zeros(GONE + 1)
WORTH[1 : len(LEVELS) + 1] = [mean_value(dots) for dots in LEVELS]
FULL_TANK: Final = 25
ROUNDS: Final = 3

# In an order in which callees come first.
_SHARED: Final = (
    "chance", "drain_of", "at_end", "lowest_slot", "risk_plan_returns", "returns", "takes", "drops",
    "turn_back", "move", "take", "drop", "next_seat", "finish_round",
)  # fmt: skip

# The functions below are compiled with those of the agents in their globals.
SLOTS, STREAM, DICE, WIDTH = plans.SLOTS, playout.STREAM, playout.DICE, plans.WIDTH
finish_round = playout.finish_round
returns, takes, drops = plans.returns, plans.takes, plans.drops
RETURNS, TAKES, DROPS = 0, 1, 2
"""What a diver is asked."""


def new_round(seats, chips, ways):  # type: ignore[no-untyped-def]
    """The numbers of a round that begins; ``ways`` is filled. See `plans.Sea`."""
    blocked = np.zeros(PLACES + 1, np.int64)
    tank = np.zeros(5, np.int64)
    tank[0], tank[3] = FULL_TANK, seats
    way = 0
    for place in range(1, PLACES + 1):
        if chips[place - 1] == GONE:
            blocked[place] = 1
        else:
            way += 1
            tank[4] = place
        ways[place] = max(1, way)
    ways[0] = 1
    return (
        np.zeros(seats, np.int64), np.ones(seats, np.int64), np.zeros(seats, np.int64),
        np.zeros(seats), np.zeros(seats * SLOTS, np.int64), chips.copy(), blocked, tank,
    )  # fmt: skip


def count_round(sea, left, points):  # type: ignore[no-untyped-def]
    """Turn over what was brought home; who begins the next round."""
    places, diving, loads, held = sea[0], sea[1], sea[2], sea[4]
    starter, furthest = np.random.randint(len(places)), -1
    for seat in range(len(places)):
        if places[seat] or diving[seat]:
            if places[seat] > furthest:
                starter, furthest = seat, places[seat]
            continue
        for slot in range(loads[seat]):
            level = held[seat * SLOTS + slot]
            pick = np.random.randint(left[level].sum())
            for value in range(4):
                pick -= left[level, value]
                if pick < 0:
                    left[level, value] -= 1
                    points[seat] += (level - 1) * 4 + value
                    break
    return starter


def play_game(plan_rows, bases, seed, worth, home, need, points):  # type: ignore[no-untyped-def]
    """Play a game; ``points`` is filled, by round and seat."""
    np.random.seed(seed)
    seats = len(bases)
    chips = np.zeros(PLACES, np.int64)
    for place in range(PLACES):
        chips[place] = place // CHIPS_A_LEVEL + 1
    left = np.full((5, 4), 2)
    ways = np.zeros(PLACES + 1, np.int64)
    dice = np.zeros(seats * STREAM, np.int64)
    slips = np.zeros(seats * STREAM)
    starter = np.random.randint(seats)
    for number in range(ROUNDS):
        sea = new_round(seats, chips, ways)
        for index in range(seats * STREAM):
            dice[index] = np.random.randint(1, 4) + np.random.randint(1, 4)
            slips[index] = np.random.random()
        finish_round(sea, (ways, worth, home, need), plan_rows, bases, dice, slips, starter, DICE)
        starter = count_round(sea, left, points[number])
        trail = sea[5]
        for place in range(PLACES):
            chips[place] = GONE if trail[place] == 0 else trail[place]


def play_many(rows, tables, seed, worth, home, need, points):  # type: ignore[no-untyped-def]
    """Play a game at each table; ``points`` is filled, by table, round and seat."""
    plan_rows = rows.ravel()
    for game in range(len(tables)):
        play_game(plan_rows, tables[game] * WIDTH, seed + game, worth, home, need, points[game])


def count_claims(plan, positions, claims):  # type: ignore[no-untyped-def]
    """Compare a plan with decisions; ``claims`` is filled.

    Args:
        plan: Its numbers.
        positions: See `imitation.Positions`.
        claims: Counts how often the plan is wrong, how often it is right, and apart from these how
            often a diver whom it turns back dives on, and how often it does turn back.
    """
    places, diving, loads, carried, held, trail, blocked, tank, ways, worth, facts = positions[:11]
    home, need = positions[11:]
    for number in range(len(facts)):
        sea = (
            places[number], diving[number], loads[number], carried[number], held[number],
            trail[number], blocked[number], tank[number],
        )  # fmt: skip
        tables = (ways[number], worth[number], home, need)
        seat, question, came = facts[number]
        if question == RETURNS:
            if returns(sea, tables, plan, 0, seat):
                claims[2 + came] += 1
            else:
                claims[1 - came] += 1
        elif question == TAKES:
            claims[int(takes(sea, tables, plan, 0, seat) == (came == 1))] += 1
        else:
            claims[int(drops(sea, tables, plan, 0, seat) == (came == 1))] += 1


def shares_of(scores: Rows) -> Rows:
    """The shares of the wins.

    Args:
        scores: By table and seat the points of a game.
    """
    is_first = scores == scores.max(axis=1, keepdims=True)
    shares: Rows = is_first / is_first.sum(axis=1, keepdims=True)
    return shares


@functools.cache
def functions(*, compile: bool) -> dict[str, Any]:
    """The functions of agents and games by name, which are compiled at their first use if wanted.

    Args:
        compile: By numba; it takes a quarter of a minute, and then games take microseconds.
    """
    space: dict[str, Any] = {**vars(plans), **vars(playout), **globals()}
    if compile:
        import numba  # an extra

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
    home, need = np.array(plans.HOME), np.array(plans.NEED)

    def play_tables(rows: Rows, tables: Tables, seed: int) -> Rows:
        games, seats = tables.shape
        points = np.zeros((games, ROUNDS, seats))
        play(rows, tables, seed, WORTH, home, need, points)
        return points

    return play_tables
