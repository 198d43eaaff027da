"""Networks of policy and value for any game with an encoder, and their files. Needs numpy.

Two hidden layers lead to the logits of all actions and, after a hyperbolic tangent, to the value of
the viewer's seat. It learns from the search that it guides: the policy from the shares of its
simulations, the value from the results (D. Silver et al., "A general reinforcement learning
algorithm that masters chess, shogi, and Go through self-play", 2018). The optimiser is Adam.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.learned_file import Count, LearnedFile
from boardgames_cli.algorithms.tree_search import Returns
from boardgames_cli.core.encoder import AnyEncoder, ArrayField
from boardgames_cli.core.game import AnyGame, Observation, Seat, Traits
from boardgames_cli.registry import make_encoder

Floats: TypeAlias = "npt.NDArray[np.float32]"

_MOST_VALUES: Final = 12
"""A number with at most so many values has an input for each of them."""
_LARGE: Final = 1000.0
"""Numbers without a smaller bound are divided by 10."""
_DECAY: Final = 1e-4
"""The decay of the weights, per step and unit of the learning rate."""
_REMEMBERED: Final = 20_000
_MOMENTS: Final = (0.9, 0.999)
_TINY: Final = 1e-8


class Inputs:
    """What a network sees of an observation: an encoder's numbers, small ones one-hot."""

    def __init__(self, encoder: AnyEncoder) -> None:
        self.encoder = encoder
        plain: list[int] = []
        scales: list[float] = []
        places: list[int] = []
        values: list[int] = []
        start = 0
        for known in encoder.fields:
            numbers = range(start, start + known.size)
            start += known.size
            span = known.high - known.low
            if "int" in known.dtype and 1 < span < _MOST_VALUES:
                for value in range(int(known.low), int(known.high) + 1):
                    places += numbers
                    values += [value] * known.size
            else:
                plain += numbers
                scales += [_scale(known)] * known.size
        self._plain, self._scales = np.array(plain, np.intp), np.array(scales, np.float32)
        self._places, self._values = np.array(places, np.intp), np.array(values, np.float32)
        self.count: Final = len(plain) + len(places)

    def __call__(self, seen: Observation[Any, Any]) -> Floats:
        """The inputs for an observation, an array of shape [count]."""
        flat = self.encoder.flat(seen)
        one_hot = flat[self._places] == self._values
        return np.concatenate((flat[self._plain] * self._scales, one_hot), dtype=np.float32)

    @property
    def encoding(self) -> str:
        """A fingerprint of the encoder's version and arrays, and of the number of actions."""
        layout = [
            (one.name, one.shape, one.dtype, one.low, one.high) for one in self.encoder.fields
        ]
        text = repr((self.encoder.version, layout, self.encoder.game.action_count))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _scale(known: ArrayField) -> float:
    bound = max(abs(known.low), abs(known.high), 1.0)
    return 1 / bound if bound <= _LARGE else 0.1


class Example(NamedTuple):
    """What a network learns from one decision, or from many with one more axis."""

    inputs: Floats
    legal: npt.NDArray[np.bool_]
    """Which actions are legal; shape [actions]."""
    policy: Floats
    """The probabilities of the actions; shape [actions]."""
    value: Floats
    """The seat's return as a share of the largest; shape []."""


class PolicyValueNetwork:
    """A network, with the moments of its optimiser; each of its layers has `hidden` units."""

    def __init__(self, inputs: int, actions: int, hidden: int, seed: int = 1) -> None:
        self._shapes = (
            (inputs, hidden), (hidden,), (hidden, hidden), (hidden,),
            (hidden, actions), (actions,), (hidden, 1), (1,),
        )  # fmt: skip
        size = sum(map(math.prod, self._shapes))
        self.weights = np.zeros(size, np.float32)
        self.moments: Floats = np.zeros((2, size), np.float32)
        self.steps = 0
        rng = np.random.default_rng(seed)
        # The heads begin at 0, so that all actions are alike and every value is 0.
        for layer in self._parts[:4:2]:
            layer[:] = rng.normal(0, math.sqrt(2 / len(layer)), layer.shape)

    @property
    def weights(self) -> Floats:
        return self._weights

    @weights.setter
    def weights(self, vector: Floats) -> None:
        self._weights = vector
        self._parts = self._layers(vector)

    def _layers(self, vector: Floats) -> list[Floats]:
        ends = np.cumsum([math.prod(shape) for shape in self._shapes])
        parts = np.split(vector, ends[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=True)]

    def evaluate(self, inputs: Floats) -> tuple[Floats, float]:
        """The logits of all actions, and the value, for the inputs of one observation."""
        first, bias, second, bias2, policy, bias3, value, bias4 = self._parts
        hidden = np.maximum(inputs @ first + bias, 0)
        hidden = np.maximum(hidden @ second + bias2, 0)
        return hidden @ policy + bias3, math.tanh(float((hidden @ value + bias4)[0]))

    def learn(self, batch: Example, rate: float) -> float:
        """Take one step of Adam on a batch, and return its loss before the step."""
        first, bias, second, bias2, policy, bias3, value, bias4 = self._parts
        count = len(batch.inputs)
        one = np.maximum(batch.inputs @ first + bias, 0)
        two = np.maximum(one @ second + bias2, 0)
        logits = np.where(batch.legal, two @ policy + bias3, -np.inf)
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        values = np.tanh(two @ value + bias4)[:, 0]
        surprise = -np.log(np.maximum(chances, _TINY), where=batch.legal, out=np.zeros_like(logits))
        loss = float((batch.policy * surprise).sum() + ((values - batch.value) ** 2).sum()) / count

        gradient = np.zeros_like(self.weights)
        slopes = self._layers(gradient)
        by_policy = (chances - batch.policy) / count
        by_value = (2 * (values - batch.value) * (1 - values**2) / count)[:, None]
        by_two = (by_policy @ policy.T + by_value @ value.T) * (two > 0)
        by_one = (by_two @ second.T) * (one > 0)
        for at, (before, after) in enumerate(
            ((batch.inputs, by_one), (one, by_two), (two, by_policy), (two, by_value))
        ):
            slopes[2 * at][:] = before.T @ after
            slopes[2 * at + 1][:] = after.sum(axis=0)
        self._step(gradient, rate)
        return loss

    def _step(self, gradient: Floats, rate: float) -> None:
        self.steps += 1
        means, squares = self.moments
        means += (1 - _MOMENTS[0]) * (gradient - means)
        squares += (1 - _MOMENTS[1]) * (gradient**2 - squares)
        unbiased = means / (1 - _MOMENTS[0] ** self.steps)
        width = np.sqrt(squares / (1 - _MOMENTS[1] ** self.steps)) + _TINY
        self.weights -= rate * (unbiased / width + _DECAY * self.weights)


class NetworkLeaves:
    """Gives a tree search the policy and the values of a network (`tree_search.Leaves`)."""

    def __init__(self, game: AnyGame, network: PolicyValueNetwork, inputs: Inputs) -> None:
        self._game = game
        self._network = network
        self._inputs = inputs
        self._scale = largest_return(game)
        self._is_duel = game.seats == 2 and Traits.ZERO_SUM in game.traits
        self._known: dict[tuple[Any, Seat], tuple[Mapping[Any, float], float]] = {}

    def play(self, state: Any, rng: random.Random) -> Returns:
        """The value of a state to every seat; nothing is played on."""
        game = self._game
        seats = game.to_act(state)
        if not seats:
            return game.returns(state)
        if self._is_duel:
            seat = max(seats[0], 0)
            value = self._evaluate(state, seat)[1]
            return (-value, value) if seat else (value, -value)
        return [self._evaluate(state, seat)[1] for seat in range(game.seats)]

    def priors(self, state: Any, seat: Seat) -> Mapping[Any, float]:
        """The probabilities of the seat's legal actions."""
        return self._evaluate(state, seat)[0]

    def _evaluate(self, state: Any, seat: Seat) -> tuple[Mapping[Any, float], float]:
        found = self._known.get((state, seat))
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[state, seat] = self._work_out(state, seat)
        return found

    def _work_out(self, state: Any, seat: Seat) -> tuple[Mapping[Any, float], float]:
        game = self._game
        seen = game.observe(state, seat)
        logits, value = self._network.evaluate(self._inputs(seen))
        odds = [float(logits[game.action_id(seen.state, action)]) for action in seen.legal]
        top = max(odds, default=0.0)
        weights = [math.exp(one - top) for one in odds]
        total = math.fsum(weights)
        priors = {
            action: weight / total for action, weight in zip(seen.legal, weights, strict=True)
        }
        return priors, value * self._scale


def largest_return(game: AnyGame) -> float:
    """The largest size of a return; networks learn returns as shares of it."""
    return max(map(abs, game.utility))


_FILE: Final = LearnedFile(
    "boardgames_policy_value_network",
    "network",
    64_000_000,
    "Train one for this game: boardgames train GAME --method network",
)
_KIND: Final = "<f4"
"""Weights are stored as float32, little-endian."""


@dataclass(frozen=True, slots=True)
class PolicyValueModel:
    """The content of a network's file."""

    game: str
    rules_version: Count
    options: Mapping[str, Any]
    """The options of the game with which it was trained. It plays with others, too, if the encoder
    does not tell them apart."""
    encoding: str
    hidden: Count
    weights: str
    about: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    """The state of an unfinished training; empty once it is finished."""

    def to_text(self) -> str:
        return json.dumps(_FILE.entries(self), indent=1) + "\n"

    def fits(self, game: AnyGame) -> str | None:
        """None if the network was trained for a game, otherwise the reason why not."""
        return self._misfit(game, Inputs(make_encoder(game)))

    def _misfit(self, game: AnyGame, inputs: Inputs) -> str | None:
        reason = _FILE.misfit(self, game)
        if reason is None and self.encoding != inputs.encoding:
            return f"the network was trained with another version of {game.info.name}'s encoder"
        return reason

    def load(self, game: AnyGame) -> tuple[PolicyValueNetwork, Inputs]:
        """The network and its inputs.

        Raises:
            LearnedFileError: It was trained for another game or encoder, or is damaged.
        """
        inputs = Inputs(make_encoder(game))
        reason = self._misfit(game, inputs)
        if reason is not None:
            raise _FILE.error(f"{reason}.")
        network = PolicyValueNetwork(inputs.count, game.action_count, self.hidden)
        network.weights[:] = unpack(self.weights, len(network.weights))
        return network, inputs


def pack(vector: Floats) -> str:
    """A vector in base64."""
    return base64.b64encode(vector.astype(_KIND).tobytes()).decode()


def unpack(text: Any, count: int) -> Floats:
    """The vector in a text of `pack`.

    Raises:
        LearnedFileError: It has another length, or a number is not finite.
    """
    try:
        vector = np.frombuffer(base64.b64decode(text, validate=True), _KIND)
    except (TypeError, ValueError, binascii.Error) as error:
        raise _FILE.error(f"the network is damaged ({error}).") from error
    if len(vector) != count or not np.isfinite(vector).all():
        raise _FILE.error("the network is damaged: its weights are missing or wrong.")
    return vector.astype(np.float32)


def read_policy_value(path: Path) -> PolicyValueModel:
    """Read a network's file.

    Raises:
        LearnedFileError: It is missing, too large, damaged, or of a newer format.
    """
    header = _FILE.header(_FILE.reader.read(path), str(path))
    return _FILE.read(PolicyValueModel, header, str(path))


def joined(examples: Sequence[Example]) -> Example:
    """Many examples as one, with an axis for their number."""
    return Example(*(np.array(column) for column in zip(*examples, strict=True)))
