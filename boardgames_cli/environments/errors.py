"""What can be wrong with the use of an environment.

Each error is a `GameError`, with what to do, and also what programs written for Gymnasium catch.
"""

from __future__ import annotations

import gymnasium

from boardgames_cli.core.errors import GameError, IllegalActionError, OptionError


class ResetNeededError(GameError, gymnasium.error.ResetNeeded):
    """No episode has begun, or it is over."""


class ClosedError(GameError, gymnasium.error.ClosedEnvironmentError):
    """The environment was closed."""


class InvalidActionError(IllegalActionError, gymnasium.error.InvalidAction, ValueError):
    """What was given as an action is none, or can't be taken now."""

    is_no_id = False
    """Whether it was not even a whole number."""


class RenderModeError(OptionError, gymnasium.error.UnsupportedMode):
    """There is no such render mode, or nothing was to be drawn."""
