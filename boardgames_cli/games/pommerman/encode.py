"""Encoders of Pommerman.

`PlaygroundEncoder` produces the dictionary of the original playground. Moves are numbered by the
game's `action_id`: 0 to 5, in radio mode combined with the words. Needs numpy (the extra
``numpy``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.encoder import ArrayField, Arrays, Encoder, RowEncoder
from boardgames_cli.games.pommerman.actions import Move, Seen
from boardgames_cli.games.pommerman.board import (
    FIRST_AGENT,
    FLAME_LIFE,
    NOBODY,
    RIGHT,
    UNKNOWN,
    WORDS,
    Mask,
    bits,
    mate_of,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.positions import drawn_board
from boardgames_cli.games.pommerman.state import SILENCE, Bomber, PommermanState

_LAYERS: Final = (
    "rigid wall", "wood", "extra bomb", "extra range", "kick", "flame in its last step",
    "flame in its second step", "fresh flame", "fog",
)  # fmt: skip
_BOMB_LAYERS: Final = ("life", "strength", "direction", "owner")
_STATS: Final = ("row", "column", "alive", "ammo", "strength", "kick")


@dataclass(frozen=True)
class _PommermanEncoder(Encoder[Pommerman, PommermanState, Move]):
    @cached_property
    def _size(self) -> int:
        return self.game.board_spec.size

    @cached_property
    def _cells(self) -> int:
        return self._size**2

    def mask(self, seen: Seen) -> npt.NDArray[np.bool_]:
        """All moves while the agent is to act, since all are always legal."""
        return self._masks[bool(seen.legal)].copy()

    @cached_property
    def _masks(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        count = self.game.action_count
        return np.full(count, False), np.full(count, True)


@lru_cache(maxsize=8)  # all agents see the same board
def _planes(masks: tuple[Mask, ...], cells: int) -> npt.NDArray[np.uint8]:
    joined = 0
    for mask in reversed(masks):
        joined = joined << cells | mask
    count = len(masks) * cells
    packed = np.frombuffer(joined.to_bytes(count + 7 >> 3, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little").reshape(-1, cells)


@dataclass(frozen=True)
class PommermanEncoder(_PommermanEncoder, RowEncoder[Pommerman, PommermanState, Move]):
    """Everything that a seat sees; agents in seat order, starting with the viewer.

    A spectator has the order of seat 0, with public knowledge only. In hand-made positions, ammo
    and strength are capped at the number of cells.
    """

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        size, seats, cells = self._size, self.game.seats, self._cells
        square, agent = ("row", "column"), ("agent",)
        fields = (
            ArrayField(
                "board", (len(_LAYERS) + seats, size, size), "int8", 0, 1, ("layer", *square),
                f"1 where there is: {', '.join(_LAYERS)}, then each living agent",
            ),
            ArrayField(
                "bombs", (len(_BOMB_LAYERS), size, size), "int8", -1, cells, ("layer", *square),
                "Of the bomb there: steps until it goes off; its strength; where it rolls (1 up, 2 "
                "down, 3 left, 4 right, 0 nowhere); whose it is (1 own, then the others' order, -1 "
                "unknown); 0 where there is none",
            ),
            ArrayField(
                "agents", (seats, len(_STATS)), "int8", -1, cells, ("agent", "what"),
                f"Of each agent: {', '.join(_STATS)}; -1 is unknown",
            ),
            ArrayField("step", (), "int16", 0, self.game.steps, (), "Steps played"),
            ArrayField(
                "fallen", (seats,), "int8", 0, 1, agent, "1 if the collapse has just killed it"
            ),
            ArrayField(
                "reruns", (), "int8", 0, self.game.most_reruns, (), "Tied games before this one"
            ),
        )  # fmt: skip
        if not self.game.has_radio:
            return fields
        heard = "What it said in the step just played, 1 to 8 each; 0 is silence, or not heard"
        return (*fields, ArrayField("words", (seats, 2), "int8", 0, WORDS, ("agent", "n"), heard))

    def row(self, seen: Seen, dtype: str) -> npt.NDArray[Any]:
        state, seat, seats, cells = seen.state, seen.seat or 0, self.game.seats, self._cells
        agents = state.agents or (_BEFORE_THE_LAYOUT,) * seats
        standing = tuple(
            [1 << agent.cell if agent.alive and agent.cell >= 0 else 0 for agent in agents]
        )
        agents = agents[seat:] + agents[:seat]
        masks = (state.rigid, state.wood, *state.powers, *state.flames, state.fog)
        row = np.zeros(self._width, dtype)
        first, start = len(masks) * cells, (len(masks) + seats) * cells
        row[:first] = _planes(masks, cells).reshape(-1)
        planes = _planes(standing, cells)
        row[first : start - seat * cells] = planes[seat:].reshape(-1)
        row[start - seat * cells : start] = planes[:seat].reshape(-1)
        for cell, life, strength, owner, direction in state.bombs:
            place = start + cell
            row[place] = min(life, cells)
            row[place + cells] = min(strength, cells)
            row[place + 2 * cells] = direction
            row[place + 3 * cells] = owner if owner == UNKNOWN else (owner - seat) % seats + 1
        numbers: list[int] = []
        for cell, alive, ammo, strength, kicks in agents:
            y, x = divmod(cell, self._size) if cell >= 0 else (UNKNOWN, UNKNOWN)
            kick = kicks if ammo != UNKNOWN else UNKNOWN
            numbers += (
                y, x, alive, ammo if ammo < cells else cells,
                strength if strength < cells else cells, kick,
            )  # fmt: skip
        fallen = [0] * seats
        for other in state.fallen:
            fallen[other - seat] = 1
        numbers += (state.step, *fallen, state.reruns)
        if self.game.has_radio:
            for words in (state.words[seat:] + state.words[:seat]) or (SILENCE,) * seats:
                numbers += words
        row[start + len(_BOMB_LAYERS) * cells :] = numbers
        return row

    @cached_property
    def _width(self) -> int:
        return sum(field.size for field in self.fields)


@dataclass(frozen=True)
class PlaygroundEncoder(_PommermanEncoder):
    """The dictionary of the original playground, with its names, shapes and numbers.

    Like the original, it omits power-ups and flames under other things, the owners of bombs, and
    the number of the step. A spectator, and everybody before the layout, has no position.
    """

    is_complete: ClassVar[bool] = False

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        size, seats, cells = self._size, self.game.seats, self._cells
        shape, square = (size, size), ("row", "column")
        last = FIRST_AGENT + seats - 1
        fields = (
            ArrayField("board", shape, "int8", 0, last, square,
                       "0 ground, 1 rigid, 2 wood, 3 bomb, 4 flame, 5 fog, 6 extra bomb, 7 extra "
                       "range, 8 kick, 10 + i agent i"),
            ArrayField("bomb_blast_strength", shape, "int16", 0, cells, square,
                       "Strength of the bomb there, also under an agent; 0 none or fog"),
            ArrayField("bomb_life", shape, "int16", 0, cells, square,
                       "Steps until it goes off; 0 none or fog"),
            ArrayField("bomb_moving_direction", shape, "int8", 0, RIGHT, square,
                       "1 up, 2 down, 3 left, 4 right; 0 at rest, none or fog"),
            ArrayField("flame_life", shape, "int8", 0, FLAME_LIFE + 1, square,
                       "3, 2, 1 for flames, youngest first; 0 none or fog"),
            ArrayField("position", (2,), "int8", -1, size - 1, ("axis",),
                       "Own row and column; -1 for who has none"),
            ArrayField("ammo", (), "int32", -1, cells, (), "Own; -1 for a spectator"),
            ArrayField("blast_strength", (), "int32", -1, cells, (), "Own; -1 for a spectator"),
            ArrayField("can_kick", (), "int8", 0, 1, (), "Own"),
            ArrayField("teammate", (), "int8", NOBODY, last, (), "10 + i, or 9 without one"),
            ArrayField("enemies", (3,), "int8", NOBODY, last, ("number",),
                       "10 + i each, 9 where there is none"),
            ArrayField("alive", (seats,), "int8", 0, 1, ("agent",), "1 for each that lives"),
        )  # fmt: skip
        if not self.game.has_radio:
            return fields
        said = "What the teammate said in the step just played, 1 to 8 each; 0 is silence"
        return (*fields, ArrayField("message", (2,), "int8", 0, WORDS, ("number",), said))

    def encode(self, seen: Seen) -> Arrays:
        state, seat = seen.state, seen.seat
        own = _NOWHERE if seat is None or not state.agents else state.agents[seat]
        place = divmod(own.cell, self._size) if own.cell >= 0 else (UNKNOWN, UNKNOWN)
        alive = bytearray([agent.alive for agent in state.agents] or self.game.seats)
        board = np.array(drawn_board(state, self._size), dtype=np.int8)
        teammate, enemies = self._others[seat]
        arrays: Arrays = {
            "board": board.reshape(self._size, self._size),
            **self._maps(state),
            "position": np.array(place, dtype=np.int8),
            "ammo": np.array(min(own.ammo, self._cells), dtype=np.int32),
            "blast_strength": np.array(min(own.strength, self._cells), dtype=np.int32),
            "can_kick": np.array(own.kicks, dtype=np.int8),
            "teammate": np.array(teammate, dtype=np.int8),
            "enemies": enemies.copy(),
            "alive": np.frombuffer(alive, dtype=np.int8),
        }
        if self.game.has_radio:
            heard = SILENCE
            if seat is not None and state.words:
                heard = state.words[mate_of(seat)]
            arrays["message"] = np.array(heard, dtype=np.int8)
        return arrays

    def _maps(self, state: PommermanState) -> Arrays:
        shape, most = (self._size, self._size), self._cells
        strength, life = np.zeros(most, dtype=np.int16), np.zeros(most, dtype=np.int16)
        direction, flame_life = np.zeros(most, dtype=np.int8), np.zeros(most, dtype=np.int8)
        for bomb in state.bombs:
            strength[bomb.cell] = min(bomb.strength, most)
            life[bomb.cell] = min(bomb.life, most)
            direction[bomb.cell] = bomb.direction
        for left, mask in enumerate(state.flames, start=1):
            for cell in bits(mask):
                flame_life[cell] = left
        return {
            "bomb_blast_strength": strength.reshape(shape),
            "bomb_life": life.reshape(shape),
            "bomb_moving_direction": direction.reshape(shape),
            "flame_life": flame_life.reshape(shape),
        }

    @cached_property
    def _others(self) -> dict[int | None, tuple[int, npt.NDArray[np.int8]]]:
        seats = range(self.game.seats)
        # A spectator has neither.
        nobody = NOBODY, np.full(3, NOBODY, dtype=np.int8)
        others: dict[int | None, tuple[int, npt.NDArray[np.int8]]] = {None: nobody}
        for side in self.game.teams:
            listed = [FIRST_AGENT + other for other in seats if other not in side]
            enemies = np.array((*listed, NOBODY, NOBODY)[:3], dtype=np.int8)
            for seat in side:
                mates = [FIRST_AGENT + other for other in side if other != seat]
                others[seat] = (*mates, NOBODY)[0], enemies
        return others


_BEFORE_THE_LAYOUT: Final = Bomber(0, False, 0, 0, False)
_NOWHERE: Final = Bomber(UNKNOWN, False, UNKNOWN, UNKNOWN, False)
