"""Encoders of Senet, and two encodings of its moves.

`SenetBoard` and the encodings of moves are those of the originally published environment: moves as
(house, steps) and as (dancer, steps). Its third, one number, is the game's `action_id`. Needs numpy
(the extra ``numpy``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.encoder import ArrayField, Arrays, Encoder, RowEncoder
from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.games.senet.actions import PASS, THROWS, SenetMove
from boardgames_cli.games.senet.board import HOUSES, bit
from boardgames_cli.games.senet.movement import RULE_SETS
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import Seen, SenetState

_SIDES: Final = (b"\1\0", b"\0\1")
_THROWS: Final = tuple(bytes(steps == throw for throw in THROWS) for steps in (0, *THROWS))
"""The one-hot row of each throw; row 0 for no throw."""
_RULES: Final = {name: bytes(name == other for other in RULE_SETS) for name in RULE_SETS}
_TEN_BITS: Final = tuple(bytes(mask >> bit & 1 for bit in range(10)) for mask in range(1 << 10))
"""Each mask of ten houses as a byte for each."""


@dataclass(frozen=True)
class SenetEncoder(RowEncoder[Senet, SenetState, SenetMove]):
    """The whole position from the viewer's side; a spectator has that of the cones."""

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        sides, most = ("side",), self.game.pieces
        return (
            ArrayField(
                "board", (2, HOUSES), "int8", 0, 1, ("side", "house"),
                "1 where a dancer stands; the own side first",
            ),
            ArrayField("off", (2,), "int8", 0, most, sides, "Dancers off the board"),
            ArrayField(
                "throw", (len(THROWS),), "int8", 0, 1, ("steps",),
                "1 at the throw to be used, 1 to 5; zeros while the sticks are in the hand",
            ),
            ArrayField("turn", (2,), "int8", 0, 1, sides, "1 for the side whose turn it is"),
            ArrayField(
                "rules", (len(RULE_SETS),), "int8", 0, 1, ("rule set",),
                f"1 at the rules in force: {', '.join(RULE_SETS)}",
            ),
        )  # fmt: skip

    def row(self, seen: Seen, dtype: str) -> npt.NDArray[Any]:
        state, seat = seen.state, seen.seat or 0
        own, opponent = (state.spools, state.cones) if seat else (state.cones, state.spools)
        most = self.game.pieces
        flat = b"".join((
            _houses(own), _houses(opponent),
            bytes((most - own.bit_count(), most - opponent.bit_count())),
            _THROWS[state.steps or 0], _SIDES[state.player ^ seat], _RULES[self.game.rules],
        ))  # fmt: skip
        return np.frombuffer(flat, dtype=np.int8).astype(dtype)


@dataclass(frozen=True)
class SenetBoard(Encoder[Senet, SenetState, SenetMove]):
    """The board only, as in the originally published environment."""

    is_complete: ClassVar[bool] = False

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        return (
            ArrayField(
                "board", (2, HOUSES), "int8", 0, 1, ("side", "house"),
                "1 where a dancer stands; row 0 the cones, row 1 the spools, for every viewer",
            ),
        )  # fmt: skip

    def encode(self, seen: Seen) -> Arrays:
        flat = bytearray(_houses(seen.state.cones) + _houses(seen.state.spools))
        return {"board": np.frombuffer(flat, dtype=np.int8).reshape(2, HOUSES)}


def _houses(mask: int) -> bytes:
    return _TEN_BITS[mask & 1023] + _TEN_BITS[mask >> 10 & 1023] + _TEN_BITS[mask >> 20]


PASS_BY_HOUSE: Final = (30, 0)

PASS_BY_DANCER: Final = (-1, 0)


def house_and_steps(state: SenetState, move: SenetMove) -> tuple[int, int]:
    """A move as (house, steps): the 0-based house it starts from, steps negative if backward.

    The pass is `PASS_BY_HOUSE`.
    """
    if move == PASS:
        return PASS_BY_HOUSE
    return move.start - 1, _signed_steps(state, move)


def dancer_and_steps(state: SenetState, move: SenetMove) -> tuple[int, int]:
    """A move as (dancer, steps): dancers are numbered from 0 at the lowest house.

    The pass is `PASS_BY_DANCER`.
    """
    if move == PASS:
        return PASS_BY_DANCER
    before = state.side(state.player) & (bit(move.start) - 1)
    return before.bit_count(), _signed_steps(state, move)


def from_house_and_steps(game: Senet, state: SenetState, pair: tuple[int, int]) -> SenetMove:
    """The legal move for a (house, steps) pair.

    Raises:
        UnknownActionError: There is no such legal move.
    """
    return _find(game, state, pair, house_and_steps, "(house, steps)")


def from_dancer_and_steps(game: Senet, state: SenetState, pair: tuple[int, int]) -> SenetMove:
    """The legal move for a (dancer, steps) pair.

    Raises:
        UnknownActionError: There is no such legal move.
    """
    return _find(game, state, pair, dancer_and_steps, "(dancer, steps)")


def _find(
    game: Senet,
    state: SenetState,
    pair: tuple[int, int],
    written: Callable[[SenetState, SenetMove], Any],
    form: str,
) -> SenetMove:
    for action in game.legal_actions(state, state.player):
        if written(state, action) == pair:
            return action
    raise UnknownActionError(f"no legal move is {pair} as {form}.")


def _signed_steps(state: SenetState, move: SenetMove) -> int:
    steps = state.steps or 0
    return -steps if move.is_backward(steps) else steps
