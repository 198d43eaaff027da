"""The board that falls in: when, and how a game ends so."""

from __future__ import annotations

import pytest

from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import schedule
from boardgames_cli.games.pommerman.state import Bomber, PommermanState

SCHEDULES = [
    (500, 800, [500, 575, 650, 725]),
    (10, 50, [10, 20, 30, 40]),
    (5, 8, [5, 6, 7]),
    (1, 2, [1]),
    (100, 106, [100, 101, 102, 103, 104, 105]),
    (4, 20, [4, 8, 12, 16]),
    (11, 40, [11, 18, 25, 32, 39]),
]


@pytest.mark.parametrize(("first", "steps", "wanted"), SCHEDULES)
def test_rings_fall_at(first: int, steps: int, wanted: list[int]) -> None:
    assert list(schedule(first, steps)) == wanted
    falling = Pommerman(collapse=True, first_collapse=first, steps=steps)
    assert falling.collapses_in(falling.initial_state()) == tuple(wanted)
    standing = Pommerman(first_collapse=first, steps=steps)
    assert standing.collapses_in(standing.initial_state()) == ()


@pytest.mark.parametrize(("difference", "count"), [(102, 5), (7, 7), (300, 4), (3, 3)])
def test_there_are_more_than_four_where_the_strides_do_not_fit(difference: int, count: int) -> None:
    assert len(schedule(100, 100 + difference)) == count


def test_all_who_are_left_fall_at_once_and_it_is_over() -> None:
    game = Pommerman(mode="duel", collapse=True, steps=12, first_collapse=4)
    agents = (Bomber(0, True, 1, 3, False), Bomber(63, True, 1, 3, False))
    after = game.apply(PommermanState(agents=agents, step=3), {0: MOVES[0], 1: MOVES[0]})
    assert after.fallen == (0, 1)
    assert game.is_over(after)
    assert game.returns(after) == (0, 0)
