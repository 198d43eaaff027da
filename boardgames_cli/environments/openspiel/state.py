"""A state of a game as OpenSpiel knows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import pyspiel

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Step
from boardgames_cli.core.info import Traits
from boardgames_cli.environments.openspiel.history import History, position_text

_PLAYER: Final = pyspiel.PlayerId


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """Where a game stands; OpenSpiel calls these methods, also from its C++ code.

    Actions have the ids of the game. Outcomes of chance are numbered as they are listed; where they
    can't be listed, the only one is 0, and applying it draws one.

    Args:
        game: The game as OpenSpiel knows it.
        past: Where it begins.
    """

    def __init__(self, game: Any, past: History) -> None:
        super().__init__(game)
        # OpenSpiel copies and writes whatever stands in __dict__.
        self.past = past

    @property
    def rules(self) -> AnyGame:
        """The rulebook."""
        return self.past.game

    @property
    def position(self) -> Any:
        """The state as the rulebook knows it."""
        return self.past.state

    # -- who acts, and how ---------------------------------------------------------------------

    def current_player(self) -> int:
        """The seat to act, or who else is meant: chance, several at once, nobody."""
        to_act = self.past.to_act
        if not to_act:
            return int(_PLAYER.TERMINAL)
        if self.past.is_chance:
            return int(_PLAYER.CHANCE)
        return to_act[0] if len(to_act) == 1 else int(_PLAYER.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.past.to_act

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.past.legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, as numbers, with probabilities."""
        if Traits.SAMPLED_CHANCE in self.rules.traits:
            return [(0, 1.0)]
        outcomes = self.rules.chance_outcomes(self.position)
        if len(outcomes) > self.get_game().max_chance_outcomes():
            raise GameError(
                f"{self.rules.info.name} has {len(outcomes)} outcomes of chance in this position, "
                f"more than the {self.get_game().max_chance_outcomes()} known to OpenSpiel.",
                "Report this to the author of the game.",
            )
        return [(number, chance) for number, (_, chance) in enumerate(outcomes)]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == _PLAYER.CHANCE:
            if Traits.SAMPLED_CHANCE in self.rules.traits:
                return "drawn"
            return str(self.rules.chance_outcomes(self.position)[action][0])
        return str(self._action_of(player, action))

    def _action_of(self, player: int, id: int) -> Any:
        legal = self.past.legal(player)
        if id in legal:
            return legal[id]
        return self.rules.legal_with_id(self.position, list(legal.values()), id)

    # -- going on ------------------------------------------------------------------------------

    def _apply_action(self, action: int) -> None:
        if self.past.is_chance:
            self.past = self.past.after(Step.of_chance(self._outcome(action)))
        else:
            (seat,) = self.past.to_act
            self.past = self.past.after(Step({seat: self._action_of(seat, action)}))

    def _outcome(self, number: int) -> Any:
        if Traits.SAMPLED_CHANCE in self.rules.traits:
            rng: Random = self.get_game().rng
            return self.rules.sample_chance(self.position, rng)
        outcomes = self.rules.chance_outcomes(self.position)
        if not 0 <= number < len(outcomes):
            raise GameError(
                f"there is no outcome {number}.", f"Outcomes now: 0 to {len(outcomes) - 1}."
            )
        return outcomes[number][0]

    def _apply_actions(self, actions: Sequence[int]) -> None:
        # A player who has nothing to do gives 0, which nobody reads.
        joint = {seat: self._action_of(seat, actions[seat]) for seat in self.past.to_act}
        self.past = self.past.after(Step(joint))

    # -- what it is worth, and how it looks ----------------------------------------------------

    def returns(self) -> list[float]:
        """The final rewards; zeros while the game goes on."""
        if not self.is_terminal():
            return [0.0] * self.rules.seats
        return [float(value) for value in self.rules.returns(self.position)]

    def __str__(self) -> str:
        return position_text(self.rules, self.position)

    # -- for searches in games with secrets ----------------------------------------------------

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> SpielState:
        """Some state that looks to a player like this one; what others have known is forgotten.

        Args:
            player: Whose knowledge is kept.
            rng: Gives numbers from 0 up to 1.
        """
        seen = self.past.observe(player)
        drawn = self.rules.determinize(seen, Random(int(rng() * 2**53)))
        return SpielState(self.get_game(), self.past.resampled(player, drawn))
