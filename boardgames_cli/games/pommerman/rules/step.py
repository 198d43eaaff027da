"""One step of Pommerman."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boardgames_cli.games.pommerman.board import (
    BOMB_LIFE,
    EXTRA_BOMB,
    EXTRA_RANGE,
    POWERS,
    Grid,
    Mask,
    ThreeMasks,
    grid_of,
    within,
)
from boardgames_cli.games.pommerman.rules.movement import Walls, lay, settle
from boardgames_cli.games.pommerman.state import SILENCE, Bomb, Bomber, PommermanState, Words


def blast(grid: Grid, rigid: Mask, wood: Mask, cell: int, strength: int) -> Mask:
    """The cells that a bomb hits: its own and, in each direction, the next strength - 1.

    A ray ends before the edge or a rigid wall and with the first wood. Agents, bombs, flames and
    power-ups do not stop it.
    """
    mask = 1 << cell
    reach = strength - 1
    for ray in grid.rays[cell]:
        for other in ray[:reach]:
            bit = 1 << other
            if rigid & bit:
                break
            mask |= bit
            if wood & bit:
                break
    return mask


@functools.lru_cache(maxsize=20_000)
def cached_blast(size: int, rigid: Mask, wood: Mask, cell: int, strength: int) -> Mask:
    """`blast`, cached: forecasts explode the same bombs again and again."""
    return blast(grid_of(size), rigid, wood, cell, strength)


def explode(
    grid: Grid, rigid: Mask, wood: Mask, bombs: Iterable[Bomb], going: list[Bomb]
) -> tuple[Mask, list[Bomb], list[int]]:
    """Explode bombs in waves.

    Wood remains until all waves are computed: it shields what is behind it from all bombs of the
    step.

    Args:
        grid: The board's geometry.
        rigid: The rigid walls.
        wood: The wooden walls.
        bombs: The bombs that do not explode by themselves.
        going: The bombs that do.

    Returns:
        The cells hit, the remaining bombs, and the owner of every exploded bomb.
    """
    rest = list(bombs)
    hit = 0
    owners: list[int] = []
    while going:
        for bomb in going:
            hit |= cached_blast(grid.size, rigid, wood, bomb.cell, bomb.strength)
            owners.append(bomb.owner)
        going = [bomb for bomb in rest if hit >> bomb.cell & 1]
        rest = [bomb for bomb in rest if not hit >> bomb.cell & 1]
    return hit, rest, owners


@dataclass(frozen=True, slots=True)
class StepRules:
    """The options needed by a step."""

    grid: Grid
    ammo_cap: int
    strength_cap: int
    items_block: bool
    """Whether an open power-up stops a bomb."""


def play_step(
    step_rules: StepRules, state: PommermanState, moves: Sequence[int], words: Sequence[Words] = ()
) -> PommermanState:
    """The state after a step, before a collapse.

    Args:
        step_rules: The options in force.
        state: The state before.
        moves: The move of every seat; those of the dead are ignored.
        words: The words of every seat; agents that are dead or die now are silent.
    """
    flames, powers, hidden = _age(state)
    agents = list(state.agents)
    bombs: Sequence[Bomb] = lay(agents, state.bombs, moves, BOMB_LIFE)
    walls = state.rigid | state.wood
    stops = walls | powers[0] | powers[1] | powers[2] if step_rules.items_block else walls
    cells, bombs = settle(step_rules.grid, Walls(walls, stops), agents, bombs, moves)
    powers = _walk(step_rules, agents, cells, powers)
    burning = flames[0] | flames[1]
    bombs = [
        Bomb(cell, life - 1, strength, owner, direction)
        for cell, life, strength, owner, direction in bombs
    ]
    going = [bomb for bomb in bombs if bomb.life <= 0 or burning >> bomb.cell & 1]
    wood = state.wood
    if going:
        rest = [bomb for bomb in bombs if bomb.life > 0 and not burning >> bomb.cell & 1]
        hit, bombs, owners = explode(step_rules.grid, state.rigid, wood, rest, going)
        _return_ammo(step_rules, agents, owners)
        wood &= ~hit
        powers = within(powers, ~hit)
        flames = (flames[0], flames[1], hit)
        burning |= hit
    for seat, (cell, alive, ammo, strength, kicks) in enumerate(agents):
        if alive and burning >> cell & 1:
            agents[seat] = Bomber(cell, False, ammo, strength, kicks)
    bombs.sort()
    return PommermanState(
        state.rigid,
        wood,
        powers,
        hidden,
        flames,
        tuple(bombs),
        tuple(agents),
        state.step + 1,
        tuple(said if agent.alive else SILENCE for said, agent in zip(words, agents, strict=False)),
        reruns=state.reruns,
    )


def _age(state: PommermanState) -> tuple[ThreeMasks, ThreeMasks, ThreeMasks]:
    """Age flames; return flames, open and hidden power-ups.

    A power-up revealed under a younger flame burns.
    """
    ending, low, middle = state.flames
    if not ending:
        return (low, middle, 0), state.powers, state.hidden
    shown = ending & ~(low | middle)
    first, second, third = state.hidden
    powers = state.powers
    opened = (
        powers[0] | first & shown,
        powers[1] | second & shown,
        powers[2] | third & shown,
    )
    return (low, middle, 0), opened, within(state.hidden, ~ending)


def _walk(
    step_rules: StepRules, agents: list[Bomber], cells: Sequence[int], powers: ThreeMasks
) -> ThreeMasks:
    """Move agents to their cells; those that moved take the power-ups there."""
    lying = powers[0] | powers[1] | powers[2]
    for seat, target in enumerate(cells):
        cell, alive, ammo, strength, kicks = agents[seat]
        if target == cell:
            continue
        bit = 1 << target
        if lying & bit:
            kind = next(kind for kind, mask in zip(POWERS, powers, strict=True) if mask & bit)
            if kind == EXTRA_BOMB:
                ammo = _raised(ammo, step_rules.ammo_cap)
            elif kind == EXTRA_RANGE:
                strength = _raised(strength, step_rules.strength_cap)
            else:
                kicks = True
            powers = within(powers, ~bit)
        agents[seat] = Bomber(target, alive, ammo, strength, kicks)
    return powers


def _return_ammo(step_rules: StepRules, agents: list[Bomber], owners: Sequence[int]) -> None:
    """Return bombs to their owners, alive or dead."""
    for owner in owners:
        cell, alive, ammo, strength, kicks = agents[owner]
        agents[owner] = Bomber(cell, alive, _raised(ammo, step_rules.ammo_cap), strength, kicks)


def _raised(value: int, cap: int) -> int:
    """Add one up to the cap; larger values stay unchanged."""
    return value + 1 if value < cap else value
