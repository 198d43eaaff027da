"""Crowded positions made up at random: many bombs, some rolling, agents side by side."""

from __future__ import annotations

import random

from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState


def crowded(game: Pommerman, rng: random.Random) -> PommermanState:
    """A position in which agents, bombs, flames and power-ups crowd a corner of the board."""
    grid = grid_of(game.board_spec.size)
    reach = rng.randint(3, grid.size)
    room = [grid.cell(row, column) for row in range(reach) for column in range(reach)]
    rng.shuffle(room)
    masks = [0] * 10

    def put(kind: int, count: int) -> list[int]:
        cells = [room.pop() for _ in range(min(count, max(0, len(room))))]
        masks[kind] |= sum(1 << cell for cell in cells)
        return cells

    places = [room.pop() for _ in range(game.seats)]
    agents = tuple(
        Bomber(cell, True, rng.randint(0, 3), rng.randint(2, 5), rng.random() < 0.7)
        for cell in places
    )
    beneath = [cell for cell in places if rng.random() < 0.3]
    lying = [room.pop() for _ in range(rng.randint(0, min(6, len(room))))] + beneath
    bombs = tuple(sorted(_bomb(cell, cell in beneath, game.seats, rng) for cell in lying))
    put(0, rng.randint(0, 4))
    wood = put(1, rng.randint(0, 8))
    for kind in (2, 3, 4):
        put(kind, rng.randint(0, 1))
    flames = [put(kind, rng.randint(0, 2)) for kind in (7, 8, 9)]
    for cell in (*wood, *flames[0], *flames[1]):
        if rng.random() < 0.5:
            masks[rng.choice((5, 6))] |= 1 << cell
    return PommermanState(
        rigid=masks[0],
        wood=masks[1],
        powers=(masks[2], masks[3], masks[4]),
        hidden=(masks[5], masks[6], 0),
        flames=(masks[7], masks[8], masks[9]),
        bombs=bombs,
        agents=agents,
        step=rng.randrange(100),
        words=((0, 0),) * game.seats if game.has_radio else (),
    )


def _bomb(cell: int, is_beneath: bool, seats: int, rng: random.Random) -> Bomb:
    life, strength, owner = rng.randint(1, 9), rng.randint(2, 5), rng.randrange(seats)
    return Bomb(cell, life, strength, owner, 0 if is_beneath else rng.randrange(5))
