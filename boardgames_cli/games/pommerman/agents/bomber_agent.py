"""What all agents of Pommerman have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from boardgames_cli.core.agent import Agent
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.game import AnyGame, Game, Seat
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState


@dataclass
class BomberAgent(Agent[PommermanState, Move]):
    """An agent that knows the rules of Pommerman and no others."""

    _game: Pommerman = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        """Pommerman only."""
        return None if isinstance(game, Pommerman) else "it knows bombs only"

    def reset(self, game: Game[PommermanState, Move, Any], seat: Seat) -> None:
        """Begin a game.

        Raises:
            OptionError: It is not Pommerman.
        """
        if not isinstance(game, Pommerman):
            raise OptionError(f"it can't play {game.info.name}: it knows bombs only.")
        self._game = game
