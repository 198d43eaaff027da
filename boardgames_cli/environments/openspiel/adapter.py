"""OpenSpiel's game and state classes for our games, with histories, and their registration."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
import pyspiel

from boardgames_cli.core.encoder import AnyEncoder
from boardgames_cli.core.errors import GameError, PositionError
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Seat, Step, Traits
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import build, option_values, options_of
from boardgames_cli.core.record import step_texts
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import make, make_encoder

AnyStep = Step[Any, Any]

_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class Note:
    """What a seat learned from one step."""

    text: str
    """The step as the seat may know it."""
    digest: str
    """A digest of everything the seat has observed so far; empty in perfect-information games."""


@dataclass(eq=False, slots=True)
class History:
    """A state with its predecessors, as an immutable linked list.

    Copies of OpenSpiel's states share it.
    """

    game: AnyGame
    state: Any
    before: History | None = None
    """The history before the last step; None at the start."""
    step: AnyStep | None = None
    ply: int = 0
    to_act: tuple[Seat, ...] = field(init=False)
    notes: dict[Seat, Note] = field(default_factory=dict)
    """A cache of what seats learned from the step."""
    choices: dict[Seat, dict[int, Any]] = field(default_factory=dict)
    """A cache of the seats' legal actions by id."""

    def __post_init__(self) -> None:
        self.to_act = self.game.to_act(self.state)

    @property
    def is_chance(self) -> bool:
        """Whether chance is to act."""
        return self.to_act == (CHANCE,)

    def after(self, step: AnyStep) -> History:
        """The history after a step."""
        state = self.game.apply_step(self.state, step)
        return History(self.game, state, self, step, self.ply + 1)

    def legal(self, seat: Seat) -> dict[int, Any]:
        """The legal actions of a seat by id, in the order of ids.

        Raises:
            GameError: Two have the same id.
        """
        if seat not in self.choices:
            game, state = self.game, self.state
            actions = game.legal_actions(state, seat) if seat in self.to_act else ()
            found = {game.action_id(state, action): action for action in actions}
            if len(found) < len(actions):
                raise GameError(
                    f"two legal actions of {game.info.name} have the same id.",
                    "OpenSpiel needs ids that differ; see Game.action_id.",
                )
            self.choices[seat] = dict(sorted(found.items()))
        return self.choices[seat]

    def observe(self, seat: Seat | None) -> Observation[Any, Any]:
        """What a seat, or a spectator, sees now."""
        return self.game.observe(self.state, seat, self.ply)

    def links(self) -> Iterator[History]:
        """All histories from this one back to the start."""
        link: History | None = self
        while link is not None:
            yield link
            link = link.before

    def known_step(self, seat: Seat) -> AnyStep:
        """The step that led here, as a seat may know it."""
        assert self.before is not None, "no step leads to the beginning"
        assert self.step is not None, "no step leads to the beginning"
        return self.game.redact_step(self.before.state, self.step, seat)

    def known(self, seat: Seat) -> str:
        """Everything a seat has done and seen, as a unique string.

        It lists the steps as the seat may know them. These may not include everything observed, so
        in games with hidden information a digest of all observations follows in brackets.
        """
        known = self._all_notes(seat)
        return f"{seat}: {known.text}{f' [{known.digest}]' if known.digest else ''}"

    def _all_notes(self, seat: Seat) -> Note:
        links = [*self.links()][::-1]
        for link in links:  # notes build on each other; recursion could be too deep
            if seat not in link.notes:
                link.notes[seat] = link._make_note(seat)
        texts = (link.notes[seat].text for link in links)
        return Note(", ".join(filter(None, texts)), self.notes[seat].digest)

    def _make_note(self, seat: Seat) -> Note:
        text = "" if self.before is None else _step_text(self.known_step(seat))
        if Traits.HIDDEN not in self.game.traits:
            return Note(text, "")
        seen = position_text(self.game, self.game.redact(self.state, seat))
        earlier = "" if self.before is None else self.before.notes[seat].digest
        return Note(text, _digest(earlier, seen))

    def resampled(self, seat: Seat, state: Any) -> History:
        """A history of another state with one seat's knowledge, and no memory of the others."""
        return History(self.game, state, ply=self.ply, notes={seat: self._all_notes(seat)})

    def __deepcopy__(self, memo: object) -> History:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        *after, root = self.links()
        start = None
        if root.ply or root.state != self.game.initial_state():
            start = (self.game.to_json(root.state), root.ply, root.notes)
        steps = [step_texts(link.step) for link in reversed(after) if link.step is not None]
        return restored, (self.game.info.id, option_values(self.game), start, steps)


def restored(
    id: str,
    options: Mapping[str, Any],
    start: tuple[Mapping[str, Any], int, dict[Seat, Note]] | None,
    steps: list[dict[str, str]],
) -> History:
    """Rebuild a history from its start and the notations of its steps."""
    game = make(id, **options)
    history = History(game, game.initial_state())
    if start is not None:
        history = History(game, game.from_json(start[0]), ply=start[1], notes=start[2])
    for step in steps:
        state = history.state
        if "chance" in step:
            history = history.after(Step.of_chance(game.parse_chance(state, step["chance"])))
        else:
            joint = {int(seat): game.parse(state, int(seat), text) for seat, text in step.items()}
            history = history.after(Step(joint))
    return history


def position_text(game: AnyGame, state: Any) -> str:
    """A position as JSON on one line."""
    return json.dumps(game.to_json(state), separators=(",", ":"))


def _step_text(step: AnyStep) -> str:
    if step.is_chance:
        return "?" if step.outcome is None else str(step.outcome)
    return " + ".join(f"{seat} {action}" for seat, action in step.joint.items()) or "?"


def _digest(*texts: str) -> str:
    joined = "\n".join(texts).encode()
    return hashlib.blake2b(joined, digest_size=_DIGEST_BYTES).hexdigest()


LARGEST_TENSOR: Final = 65_536

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

    With recall that is everything the seat has known, else what it knows now. Without an encoder
    there are only strings.
    """

    def __init__(self, game: AnyGame, encoder: AnyEncoder | None, has_recall: bool) -> None:
        self._game, self._encoder, self._has_recall = game, encoder, has_recall
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
        if self._has_recall:
            shape = frame_shape(self._game, self._encoder)
            if shape is not None:
                yield "moments", shape
            return
        for one in self._encoder.fields:
            yield one.name, one.shape or (1,)

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a player knows in a state."""
        encoder = self._encoder
        if encoder is None or self.tensor is None:
            return
        if self._has_recall:
            self._fill_moments(encoder, state.past, player)
            return
        for name, array in encoder.encode(state.past.observe(player)).items():
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

    def string_from(self, state: SpielState, player: int) -> str:
        """A player's knowledge in a state, as a string."""
        game, past = self._game, state.past
        if self._has_recall:
            return past.known(player)
        return f"{player}: {position_text(game, game.redact(past.state, player))}"


_PLAYER: Final = pyspiel.PlayerId

SEED: Final = "rng_seed"
"""The parameter that seeds sampled chance; OpenSpiel's own name for it."""

UNBOUNDED_LENGTH: Final = 10_000
"""The reported length of games without an upper bound."""

_LIKE_A_NUMBER: Final = re.compile(r"[-+0-9.]+|[Tt]rue|[Ff]alse")

_TRIES: Final = 20
_PLIES_OF_TRIES: Final = 500


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A rulebook with its options; `class_of` gives the class of one game.

    Args:
        params: The options by name, and `SEED`; others have their defaults.

    Raises:
        OptionError: An option has an invalid value.
        GameError: The game's actions have no ids.
    """

    spec: ClassVar[GameSpec]

    def __init__(self, params: Mapping[str, Any]) -> None:
        spec = self.spec
        options = {name: _read(value) for name, value in params.items() if name != SEED}
        self.rules: AnyGame = build(spec.game_class(), options, spec.info.id)
        if not self.rules.action_count:
            raise GameError(
                f"the actions of {spec.info.name} have no ids.",
                "OpenSpiel needs them; see Game.action_count.",
            )
        self.encoder = encoder_of(self.rules)
        self.rng = Random(int(params.get(SEED, 0)))
        super().__init__(game_type(spec, self.rules), _game_info(self.rules), _parameters(params))

    def new_initial_state(self, position: str | Mapping[str, Any] | None = None) -> SpielState:
        """The initial state, or a given one.

        Args:
            position: A position as JSON (`Game.to_json`), as a string or an object.

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
    ) -> SpielObserver | None:
        """The observer for a ``pyspiel.IIGObservationType``; None if it is not supported.

        Supported is a player's knowledge with and without perfect recall; by default without.

        Raises:
            ValueError: There are parameters.
        """
        if params:
            raise ValueError(f"observations have no parameters, but {dict(params)} were given")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SpielObserver(self.rules, self.encoder, kind.perfect_recall)


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state; OpenSpiel calls these methods, also from its C++ code.

    Actions have the game's ids. Chance outcomes are numbered as listed; sampled chance has the
    single outcome 0, and applying it draws one.
    """

    def __init__(self, game: Any, past: History) -> None:
        super().__init__(game)
        # OpenSpiel copies and serializes everything in __dict__.
        self.past = past

    @property
    def rules(self) -> AnyGame:
        """The rulebook."""
        return self.past.game

    @property
    def position(self) -> Any:
        """The rulebook's state."""
        return self.past.state

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's id for chance, several at once, or terminal."""
        to_act = self.past.to_act
        if not to_act:
            return int(_PLAYER.TERMINAL)
        if self.past.is_chance:
            return int(_PLAYER.CHANCE)
        return to_act[0] if len(to_act) == 1 else int(_PLAYER.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        return not self.past.to_act

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.past.legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
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
        if not self.past.is_chance and len(self.past.to_act) > 1 and player not in self.past.to_act:
            return "ignored"  # of a seat that is out while others move at once
        return str(self._action_of(player, action))

    def _action_of(self, player: int, id: int) -> Any:
        legal = self.past.legal(player)
        if id in legal:
            return legal[id]
        return self.rules.legal_with_id(self.position, list(legal.values()), id)

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
        # Players that are not to act pass 0, which is ignored.
        joint = {seat: self._action_of(seat, actions[seat]) for seat in self.past.to_act}
        self.past = self.past.after(Step(joint))

    def returns(self) -> list[float]:
        """The final returns; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * self.rules.seats
        return [float(value) for value in self.rules.returns(self.position)]

    def __str__(self) -> str:
        return position_text(self.rules, self.position)

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> SpielState:
        """A state that a player can't tell from this one; the others' memory is dropped."""
        seen = self.past.observe(player)
        drawn = self.rules.determinize(seen, Random(int(rng() * 2**53)))
        return SpielState(self.get_game(), self.past.resampled(player, drawn))


_classes: dict[str, type[SpielGame]] = {}


@functools.lru_cache(maxsize=64)
def encoder_of(game: AnyGame) -> AnyEncoder | None:
    """The encoder of a game; None if there is none."""
    try:
        return make_encoder(game)
    except GameError:  # its state can't be encoded; everything but tensors still works
        return None


def spiel_name(spec: GameSpec) -> str:
    """A game's name in OpenSpiel."""
    return f"boardgames_{spec.info.id.replace('-', '_')}"


def class_of(spec: GameSpec) -> type[SpielGame]:
    """The class of a game, which is registered with OpenSpiel."""
    name = spiel_name(spec)
    if name not in _classes:
        # OpenSpiel releases the factory after Python has shut down: that is safe for a class, but
        # not for a function or a partial object.
        kind = type(name, (SpielGame,), {"spec": spec, "__doc__": SpielGame.__doc__})
        pyspiel.register_game(game_type(spec, build(spec.game_class(), {}, spec.info.id)), kind)
        _classes[name] = kind
    return _classes[name]


def game_type(spec: GameSpec, game: AnyGame) -> Any:
    """The ``pyspiel.GameType`` of a game with its options."""
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
        # Most of OpenSpiel's algorithms require terminal rewards only.
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=max(spec.info.seats),
        min_num_players=min(spec.info.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=frame_shape(game, encoder_of(game)) is not None,
        provides_observation_string=True,
        provides_observation_tensor=encoder_of(game) is not None,
        provides_factored_observation_string=False,
        parameter_specification={**parameters, SEED: 0},
    )


def _parameters(values: Mapping[str, Any]) -> dict[str, Any]:
    # OpenSpiel would parse the string 1-3-5-7 as a number, and fail.
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
    """The maximum number of chance outcomes.

    Games don't declare it. It is the maximum over some fixed random games.
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
