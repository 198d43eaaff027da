"""Positions as JSON objects.

The keys are those of recorded games of the original playground: ``board`` (rows of the drawn
board), ``agents``, ``bombs``, ``flames``, ``items`` (power-ups that are not seen: under wood, under
flames, under a bomb) and ``step``; also ``messages`` in radio mode, ``fallen`` right after a
collapse that killed somebody, and ``reruns`` after tied games. They differ from the fields of the
state, which holds masks instead of a drawn board, so they are not derived automatically.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from boardgames_cli.codec.fields import Truth, Whole, read_list
from boardgames_cli.codec.position import check_fields, is_whole
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
    Grid,
    bits,
    grid_of,
)
from boardgames_cli.games.pommerman.rules.layout import BoardSpec
from boardgames_cli.games.pommerman.state import SILENCE, Bomb, Bomber, PommermanState, Words

_KEYS: Final = ("board", "agents", "bombs", "flames", "items", "step")
_OPTIONAL: Final = ("messages", "fallen", "reruns")
_EXPECTED: Final = f"A Pommerman position has: {', '.join(_KEYS)}."
_MOST: Final = 100_000


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


def write(state: PommermanState, size: int) -> dict[str, Any]:
    """The position as a JSON object; null for unknown values of a redacted state."""
    if not state.agents:
        return {"board": [], "agents": [], "bombs": [], "flames": [], "items": [], "step": 0}
    board = drawn_board(state, size)
    bombed = sum(1 << bomb.cell for bomb in state.bombs)
    items = sorted(
        (cell, kind)
        for kind, open_, under in zip(POWERS, state.powers, state.hidden, strict=True)
        for cell in bits(under | open_ & bombed)
    )
    flames = sorted((cell, life) for life, mask in enumerate(state.flames) for cell in bits(mask))
    data: dict[str, Any] = {
        "board": [board[row * size : (row + 1) * size] for row in range(size)],
        "agents": [_agent(seat, agent, size) for seat, agent in enumerate(state.agents)],
        "bombs": [_bomb(bomb, size) for bomb in state.bombs],
        "flames": [{"pos": _pos(cell, size), "life": life} for cell, life in flames],
        "items": [[_pos(cell, size), kind] for cell, kind in items],
        "step": state.step,
    }
    if state.words:
        data["messages"] = [list(said) for said in state.words]
    if state.fallen:
        data["fallen"] = list(state.fallen)
    if state.reruns:
        data["reruns"] = state.reruns
    return data


def _agent(seat: int, agent: Bomber, size: int) -> dict[str, Any]:
    return {
        "id": seat,
        "alive": agent.alive,
        "pos": _pos(agent.cell, size),
        "ammo": _known(agent.ammo),
        "blast_strength": _known(agent.strength),
        "can_kick": agent.kicks if agent.ammo != UNKNOWN else None,
    }


def _bomb(bomb: Bomb, size: int) -> dict[str, Any]:
    return {
        "pos": _pos(bomb.cell, size),
        "life": bomb.life,
        "blast_strength": bomb.strength,
        "bomber": _known(bomb.owner),
        "dir": bomb.direction,
    }


def _pos(cell: int, size: int) -> list[int] | None:
    return None if cell == UNKNOWN else list(divmod(cell, size))


def _known(value: int) -> int | None:
    return None if value == UNKNOWN else value


# -- reading, with a check of every field ----------------------------------------


def read(
    data: Mapping[str, Any],
    board_spec: BoardSpec,
    *,
    mode: str,
    steps: int,
    reruns: int,
    reader: type[PositionReader],
) -> PommermanState:
    """The state of a position.

    Args:
        data: The JSON object.
        board_spec: The size of the board and the number of agents.
        mode: The mode of the game; by radio there are messages.
        steps: The maximum step of a position.
        reruns: The maximum number of tied games before this one.
        reader: How it is read: as a position to play from, or as a seat sees it.

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
    return reader(data, board_spec, mode, steps, reruns).read()


class PositionReader:
    """Reads one position, checking every field.

    Args:
        data: The JSON object.
        board_spec: The size of the board and the number of agents.
        mode: The mode of the game; by radio there are messages.
        steps: The maximum step of a position.
        reruns: The maximum number of tied games before this one.
    """

    contents: ClassVar[frozenset[int]] = frozenset({GROUND, RIGID, WOOD, BOMB_CELL, FLAME, *POWERS})
    """What the board may show besides agents."""

    def __init__(
        self, data: Mapping[str, Any], board_spec: BoardSpec, mode: str, steps: int, reruns: int
    ) -> None:
        self._data = data
        self._seats = len(board_spec.agents)
        self._mode = mode
        self._last_step = steps
        self._most_reruns = reruns
        self._grid: Grid = grid_of(board_spec.size)
        self._board: list[int] = []

    def read(self) -> PommermanState:
        """The state.

        Raises:
            PositionError: The position is impossible.
        """
        self._board = self._read_board()
        agents = self._read_agents()
        bombs = self._read_bombs(len(agents))
        flames = self._read_flames()
        self._check_agents(agents)
        bombed, burning = {bomb.cell for bomb in bombs}, flames[0] | flames[1] | flames[2]
        self._check_things(bombed, burning, {agent.cell for agent in agents if agent.alive})
        powers, hidden = self._read_items(bombed, burning)
        fallen = self._read_fallen(agents)
        return PommermanState(
            self._mask(RIGID),
            self._mask(WOOD),
            powers,
            hidden,
            flames,
            tuple(sorted(bombs)),
            tuple(agents),
            self._step(),
            self._read_words(agents, fallen),
            fallen,
            reruns=self._reruns(),
        )

    # -- small things ----------------------------------------------------------------------

    def _mask(self, value: int) -> int:
        return sum(1 << cell for cell, found in enumerate(self._board) if found == value)

    def _name(self, cell: int) -> str:
        row, column = self._grid.place(cell)
        return f"r{row}c{column}"

    def _cell(self, value: Any, field: str) -> int:
        size = self._grid.size
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise PositionError(f"{field} is {value!r}.", "It is [row, column].")
        row, column = (Whole(0, size - 1).read(part, field) for part in value)
        return self._grid.cell(row, column)

    def _agent_cell(self, value: Any, field: str) -> int:
        return self._cell(value, field)

    def _whole(self, low: int, high: int, value: Any, field: str) -> int:
        return Whole(low, high).read(value, field)

    def _truth(self, value: Any, field: str) -> bool:
        return Truth().read(value, field)

    def _list(self, field: str) -> list[Any]:
        return list(read_list(self._data.get(field, []), field))

    def _step(self) -> int:
        return Whole(0, self._last_step).read(self._data["step"], "step")

    def _reruns(self) -> int:
        return Whole(0, self._most_reruns).read(self._data.get("reruns", 0), "reruns")

    def _items(self) -> list[Any]:
        listed = self._list("items")
        for number, item in enumerate(listed):
            if not isinstance(item, list | tuple) or len(item) != 2:
                raise PositionError(f"items[{number}] is {item!r}.", "It is [[row, column], kind].")
        return listed

    def _objects(self, field: str, keys: tuple[str, ...]) -> list[Mapping[str, Any]]:
        listed = self._list(field)
        for number, item in enumerate(listed):
            if not isinstance(item, Mapping) or set(item) != set(keys):
                raise PositionError(
                    f"{field}[{number}] is {item!r}.", f"It has: {', '.join(keys)}."
                )
        return listed

    # -- the fields ------------------------------------------------------------------------

    def _read_board(self) -> list[int]:
        size = self._grid.size
        rows = self._data["board"]
        if not isinstance(rows, list | tuple) or len(rows) != size:
            raise PositionError(f"board has not {size} rows, as mode {self._mode} needs.")
        known = self.contents | {FIRST_AGENT + seat for seat in range(self._seats)}
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

    def _read_agents(self) -> list[Bomber]:
        keys = ("id", "alive", "pos", "ammo", "blast_strength", "can_kick")
        items = self._objects("agents", keys)
        if len(items) != self._seats:
            raise PositionError(
                f"agents has {len(items)} agents, but mode {self._mode} has {self._seats}."
            )
        agents = []
        for seat, item in enumerate(items):
            field = f"agents[{seat}]"
            if not is_whole(item["id"]) or item["id"] != seat:
                raise PositionError(f"{field}.id is {item['id']!r}, not {seat}.")
            agents.append(
                Bomber(
                    self._agent_cell(item["pos"], f"{field}.pos"),
                    Truth().read(item["alive"], f"{field}.alive"),
                    self._whole(0, _MOST, item["ammo"], f"{field}.ammo"),
                    self._whole(1, _MOST, item["blast_strength"], f"{field}.blast_strength"),
                    self._truth(item["can_kick"], f"{field}.can_kick"),
                )
            )
        return agents

    def _read_bombs(self, seats: int) -> list[Bomb]:
        keys = ("pos", "life", "blast_strength", "bomber", "dir")
        bombs: dict[int, Bomb] = {}
        for number, item in enumerate(self._objects("bombs", keys)):
            field = f"bombs[{number}]"
            cell = self._cell(item["pos"], f"{field}.pos")
            if cell in bombs:
                raise PositionError(f"two bombs lie on {self._name(cell)}.")
            bombs[cell] = Bomb(
                cell,
                Whole(1, _MOST).read(item["life"], f"{field}.life"),
                Whole(1, _MOST).read(item["blast_strength"], f"{field}.blast_strength"),
                self._whole(0, seats - 1, item["bomber"], f"{field}.bomber"),
                Whole(0, 4).read(item["dir"], f"{field}.dir"),
            )
        return list(bombs.values())

    def _read_flames(self) -> tuple[int, int, int]:
        flames = [0, 0, 0]
        for number, item in enumerate(self._objects("flames", ("pos", "life"))):
            cell = self._cell(item["pos"], f"flames[{number}].pos")
            life = Whole(0, FLAME_LIFE).read(item["life"], f"flames[{number}].life")
            if flames[life] >> cell & 1:
                raise PositionError(f"two flames of life {life} lie on {self._name(cell)}.")
            flames[life] |= 1 << cell
        return flames[0], flames[1], flames[2]

    def _check_agents(self, agents: list[Bomber]) -> None:
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
            if self._board[agent.cell] != FIRST_AGENT + seat:
                raise PositionError(
                    f"agent {seat} stands on {self._name(agent.cell)}, where the board shows "
                    f"{self._board[agent.cell]}, not {FIRST_AGENT + seat}."
                )
        for cell, value in enumerate(self._board):
            if value >= FIRST_AGENT and standing.get(cell) != value - FIRST_AGENT:
                raise PositionError(
                    f"the board shows {value} on {self._name(cell)}, but agent "
                    f"{value - FIRST_AGENT} does not stand there alive."
                )

    def _check_things(self, bombed: set[int], burning: int, standing: set[int]) -> None:
        for cell, value in enumerate(self._board):
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
        self, bombed: set[int], burning: int
    ) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        powers = [self._mask(kind) for kind in POWERS]
        hidden = [0, 0, 0]
        seen: set[int] = set()
        for number, item in enumerate(self._items()):
            cell = self._cell(item[0], f"items[{number}]")
            kind = Whole(POWERS[0], POWERS[-1]).read(item[1], f"items[{number}]") - POWERS[0]
            if cell in seen:
                raise PositionError(f"two items lie on {self._name(cell)}.")
            seen.add(cell)
            if cell in bombed:
                powers[kind] |= 1 << cell
            elif self._board[cell] == WOOD or burning >> cell & 1:
                hidden[kind] |= 1 << cell
            else:
                raise PositionError(
                    f"items lists {self._name(cell)}, which is neither wood nor in flames nor "
                    "under a bomb.",
                    "A power-up in the open is 6, 7 or 8 on the board.",
                )
        return (powers[0], powers[1], powers[2]), (hidden[0], hidden[1], hidden[2])

    def _read_words(self, agents: list[Bomber], fallen: tuple[int, ...]) -> tuple[Words, ...]:
        words = self._read_pairs(len(agents))
        for seat, said in enumerate(words):
            # Agents just killed by the collapse were still heard, because it comes after the step.
            if said != SILENCE and not agents[seat].alive and seat not in fallen:
                raise PositionError(f"messages[{seat}] is {list(said)}, but the dead are silent.")
        return words

    def _read_pairs(self, seats: int) -> tuple[Words, ...]:
        listed = self._data.get("messages")
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

    def _read_fallen(self, agents: list[Bomber]) -> tuple[int, ...]:
        fallen = [Whole(0, len(agents) - 1).read(seat, "fallen") for seat in self._list("fallen")]
        for seat in fallen:
            if agents[seat].alive:
                raise PositionError(f"fallen lists seat {seat}, which is alive.")
        if fallen != sorted(set(fallen)):
            raise PositionError(f"fallen is {fallen}.", "It has each seat once, ascending.")
        return tuple(fallen)


class SeenReader(PositionReader):
    """Reads a redacted position, as `write` writes it."""

    contents: ClassVar[frozenset[int]] = PositionReader.contents | {FOG}

    def read(self) -> PommermanState:
        """The redacted state.

        Raises:
            PositionError: It is not one that a seat sees.
        """
        self._board = self._read_board()
        agents = self._read_agents()
        bombs = self._read_bombs(len(agents))
        flames = self._read_flames()
        powers = [self._mask(kind) for kind in POWERS]
        for number, item in enumerate(self._items()):
            kind = Whole(POWERS[0], POWERS[-1]).read(item[1], f"items[{number}]") - POWERS[0]
            powers[kind] |= 1 << self._cell(item[0], f"items[{number}]")  # under a bomb
        return PommermanState(
            self._mask(RIGID),
            self._mask(WOOD),
            (powers[0], powers[1], powers[2]),
            (0, 0, 0),
            flames,
            tuple(sorted(bombs)),
            tuple(agents),
            self._step(),
            self._read_pairs(len(agents)),
            self._read_fallen(agents),
            self._mask(FOG),
            self._reruns(),
        )

    def _agent_cell(self, value: Any, field: str) -> int:
        return UNKNOWN if value is None else super()._agent_cell(value, field)

    def _whole(self, low: int, high: int, value: Any, field: str) -> int:
        return UNKNOWN if value is None else super()._whole(low, high, value, field)

    def _truth(self, value: Any, field: str) -> bool:
        return value is not None and super()._truth(value, field)
