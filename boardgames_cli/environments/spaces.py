"""Gymnasium spaces for observations and actions."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from boardgames_cli.core.encoder import ArrayField
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.registry import make_encoder

Encoded: TypeAlias = "npt.NDArray[Any] | dict[str, npt.NDArray[Any]]"
"""An observation: one array, or an array for each field of the encoder."""

Mask: TypeAlias = npt.NDArray[np.int8]


class Spaces:
    """The spaces of one game and their elements; the same for every seat.

    If flattened, an observation is one vector of type float32. Otherwise it is the array of the
    encoder's only field, or a dictionary of the arrays of all its fields.

    Raises:
        UnknownNameError: The game has no encoder of that name.
        GameError: The game's actions have no ids.
    """

    def __init__(self, game: AnyGame, encoding: str = "", flatten: bool = True) -> None:
        if not game.action_count:
            raise GameError(
                f"the actions of {game.info.name} have no ids, so no program can name one.",
                "Override action_count, action_id and action_of in its rulebook.",
            )
        encoder = make_encoder(game, encoding)
        self._encoder = encoder
        self._only_field = encoder.fields[0].name if len(encoder.fields) == 1 else ""
        self.flatten = flatten
        self.is_default = not encoding
        self._action_count = game.action_count

    def observations(self) -> spaces.Space[Any]:
        """A new space of observations."""
        fields = self._encoder.fields
        if self.flatten:
            return _flat_box(fields)
        if self._only_field:
            return _box(fields[0])
        return spaces.Dict({field.name: _box(field) for field in fields})

    def actions(self) -> spaces.Discrete[np.int64]:
        """A new space of the ids of actions."""
        return spaces.Discrete(self._action_count)

    def masked(self) -> spaces.Dict:
        """A new space of ``observation`` together with ``action_mask``."""
        mask = spaces.Box(0, 1, (self._action_count,), np.int8)
        return spaces.Dict({"observation": self.observations(), "action_mask": mask})

    def encode(self, seen: Observation[Any, Any]) -> tuple[Encoded, Mask]:
        """An observation as a new element of `observations`, and its new action mask."""
        encoder = self._encoder
        mask = encoder.mask(seen).view(np.int8)
        if self.flatten:
            return encoder.flat(seen), mask
        arrays = encoder.encode(seen)
        return arrays[self._only_field] if self._only_field else arrays, mask


def _box(field: ArrayField) -> spaces.Box:
    return spaces.Box(field.low, _high(field), field.shape, np.dtype(field.dtype).type)


def _flat_box(fields: tuple[ArrayField, ...]) -> spaces.Box:
    low = np.concatenate([np.full(field.size, field.low, np.float32) for field in fields])
    high = np.concatenate([np.full(field.size, _high(field), np.float32) for field in fields])
    return spaces.Box(low, high, dtype=np.float32)


def _high(field: ArrayField) -> float:
    # Gymnasium warns about boxes with only one value.
    return max(field.high, field.low + 1)
