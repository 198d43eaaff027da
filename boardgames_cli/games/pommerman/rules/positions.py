"""Positions as JSON objects.

The keys are those of recorded games of the original playground: ``board`` (rows of the drawn
board), ``agents``, ``bombs``, ``flames``, ``items`` (power-ups that are not seen: under wood, under
flames, under a bomb) and ``step``; also ``messages`` in radio mode, ``fallen`` right after a
collapse that killed somebody, and ``reruns`` after tied games. They differ from the fields of the
state, which holds masks instead of a drawn board, so `PositionCodec` names the key of each field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from boardgames_cli.codec.derived import Items, ObjectCodec, check_keys
from boardgames_cli.codec.fields import Codec, Truth, Whole, check_fields, is_whole, read_list
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
class _CellCodec(Codec[int]):
    size: int

    def write(self, value: int) -> list[int]:
        return list(divmod(value, self.size))

    def read(self, data: Any, field: str) -> int:
        if not isinstance(data, list | tuple) or len(data) != 2:
            raise PositionError(f"{field} is {data!r}.", "It is [row, column].")
        row, column = (Whole(0, self.size - 1).read(part, field) for part in data)
        return row * self.size + column


@dataclass(frozen=True, slots=True)
class _ItemCodec(Codec[tuple[int, int]]):
    """A power-up that is not seen: its cell and its kind."""

    cell: _CellCodec

    def write(self, value: tuple[int, int]) -> list[Any]:
        cell, kind = value
        return [self.cell.write(cell), kind]

    def read(self, data: Any, field: str) -> tuple[int, int]:
        if not isinstance(data, list | tuple) or len(data) != 2:
            raise PositionError(f"{field} is {data!r}.", "It is [[row, column], kind].")
        return self.cell.read(data[0], field), Whole(POWERS[0], POWERS[-1]).read(data[1], field)


@dataclass(frozen=True, slots=True)
class _KnownCodec(Codec[int]):
    """A value that a seat may not know; it is then written as null."""

    codec: Codec[Any]
    is_redacted: bool
    unknown: int = UNKNOWN

    def write(self, value: int) -> Any:
        return None if value == UNKNOWN else self.codec.write(value)

    def read(self, data: Any, field: str) -> int:
        is_unknown = data is None and self.is_redacted
        return self.unknown if is_unknown else self.codec.read(data, field)


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
        self._size, self._seats = board_spec.size, len(board_spec.agents)
        self._mode, self._is_redacted = mode, is_redacted
        self._name = grid_of(self._size).name
        self._step, self._reruns = Whole(0, steps), Whole(0, reruns)
        cell, many = _CellCodec(self._size), Whole(1, _MOST)
        self._agent = ObjectCodec(
            Bomber,
            (
                ("alive", "alive", Truth()),
                ("cell", "pos", self._known(cell)),
                ("ammo", "ammo", self._known(Whole(0, _MOST))),
                ("strength", "blast_strength", self._known(many)),
                ("kicks", "can_kick", _KnownCodec(Truth(), is_redacted, unknown=False)),
            ),
        )
        bomb = ObjectCodec(
            Bomb,
            (
                ("cell", "pos", cell),
                ("life", "life", many),
                ("strength", "blast_strength", many),
                ("owner", "bomber", self._known(Whole(0, self._seats - 1))),
                ("direction", "dir", Whole(0, 4)),
            ),
        )
        flame = ObjectCodec(_Flame, (("cell", "pos", cell), ("life", "life", Whole(0, FLAME_LIFE))))
        self._bombs, self._flames, self._items = Items(bomb), Items(flame), Items(_ItemCodec(cell))

    def _known(self, codec: Codec[int]) -> Codec[int]:
        return _KnownCodec(codec, self._is_redacted)

    def write(self, state: PommermanState) -> dict[str, Any]:
        """The position as a JSON object; null for unknown values of a redacted state."""
        if not state.agents:
            return {"board": [], "agents": [], "bombs": [], "flames": [], "items": [], "step": 0}
        size, board = self._size, drawn_board(state, self._size)
        bombed = sum(1 << bomb.cell for bomb in state.bombs)
        items = sorted(
            (cell, kind)
            for kind, open_, under in zip(POWERS, state.powers, state.hidden, strict=True)
            for cell in bits(under | open_ & bombed)
        )
        flames = sorted(
            _Flame(cell, life) for life, mask in enumerate(state.flames) for cell in bits(mask)
        )
        data: dict[str, Any] = {
            "board": [board[row * size : (row + 1) * size] for row in range(size)],
            "agents": [
                {"id": seat, **self._agent.write(agent)}
                | ({"can_kick": None} if agent.ammo == UNKNOWN else {})
                for seat, agent in enumerate(state.agents)
            ],
            "bombs": self._bombs.write(state.bombs),
            "flames": self._flames.write(tuple(flames)),
            "items": self._items.write(tuple(items)),
            "step": state.step,
        }
        if state.words:
            data["messages"] = [list(said) for said in state.words]
        if state.fallen:
            data["fallen"] = list(state.fallen)
        if state.reruns:
            data["reruns"] = state.reruns
        return data

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
        board = self._read_board(data["board"])
        agents = self._read_agents(data["agents"])
        bombs = self._bombs.read(data["bombs"], "bombs")
        self._check_places("bombs lie", [bomb.cell for bomb in bombs])
        flames = self._read_flames(data["flames"])
        bombed, burning = {bomb.cell for bomb in bombs}, flames[0] | flames[1] | flames[2]
        if not self._is_redacted:
            self._check_agents(board, agents)
            standing = {agent.cell for agent in agents if agent.alive}
            self._check_things(board, bombed, burning, standing)
        powers, hidden = self._read_items(data["items"], board, bombed, burning)
        words, fallen = self._read_words(data.get("messages")), data.get("fallen", [])
        fallen = self._read_fallen(fallen, agents)
        if not self._is_redacted:
            _check_words(words, agents, fallen)
        return PommermanState(
            mask_where(board, RIGID),
            mask_where(board, WOOD),
            powers,
            hidden,
            flames,
            tuple(sorted(bombs)),
            tuple(agents),
            self._step.read(data["step"], "step"),
            words,
            fallen,
            mask_where(board, FOG),
            self._reruns.read(data.get("reruns", 0), "reruns"),
        )

    def _check_places(self, things: str, cells: Sequence[int]) -> None:
        twice = next((cell for number, cell in enumerate(cells) if cell in cells[:number]), None)
        if twice is not None:
            raise PositionError(f"two {things} on {self._name(twice)}.")

    def _read_board(self, rows: Any) -> list[int]:
        size = self._size
        if not isinstance(rows, list | tuple) or len(rows) != size:
            raise PositionError(f"board has not {size} rows, as mode {self._mode} needs.")
        known = _CONTENTS | {FIRST_AGENT + seat for seat in range(self._seats)}
        known |= {FOG} if self._is_redacted else set()
        board: list[int] = []
        for row, values in enumerate(rows):
            if not isinstance(values, list | tuple) or len(values) != size:
                raise PositionError(f"board row {row} has not {size} cells.")
            for column, value in enumerate(values):
                if not is_whole(value) or value not in known:
                    raise PositionError(
                        f"board r{row}c{column} is {value!r}.",
                        f"Known: {' '.join(str(number) for number in sorted(known))}.",
                    )
                board.append(value)
        return board

    def _read_agents(self, data: Any) -> list[Bomber]:
        listed = read_list(data, "agents")
        for seat, item in enumerate(listed):
            check_keys(item, f"agents[{seat}]", ("id", *self._agent.keys))
        if len(listed) != self._seats:
            raise PositionError(
                f"agents has {len(listed)} agents, but mode {self._mode} has {self._seats}."
            )
        agents = []
        for seat, item in enumerate(listed):
            if not is_whole(item["id"]) or item["id"] != seat:
                raise PositionError(f"agents[{seat}].id is {item['id']!r}, not {seat}.")
            agents.append(self._agent.build(item, f"agents[{seat}]."))
        return agents

    def _read_flames(self, data: Any) -> ThreeMasks:
        flames = self._flames.read(data, "flames")
        cells = [[flame.cell for flame in flames if flame.life == life] for life in range(3)]
        for life, burning in enumerate(cells):
            self._check_places(f"flames of life {life} lie", burning)
        low, middle, high = (sum(1 << cell for cell in burning) for burning in cells)
        return low, middle, high

    def _check_agents(self, board: list[int], agents: list[Bomber]) -> None:
        standing: dict[int, int] = {}
        for seat, agent in enumerate(agents):
            if not agent.alive:
                continue
            if agent.cell in standing:
                raise PositionError(
                    f"agents {standing[agent.cell]} and {seat} both stand on "
                    f"{self._name(agent.cell)}."
                )
            standing[agent.cell] = seat
            if board[agent.cell] != FIRST_AGENT + seat:
                raise PositionError(
                    f"agent {seat} stands on {self._name(agent.cell)}, where the board shows "
                    f"{board[agent.cell]}, not {FIRST_AGENT + seat}."
                )
        for cell, value in enumerate(board):
            if value >= FIRST_AGENT and standing.get(cell) != value - FIRST_AGENT:
                raise PositionError(
                    f"the board shows {value} on {self._name(cell)}, but agent "
                    f"{value - FIRST_AGENT} does not stand there alive."
                )

    def _check_things(
        self, board: list[int], bombed: set[int], burning: int, standing: set[int]
    ) -> None:
        for cell, value in enumerate(board):
            name, is_burning = self._name(cell), bool(burning >> cell & 1)
            if cell in bombed and is_burning:
                raise PositionError(f"a bomb and a flame both lie on {name}.")
            if is_burning != (value == FLAME):
                raise PositionError(
                    f"{name} is {'' if is_burning else 'not '}listed in flames, but the board "
                    f"shows {value}."
                )
            is_shown = value == BOMB_CELL or (cell in bombed and cell in standing)
            if (cell in bombed) != is_shown:
                raise PositionError(
                    f"{name} {'is' if cell in bombed else 'is not'} listed in bombs, but the "
                    f"board shows {value}."
                )

    def _read_items(
        self, data: Any, board: list[int], bombed: set[int], burning: int
    ) -> tuple[ThreeMasks, ThreeMasks]:
        powers, hidden = [mask_where(board, kind) for kind in POWERS], [0, 0, 0]
        items = self._items.read(data, "items")
        if not self._is_redacted:
            self._check_places("items lie", [cell for cell, _ in items])
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

    def _read_words(self, listed: Any) -> tuple[Words, ...]:
        seats = self._seats
        if self._mode != "radio":
            if listed is not None:
                raise PositionError(f"messages: there is no radio in mode {self._mode}.")
            return ()
        if listed is None:
            return (SILENCE,) * seats
        if not isinstance(listed, list | tuple) or len(listed) != seats:
            raise PositionError(f"messages is not a list of {seats} pairs of words.")
        words: list[Words] = []
        for seat, said in enumerate(listed):
            if not isinstance(said, list | tuple) or len(said) != 2:
                raise PositionError(f"messages[{seat}] is {said!r}.", "It is two words.")
            first, second = (Whole(0, WORDS).read(word, f"messages[{seat}]") for word in said)
            if (first == 0) != (second == 0):
                raise PositionError(f"messages[{seat}] is {said!r}.", "Words are 1 to 8, or 0 0.")
            words.append((first, second))
        return tuple(words)

    def _read_fallen(self, data: Any, agents: list[Bomber]) -> tuple[int, ...]:
        seat_codec = Whole(0, self._seats - 1)
        fallen = tuple(seat_codec.read(seat, "fallen") for seat in read_list(data, "fallen"))
        for seat in fallen:
            if agents[seat].alive:
                raise PositionError(f"fallen lists seat {seat}, which is alive.")
        if list(fallen) != sorted(set(fallen)):
            raise PositionError(f"fallen is {list(fallen)}.", "It has each seat once, ascending.")
        return fallen


def _check_words(words: Sequence[Words], agents: Sequence[Bomber], fallen: Sequence[int]) -> None:
    for seat, said in enumerate(words):
        # Agents just killed by the collapse were still heard, because it comes after the step.
        if said != SILENCE and not agents[seat].alive and seat not in fallen:
            raise PositionError(f"messages[{seat}] is {list(said)}, but the dead are silent.")
