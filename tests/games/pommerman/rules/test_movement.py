"""Who comes to stand where, in drawings: before, the moves by seat, after."""

from __future__ import annotations

import pytest

from boardgames_cli.games.pommerman.rules.step import lay, wish
from boardgames_cli.games.pommerman.state import Bomb
from tests.games.pommerman.sketches import (
    cases,
    drawing_of,
    moves_of,
    size_of,
    state_of,
    step,
    step_rules_of,
    tidy,
)

WALKS = [
    ("a free cell", "A..", "r", ".A."),
    ("a rigid wall", "A#.", "r", "A#."),
    ("wood", "A+.", "r", "A+."),
    ("the edge", "A..", "l", "A.."),
    ("the edge of a row is not the start of the next", "..A/...", "r", "..A/..."),
    ("two that would trade cells", "AB.", "rl", "AB."),
    ("two that want one cell", "A.B", "rl", "A.B"),
    ("one behind the other", "AB.", "rr", ".AB"),
    ("one behind another who can't go on", "AB#", "rr", "AB#"),
    ("one behind two who both want a cell", "CA.B", "rlr", "CA.B"),
    ("four in a circle", "AB/DC", "rdlu", "DA/CB"),
    ("three who want one cell", "A.B/.C.", "rlu", "A.B/.C."),
    ("somebody who stays", "AB.", "r", "AB."),
    ("off an own bomb", "a..", "r", "oA."),
]


@pytest.mark.parametrize(("before", "moves", "after"), cases(WALKS))
def test_agents_walk(before: str, moves: str, after: str) -> None:
    moved = step(step_rules_of(before), state_of(before), moves)
    assert drawing_of(moved, size_of(before)) == tidy(after)


ROLLS = [
    ("on and on", ">..", "", ".>."),
    ("up a column", "..../..../^...", "", "..../^.../...."),
    ("a rigid wall", ">#.", "", "o#."),
    ("wood", ">+.", "", "o+."),
    ("the edge", "..>", "", "..o"),
    ("a bomb at rest", ">o.", "", "oo."),
    ("two that meet between", ">.<", "", "o.o"),
    ("two that would trade cells", "><.", "", "oo."),
    ("one behind the other", ">>.", "", ".>>"),
    ("one behind another that is stopped", ">>#", "", "oo#"),
    ("somebody who stays", ">A.", "", "oA."),
    ("somebody who goes on", ">A.", "r", ".>A"),
    ("somebody who comes and can't kick", ">.A", "l", "o.A"),
    ("somebody who would trade cells with it", ".>A", "l", ".oA"),
    ("two agents who both want the cell it wants", "A.B/.^.", "rl", "A.B/.o."),
    ("over a power-up", ">6.", "", ".>."),
]


@pytest.mark.parametrize(("before", "moves", "after"), cases(ROLLS))
def test_bombs_roll(before: str, moves: str, after: str) -> None:
    moved = step(step_rules_of(before), state_of(before), moves)
    assert drawing_of(moved, size_of(before)) == tidy(after)


KICKS = [
    ("it rolls at once", "Ao..", "r", ".A>."),
    ("against a rigid wall", "Ao#", "r", "Ao#"),
    ("against wood", "Ao+", "r", "Ao+"),
    ("against an agent", "AoB", "r", "AoB"),
    ("against a bomb", "Aoo", "r", "Aoo"),
    ("against the edge", ".Ao", "r", ".Ao"),
    ("where somebody is going", "Ao.B", "rl", "AoB."),
    ("where a bomb is going", "Ao.<", "r", "Ao<."),
    ("where two were sent back from", "Ao.B/..C", "rlu", "Ao.B/..C"),
    ("over a power-up", "Ao6", "r", ".A>"),
    ("into flames, where it goes off", "Ao.*", "rl", ".A>*"),
    ("two kicked to one cell", "Ao.oB", "rl", "Ao.oB"),
    ("from under somebody who stays", "Ab.", "r", "Ab."),
    ("from under somebody who goes on", "Ab..", "rr", "AoB."),
    ("from under somebody who steps aside", ".../Ab./...", "ru", ".B./.A>/..."),
    ("a bomb that comes: a boomerang", ">.A", "l", "<A."),
    ("a boomerang to a cell to which another is kicked", ">.A/o/B", "lu", "o.A/o/B"),
    ("a bomb that comes round the corner", ".../>../.A.", "u", ".^./.A./..."),
    ("a bomb that would trade cells", ".>A", "l", "<A."),
    ("a bomb that rolls away is not caught", "A>..", "r", ".A>."),
    ("nobody kicks who stays", ">A.", "s", "oA."),
    ("a bomb that comes, where another is sent back to", ".A./>>B/...", "ds", ".A./ooB/..."),
    ("where the other goes on", ".A./>>./...", "d", ".../.A>/.v."),
]


@pytest.mark.parametrize(("before", "moves", "after"), cases(KICKS))
def test_agents_kick(before: str, moves: str, after: str) -> None:
    moved = step(step_rules_of(before), state_of(before, kicks="ABC"), moves)
    assert drawing_of(moved, size_of(before)) == tidy(after)


@pytest.mark.parametrize("before", ["Ao..", ">.A", ".>A"])
def test_who_cannot_kick_stops_and_so_does_the_bomb(before: str) -> None:
    moved = step(step_rules_of(before), state_of(before), "r" if before[0] == "A" else "l")
    assert drawing_of(moved, 4 if before == "Ao.." else 3) == tidy(before.replace(">", "o"))


@pytest.mark.parametrize(
    ("before", "after"),
    [("Ao6", "Ao6"), (">6.", "o6."), ("Ao.", ".A>")],
    ids=["kick", "roll", "no"],
)
def test_power_ups_stop_bombs_if_the_options_say_so(before: str, after: str) -> None:
    step_rules = step_rules_of(before, items_block=True)
    moved = step(step_rules, state_of(before, kicks="A"), "r")
    assert drawing_of(moved, 3) == tidy(after)


def test_a_power_up_stays_under_the_bomb_that_rolled_over_it() -> None:
    step_rules, before = step_rules_of(">7.."), state_of(">7..")
    over = step(step_rules, before)
    assert over.powers == before.powers
    assert drawing_of(step(step_rules, over), 4) == ".7>"


def test_the_dead_are_in_nobodys_way() -> None:
    before = state_of("A.B")
    agents = (before.agents[0], before.agents[1]._replace(cell=1, alive=False))
    moved = step(step_rules_of("A.B"), type(before)(agents=agents), "rl")
    assert [agent.cell for agent in moved.agents] == [1, 1]


def test_a_kicked_bomb_keeps_life_owner_and_strength() -> None:
    before = state_of("Bo..", kicks="B", life=7, strength=4)
    after = step(step_rules_of("Bo.."), before, "sr")
    assert after.bombs == (Bomb(2, 6, 4, 0, 4),)


BOMBS = [
    ("it is laid under the agent", "A..", 1, "b", [(0, 9)], 0),
    ("not twice on one cell", "a..", 1, "b", [(0, 8)], 1),
    ("not without ammo", "A..", 0, "b", [], 0),
    ("only if asked for", "A..", 1, "s", [], 1),
]


@pytest.mark.parametrize(("before", "ammo", "move", "bombs", "left"), cases(BOMBS))
def test_bombs_are_laid(
    before: str, ammo: int, move: str, bombs: list[tuple[int, int]], left: int
) -> None:
    state = state_of(before, strength=5)
    agents = (state.agents[0]._replace(ammo=ammo), *state.agents[1:])
    state = type(state)(bombs=state.bombs, agents=agents)
    after = step(step_rules_of(before), state, move)
    assert [(bomb.cell, bomb.life) for bomb in after.bombs] == bombs
    assert after.agents[0].ammo == left
    assert all((bomb.strength, bomb.owner, bomb.direction) == (5, 0, 0) for bomb in after.bombs)


def test_the_dead_lay_nothing() -> None:
    agents = [state_of("A..").agents[1]._replace(cell=2)]
    assert lay(agents, (), moves_of("b", state_of("A..")), 10) == []
    assert agents[0].ammo == 1


def test_wishes_end_at_walls() -> None:
    grid = step_rules_of("A#/..").grid
    assert [wish(grid, 0b10, 0, move) for move in range(6)] == [0, 0, 2, 0, 0, 0]
