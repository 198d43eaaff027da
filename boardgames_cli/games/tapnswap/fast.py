"""Batches of TapnSwap without Python loops over boards: the rules as one table, and their loops."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.agents.perfect import solution_of
from boardgames_cli.algorithms.fast.boards import (
    EVERY,
    Loops,
    Numbers,
    TurnBatch,
    copy_numbers,
    make_loops,
)
from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds
from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.games.tapnswap.actions import EVERY_HANDS, ID_COUNT, MOST
from boardgames_cli.games.tapnswap.encode import TapnSwapEncoder
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState

_HERE: Final = Path(__file__)
# The table holds the rules and is compiled in.
_compiled = Compiler(_HERE, _HERE.with_name("actions.py"), _HERE.with_name("rules.py"))

_HANDS: Final = 0
"""The index of the hands of seat 0 in a state, followed by those of seat 1: left * 5 + right."""
_PLAYER, _PLY = 2, 3
_BASE: Final = MOST + 1
_PAIRS: Final = _BASE * _BASE
_ILLEGAL: Final = -1


def _table() -> npt.NDArray[np.int16]:
    """The hands of both sides after each action: int16[own hands, other hands, ids]."""
    game = TapnSwap()
    table = np.full((_PAIRS, _PAIRS, ID_COUNT), _ILLEGAL, dtype=np.int16)
    for own, other in itertools.product(EVERY_HANDS, repeat=2):
        state = TapnSwapState((own, other), 0)
        for action in game.legal_actions(state, 0):
            first, second = game.apply(state, {0: action}).hands
            number = _number(first) * _PAIRS + _number(second)
            table[_number(own), _number(other), game.action_id(state, action)] = number
    return table


def _number(hands: tuple[int, int]) -> int:
    return hands[0] * _BASE + hands[1]


_AFTER: Final = _table()


@_compiled.inline
def _begin(s: Numbers, start: Numbers, seat: int, _: Ints, options: Numbers, rng: Seeds) -> None:
    copy_numbers(s, start)
    _reply(s, seat, options, rng)


@_compiled.inline
def _play(s: Numbers, seat: int, id: int, _: Ints, options: Numbers, rng: Seeds) -> None:
    _move(s, id)
    _reply(s, seat, options, rng)


@_compiled.inline
def _is_over(s: Numbers, options: Numbers) -> bool:
    return bool(s[_HANDS] == 0 or s[_HANDS + 1] == 0 or s[_PLY] >= options[0])


@_compiled.inline
def _move(s: Numbers, id: int) -> None:
    player = s[_PLAYER]
    after = _AFTER[s[_HANDS + player], s[_HANDS + 1 - player], id]
    s[_HANDS + player] = after // _PAIRS
    s[_HANDS + 1 - player] = after % _PAIRS
    s[_PLAYER] = 1 - player
    s[_PLY] += 1


@_compiled
def _reply(s: Numbers, seat: int, options: Numbers, rng: Seeds) -> None:
    player = s[_PLAYER]
    if seat in (player, EVERY) or _is_over(s, options):
        return
    after = _AFTER[s[_HANDS + player], s[_HANDS + 1 - player]]
    count = 0
    for id in range(ID_COUNT):
        count += after[id] != _ILLEGAL
    left = draw(rng, count)
    for id in range(ID_COUNT):
        if after[id] != _ILLEGAL:
            if left == 0:
                _move(s, id)
                return
            left -= 1


@_compiled.inline
def _mask(s: Numbers, seat: int, options: Numbers, flags: Flags) -> None:
    is_turn = (s[_PLAYER] == seat) & (not _is_over(s, options))
    after = _AFTER[s[_HANDS + seat], s[_HANDS + 1 - seat]]
    for id in range(ID_COUNT):
        flags[id] = (after[id] != _ILLEGAL) & is_turn


@_compiled
def _result(s: Numbers, seat: int, options: Numbers) -> tuple[float, bool]:
    won = float(int(s[_HANDS + 1 - seat] == 0) - int(s[_HANDS + seat] == 0))
    return won, _is_over(s, options)


@_compiled.inline
def _observe(s: Numbers, seat: int, options: Numbers, row: npt.NDArray[Any]) -> None:
    for side in range(2):
        hands = s[_HANDS + (seat ^ side)]
        row[2 * side] = hands // _BASE
        row[2 * side + 1] = hands % _BASE
    row[4 + (s[_PLAYER] ^ seat)] = 1
    row[6] = options[0] - s[_PLY]


@cache
def _verdicts() -> Floats:
    """The result of each action and its distance: float64[2, own hands, other hands, ids]."""
    game = TapnSwap()
    verdicts = np.zeros((2, *_AFTER.shape))
    for own, other in itertools.product(EVERY_HANDS, repeat=2):
        state = TapnSwapState((own, other), 0)
        for action, verdict in solution_of(game).judge(state).items():
            at = _number(own), _number(other), game.action_id(state, action)
            verdicts[:, *at] = verdict.outcome, verdict.plies
    return verdicts


class TapnSwapBatch(TurnBatch[TapnSwap, TapnSwapState]):
    """Games of TapnSwap; see `TurnBatch`."""

    loops: ClassVar[Loops] = make_loops(
        _compiled, begin=_begin, play=_play, mask=_mask, result=_result, observe=_observe
    )
    encoder = TapnSwapEncoder

    def read_options(self) -> Numbers:
        """The longest game."""
        return np.array([self.game.max_plies])

    def values(self, seats: Ints) -> Floats:
        """The result of each action if both sides play perfectly on, with the moves that are left.

        Args:
            seats: int32[boards].

        Returns:
            float64[boards, ids]: -1, 0 or 1; not a number for what is not legal.
        """
        everyone, left = np.arange(len(self)), self.options[0] - self.states[:, _PLY]
        own = self.states[everyone, _HANDS + seats]
        results, plies = _verdicts()[:, own, self.states[everyone, _HANDS + 1 - seats]]
        values = np.where(plies <= left[:, None], results, 0.0)
        return np.where(self.masks(seats), values, np.nan)

    def pack(self, state: TapnSwapState) -> Numbers:
        """The hands of each seat as one number, the player, and the moves so far."""
        hands = [_number(pair) for pair in state.hands]
        return np.array([*hands, state.player, state.ply], dtype=np.int64)

    def unpack(self, numbers: Sequence[int]) -> TapnSwapState:
        """See `pack`."""
        one, other, player, ply = numbers
        return TapnSwapState((divmod(one, _BASE), divmod(other, _BASE)), player, ply)
