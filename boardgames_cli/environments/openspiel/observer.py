"""OpenSpiel's observations and information states: tensors and strings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyspiel

from boardgames_cli.core.encoder import AnyEncoder
from boardgames_cli.core.game import AnyGame
from boardgames_cli.environments.openspiel.history import HasPast, History, json_line, position_text

LARGEST_TENSOR: Final = 65_536
"""Larger information states have no tensor."""

Tensor = npt.NDArray[np.float32]


def frame_shape(game: AnyGame, encoder: AnyEncoder | None) -> tuple[int, int] | None:
    """The shape of the tensor of an information state; None if there is none or it is too large.

    One row per step of the longest game: the seat's observation, then for every seat the one-hot
    action of the step that led there, as far as the observing seat may know it.
    """
    if encoder is None or game.longest is None:
        return None
    width = sum(field.size for field in encoder.fields) + game.seats * game.action_count
    shape = (game.longest + 1, width)
    return shape if math.prod(shape) <= LARGEST_TENSOR else None


class SpielObserver:
    """Writes a seat's knowledge as a tensor and a string; OpenSpiel's ``PyObserver``.

    Args:
        game: The rulebook.
        encoder: The encoder; without it there are only strings.
        perfect_recall: Whether to include everything the seat has known, or only what it knows now.
        is_public: Whether to include only public knowledge.
    """

    def __init__(
        self, game: AnyGame, encoder: AnyEncoder | None, *, perfect_recall: bool, is_public: bool
    ) -> None:
        self._game, self._encoder = game, encoder
        self._perfect_recall, self._is_public = perfect_recall, is_public
        shapes = dict(self._shapes())
        sizes = [math.prod(shape) for shape in shapes.values()]
        self.tensor: Tensor | None = np.zeros(sum(sizes), dtype=np.float32) if shapes else None
        """All numbers as a vector; None if there are none."""
        self.dict: dict[str, Tensor] = {}
        """Views of `tensor` by name, in their shapes."""
        start = 0
        for (name, shape), size in zip(shapes.items(), sizes, strict=True):
            assert self.tensor is not None, "there are shapes"
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def _shapes(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        if self._encoder is None:
            return
        if self._perfect_recall:
            shape = frame_shape(self._game, self._encoder)
            if shape is not None:
                yield "moments", shape
            return
        for field in self._encoder.fields:
            yield field.name, field.shape or (1,)

    def set_from(self, state: HasPast, player: int) -> None:
        """Fill the tensor with what a player knows in a state."""
        encoder = self._encoder
        if encoder is None or self.tensor is None:
            return
        if self._perfect_recall:
            self._fill_moments(encoder, state.past, player)
            return
        seen = state.past.observe(None if self._is_public else player)
        for name, array in encoder.encode(seen).items():
            self.dict[name][...] = array

    def _fill_moments(self, encoder: AnyEncoder, past: History, seat: int) -> None:
        moments = self.dict["moments"]
        moments.fill(0)
        count = self._game.action_count
        for link in past.links():
            flat = encoder.flat(link.observe(seat))
            moments[link.ply, : len(flat)] = flat
            if link.before is not None:
                for actor, action in link.known_step(seat).joint.items():
                    id = self._game.action_id(link.before.state, action)
                    moments[link.ply, len(flat) + actor * count + id] = 1

    def string_from(self, state: HasPast, player: int) -> str:
        """A player's knowledge in a state, as a string."""
        past = state.past
        if self._perfect_recall:
            return past.known(player)
        viewer = None if self._is_public else player
        seen = position_text(self._game, self._game.redact(past.state, viewer))
        return seen if viewer is None else f"{player}: {seen}"


class PrivateObserver:
    """Writes what a player knows and a spectator doesn't; it has no tensor.

    Args:
        game: The rulebook.
    """

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.tensor: Tensor | None = None
        self.dict: dict[str, Tensor] = {}

    def set_from(self, state: HasPast, player: int) -> None:
        """Do nothing: there is no tensor to fill."""

    def string_from(self, state: HasPast, player: int) -> str:
        """The fields of the position that a spectator sees differently, as JSON on one line."""
        game, position = self._game, state.past.state
        public = game.to_json(game.redact(position, None))
        own = game.to_json(game.redact(position, player))
        return json_line({key: value for key, value in own.items() if public.get(key) != value})


def make_observer(
    game: AnyGame, encoder: AnyEncoder | None, kind: Any, params: Mapping[str, Any] | None
) -> SpielObserver | PrivateObserver | None:
    """The observer for a kind of observation; None if the kind is not supported.

    Supported are a player's knowledge with and without perfect recall, current public knowledge,
    and a player's private knowledge.

    Args:
        game: The rulebook.
        encoder: The encoder; None if there is none.
        kind: A ``pyspiel.IIGObservationType``; None for a player's current knowledge.
        params: Must be empty.

    Raises:
        ValueError: There are parameters.
    """
    if params:
        raise ValueError(f"observations have no parameters, but {dict(params)} were given")
    kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
    secrets = pyspiel.PrivateInfoType
    match kind.public_info, kind.private_info, kind.perfect_recall:
        case True, secrets.SINGLE_PLAYER, recall:
            return SpielObserver(game, encoder, perfect_recall=recall, is_public=False)
        case True, secrets.NONE, False:
            return SpielObserver(game, encoder, perfect_recall=False, is_public=True)
        case False, secrets.SINGLE_PLAYER, False:
            return PrivateObserver(game)
    return None
