"""Reads redacted positions from JSON, with fog, and null for unknown values.

Programs, puzzles and other processes send these. They can't be played from, so what the rules say
of a whole position is not checked, but every field is.
"""

from __future__ import annotations

from typing import Any, ClassVar

from boardgames_cli.codec.fields import Whole
from boardgames_cli.games.pommerman.board import FOG, POWERS, RIGID, UNKNOWN, WOOD
from boardgames_cli.games.pommerman.rules.positions import PositionReader
from boardgames_cli.games.pommerman.state import PommermanState


class SeenReader(PositionReader):
    """Reads a redacted position, as `positions.write` writes it."""

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
