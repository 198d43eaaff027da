"""Positions as JSON objects.

The keys are those of recorded games of the original playground: ``board`` (rows of the drawn
board), ``agents``, ``bombs``, ``flames``, ``items`` (power-ups that are not seen: under wood, under
flames, under a bomb) and ``step``; also ``messages`` in radio mode, ``fallen`` right after a
collapse that killed somebody, and ``reruns`` after tied games. They differ from the fields of the
state, which holds masks instead of a drawn board, so `PositionCodec` names the key of each field.
A board to play from must be the one that the other fields make.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from boardgames_cli.codec.derived import Items, ObjectCodec, Row, check_keys
from boardgames_cli.codec.fields import Codec, Truth, Whole, check_fields, is_whole
from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.pommerman.board import (
    BOMB_CELL,
    FIRST_AGENT,
    FLAME,
    FLAME_LIFE,
    FOG,
    GROUND,
    POWERS,
    RIGID,
    UNKNOWN,
    WOOD,
    WORDS,
    ThreeMasks,
    bits,
    grid_of,
    mask_where,
)
from boardgames_cli.games.pommerman.rules.layout import BoardSpec
from boardgames_cli.games.pommerman.state import SILENCE, Bomb, Bomber, PommermanState, Words

_KEYS: Final = ("board", "agents", "bombs", "flames", "items", "step")
_OPTIONAL: Final = ("messages", "fallen", "reruns")
_EXPECTED: Final = f"A Pommerman position has: {', '.join(_KEYS)}."
_MOST: Final = 100_000
_CONTENTS: Final = frozenset({GROUND, RIGID, WOOD, BOMB_CELL, FLAME, *POWERS})
"""What the board may show besides agents and fog."""


def drawn_board(state: PommermanState, size: int) -> list[int]:
    """The top content of each cell, row by row: agents over flames over bombs over the rest.

    Fog covers everything.
    """
    board = [GROUND] * (size * size)
    layers = [(state.rigid, RIGID), (state.wood, WOOD), *zip(state.powers, POWERS, strict=True)]
    for mask, value in layers:
        for cell in bits(mask):
            board[cell] = value
    for bomb in state.bombs:
        board[bomb.cell] = BOMB_CELL
    for cell in bits(state.burning):
        board[cell] = FLAME
    for seat, agent in enumerate(state.agents):
        if agent.alive and agent.cell != UNKNOWN:
            board[agent.cell] = FIRST_AGENT + seat
    for cell in bits(state.fog):
        board[cell] = FOG
    return board


@dataclass(frozen=True, slots=True)
class _ContentCodec(Codec[int]):
    known: Collection[int]

    def read(self, data: Any, field: str) -> int:
        if not is_whole(data) or data not in self.known:
            known = " ".join(map(str, sorted(self.known)))
            raise PositionError(f"{field} is {data!r}.", f"Known: {known}.")
        return int(data)


@dataclass(frozen=True, slots=True)
class _CellCodec(Codec[int]):
    size: int

    def write(self, value: int) -> list[int]:
        return list(divmod(value, self.size))

    def read(self, data: Any, field: str) -> int:
        row, column = Row((Whole(0, self.size - 1),) * 2).read(data, field)
        return int(row * self.size + column)


@dataclass(frozen=True, slots=True)
class _KnownCodec(Codec[int]):
    codec: Codec[Any]
    is_redacted: bool
    unknown: int = UNKNOWN

    def write(self, value: int) -> Any:
        return None if value == UNKNOWN else self.codec.write(value)

    def read(self, data: Any, field: str) -> int:
        is_unknown = data is None and self.is_redacted
        return self.unknown if is_unknown else self.codec.read(data, field)


@dataclass(frozen=True, slots=True)
class _AgentCodec(Codec[Bomber]):
    seat: int
    codec: ObjectCodec[Bomber]

    def write(self, value: Bomber) -> dict[str, Any]:
        unknown = {"can_kick": None} if value.ammo == UNKNOWN else {}
        return {"id": self.seat, **self.codec.write(value), **unknown}

    def read(self, data: Any, field: str) -> Bomber:
        check_keys(data, field, ("id", *self.codec.keys))
        if not is_whole(data["id"]) or data["id"] != self.seat:
            raise PositionError(f"{field}.id is {data['id']!r}, not {self.seat}.")
        return self.codec.build(data, f"{field}.")


class _Flame(NamedTuple):
    cell: int
    life: int


class PositionCodec:
    """Writes positions, and reads them with a check of every field.

    Args:
        board_spec: The size of the board and the number of agents.
        mode: The mode of the game; by radio there are messages.
        steps: The maximum step of a position.
        reruns: The maximum number of tied games before this one.
        is_redacted: Whether it reads what a seat sees, with fog, and null for unknown values. A
            position to play from is complete, and its parts must fit together.
    """

    def __init__(
        self, board_spec: BoardSpec, mode: str, steps: int, reruns: int, *, is_redacted: bool
    ) -> None:
        size, seats = board_spec.size, len(board_spec.agents)
        self._size, self._mode, self._is_redacted = size, mode, is_redacted
        self._name = grid_of(size).name
        shown = _CONTENTS | {FIRST_AGENT + seat for seat in range(seats)}
        shown |= {FOG} if is_redacted else set()
        cell, many, seat = _CellCodec(size), Whole(1, _MOST), Whole(0, seats - 1)

        def known(codec: Codec[Any], unknown: int = UNKNOWN) -> Codec[int]:
            return _KnownCodec(codec, is_redacted, unknown)

        agent = ObjectCodec(
            Bomber,
            (
                ("alive", "alive", Truth()),
                ("cell", "pos", known(cell)),
                ("ammo", "ammo", known(Whole(0, _MOST))),
                ("strength", "blast_strength", known(many)),
                ("kicks", "can_kick", known(Truth(), unknown=False)),
            ),
        )
        bomb = ObjectCodec(
            Bomb,
            (
                ("cell", "pos", cell),
                ("life", "life", many),
                ("strength", "blast_strength", many),
                ("owner", "bomber", known(seat)),
                ("direction", "dir", Whole(0, 4)),
            ),
        )
        flame = ObjectCodec(_Flame, (("cell", "pos", cell), ("life", "life", Whole(0, FLAME_LIFE))))
        self._codecs: dict[str, Codec[Any]] = {
            "board": Row((Row((_ContentCodec(shown),) * size),) * size),
            "agents": Row(tuple(_AgentCodec(number, agent) for number in range(seats))),
            "bombs": Items(bomb),
            "flames": Items(flame),
            "items": Items(Row((cell, Whole(POWERS[0], POWERS[-1])))),
            "step": Whole(0, steps),
            "messages": Row((Row((Whole(0, WORDS),) * 2),) * seats),
            "fallen": Items(seat),
            "reruns": Whole(0, reruns),
        }

    def write(self, state: PommermanState) -> dict[str, Any]:
        """The position as a JSON object; null for unknown values of a redacted state."""
        if not state.agents:
            return {"board": [], "agents": [], "bombs": [], "flames": [], "items": [], "step": 0}
        size, board = self._size, drawn_board(state, self._size)
        bombed = sum(1 << bomb.cell for bomb in state.bombs)
        values = {
            "board": [board[row * size : (row + 1) * size] for row in range(size)],
            "agents": state.agents,
            "bombs": state.bombs,
            "flames": sorted(
                _Flame(cell, life) for life, mask in enumerate(state.flames) for cell in bits(mask)
            ),
            "items": sorted(
                (cell, kind)
                for kind, open_, under in zip(POWERS, state.powers, state.hidden, strict=True)
                for cell in bits(under | open_ & bombed)
            ),
            "step": state.step,
            "messages": state.words,
            "fallen": state.fallen,
            "reruns": state.reruns,
        }
        return {
            key: codec.write(values[key])
            for key, codec in self._codecs.items()
            if key in _KEYS or values[key]
        }

    def read(self, data: Mapping[str, Any]) -> PommermanState:
        """The state of a position.

        Raises:
            PositionError: The position is impossible; the message names the cell or field.
        """
        check_fields(data, _KEYS, _OPTIONAL, expected=_EXPECTED)
        is_bare = all(data[key] == [] for key in ("board", "agents", "bombs", "flames", "items"))
        if is_bare and is_whole(data["step"]) and data["step"] == 0:
            for key in _OPTIONAL:
                if key in data:
                    raise PositionError(f"{key} is given, but the board has not been laid out yet.")
            return PommermanState()
        if not isinstance(data["board"], list | tuple) or len(data["board"]) != self._size:
            raise PositionError(f"board has not {self._size} rows, as mode {self._mode} needs.")
        has_radio = self._mode == "radio"
        if "messages" in data and not has_radio:
            raise PositionError(f"messages: there is no radio in mode {self._mode}.")
        read = {key: one.read(data[key], key) for key, one in self._codecs.items() if key in data}
        board, agents, bombs = [*itertools.chain(*read["board"])], read["agents"], read["bombs"]
        silence = (SILENCE,) * len(agents) if has_radio else ()
        words, fallen = read.get("messages", silence), read.get("fallen", ())
        self._check_places("bombs lie", [bomb.cell for bomb in bombs])
        flames = self._masks_of(read["flames"])
        powers, hidden = self._powers_of(read["items"], board, bombs, flames)
        _check_seats(words, fallen, agents, are_heard=not self._is_redacted)
        state = PommermanState(
            mask_where(board, RIGID),
            mask_where(board, WOOD),
            powers,
            hidden,
            flames,
            tuple(sorted(bombs)),
            agents,
            read["step"],
            words,
            fallen,
            mask_where(board, FOG),
            read.get("reruns", 0),
        )
        if not self._is_redacted:
            self._check_board(board, state)
        return state

    def _check_places(self, things: str, cells: Sequence[int]) -> None:
        twice = next((cell for number, cell in enumerate(cells) if cell in cells[:number]), None)
        if twice is not None:
            raise PositionError(f"two {things} on {self._name(twice)}.")

    def _masks_of(self, flames: Sequence[_Flame]) -> ThreeMasks:
        cells = [[flame.cell for flame in flames if flame.life == life] for life in range(3)]
        for life, burning in enumerate(cells):
            self._check_places(f"flames of life {life} lie", burning)
        low, middle, high = (sum(1 << cell for cell in burning) for burning in cells)
        return low, middle, high

    def _powers_of(
        self,
        items: Sequence[tuple[int, int]],
        board: Sequence[int],
        bombs: Sequence[Bomb],
        flames: ThreeMasks,
    ) -> tuple[ThreeMasks, ThreeMasks]:
        powers, hidden = [mask_where(board, kind) for kind in POWERS], [0, 0, 0]
        if not self._is_redacted:
            self._check_places("items lie", [cell for cell, _ in items])
        bombed, burning = {bomb.cell for bomb in bombs}, flames[0] | flames[1] | flames[2]
        for cell, kind in items:
            if cell in bombed or self._is_redacted:
                powers[kind - POWERS[0]] |= 1 << cell
            elif board[cell] == WOOD or burning >> cell & 1:
                hidden[kind - POWERS[0]] |= 1 << cell
            else:
                raise PositionError(
                    f"items lists {self._name(cell)}, which is neither wood nor in flames nor "
                    "under a bomb.",
                    "A power-up in the open is 6, 7 or 8 on the board.",
                )
        return (powers[0], powers[1], powers[2]), (hidden[0], hidden[1], hidden[2])

    def _check_board(self, board: Sequence[int], state: PommermanState) -> None:
        standing = [agent.cell for agent in state.agents if agent.alive]
        self._check_places("living agents stand", standing)
        for cell in bits(state.burning):
            if cell in standing or any(bomb.cell == cell for bomb in state.bombs):
                what = "a living agent" if cell in standing else "a bomb"
                raise PositionError(f"{what} and a flame are both on {self._name(cell)}.")
        for cell, drawn in enumerate(drawn_board(state, self._size)):
            if board[cell] != drawn:
                raise PositionError(
                    f"the board shows {board[cell]} on {self._name(cell)}, where agents, bombs and "
                    f"flames have {drawn}.",
                    f"{BOMB_CELL} is a bomb, {FLAME} a flame, {FIRST_AGENT} and up a living agent.",
                )


def _check_seats(
    words: Sequence[Words], fallen: Sequence[int], agents: Sequence[Bomber], *, are_heard: bool
) -> None:
    for seat, said in enumerate(words):
        if (said[0] == 0) != (said[1] == 0):
            raise PositionError(f"messages[{seat}] is {list(said)}.", "Words are 1 to 8, or 0 0.")
        # Agents just killed by the collapse were still heard, because it comes after the step.
        if are_heard and said != SILENCE and not agents[seat].alive and seat not in fallen:
            raise PositionError(f"messages[{seat}] is {list(said)}, but the dead are silent.")
    for seat in fallen:
        if agents[seat].alive:
            raise PositionError(f"fallen lists seat {seat}, which is alive.")
    if list(fallen) != sorted(set(fallen)):
        raise PositionError(f"fallen is {list(fallen)}.", "It has each seat once, ascending.")
