"""What a seat knows, and guesses at what it does not.

In every mode nobody knows what is under wood, nor the others' ammo, strength and kick; in the
fogged modes also what lies beyond a square window round the own cell, whose bomb is whose, and
what the other side says. Memory is the agents' own business. A spectator in the fog sees no cell
at all, since nobody's window is everybody's.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from boardgames_cli.games.pommerman.board import POWERS, UNKNOWN, Mask, bits, grid_of, window
from boardgames_cli.games.pommerman.collapse import fallen_rings
from boardgames_cli.games.pommerman.state import SILENCE, Bomber, PommermanState

if TYPE_CHECKING:
    from boardgames_cli.games.pommerman.rules import Pommerman

_NOTHING = (0, 0, 0)


def redact(game: Pommerman, state: PommermanState, seat: int | None) -> PommermanState:
    """The state as a seat (None: a spectator) knows it."""
    return redact_for_all(game, state, () if seat is None else (seat,))


def redact_for_all(game: Pommerman, state: PommermanState, seats: Sequence[int]) -> PommermanState:
    """The state as several seats know it together."""
    if not state.agents:
        return state
    fog = _fog(game, state, seats)
    agents = tuple(
        agent if other in seats else _stranger(agent, fog)
        for other, agent in enumerate(state.agents)
    )
    if not game.is_foggy:
        return replace(state, hidden=_NOTHING, agents=agents)
    clear = ~fog
    hearing = {other for seat in seats for other in (seat, (seat + 2) % 4)}
    return replace(
        state,
        rigid=state.rigid & clear,
        wood=state.wood & clear,
        powers=_seen_of(state.powers, clear),
        hidden=_NOTHING,
        flames=_seen_of(state.flames, clear),
        bombs=tuple(
            bomb if bomb.owner in seats else bomb._replace(owner=UNKNOWN)
            for bomb in state.bombs
            if clear >> bomb.cell & 1
        ),
        agents=agents,
        words=tuple(
            said if other in hearing else SILENCE for other, said in enumerate(state.words)
        ),
        fog=fog,
    )


def _seen_of(masks: tuple[Mask, Mask, Mask], clear: Mask) -> tuple[Mask, Mask, Mask]:
    return masks[0] & clear, masks[1] & clear, masks[2] & clear


def _fog(game: Pommerman, state: PommermanState, seats: Sequence[int]) -> Mask:
    if not game.is_foggy:
        return 0
    size = game.plan.size
    fog = grid_of(size).full
    for seat in seats:
        fog &= ~window(size, state.agents[seat].cell, game.view)
    return fog


def _stranger(agent: Bomber, fog: Mask) -> Bomber:
    cell = agent.cell
    if cell >= 0 and fog >> cell & 1:
        cell = UNKNOWN
    return Bomber(cell, agent.alive, UNKNOWN, UNKNOWN, False)


def determinize(
    game: Pommerman, seen: PommermanState, seat: int | None, rng: random.Random
) -> PommermanState:
    """A full state that `redact` would show to the seat as ``seen``."""
    if not seen.agents:
        return seen
    if not seen.fog:
        return replace(
            seen, hidden=_guess_hidden(game, seen.wood, rng), agents=_pockets(game, seen)
        )
    agents = list(_pockets(game, seen))
    _place_agents(agents, seen.fog, rng)
    rigid, wood = _guess_walls(game, seen, agents, rng)
    # Bombs of unknown owners belong to somebody else, or the seat would know them for its own.
    others = [other for other in range(len(agents)) if other != seat]
    bombs = tuple(
        bomb if bomb.owner != UNKNOWN else bomb._replace(owner=rng.choice(others))
        for bomb in seen.bombs
    )
    return PommermanState(
        rigid,
        wood,
        seen.powers,
        _guess_hidden(game, wood, rng),
        seen.flames,
        bombs,
        tuple(agents),
        seen.step,
        seen.words,
        seen.fallen,
        reruns=seen.reruns,
    )


def _pockets(game: Pommerman, seen: PommermanState) -> tuple[Bomber, ...]:
    """Everybody with the pockets of the start, less the bombs that are known to lie."""
    return tuple(
        agent
        if agent.ammo != UNKNOWN
        else Bomber(
            agent.cell,
            agent.alive,
            max(0, 1 - sum(bomb.owner == seat for bomb in seen.bombs)),
            max([game.strength, *(bomb.strength for bomb in seen.bombs if bomb.owner == seat)]),
            agent.kicks,
        )
        for seat, agent in enumerate(seen.agents)
    )


def _place_agents(agents: list[Bomber], fog: Mask, rng: random.Random) -> None:
    dark = [cell for cell in bits(fog) if all(agent.cell != cell for agent in agents)]
    missing = [other for other, agent in enumerate(agents) if agent.cell == UNKNOWN]
    # The living first: each needs a cell of its own. The dead may have died anywhere.
    missing.sort(key=lambda other: not agents[other].alive)
    places = rng.sample(dark, min(len(dark), len(missing)))
    for number, other in enumerate(missing):
        agents[other] = agents[other]._replace(cell=places[number % len(places)])


def _guess_walls(
    game: Pommerman, seen: PommermanState, agents: list[Bomber], rng: random.Random
) -> tuple[Mask, Mask]:
    """Walls for the fog: as many as a board has on the average, fewer of wood as time goes by."""
    plan = game.plan
    cells = grid_of(plan.size).cells
    rings = sum(step <= seen.step for step in game.collapses_in(seen))
    sunk = fallen_rings(plan.size, rings) & seen.fog
    rigid, wood = seen.rigid | sunk, seen.wood
    rigid_share = plan.rigid / cells
    wood_share = plan.wood / cells * max(0.0, 1 - seen.step / 200)
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


def _guess_hidden(game: Pommerman, wood: Mask, rng: random.Random) -> tuple[Mask, Mask, Mask]:
    """A power-up under as many walls of a hundred as the options say, of kinds equally likely."""
    hidden = [0, 0, 0]
    for cell in bits(wood):
        if rng.random() * 100 < game.items:
            hidden[rng.randrange(len(POWERS))] |= 1 << cell
    return hidden[0], hidden[1], hidden[2]
