"""Positions as JSON objects: what is written, and the drawn board; `reading` reads them.

The keys are those of the recorded games: ``board`` (rows of the drawn board), ``agents``,
``bombs``, ``flames``, ``items`` (power-ups that are not seen: under wood, under flames, under a
bomb) and ``step``; besides ``messages`` by radio, ``fallen`` right after a collapse that killed
somebody, and ``reruns`` after games that were tied and are played again.
"""

from __future__ import annotations

from typing import Any

from boardgames_cli.games.pommerman.board import (
    BOMB_CELL,
    FIRST_AGENT,
    FLAME,
    FOG,
    GROUND,
    POWERS,
    RIGID,
    UNKNOWN,
    WOOD,
    bits,
)
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState


def drawn_board(state: PommermanState, size: int) -> list[int]:
    """What each cell shows, row by row: walls and power-ups under bombs under flames under agents.

    Fog hides everything.
    """
    board = [GROUND] * (size * size)
    layers = [(state.rigid, RIGID), (state.wood, WOOD), *zip(state.powers, POWERS, strict=True)]
    for mask, value in layers:
        for cell in bits(mask):
            board[cell] = value
    for bomb in state.bombs:
        board[bomb.cell] = BOMB_CELL
    for cell in bits(state.burning):
        board[cell] = FLAME
    for seat, agent in enumerate(state.agents):
        if agent.alive and agent.cell != UNKNOWN:
            board[agent.cell] = FIRST_AGENT + seat
    for cell in bits(state.fog):
        board[cell] = FOG
    return board


def write(state: PommermanState, size: int) -> dict[str, Any]:
    """The position as a JSON object; null stands for what a redacted state does not know."""
    if not state.agents:
        return {"board": [], "agents": [], "bombs": [], "flames": [], "items": [], "step": 0}
    board = drawn_board(state, size)
    bombed = sum(1 << bomb.cell for bomb in state.bombs)
    items = sorted(
        (cell, kind)
        for kind, open_, under in zip(POWERS, state.powers, state.hidden, strict=True)
        for cell in bits(under | open_ & bombed)
    )
    flames = sorted((cell, life) for life, mask in enumerate(state.flames) for cell in bits(mask))
    data: dict[str, Any] = {
        "board": [board[row * size : (row + 1) * size] for row in range(size)],
        "agents": [_agent(seat, agent, size) for seat, agent in enumerate(state.agents)],
        "bombs": [_bomb(bomb, size) for bomb in state.bombs],
        "flames": [{"pos": _pos(cell, size), "life": life} for cell, life in flames],
        "items": [[_pos(cell, size), kind] for cell, kind in items],
        "step": state.step,
    }
    if state.words:
        data["messages"] = [list(said) for said in state.words]
    if state.fallen:
        data["fallen"] = list(state.fallen)
    if state.reruns:
        data["reruns"] = state.reruns
    return data


def _agent(seat: int, agent: Bomber, size: int) -> dict[str, Any]:
    return {
        "id": seat,
        "alive": agent.alive,
        "pos": _pos(agent.cell, size),
        "ammo": _known(agent.ammo),
        "blast_strength": _known(agent.strength),
        "can_kick": agent.kicks if agent.ammo != UNKNOWN else None,
    }


def _bomb(bomb: Bomb, size: int) -> dict[str, Any]:
    return {
        "pos": _pos(bomb.cell, size),
        "life": bomb.life,
        "blast_strength": bomb.strength,
        "bomber": _known(bomb.owner),
        "dir": bomb.direction,
    }


def _pos(cell: int, size: int) -> list[int] | None:
    return None if cell == UNKNOWN else list(divmod(cell, size))


def _known(value: int) -> int | None:
    return None if value == UNKNOWN else value
