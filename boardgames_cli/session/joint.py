"""A joint step in real time, which is taken when its time has come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch


class JointStep:
    """The seats' choices so far, which may be changed until the step is taken.

    Args:
        match: The match; nothing is submitted to it here.
    """

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._version = match.version
        self._chosen: Mapping[Seat, Any] = {}

    @property
    def chosen(self) -> Mapping[Seat, Any]:
        """The choices for the current step; empty once the match has moved on."""
        return self._chosen if self._version == self._match.version else {}

    def choose(self, seat: Seat, action: Any) -> None:
        """Set or replace the choice of a seat.

        Raises:
            IllegalActionError: The seat is not to act, or the action is illegal.
        """
        legal = self._match.observe(seat).legal
        if action not in legal:
            game, state = self._match.game, self._match.state
            reason = game.explain_illegal(state, seat, action)
            raise IllegalActionError(f"illegal: {reason}.")
        self._chosen = {**self.chosen, seat: action}
        self._version = self._match.version

    def complete(self) -> dict[Seat, Any]:
        """An action for each seat to act: its choice, or the game's default action.

        Raises:
            IllegalActionError: The game has no default action.
        """
        game, state = self._match.game, self._match.state
        joint = {}
        for seat in self._match.waiting_for:
            action = self.chosen.get(seat, game.default_action(state, seat))
            if action is None:
                raise IllegalActionError(f"seat {seat + 1} must choose in {game.info.name}.")
            joint[seat] = action
        return joint
