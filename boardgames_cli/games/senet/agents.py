"""A beginner at Senet, who considers only the immediate effect of a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from boardgames_cli.algorithms.action_values import pick_like_a_person
from boardgames_cli.core.agent import SingleGameAgent, Thinking
from boardgames_cli.core.options import option
from boardgames_cli.games.senet.actions import SenetMove
from boardgames_cli.games.senet.board import HAPPINESS, OFF, REBIRTH, WATER, bit
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import Seen, SenetState

BEARING_OFF: Final = 2.0
"""The value of bearing a dancer off, relative to sending a rival back one house."""
FALLING: Final = -5.0


@dataclass
class Chaser(SingleGameAgent[Senet, SenetState, SenetMove]):
    """Swaps, bears off, and otherwise brings up its rear, as beginners do.

    It avoids the Water, but ignores the opponent's replies: it leaves dancers unprotected, breaks
    pairs and blockades, and never waits for a throw.
    """

    rulebook: ClassVar = Senet

    temperature: float = option(2.8, "softmax temperature in houses", low=0.0, high=100.0)
    foremost: float = option(
        -1.0, "how much it likes to move its foremost dancer, in houses",
        low=-100.0, high=100.0,
    )  # fmt: skip

    def act(self, seen: Seen, thinking: Thinking) -> SenetMove:
        if len(seen.legal) == 1:
            return seen.legal[0]
        values = {move: self.at_sight(seen.state, move) for move in seen.legal}
        return pick_like_a_person(self._game, seen, values, self.temperature, thinking.rng)

    def at_sight(self, state: SenetState, move: SenetMove) -> float:
        """The value of the immediate effect of a move other than the pass, in houses.

        How far a rival is sent back (negative if it advances), and what else counts.
        """
        own, opponent = state.side(state.player), state.side(1 - state.player)
        value = 0.0
        if move.end == OFF:
            value += BEARING_OFF
        elif opponent & bit(move.end):
            value += move.end - move.start
        if move.end == WATER or (move.start >= HAPPINESS and move.end <= REBIRTH):
            value += FALLING
        if not own >> move.start:
            value += self.foremost
        return value
