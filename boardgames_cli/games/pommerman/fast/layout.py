"""Compiled generation of boards: `rules.layout.draw_layout`.

The distribution is the same, but not the generator, so a seed gives different boards.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from boardgames_cli.algorithms.fast.jit import draw
from boardgames_cli.games.pommerman.board import EXTRA_BOMB, POWERS, RIGID, WOOD
from boardgames_cli.games.pommerman.fast import Ints, Seeds, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    BOARD,
    CELL,
    CELLS,
    DELTA,
    HIDDEN,
    SEATS,
    copy_state,
    pack,
    padded,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.layout import MOST_CUT_OFF, mirrored_pairs
from boardgames_cli.games.pommerman.state import Bomber, PommermanState

_KINDS: Final = len(POWERS)


class Blank(NamedTuple):
    """The fixed part of a board."""

    state: Ints
    """int32[`arrays.LENGTH`]: agents and corridors only."""
    pairs: Ints
    """int32[n, 2], the pairs of mirrored cells that may get walls."""
    counts: Ints
    """int32[3]: pairs of rigid walls, pairs of either kind, and hidden power-ups."""


def blank_of(game: Pommerman) -> Blank:
    """The fixed part of the boards of a rulebook."""
    spec = game.board_spec
    agents = tuple(Bomber(cell, True, 1, game.strength, False) for cell in spec.agents)
    wood = sum(1 << cell for cell in spec.corridors)
    pairs = [
        (padded(cell, spec.size), padded(mirrored, spec.size))
        for cell, mirrored in mirrored_pairs(spec)
    ]
    walls = (spec.rigid + spec.wood - len(spec.corridors)) // 2
    return Blank(
        pack(game, PommermanState(wood=wood, agents=agents)),
        np.array(pairs, dtype=np.int32),
        np.array([spec.rigid // 2, walls, game.item_count], dtype=np.int32),
    )


@compiled
def draw_board(s: Ints, blank: Blank, work: Ints, rng: Seeds) -> None:
    """Generate a new board; the work needs 2 * `CELLS` + the number of pairs."""
    pairs, counts, order = blank.pairs, blank.counts, work[2 * CELLS :]
    for number in range(len(pairs)):
        order[number] = number
    while True:
        copy_state(s, blank.state)
        for number in range(counts[1]):
            other = number + draw(rng, len(pairs) - number)
            drawn = order[other]
            order[other] = order[number]
            order[number] = drawn
            for side in range(2):
                s[BOARD + pairs[drawn, side]] = RIGID if number < counts[0] else WOOD
        if _is_open(s, work):
            break
    _hide(s, counts[2], work, rng)


@compiled
def _is_open(s: Ints, work: Ints) -> bool:
    work[:CELLS] = 0
    start = s[AGENT + CELL]
    work[start] = 1
    work[CELLS] = start
    tail, head = 1, 0
    while head < tail:
        cell = work[CELLS + head]
        head += 1
        for move in range(1, 5):
            other = cell + DELTA[move]
            if s[BOARD + other] != RIGID and not work[other]:
                work[other] = 1
                work[CELLS + tail] = other
                tail += 1
    for seat in range(SEATS):
        if s[AGENT + 5 * seat + ALIVE] and not work[s[AGENT + 5 * seat + CELL]]:
            return False
    cut_off = 0
    for cell in range(CELLS):
        cut_off += s[BOARD + cell] == 0 and not work[cell]
    return cut_off <= MOST_CUT_OFF


@compiled
def _hide(s: Ints, count: int, work: Ints, rng: Seeds) -> None:
    wood = 0
    for cell in range(CELLS):
        if s[BOARD + cell] == WOOD:
            work[wood] = cell
            wood += 1
    for number in range(count):
        other = number + draw(rng, wood - number)
        cell = work[other]
        work[other] = work[number]
        s[HIDDEN + cell] = EXTRA_BOMB + draw(rng, _KINDS)
