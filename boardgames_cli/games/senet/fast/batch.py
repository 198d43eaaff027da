"""Batches of Senet boards without Python loops over boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.boards import (
    RANDOM,
    TurnBatch,
    copy_numbers,
    make_loop,
)
from boardgames_cli.algorithms.fast.jit import draw
from boardgames_cli.games.senet.board import HOUSES
from boardgames_cli.games.senet.fast import Flags, Ints, Seeds, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    Masks,
    count_of,
    end_of,
    movers,
    nth,
    play,
    throw,
    throws_again,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

FOREMOST: Final = 2
"""The mover that moves the most advanced dancer that can move."""

CONES, SPOOLS, PLAYER, STEPS = range(4)
"""The indices in a state array: both masks, the seat to move, and the throw (0 for none)."""

_RULE_SET, _PIECES = range(2)
_IDS: Final = 10


@compiled.inline
def _begin(s: Masks, start: Masks, seat: int, who: Ints, options: Masks, rng: Seeds) -> None:
    s[STEPS] = 0
    # If the other side wins before the seat has acted, the next game is used.
    while not s[STEPS]:
        copy_numbers(s, start)
        _go_on(s, seat, who, options[_RULE_SET], rng)


@compiled.inline
def _play(s: Masks, seat: int, id: int, who: Ints, options: Masks, rng: Seeds) -> None:
    start, backward = 0, 0
    if id:
        dancer, way = (id - 1) // _IDS, (id - 1) % _IDS
        start, backward = nth(s[s[PLAYER]], dancer), 1 if way >= _IDS // 2 else 0
    _move(s, start, backward, options[_RULE_SET])
    _go_on(s, seat, who, options[_RULE_SET], rng)


@compiled
def _go_on(s: Masks, seat: int, who: Ints, rules: int, rng: Seeds) -> None:
    while s[CONES] and s[SPOOLS]:
        s[STEPS] = throw(rng)
        player = s[PLAYER]
        if seat == player:
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


@compiled.inline
def _mask(s: Masks, seat: int, options: Masks, flags: Flags) -> None:
    steps = s[STEPS]
    if not steps or s[PLAYER] != seat:
        return
    own = s[seat]
    starts = movers(own, s[1 - seat], steps, options[_RULE_SET])
    way = _IDS + 1 - steps if starts & BACKWARD else steps
    dancers = starts & BOARD
    if not dancers:
        flags[0] = True
    while own:  # without branches, which nobody could predict
        start = own & -own
        own ^= start
        flags[way] = dancers & start != 0
        way += _IDS


@compiled
def _result(s: Masks, seat: int, _: Masks) -> tuple[float, bool]:
    if s[CONES] and s[SPOOLS]:
        return 0.0, False
    return 1.0 if s[seat] == 0 else -1.0, True


@compiled.inline
def _observe(s: Masks, seat: int, options: Masks, row: npt.NDArray[Any]) -> None:
    both = s[seat] | s[1 - seat] << HOUSES
    for place in range(2 * HOUSES):
        row[place] = both >> place & 1
    for side in range(2):
        row[2 * HOUSES + side] = options[_PIECES] - count_of(s[seat ^ side])
    if s[STEPS]:
        row[2 * HOUSES + 1 + s[STEPS]] = 1
    row[2 * HOUSES + 7 + (s[PLAYER] ^ seat)] = 1
    row[2 * HOUSES + 9 + options[_RULE_SET]] = 1


class SenetBatch(TurnBatch[Senet, SenetState]):
    """Boards of Senet; see `TurnBatch`."""

    loop = staticmethod(
        make_loop(compiled, begin=_begin, play=_play, mask=_mask, result=_result, observe=_observe)
    )
    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM, "foremost": FOREMOST}

    def read_options(self) -> Masks:
        return np.array([RULES[self.game.rules], self.game.pieces])

    def pack(self, state: SenetState) -> Masks:
        steps = state.steps or 0
        return np.array([state.cones, state.spools, state.player, steps], dtype=np.int64)

    def unpack(self, numbers: Sequence[int]) -> SenetState:
        cones, spools, player, steps = numbers
        return SenetState(cones, spools, player, steps or None)
