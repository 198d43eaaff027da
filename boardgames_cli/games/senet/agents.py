"""A beginner at Senet, who sees what a move does and nothing of what follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.algorithms.action_values import pick_like_a_person
from boardgames_cli.core.agent import Agent, Thinking, expect_game
from boardgames_cli.core.game import AnyGame, Game, Observation, Seat
from boardgames_cli.core.options import check_options, option
from boardgames_cli.games.senet.actions import Move
from boardgames_cli.games.senet.board import HAPPINESS, OFF, REBIRTH, WATER, bit
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

_SENET_ONLY: Final = "it plays Senet only"

_BEARING_OFF: Final = 3.0
"""What bearing a dancer off is worth, in houses that another is sent back."""
_FALLING: Final = -3.0
"""And falling into the Water."""
_FOREMOST: Final = 3.0
"""And moving the dancer that is furthest on."""


@dataclass
class Chaser(Agent[SenetState, Move]):
    """Sends dancers back, bears its own off, and else likes to move its foremost: as beginners do.

    It shuns the Water, but it does not see what the other side can do next: it leaves dancers
    alone, breaks its pairs and blockades, and waits for no throw.
    """

    temperature: float = option(
        1.6, "how many houses less a swap may win and still be made now and then",
        low=0.0, high=100.0,
    )  # fmt: skip

    _game: Senet = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: AnyGame) -> str | None:
        """Senet only."""
        return None if isinstance(game, Senet) else _SENET_ONLY

    def reset(self, game: Game[SenetState, Move, Any], seat: Seat) -> None:
        """Begin a game.

        Raises:
            OptionError: It is not Senet.
        """
        self._game = expect_game(game, Senet, _SENET_ONLY)

    def act(self, seen: Observation[SenetState, Move], thinking: Thinking) -> Move:
        """A move drawn by what it does at once."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        values = {move: at_sight(seen.state, move) for move in seen.legal}
        return pick_like_a_person(self._game, seen, values, self.temperature, thinking.rng)


def at_sight(state: SenetState, move: Move) -> float:
    """What a move seems to be worth at first sight.

    Args:
        state: The position after the throw.
        move: A legal move that is no pass.

    Returns:
        The houses that a rival is sent back (less than 0 if it is put ahead), and what the other
        things are worth that a beginner sees, in houses too.
    """
    own, foe = state.side(state.player), state.side(1 - state.player)
    value = 0.0
    if move.end == OFF:
        value += _BEARING_OFF
    elif foe & bit(move.end):
        value += move.end - move.start
    if move.end == WATER or (move.start >= HAPPINESS and move.end <= REBIRTH):
        value += _FALLING
    if not own >> move.start:
        value += _FOREMOST
    return value
