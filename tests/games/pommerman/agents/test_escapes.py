"""Ways out when walks may fail, against a search through all courses of events."""

from __future__ import annotations

import random
from functools import cache

import pytest

from boardgames_cli.games.pommerman.agents.forecast import (
    aside,
    bodies,
    sure_ways_out,
    survivors,
    ways_out,
)
from boardgames_cli.games.pommerman.agents.situation import Situation, look_at
from boardgames_cli.games.pommerman.rules import Pommerman
from tests.games.pommerman.crowds import crowded

FFA = Pommerman()
GRID = FFA.step_rules.grid
FAILS = 2


def situation(seed: int) -> Situation:
    return look_at(FFA, crowded(FFA, random.Random(seed)), 0)


def escapes_one_by_one(table: Situation, cell: int, after: int, fails: int) -> bool:
    """Whether there is a way out from a cell, whichever walks an opponent lets fail."""
    timeline = table.timeline
    others = bodies(table.size, timeline, table.others)

    @cache
    def is_safe(cell: int, step: int, fails: int) -> bool:
        if step == len(timeline.blocked):
            return True

        def lives(there: int, left: int) -> bool:
            return not timeline.burning[step] >> there & 1 and is_safe(there, step + 1, left)

        if lives(cell, fails):
            return True
        closed = timeline.blocked[step] | others.standing[step]
        return any(
            lives(there, fails)
            and not (fails and others.contested[step] >> there & 1 and not lives(cell, fails - 1))
            for there in GRID.near[cell]
            if not closed >> there & 1
        )

    return is_safe(cell, after, fails)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_sure_ways_out_are_those_that_no_opponent_can_shut(after: int) -> None:
    shut = 0
    for seed in range(8):
        table = situation(seed)
        others = bodies(table.size, table.timeline, table.others)
        found = sure_ways_out(table.size, table.timeline, others, FAILS, after)
        for fails, cells in enumerate(found):
            for cell in range(GRID.cells):
                expected = escapes_one_by_one(table, cell, after, fails)
                assert bool(cells >> cell & 1) == expected, (seed, fails, cell)
        shut += found[0] != found[FAILS]
    assert shut, "a failed walk matters somewhere"


def test_ways_out_are_the_cells_from_which_the_flood_survives() -> None:
    for seed in range(30):
        table = situation(seed)
        for after in (0, 2):
            cells = ways_out(table.size, table.timeline, after)
            for cell in range(GRID.cells):
                left = survivors(table.size, table.timeline, 1 << cell, after)
                assert bool(cells >> cell & 1) == bool(left), (seed, after, cell)


def test_a_wide_berth_never_helps() -> None:
    for seed in range(30):
        table = situation(seed)
        others = bodies(table.size, table.timeline, table.others)
        free = ways_out(table.size, table.timeline)
        for steps in (2, 99):
            apart = aside(others, steps)
            assert sure_ways_out(table.size, table.timeline, apart, 0)[0] & ~free == 0


def test_others_get_in_the_way_from_when_they_are_there() -> None:
    table = situation(3)
    cell = table.own.cell
    found = bodies(table.size, table.timeline, 1 << cell, since=2)
    assert found.standing[:2] == found.contested[:2] == (0, 0)
    assert found.standing[2] == 1 << cell
    assert found.contested[2] & ~sum(1 << near for near in (cell, *GRID.near[cell])) == 0
