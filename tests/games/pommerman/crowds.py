"""Crowded positions made up at random: many bombs, some rolling, agents side by side."""

from __future__ import annotations

import random

from boardgames_cli.games.pommerman.board import DOWN, LEFT, RIGHT, UP, grid_of
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


def _any_bomber(cell: int, seat: int, cap: int, rng: random.Random) -> Bomber:
    return Bomber(
        cell,
        seat < 2 or rng.random() < 0.85,
        rng.choice((0, 1, 2, 9, 10)),
        rng.choice((2, 3, min(5, cap), cap)),
        rng.random() < 0.7,
    )


def _any_bomb(cell: int, is_beneath: bool, seats: int, rng: random.Random) -> Bomb:
    return Bomb(
        cell,
        rng.choice((1, 2, 5, 9)),
        rng.randint(2, 5),
        rng.randrange(seats),
        rng.randint(0, 4) if not is_beneath or rng.random() < 0.1 else 0,
    )


def piled_up(game: Pommerman, rng: random.Random) -> PommermanState:
    """A position as dense as they get: most cells near a corner hold somebody or something.

    Bombs roll under agents too, several flames burn on one cell, pockets are at their caps, seats
    are dead, and the step before a collapse is as likely as any other.
    """
    grid = grid_of(game.board_spec.size)
    side = rng.randint(3, 6)
    down, right = (rng.choice((0, grid.size - side)) for _ in "xy")
    room = [grid.cell(row + down, column + right) for row in range(side) for column in range(side)]
    rng.shuffle(room)
    cap = game.step_rules.strength_cap
    agents = tuple(_any_bomber(room.pop(), seat, cap, rng) for seat in range(game.seats))
    standing = {agent.cell for agent in agents if agent.alive}
    beneath = [cell for cell in standing if rng.random() < 0.25]
    lying = [room.pop() for _ in range(rng.randint(0, len(room) // 2))]
    bombs = tuple(
        _any_bomb(cell, cell in beneath, game.seats, rng) for cell in sorted((*beneath, *lying))
    )
    rigid, wood, powers, hidden, flames = 0, 0, [0, 0, 0], [0, 0, 0], [0, 0, 0]
    for cell in room:
        kind, bit = rng.randrange(10), 1 << cell
        if kind == 0:
            rigid |= bit
        elif kind == 1:
            wood |= bit
        elif kind == 2:
            powers[rng.randrange(3)] |= bit
        elif kind < 6:
            for life in rng.sample(range(3), rng.randint(1, 2)):
                flames[life] |= bit
        if (kind == 1 or 2 < kind < 6) and rng.random() < 0.5:
            hidden[rng.randrange(3)] |= bit
    return PommermanState(
        rigid,
        wood,
        (powers[0], powers[1], powers[2]),
        (hidden[0], hidden[1], hidden[2]),
        (flames[0], flames[1], flames[2]),
        bombs,
        agents,
        step=rng.choice(
            [0, game.steps - 1, *(step - 1 for step in game.collapses_in(PommermanState()))]
        ),
        words=((0, 0),) * game.seats if game.has_radio else (),
    )


def scrum(game: Pommerman, rng: random.Random) -> PommermanState:
    """Agents that nearly all kick among bombs that nearly all roll at somebody or something."""
    grid = grid_of(game.board_spec.size)
    rows, columns = rng.choice(((3, 3), (3, 4), (4, 3), (4, 4), (2, 6), (5, 5)))
    down, right = rng.randint(0, grid.size - rows), rng.randint(0, grid.size - columns)
    room = [
        grid.cell(row + down, column + right) for row in range(rows) for column in range(columns)
    ]
    rng.shuffle(room)
    agents = tuple(
        Bomber(room.pop(), seat < 2 or rng.random() < 0.9, 1, 2, rng.random() < 0.9)
        for seat in range(game.seats)
    )
    lying = [room.pop() for _ in range(rng.randint(2, len(room)))]
    lying += [agent.cell for agent in agents if agent.alive and rng.random() < 0.2]
    occupied = {*lying, *(agent.cell for agent in agents if agent.alive)}

    def direction(cell: int) -> int:
        if any(agent.alive and agent.cell == cell for agent in agents) or rng.random() < 0.15:
            return 0
        moves = [move for move in (UP, DOWN, LEFT, RIGHT) if grid.steps[move][cell] in occupied]
        return rng.choice(moves if moves and rng.random() < 0.7 else (UP, DOWN, LEFT, RIGHT))

    bombs = (Bomb(cell, rng.randint(2, 9), 2, 0, direction(cell)) for cell in sorted(lying))
    return PommermanState(
        rigid=1 << room.pop() if room and rng.random() < 0.3 else 0,
        bombs=tuple(bombs),
        agents=agents,
        words=((0, 0),) * game.seats if game.has_radio else (),
    )


def living(state: PommermanState, *seats: int) -> PommermanState:
    """The same position, in which nobody but these seats is alive, so that nobody is in the way."""
    agents = enumerate(state.agents)
    alive = tuple(agent._replace(alive=agent.alive and seat in seats) for seat, agent in agents)
    return state._replace(agents=alive)


def at_rest(state: PommermanState) -> PommermanState:
    """The same position, in which no bomb rolls."""
    return state._replace(bombs=tuple(bomb._replace(direction=0) for bomb in state.bombs))


def moves_at_bombs(state: PommermanState, size: int, rng: random.Random) -> list[int]:
    """Moves of all seats, most of them towards a bomb."""
    grid, lying = grid_of(size), {bomb.cell for bomb in state.bombs}
    moves = []
    for agent in state.agents:
        at = [move for move in (UP, DOWN, LEFT, RIGHT) if grid.steps[move][agent.cell] in lying]
        moves.append(rng.choice(at) if at and rng.random() < 0.6 else rng.randrange(6))
    return moves
