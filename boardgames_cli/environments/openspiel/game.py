"""A game as OpenSpiel knows it, and how its name gets known there."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Final

import pyspiel

from boardgames_cli.core.encoder import AnyEncoder
from boardgames_cli.core.errors import GameError, PositionError
from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import build, options_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.environments.openspiel.history import History
from boardgames_cli.environments.openspiel.observer import (
    PrivateObserver,
    SpielObserver,
    frame_shape,
    make_observer,
)
from boardgames_cli.environments.openspiel.state import SpielState
from boardgames_cli.registry import make_encoder

SEED: Final = "rng_seed"
"""The parameter that seeds chance where it can't be listed; OpenSpiel's own word for it."""

UNBOUNDED_LENGTH: Final = 10_000
"""What games without a longest course give as their length."""

_LIKE_A_NUMBER: Final = re.compile(r"[-+0-9.]+|[Tt]rue|[Ff]alse")

_TRIES: Final = 20
_PLIES_OF_TRIES: Final = 500


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A rulebook with its options; `class_of` gives the class of one game.

    Args:
        params: The options by name, and `SEED`; those left out have their defaults.

    Raises:
        OptionError: An option can't have that value.
        GameError: The game's actions have no ids.
    """

    spec: ClassVar[GameSpec]
    """The manifest of the game."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        spec = self.spec
        options = {name: _read(value) for name, value in params.items() if name != SEED}
        self.rules: AnyGame = build(spec.game_class(), options, spec.info.id)
        """The rulebook."""
        if not self.rules.action_count:
            raise GameError(
                f"the actions of {spec.info.name} have no ids.",
                "OpenSpiel needs them; see Game.action_count.",
            )
        self.encoder = encoder_of(self.rules)
        """What makes arrays of observations; None if nothing does."""
        self.rng = Random(int(params.get(SEED, 0)))
        """Draws what chance brings where it can't be listed."""
        super().__init__(game_type(spec, self.rules), _game_info(self.rules), _parameters(params))

    def new_initial_state(self, position: str | Mapping[str, Any] | None = None) -> SpielState:
        """The state at the beginning, or a given one.

        Args:
            position: A position as JSON (`Game.to_json`), as a text or an object.

        Raises:
            PositionError: It is not a position of this game.
        """
        if position is None:
            return SpielState(self, History(self.rules, self.rules.initial_state()))
        if isinstance(position, str):
            try:
                position = json.loads(position)
            except ValueError as error:
                raise PositionError(f"the position is not JSON ({error}).") from error
        if not isinstance(position, Mapping):
            raise PositionError("the position is not a JSON object.")
        return SpielState(self, History(self.rules, self.rules.from_json(position)))

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> SpielObserver | PrivateObserver | None:
        """What fills tensors and writes texts; see `observer.make_observer`."""
        return make_observer(self.rules, self.encoder, iig_obs_type, params)


_CLASSES: dict[str, type[SpielGame]] = {}


@functools.lru_cache(maxsize=64)
def encoder_of(game: AnyGame) -> AnyEncoder | None:
    """What makes arrays of observations; None if the game has nothing that could."""
    try:
        return make_encoder(game)
    except GameError:  # its state can't be an array; everything but tensors works all the same
        return None


def spiel_name(spec: GameSpec) -> str:
    """What a game is called in OpenSpiel."""
    return f"boardgames_{spec.info.id.replace('-', '_')}"


def class_of(spec: GameSpec) -> type[SpielGame]:
    """The class of a game, which is known to OpenSpiel from then on."""
    name = spiel_name(spec)
    if name not in _CLASSES:
        # OpenSpiel drops what it was given after Python has ended: a class survives that, a
        # function or a partial object does not.
        kind = type(name, (SpielGame,), {"spec": spec, "__doc__": SpielGame.__doc__})
        pyspiel.register_game(game_type(spec, build(spec.game_class(), {}, spec.info.id)), kind)
        _CLASSES[name] = kind
    return _CLASSES[name]


def game_type(spec: GameSpec, game: AnyGame) -> Any:
    """What kind of game it is, with its options, as a ``pyspiel.GameType``."""
    types, traits = pyspiel.GameType, game.traits
    if Traits.SAMPLED_CHANCE in traits:
        chance = types.ChanceMode.SAMPLED_STOCHASTIC
    elif Traits.CHANCE in traits:
        chance = types.ChanceMode.EXPLICIT_STOCHASTIC
    else:
        chance = types.ChanceMode.DETERMINISTIC
    has_secrets, information = Traits.HIDDEN in traits, types.Information
    is_joint, is_zero_sum = Traits.SIMULTANEOUS in traits, Traits.ZERO_SUM in traits
    parameters = _parameters({option.name: option.default for option in options_of(game)})
    return types(
        short_name=spiel_name(spec),
        long_name=spec.info.name,
        dynamics=types.Dynamics.SIMULTANEOUS if is_joint else types.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=(
            information.IMPERFECT_INFORMATION if has_secrets else information.PERFECT_INFORMATION
        ),
        utility=types.Utility.ZERO_SUM if is_zero_sum else types.Utility.GENERAL_SUM,
        # Most of OpenSpiel's algorithms want rewards in the end alone.
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=max(spec.info.seats),
        min_num_players=min(spec.info.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=frame_shape(game, encoder_of(game)) is not None,
        provides_observation_string=True,
        provides_observation_tensor=encoder_of(game) is not None,
        provides_factored_observation_string=True,
        parameter_specification={**parameters, SEED: 0},
    )


def _parameters(values: Mapping[str, Any]) -> dict[str, Any]:
    """Option values as OpenSpiel can write them and read them again.

    It would read the text ``1-3-5-7`` as a number, and fail: such texts get quotation marks.
    """
    return {
        name: f'"{value}"' if isinstance(value, str) and _LIKE_A_NUMBER.fullmatch(value) else value
        for name, value in values.items()
    }


def _read(value: Any) -> Any:
    return value.strip('"') if isinstance(value, str) else value


def _game_info(game: AnyGame) -> Any:
    low, high = game.utility
    is_zero_sum = Traits.ZERO_SUM in game.traits
    return pyspiel.GameInfo(
        num_distinct_actions=game.action_count,
        max_chance_outcomes=most_outcomes(game),
        num_players=game.seats,
        min_utility=low,
        max_utility=high,
        utility_sum=0.0 if is_zero_sum else None,
        max_game_length=UNBOUNDED_LENGTH if game.longest is None else game.longest,
    )


@functools.lru_cache(maxsize=64)
def most_outcomes(game: AnyGame) -> int:
    """How many outcomes chance chooses from at most.

    Games don't say. It is the most that occur in some random games, always the same ones.
    """
    if Traits.SAMPLED_CHANCE in game.traits:
        return 1
    if Traits.CHANCE not in game.traits:
        return 0
    most = 1
    for seed in range(_TRIES):
        match, rng = Match(game, seed=seed, max_plies=_PLIES_OF_TRIES), Random(seed)
        while waiting := match.waiting_for:
            if waiting == (CHANCE,):
                most = max(most, len(game.chance_outcomes(match.state)))
                match.resolve_chance()
            else:
                legal = {seat: list(game.legal_actions(match.state, seat)) for seat in waiting}
                match.take_checked({seat: rng.choice(legal[seat]) for seat in waiting})
    return most
