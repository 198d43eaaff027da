"""Blasts and chains, what burns and what comes to light, and the age of flames."""

from __future__ import annotations

import pytest

from boardgames_cli.games.pommerman.board import bits
from boardgames_cli.games.pommerman.rules.step import blast, explode
from boardgames_cli.games.pommerman.state import Bomb, PommermanState
from tests.games.pommerman.sketches import cases, drawing_of, state_of, step, step_rules_of

BLASTS = [
    ("strength 1 is the own cell", "...../...../..o", 1, [12]),
    ("strength 2 reaches one cell each way", "...../...../..o", 2, [7, 11, 12, 13, 17]),
    ("strength 3 reaches two", "...../...../..o", 3, [2, 7, 10, 11, 12, 13, 14, 17, 22]),
    ("it ends at the edges", "o....", 3, [0, 1, 2, 5, 10]),
    ("a rigid wall is not hit", "o#.../#", 4, [0]),
    ("the first wood is hit, nothing behind it", "o.++./+", 9, [0, 1, 2, 5]),
    ("agents, bombs, power-ups and flames stop nothing", "oA6*./#", 9, [0, 1, 2, 3, 4]),
]


@pytest.mark.parametrize(("drawing", "strength", "hit"), cases(BLASTS))
def test_a_blast_reaches(drawing: str, strength: int, hit: list[int]) -> None:
    state, grid = state_of(drawing), step_rules_of(drawing).grid
    found = blast(grid, state.rigid, state.wood, state.bombs[0].cell, strength)
    assert list(bits(found)) == hit


CHAINS = [
    ("a bomb that is hit goes off", "oo..", [0, 1, 2, 4, 5], 2, 0),
    ("and sets off the next", "oooo", [0, 1, 2, 3, 4, 5, 6, 7], 4, 0),
    ("one out of reach stays", "o.o.", [0, 1, 4], 1, 1),
    ("one behind wood stays", "o+o.", [0, 1, 4], 1, 1),
    ("one behind a rigid wall stays", "o#o.", [0, 4], 1, 1),
    ("round a corner", "oo../.o", [0, 1, 2, 4, 5, 6, 9], 3, 0),
]


@pytest.mark.parametrize(("drawing", "hit", "gone", "left"), cases(CHAINS))
def test_bombs_set_off_bombs(drawing: str, hit: list[int], gone: int, left: int) -> None:
    state, grid = state_of(drawing), step_rules_of(drawing).grid
    first, *others = state.bombs
    found, rest, owners = explode(grid, state.rigid, state.wood, others, [first])
    assert (list(bits(found)), len(owners), len(rest)) == (hit, gone, left)


def fused(
    drawing: str, lives: dict[int, int], strength: int = 3, kicks: str = ""
) -> PommermanState:
    """The position of a drawing with the lives of some bombs, by cell."""
    state = state_of(drawing, strength=strength, kicks=kicks)
    bombs = tuple(bomb._replace(life=lives.get(bomb.cell, bomb.life)) for bomb in state.bombs)
    return state._replace(bombs=bombs)


def test_wood_shields_from_all_bombs_of_a_step() -> None:
    # Both bombs hit the wood between them; neither reaches over it, and B lives behind it.
    drawing = "o+.B./o"
    after = step(step_rules_of(drawing), fused(drawing, {0: 1, 5: 1}, strength=4))
    assert not after.wood
    assert not after.burning >> 2 & 1
    assert after.agents[1].alive
    # Once the wood is gone the same bomb reaches further.
    later = step(step_rules_of(drawing), after._replace(bombs=(Bomb(0, 1, 4, 0, 0),)))
    assert not later.agents[1].alive


def test_every_owner_gets_its_bomb_back_also_the_dead() -> None:
    state = fused("oo../../../A..B", {0: 1})
    owners = tuple(bomb._replace(owner=seat) for seat, bomb in enumerate(state.bombs))
    dead = (state.agents[0]._replace(alive=False), state.agents[1])
    after = step(step_rules_of("oo.."), state._replace(bombs=owners, agents=dead))
    assert [(agent.alive, agent.ammo) for agent in after.agents] == [(False, 2), (True, 2)]


@pytest.mark.parametrize(("ammo", "back"), [(1, 2), (2, 2), (5, 5)])
def test_ammo_comes_back_up_to_the_cap(ammo: int, back: int) -> None:
    state = fused("o../.../..A", {0: 1}, strength=2)
    state = state._replace(agents=(state.agents[0]._replace(ammo=ammo), *state.agents[1:]))
    assert step(step_rules_of("o..", cap=2), state).agents[0].ammo == back


@pytest.mark.parametrize(
    ("drawing", "taken"), [("A6", (2, 2, False)), ("A7", (1, 3, False)), ("A8", (1, 2, True))]
)
def test_power_ups_are_taken(drawing: str, taken: tuple[int, int, bool]) -> None:
    after = step(step_rules_of(drawing), state_of(drawing), "r")
    assert tuple(after.agents[0])[2:] == taken
    assert not after.open_powers
    capped = step(step_rules_of(drawing, cap=1), state_of(drawing), "r")
    assert tuple(capped.agents[0])[2:] == (1, 2, taken[2]), "not above the cap, nor lowered to it"


def test_who_burns_in_that_step_takes_the_power_up_all_the_same() -> None:
    after = step(step_rules_of("A6.o"), fused("A6.o", {3: 1}), "r")
    assert after.agents[0] == (1, False, 3, 3, False), "and its own bomb is back"
    assert not after.open_powers


def test_an_open_power_up_burns() -> None:
    after = step(step_rules_of("o7../.../A"), fused("o7../.../A", {0: 1}))
    assert not after.open_powers


def test_what_was_under_wood_lies_open_when_the_flames_end() -> None:
    drawing = "o+../..../..../...A"
    state = fused(drawing, {0: 1})._replace(hidden=(0, 0b10, 0))
    drawn = []
    for _ in range(4):
        state = step(step_rules_of(drawing), state)
        drawn.append(drawing_of(state, 4).split("/")[0])
    assert drawn == ["**", "**", "**", ".7"]
    assert not any(state.hidden)


def test_a_power_up_that_comes_to_light_under_a_younger_flame_burns() -> None:
    state = state_of("..A")._replace(flames=(0b1, 0b1, 0), hidden=(0b1, 0, 0))
    after = step(step_rules_of("..A"), state)
    assert (after.burning, after.hidden, after.open_powers) == (1, (0, 0, 0), 0)
    assert step(step_rules_of("..A"), after).open_powers == 0


def test_flames_are_seen_after_three_steps_and_gone_in_the_fourth() -> None:
    state = fused("o../.../..A", {0: 1}, strength=1)
    seen = []
    for _ in range(4):
        state = step(step_rules_of("o.."), state)
        seen.append(state.flames)
    assert seen == [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, 0)]


def test_who_walks_into_flames_dies_and_so_does_who_waits_for_the_blast() -> None:
    assert not step(step_rules_of("A*"), state_of("A*"), "r").agents[0].alive
    assert step(step_rules_of("A*"), state_of("A*"), "s").agents[0].alive
    # The flames of life 0 are gone when the step begins to count.
    ending = state_of("A.")._replace(flames=(0b10, 0, 0))
    assert step(step_rules_of("A."), ending, "r").agents[0].alive


def test_a_bomb_that_rolls_into_flames_goes_off() -> None:
    after = step(step_rules_of(">*../..../..../...A"), fused(">*../..../..../...A", {}, strength=2))
    assert after.bombs == ()
    assert list(bits(after.flames[2])) == [0, 1, 2, 5]


def test_a_bomb_goes_off_where_it_rolls_to() -> None:
    after = step(step_rules_of(">.../..../..../...A"), fused(">...", {0: 1}, strength=2))
    assert list(bits(after.flames[2])) == [0, 1, 2, 5]
