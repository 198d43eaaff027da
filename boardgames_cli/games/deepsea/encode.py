"""Deep Sea Adventure for learning programs: positions as arrays, decisions as 1 and 0.

`DeepSeaVector` is the encoding of the first published environment of this game. The ids of
decisions are the game's `action_id`: 1 for dive, take, drop and 0 for return, leave, keep; if the
chip to drop is chosen, its number. Needs numpy (the extra ``numpy``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, TypeVar

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.encoder import ArrayField, Arrays, Encoder, RowEncoder
from boardgames_cli.games.deepsea.actions import MOST_PLAYERS, DeepSeaChoice
from boardgames_cli.games.deepsea.chips import (
    DOTS,
    EACH_VALUE,
    GONE,
    LEVELS,
    MOST_POINTS,
    PLACES,
    TALLEST_STACK,
    VALUES,
)
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase, Seen

ItemT = TypeVar("ItemT")

MOST_HELD: Final = 6
"""The maximum load of a diver: two dice show at most 6, minus 1 for every chip."""

_OTHERS: Final = MOST_PLAYERS - 1
_TRAIL: Final = 4 + 3 * _OTHERS
_LENGTH: Final = _TRAIL + 2 * PLACES
_PHASES: Final = {phase: bytes(phase is other for other in Phase) for phase in Phase}
_SEATS: Final = tuple(
    tuple(bytes(seat == other for other in range(seats)) for seat in range(seats))
    for seats in range(MOST_PLAYERS + 1)
)
_IS_GONE: Final = bytes(GONE) + b""
"""The translation of a trail to 1 at every place that was removed."""


LEVEL_COUNTS: Final = np.zeros((GONE + 1, len(LEVELS)), dtype=np.int8)
LEVEL_COUNTS[: len(DOTS)] = [[dots.count(level) for level in LEVELS] for dots in DOTS]
"""For every chip number, how many chips of each level it contains; none for `GONE`."""
_WEIGHTS: Final = LEVEL_COUNTS @ np.array(LEVELS)


@dataclass(frozen=True)
class DeepSeaEncoder(RowEncoder[DeepSea, DeepSeaState, DeepSeaChoice]):
    """The complete position; divers in turn order, the viewer first.

    A spectator has the view of seat 0.
    """

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        game, seats = self.game, self.game.players
        diver, levels = ("diver",), len(LEVELS)
        return (
            ArrayField(
                "phase", (len(Phase),), "int8", 0, 1, ("phase",),
                f"1 at what happens next: {', '.join(phase.value for phase in Phase)}",
            ),
            ArrayField("turn", (seats,), "int8", 0, 1, diver, "1 for the diver whose turn it is"),
            ArrayField("round", (), "int8", 0, game.rounds, (), "Rounds finished"),
            ArrayField("oxygen", (), "int8", 0, game.oxygen, (), "Oxygen left"),
            ArrayField("place", (seats,), "int8", 0, PLACES, diver, "0 submarine, 1 to 32 trail"),
            ArrayField("diving", (seats,), "int8", 0, 1, diver, "1 until it has turned back"),
            ArrayField("load", (seats,), "int8", 0, PLACES, diver, "Chips or stacks it holds"),
            ArrayField(
                "held", (seats, MOST_HELD, levels), "int8", 0, TALLEST_STACK,
                ("diver", "number", "level"),
                "How many chips of each level are in each that it holds, in the order taken",
            ),
            ArrayField(
                "trail", (PLACES, levels), "int8", 0, TALLEST_STACK, ("place", "level"),
                "How many chips of each level lie there; none on a blank",
            ),
            ArrayField("gone", (PLACES,), "int8", 0, 1, ("place",), "1 if the place was removed"),
            ArrayField("points", (seats,), "int16", 0, MOST_POINTS, diver, "Points so far"),
            ArrayField(
                "revealed", (VALUES,), "int8", 0, EACH_VALUE, ("value",),
                "Chips of each value, 0 to 15, that have been turned over in the game",
            ),
            ArrayField(
                "turned", (seats, self._most_turned), "int8", -1, VALUES - 1, ("diver", "number"),
                "The values turned over at the end of the round, in their order; -1 for none",
            ),
            ArrayField(
                "won", (game.rounds, seats), "int16", 0, MOST_POINTS, ("round", "diver"),
                "Points won in each finished round; 0 in the others",
            ),
        )  # fmt: skip

    @property
    def _most_turned(self) -> int:
        return MOST_HELD * (TALLEST_STACK if self.game.stacks else 1)

    def row(self, seen: Seen, dtype: str) -> npt.NDArray[Any]:
        phase, current, number, oxygen, places, diving, held, trail, ledger = seen.state
        seat, seats, slots = seen.seat or 0, len(places), self._most_turned
        held = _from(seat, held)
        chips = b"".join([load.ljust(MOST_HELD, b"\0")[:MOST_HELD] for load in held])
        turned = [values.ljust(slots, b"\xff")[:slots] for values in _from(seat, ledger.turned)]
        loads = [len(load) for load in held]
        head = b"".join((
            _PHASES[phase], _SEATS[seats][(current - seat) % seats],
            bytes((number, oxygen, *_from(seat, places), *_from(seat, diving), *loads)),
            LEVEL_COUNTS.take(np.frombuffer(chips + trail, np.uint8), axis=0).tobytes(),
            trail.translate(_IS_GONE),
        ))  # fmt: skip
        tail = b"".join((bytes(seats), ledger.revealed, *turned, bytes(self.game.rounds * seats)))
        row = np.frombuffer(head + tail, dtype=np.int8).astype(dtype)
        # Points don't fit into bytes.
        if any(ledger.points):
            row[len(head) : len(head) + seats] = _from(seat, ledger.points)
        start = len(head) + len(tail) - self.game.rounds * seats
        for points in ledger.by_round:
            row[start : start + seats] = _from(seat, points)
            start += seats
        return row


@dataclass(frozen=True)
class DeepSeaVector(Encoder[DeepSea, DeepSeaState, DeepSeaChoice]):
    """The single vector of the environment in which this game was first published.

    It omits the phase, the points, and the contents of stacks and loads.
    """

    is_complete: ClassVar[bool] = False

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        return (
            ArrayField(
                "vector", (_LENGTH,), "int64", 0, max(self.game.oxygen, PLACES), ("number",),
                "0 oxygen; 1 own place (0 submarine), 2 own load, 3 own direction (1 diving); 4-8 "
                "places, 9-13 loads, 14-18 directions of the others in seat order, padded with 0; "
                "19-50 dots on each place (0 blank or removed, a stack all its dots); 51-82 1 if "
                "the place is skipped (removed, or another diver's); a spectator looks from seat 0",
            ),
        )  # fmt: skip

    def encode(self, seen: Seen) -> Arrays:
        state, seat = seen.state, seen.seat or 0
        padding = (0,) * (MOST_PLAYERS - len(state.places))
        places = _without(seat, state.places)
        loads = _without(seat, [*map(len, state.held)])
        diving = _without(seat, state.diving)
        array = np.empty(_LENGTH, dtype=np.int64)
        array[:_TRAIL] = (
            state.oxygen, state.places[seat], len(state.held[seat]), state.diving[seat],
            *places, *padding, *loads, *padding, *diving, *padding,
        )  # fmt: skip
        trail = np.frombuffer(state.trail, dtype=np.uint8)
        array[_TRAIL : _TRAIL + PLACES] = _WEIGHTS[trail]
        array[_TRAIL + PLACES :] = trail == GONE
        for place in places:
            if place:
                array[_TRAIL + PLACES + place - 1] = 1
        return {"vector": array}


def _from(seat: int, by_seat: tuple[ItemT, ...]) -> tuple[ItemT, ...]:
    return by_seat[seat:] + by_seat[:seat]


def _without(seat: int, by_seat: Sequence[ItemT]) -> Sequence[Any]:
    return (*by_seat[:seat], *by_seat[seat + 1 :])
