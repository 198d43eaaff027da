"""A step that several seats choose at the same time and that happens when its time has come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch


class JointStep:
    """What the seats have chosen so far; until the step happens each may still choose otherwise.

    Args:
        match: The match; nothing is submitted to it before `complete` is.
    """

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._version = match.version
        self._chosen: Mapping[Seat, Any] = {}

    @property
    def chosen(self) -> Mapping[Seat, Any]:
        """What is chosen for the present step; nothing once the match has gone on."""
        return self._chosen if self._version == self._match.version else {}

    def choose(self, seat: Seat, action: Any) -> None:
        """Choose for a seat, instead of what it had chosen before.

        Raises:
            IllegalActionError: The seat is not to act, or can't act so.
        """
        legal = self._match.observe(seat).legal
        if action not in legal:
            game, state = self._match.game, self._match.state
            reason = game.explain_illegal(state, seat, action)
            raise IllegalActionError(f"illegal: {reason}.")
        self._chosen = {**self.chosen, seat: action}
        self._version = self._match.version

    def complete(self) -> dict[Seat, Any]:
        """An action for each seat that is to act: a seat that has not chosen lets its time pass.

        Raises:
            IllegalActionError: The game has no action that lets the time pass.
        """
        game, state = self._match.game, self._match.state
        joint = {}
        for seat in self._match.waiting_for:
            action = self.chosen.get(seat, game.default_action(state, seat))
            if action is None:
                raise IllegalActionError(f"seat {seat + 1} must choose in {game.info.name}.")
            joint[seat] = action
        return joint
