"""Batches of Senet boards without Python loops over boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.boards import RANDOM, Loops, TurnBatch
from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.games.senet.board import HOUSES
from boardgames_cli.games.senet.encode import SenetEncoder
from boardgames_cli.games.senet.fast import Flags, Floats, Ints, Seeds, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.playouts import Masks, count_of, nth, throw
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

FOREMOST: Final = 2
"""The mover that moves the most advanced dancer that can move."""

CONES, SPOOLS, PLAYER, STEPS = range(4)
"""The indices in a state array: both masks, the seat to move, and the throw (0 for none)."""

_RULE_SET, _PIECES = range(2)
"""The indices of options."""
_IDS: Final = 10
"""Action ids per dancer."""


@compiled
def begin_all(
    states: Masks, chosen: Flags, start: Masks, seats: Ints, who: Ints, options: Masks, rngs: Seeds
) -> None:
    """See `Loops.begin`."""
    rules = options[_RULE_SET]
    for number in range(len(states)):
        if chosen[number]:
            states[number, STEPS] = 0
            # If the other side wins before the seat has acted, the next game is used.
            while not states[number, STEPS]:
                states[number] = start
                _go_on(states[number], seats[number], who[number], rules, rngs[number])


@compiled
def play_all(
    states: Masks, chosen: Flags, seats: Ints, ids: Masks, who: Ints, options: Masks, rngs: Seeds
) -> None:
    """See `Loops.play`."""
    rules = options[_RULE_SET]
    for number in range(len(states)):
        if chosen[number]:
            s = states[number]
            start, backward = 0, 0
            if ids[number]:
                dancer, way = (ids[number] - 1) // _IDS, (ids[number] - 1) % _IDS
                start, backward = nth(s[s[PLAYER]], dancer), 1 if way >= _IDS // 2 else 0
            _move(s, start, backward, rules)
            _go_on(s, seats[number], who[number], rules, rngs[number])


@compiled
def _go_on(s: Masks, seat: int, who: Ints, rules: int, rng: Seeds) -> None:
    """Throw and move for the other side until it is the seat's turn or the game is over."""
    while s[CONES] and s[SPOOLS]:
        s[STEPS] = throw(rng)
        player = s[PLAYER]
        if player == seat:
            return
        starts = movers(s[player], s[1 - player], s[STEPS], rules)
        dancers, start = starts & BOARD, 0
        if dancers and who[player] == RANDOM:
            start = nth(dancers, draw(rng, count_of(dancers)))
        elif dancers:
            start = nth(dancers, count_of(dancers) - 1)
        _move(s, start, starts & BACKWARD, rules)


@compiled
def _move(s: Masks, start: int, backward: int, rules: int) -> None:
    """Make a move with the throw, or pass if ``start`` is 0."""
    player, steps = s[PLAYER], s[STEPS]
    own, opponent = s[player], s[1 - player]
    again = False
    if start:
        end = end_of(own, opponent, start, steps, backward, rules)
        s[player], s[1 - player] = play(own, opponent, start, end)
        again = throws_again(steps, end, rules)
    if not again:
        s[PLAYER] = 1 - player
    s[STEPS] = 0


@compiled
def masks_of(states: Masks, seats: Ints, options: Masks, flags: Flags) -> None:
    """See `Loops.masks`."""
    rules = options[_RULE_SET]
    for number in range(len(states)):
        s, seat = states[number], seats[number]
        steps = s[STEPS]
        if not steps or s[PLAYER] != seat:
            continue
        own = s[seat]
        starts = movers(own, s[1 - seat], steps, rules)
        way = _IDS + 1 - steps if starts & BACKWARD else steps
        dancers = starts & BOARD
        if not dancers:
            flags[number, 0] = True
        while dancers:
            start = dancers & -dancers
            dancers ^= start
            flags[number, _IDS * count_of(own & (start - 1)) + way] = True


@compiled
def results_of(states: Masks, seats: Ints, _: Masks, returns: Floats, over: Flags) -> None:
    """See `Loops.results`."""
    for number in range(len(states)):
        s, seat = states[number], seats[number]
        over[number] = s[CONES] == 0 or s[SPOOLS] == 0
        returns[number] = 0.0
        if over[number]:
            returns[number] = 1.0 if s[seat] == 0 else -1.0


@compiled
def observe_all(states: Masks, seats: Ints, options: Masks, rows: npt.NDArray[Any]) -> None:
    """See `Loops.observe`."""
    rules, pieces = options[_RULE_SET], options[_PIECES]
    for number in range(len(states)):
        s, seat, row = states[number], seats[number], rows[number]
        for side in range(2):
            mask = s[seat ^ side]
            for house in range(HOUSES):
                row[HOUSES * side + house] = mask >> house & 1
            row[2 * HOUSES + side] = pieces - count_of(mask)
        if s[STEPS]:
            row[2 * HOUSES + 1 + s[STEPS]] = 1
        row[2 * HOUSES + 7 + (s[PLAYER] ^ seat)] = 1
        row[2 * HOUSES + 9 + rules] = 1


class SenetBatch(TurnBatch[SenetState]):
    """Boards of Senet; see `TurnBatch`.

    Args:
        game: The rulebook.
        count: The number of boards.
        seed: Board i has the seed ``seed + i``, independently of the batch.
    """

    loops: ClassVar[Loops] = Loops(begin_all, play_all, masks_of, results_of, observe_all)
    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM, "foremost": FOREMOST}

    def __init__(self, game: Senet, count: int, seed: int = 0) -> None:
        options = (RULES[game.rules], game.pieces)
        super().__init__(game, SenetEncoder(game), count, seed, options)

    def pack(self, state: SenetState) -> Masks:
        """Both masks, the seat to move, the throw."""
        steps = state.steps or 0
        return np.array([state.cones, state.spools, state.player, steps], dtype=np.int64)

    def unpack(self, numbers: Sequence[int]) -> SenetState:
        """See `pack`."""
        cones, spools, player, steps = numbers
        return SenetState(cones, spools, player, steps or None)
