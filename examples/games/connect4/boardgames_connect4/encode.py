"""Connect Four for programs that learn. Needs numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from boardgames_cli import ArrayField, Arrays, Encoder, Observation

from boardgames_connect4.rules import HEIGHT, Drop, Rules, State


@dataclass(frozen=True)
class GameEncoder(Encoder[Rules, State, Drop]):
    """The discs of both sides; a spectator looks from seat 0."""

    @property
    def fields(self) -> tuple[ArrayField, ...]:
        """One array."""
        shape, axes = (2, self.game.width, HEIGHT), ("side", "column", "row")
        meaning = "1 where a disc lies, the own discs first; row 0 is the bottom"
        return (ArrayField("board", shape, "int8", 0, 1, axes, meaning),)

    def encode(self, seen: Observation[State, Drop]) -> Arrays:
        """The discs; whose turn it is follows from their number."""
        board = np.zeros((2, self.game.width, HEIGHT), dtype=np.int8)
        for column, discs in enumerate(seen.state.columns):
            for row, disc in enumerate(discs):
                board[disc ^ (seen.seat or 0), column, row] = 1
        return {"board": board}
