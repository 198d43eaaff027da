"""Pommerman for learners: an observation as a dict of arrays, as the original playground gives it.

Needs numpy (the extra ``numpy``). Shapes and types, for a board of n by n cells:

| key | shape | type | what |
| --- | --- | --- | --- |
| board | [n, n] | int8 | 0 ground, 1 rigid, 2 wood, 3 bomb, 4 flame, 5 fog, 6 extra bomb, 7 extra range, 8 kick, 10 + i agent i |
| bomb_blast_strength | [n, n] | int16 | strength of the bomb there, also under an agent; 0 none or fog |
| bomb_life | [n, n] | int16 | steps until it goes off; 0 none or fog |
| bomb_moving_direction | [n, n] | int8 | 1 up, 2 down, 3 left, 4 right; 0 at rest, none or fog |
| flame_life | [n, n] | int8 | 3, 2, 1 for flames, youngest first; 0 none or fog |
| position | [2] | int8 | own row and column |
| ammo, blast_strength | [] | int32 | own |
| can_kick | [] | int8 | own, 0 or 1 |
| teammate | [] | int8 | 10 + i, or 9 without one |
| enemies | [3] | int8 | 10 + i each, 9 where there is none |
| alive | [seats] | int8 | 1 for each seat that lives |
| message | [2] | int8 | by radio only: what the teammate said in the step just played |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.game import Observation
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.board import FIRST_AGENT, NOBODY, bits
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.positions import drawn_board
from boardgames_cli.games.pommerman.state import PommermanState

Arrays = dict[str, npt.NDArray[Any]]


def encode(game: Pommerman, seen: Observation[PommermanState, Move]) -> Arrays:
    """What a seat sees, as arrays; the module's text lists them.

    Args:
        game: The rulebook.
        seen: The observation of a seat after the layout.

    Raises:
        ValueError: A spectator looks, or the board has not been laid out yet.
    """
    state, seat = seen.state, seen.seat
    if seat is None or not state.agents:
        raise ValueError("only a seat at a board that has been laid out sees arrays")
    size = game.board_spec.size
    own = state.agents[seat]
    arrays: Arrays = {
        "board": np.array(drawn_board(state, size), dtype=np.int8).reshape(size, size),
        **_bomb_maps(state, size),
        "flame_life": _flame_life(state, size),
        "position": np.array(game.step_rules.grid.place(own.cell), dtype=np.int8),
        "ammo": np.array(own.ammo, dtype=np.int32),
        "blast_strength": np.array(own.strength, dtype=np.int32),
        "can_kick": np.array(own.kicks, dtype=np.int8),
        "teammate": np.array(_teammate(game, seat), dtype=np.int8),
        "enemies": np.array(_enemies(game, seat), dtype=np.int8),
        "alive": np.array([agent.alive for agent in state.agents], dtype=np.int8),
    }
    if game.has_radio:
        arrays["message"] = np.array(state.words[(seat + 2) % 4], dtype=np.int8)
    return arrays


def _bomb_maps(state: PommermanState, size: int) -> Arrays:
    strength = np.zeros((size, size), dtype=np.int16)
    life = np.zeros((size, size), dtype=np.int16)
    direction = np.zeros((size, size), dtype=np.int8)
    for bomb in state.bombs:
        place = divmod(bomb.cell, size)
        strength[place], life[place], direction[place] = bomb.strength, bomb.life, bomb.direction
    return {
        "bomb_blast_strength": strength,
        "bomb_life": life,
        "bomb_moving_direction": direction,
    }


def _flame_life(state: PommermanState, size: int) -> npt.NDArray[np.int8]:
    array = np.zeros((size, size), dtype=np.int8)
    for life, mask in enumerate(state.flames):  # the younger of two flames is seen
        for cell in bits(mask):
            array[divmod(cell, size)] = life + 1
    return array


def _teammate(game: Pommerman, seat: int) -> int:
    return FIRST_AGENT + (seat + 2) % 4 if game.is_team else NOBODY


def _enemies(game: Pommerman, seat: int) -> list[int]:
    friends = {seat, (seat + 2) % 4} if game.is_team else {seat}
    found = [FIRST_AGENT + other for other in range(game.seats) if other not in friends]
    return found + [NOBODY] * (3 - len(found))
