"""Errors of environments.

Each is a `GameError` with advice, and also an exception that programs written for Gymnasium catch.
"""

from __future__ import annotations

import gymnasium

from boardgames_cli.core.errors import GameError, IllegalActionError, OptionError


class ResetNeededError(GameError, gymnasium.error.ResetNeeded):
    """No episode has been started, or it is over."""


class ClosedError(GameError, gymnasium.error.ClosedEnvironmentError):
    """The environment was closed."""


class InvalidActionError(IllegalActionError, gymnasium.error.InvalidAction, ValueError):
    """The given action is not an action, or not legal now."""

    is_no_id = False
    """Whether it was not even an integer."""


class RenderModeError(OptionError, gymnasium.error.UnsupportedMode):
    """The render mode is unknown, or the environment has none."""
