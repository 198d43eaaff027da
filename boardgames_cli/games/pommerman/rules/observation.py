"""Redaction and determinization.

In every mode, items under wood and the others' ammo, strength and kick are hidden; in the fogged
modes also everything outside a square window around the own cell, the owners of bombs, and the
other team's words. There is no memory; that is left to agents. In the fog, a spectator sees no cell
at all, since no cell is visible to everybody.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from boardgames_cli.games.pommerman.board import (
    LARGEST,
    POWERS,
    UNKNOWN,
    Mask,
    ThreeMasks,
    bits,
    grid_of,
    mate_of,
    window,
    within,
)
from boardgames_cli.games.pommerman.rules.layout import BoardSpec
from boardgames_cli.games.pommerman.rules.step import fallen_rings
from boardgames_cli.games.pommerman.state import SILENCE, Bomber, PommermanState

_NOTHING = (0, 0, 0)
_STRANGERS: Final = tuple(
    tuple(Bomber(cell, alive, UNKNOWN, UNKNOWN, False) for cell in (*range(LARGEST**2), UNKNOWN))
    for alive in (False, True)
)
"""Agents with unknown equipment, by whether they live and by cell; `UNKNOWN` is the last."""


def redact(
    state: PommermanState, seats: Sequence[int], size: int, radius: int | None
) -> PommermanState:
    """The state as known to some seats together; none are a spectator. None: there is no fog."""
    if not state.agents:
        return state
    if radius is None:
        # Positional arguments for speed, because this runs for every agent at every step.
        rigid, wood, powers, _, flames, bombs, agents, step, words, fallen, dark, reruns = state
        shown = [
            agent if other in seats else _STRANGERS[agent.alive][agent.cell]
            for other, agent in enumerate(agents)
        ]
        return PommermanState(
            rigid, wood, powers, _NOTHING, flames, bombs,
            tuple(shown), step, words, fallen, dark, reruns,
        )  # fmt: skip
    clear = 0
    for seat in seats:
        clear |= window(size, state.agents[seat].cell, radius)
    cells = [
        agent.cell if agent.cell != UNKNOWN and clear >> agent.cell & 1 else UNKNOWN
        for agent in state.agents
    ]
    hearing = {other for seat in seats for other in (seat, mate_of(seat))}
    return state._replace(
        rigid=state.rigid & clear,
        wood=state.wood & clear,
        powers=within(state.powers, clear),
        hidden=_NOTHING,
        flames=within(state.flames, clear),
        bombs=tuple(
            bomb if bomb.owner in seats else bomb._replace(owner=UNKNOWN)
            for bomb in state.bombs
            if clear >> bomb.cell & 1
        ),
        agents=tuple(
            agent if other in seats else _STRANGERS[agent.alive][cells[other]]
            for other, agent in enumerate(state.agents)
        ),
        words=tuple(
            said if other in hearing else SILENCE for other, said in enumerate(state.words)
        ),
        fog=grid_of(size).full & ~clear,
    )


def determinize(
    board_spec: BoardSpec,
    seen: PommermanState,
    seat: int | None,
    rng: random.Random,
    *,
    strength: int,
    items: int,
    rings: int,
) -> PommermanState:
    """Sample a full state that `redact` would turn into ``seen``.

    Args:
        board_spec: The kind of board.
        seen: The redacted state.
        seat: Who sees it; None for a spectator.
        rng: The generator.
        strength: The blast strength of every agent at the start.
        items: The percentage of wooden walls that hide a power-up.
        rings: The number of collapsed rings.
    """
    if not seen.agents:
        return seen
    agents = _pockets(strength, seen)
    if not seen.fog:
        return seen._replace(hidden=_guess_hidden(items, seen.wood, rng), agents=tuple(agents))
    _place_agents(agents, seen.fog, rng)
    rigid, wood = _guess_walls(board_spec, rings, seen, agents, rng)
    # A bomb with an unknown owner belongs to another seat.
    others = [other for other in range(len(agents)) if other != seat]
    bombs = tuple(
        bomb if bomb.owner != UNKNOWN else bomb._replace(owner=rng.choice(others))
        for bomb in seen.bombs
    )
    hidden = _guess_hidden(items, wood, rng)
    return seen._replace(
        rigid=rigid, wood=wood, hidden=hidden, bombs=bombs, agents=tuple(agents), fog=0
    )


def _pockets(start_strength: int, seen: PommermanState) -> list[Bomber]:
    return [
        agent
        if agent.ammo != UNKNOWN
        else Bomber(
            agent.cell,
            agent.alive,
            max(0, 1 - sum(bomb.owner == seat for bomb in seen.bombs)),
            max([start_strength, *(bomb.strength for bomb in seen.bombs if bomb.owner == seat)]),
            agent.kicks,
        )
        for seat, agent in enumerate(seen.agents)
    ]


def _place_agents(agents: list[Bomber], fog: Mask, rng: random.Random) -> None:
    dark = [cell for cell in bits(fog) if all(agent.cell != cell for agent in agents)]
    missing = [other for other, agent in enumerate(agents) if agent.cell == UNKNOWN]
    # Living agents first, since each needs its own cell; dead ones may be anywhere.
    missing.sort(key=lambda other: not agents[other].alive)
    places = rng.sample(dark, min(len(dark), len(missing)))
    for number, other in enumerate(missing):
        agents[other] = agents[other]._replace(cell=places[number % len(places)])


def _guess_walls(
    board_spec: BoardSpec,
    rings: int,
    seen: PommermanState,
    agents: list[Bomber],
    rng: random.Random,
) -> tuple[Mask, Mask]:
    cells = grid_of(board_spec.size).cells
    sunk = fallen_rings(board_spec.size, rings) & seen.fog
    rigid, wood = seen.rigid | sunk, seen.wood
    rigid_share = board_spec.rigid / cells
    wood_share = board_spec.wood / cells * max(0.0, 1 - seen.step / 200)
    standing = {agent.cell for agent in agents if agent.alive}
    for cell in bits(seen.fog & ~sunk):
        drawn = rng.random()
        if cell in standing:
            continue
        if drawn < rigid_share:
            rigid |= 1 << cell
        elif drawn < rigid_share + wood_share:
            wood |= 1 << cell
    return rigid, wood


def _guess_hidden(items: int, wood: Mask, rng: random.Random) -> ThreeMasks:
    hidden = [0, 0, 0]
    for cell in bits(wood):
        if rng.random() * 100 < items:
            hidden[rng.randrange(len(POWERS))] |= 1 << cell
    return hidden[0], hidden[1], hidden[2]
