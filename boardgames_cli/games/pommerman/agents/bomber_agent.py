"""The base of Pommerman's agents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.core.agent import Agent, expect_game
from boardgames_cli.core.game import AnyGame, Game, Seat
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

_BOMBS_ONLY: Final = "it knows bombs only"


@dataclass
class BomberAgent(Agent[PommermanState, Move]):
    """An agent for Pommerman only."""

    _game: Pommerman = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        """Pommerman only."""
        return None if isinstance(game, Pommerman) else _BOMBS_ONLY

    def reset(self, game: Game[PommermanState, Move, Any], seat: Seat) -> None:
        """Begin a game.

        Raises:
            OptionError: It is not Pommerman.
        """
        self._game = expect_game(game, Pommerman, _BOMBS_ONLY)
