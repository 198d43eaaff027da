"""The board that falls in: when, and what is lost."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.core.errors import OptionError
from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import collapse, fallen_rings, schedule
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from tests.games.pommerman.sketches import drawing_of, state_of

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
    assert Pommerman(collapse=True, first_collapse=first, steps=steps).collapses == tuple(wanted)
    assert Pommerman(first_collapse=first, steps=steps).collapses == ()


@pytest.mark.parametrize(("difference", "count"), [(102, 5), (7, 7), (300, 4), (3, 3)])
def test_there_are_more_than_four_where_the_strides_do_not_fit(difference: int, count: int) -> None:
    assert len(schedule(100, 100 + difference)) == count


@pytest.mark.parametrize("first", [800, 801])
def test_the_first_ring_must_fall_before_the_last_step(first: int) -> None:
    for more in ({"collapse": True}, {"rerun_ties": True}):
        with pytest.raises(OptionError, match=f"first_collapse can't be {first} in a game of 800"):
            Pommerman(first_collapse=first, **more)  # type: ignore[arg-type]
        Pommerman(first_collapse=799, **more)  # type: ignore[arg-type]
    assert Pommerman(first_collapse=first).first_collapse == first, "without it nobody asks"


def test_rings_lie_within_each_other() -> None:
    grid = grid_of(5)
    assert [grid.ring(depth).bit_count() for depth in range(4)] == [16, 8, 1, 0]
    assert [fallen_rings(5, rings).bit_count() for rings in range(4)] == [0, 16, 24, 25]
    assert grid_of(8).ring(3).bit_count() == 4


def test_a_ring_becomes_rigid_and_everything_on_it_vanishes() -> None:
    before = state_of("6+*oA/.7.../..o../...8B/#.>.", kicks="B", life=4)
    # Flames of every age, at r0c2, and a power-up of every kind that nobody sees, at r0c1.
    before = before._replace(hidden=(0b10,) * 3, flames=(0b100,) * 3)
    after = collapse(5, before, 0, 10)
    assert drawing_of(after, 5) == "#####/#7..#/#.o.#/#..8#/#####"
    assert after.hidden == (0, 0, 0)
    assert after.flames == (0, 0, 0)
    assert after.fallen == (0, 1)
    assert [agent.alive for agent in after.agents] == [False, False]
    assert [bomb.cell for bomb in after.bombs] == [12], "the others did not go off"
    inner = collapse(5, before, 1, 10)
    assert drawing_of(inner, 5) == "6+*oA/.###/.#o#/.###B/#.>"
    assert inner.fallen == ()


@pytest.mark.parametrize(("cap", "ammo"), [(10, 3), (2, 2), (1, 1)])
def test_bombs_that_vanish_go_back_to_their_owners(cap: int, ammo: int) -> None:
    before = state_of("o.o/.A")
    after = collapse(3, before, 0, cap)
    assert after.bombs == ()
    assert after.agents[0].ammo == ammo
    assert not after.burning


def test_the_dead_do_not_fall_again() -> None:
    dead = Bomber(0, False, 1, 3, False)
    after = collapse(3, PommermanState(agents=(dead, Bomber(4, True, 1, 3, False))), 0, 10)
    assert after.fallen == ()


def test_everything_else_of_a_state_is_kept() -> None:
    words = ((1, 2), (0, 0))
    before = state_of(".../.A./.B.")._replace(step=7, words=words, reruns=2)
    after = collapse(3, before, 5, 10)
    assert after == before, "past the middle nothing falls"


def duel(**changes: Any) -> PommermanState:
    agents = (Bomber(9, True, 1, 3, False), Bomber(27, True, 1, 3, False))
    return PommermanState(agents=agents, **changes)


STOP = {0: MOVES[0], 1: MOVES[0]}


def test_ring_after_ring_falls_when_its_step_is_played() -> None:
    game = Pommerman(mode="duel", collapse=True, steps=12, first_collapse=4)
    state, rings = duel(), []
    while not game.is_over(state):
        state = game.apply(state, dict.fromkeys(game.to_act(state), MOVES[0]))
        rings.append(state.rigid.bit_count())
    # A stands on the second ring: it falls after step 6, and step 7 is judged.
    assert rings == [0, 0, 0, 28, 28, 48, 48]
    assert game.returns(state) == (-1, 1)


def test_a_bomb_that_falls_in_does_not_go_off() -> None:
    game = Pommerman(mode="duel", collapse=True, steps=12, first_collapse=4)
    state = duel(step=3, bombs=(Bomb(1, 2, 8, 0, 0),))
    after = game.apply(state, STOP)
    assert (after.bombs, after.agents[0].ammo) == ((), 2)
    assert all(agent.alive for agent in game.apply(after, STOP).agents)


def test_a_bomb_that_goes_off_in_that_step_still_kills() -> None:
    game = Pommerman(mode="duel", collapse=True, steps=12, first_collapse=4)
    after = game.apply(duel(step=3, bombs=(Bomb(1, 1, 8, 0, 0),)), STOP)
    assert [agent.alive for agent in after.agents] == [False, True]
    assert after.fallen == ()


def test_all_who_are_left_fall_at_once_and_it_is_over() -> None:
    game = Pommerman(mode="duel", collapse=True, steps=12, first_collapse=4)
    edge = tuple(
        agent._replace(cell=cell) for agent, cell in zip(duel().agents, (0, 63), strict=True)
    )
    after = game.apply(PommermanState(agents=edge, step=3), STOP)
    assert after.fallen == (0, 1)
    assert game.is_over(after)
    assert game.returns(after) == (0, 0)
