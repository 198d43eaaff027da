"""What agents that put a number on every action have in common."""

from __future__ import annotations

import math
import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.options import check_options, option
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import features_of, heuristic_of, network_of

ActionT = TypeVar("ActionT")

_SAME: Final = 1e-9
"""Values that differ by less are equal: the rest is rounding."""


def pick_best(values: Mapping[ActionT, float], rng: random.Random) -> ActionT:
    """The action with the highest value; among equals any, with equal chances."""
    top = max(values.values())
    return rng.choice([action for action, value in values.items() if value >= top - _SAME])


def pick_by_temperature(
    values: Mapping[ActionT, float], temperature: float, rng: random.Random
) -> ActionT:
    """An action drawn by its value (softmax).

    Args:
        values: What each action is worth.
        temperature: An action that is worse by so much is drawn e times more rarely; at 0 only the
            best are.
        rng: The generator.
    """
    if temperature == 0:
        return pick_best(values, rng)
    top = max(values.values())
    weights = [math.exp((value - top) / temperature) for value in values.values()]
    return rng.choices(list(values), weights)[0]


def wins_at_once(game: AnyGame, state: Any, seat: Seat, action: Any) -> bool:
    """Whether an action of the one seat to act ends the game and wins it, alone or with its mates.

    Args:
        game: The rulebook.
        state: The state, with nothing hidden.
        seat: The seat to act.
        action: A legal action.
    """
    after = game.apply(state, {seat: action})
    if not game.is_over(after):
        return False
    returns = game.returns(after)
    mates = next(team for team in game.teams if seat in team)
    return all(returns[seat] > value for other, value in enumerate(returns) if other not in mates)


def pick_like_a_person(
    game: AnyGame,
    seen: Observation[Any, ActionT],
    values: Mapping[ActionT, float],
    temperature: float,
    rng: random.Random,
) -> ActionT:
    """An action drawn by its value, as `pick_by_temperature` does; but what wins now is taken.

    Nobody who can finish a game with one action does anything else, however bad at it they are.

    Args:
        game: The rulebook.
        seen: What the seat to act sees.
        values: What each action is worth.
        temperature: By how much an action may be worse and still be taken now and then.
        rng: The generator.
    """
    if seen.seat is not None and Traits.HIDDEN not in game.traits:
        for action in values:
            if wins_at_once(game, seen.state, seen.seat, action):
                return action
    return pick_by_temperature(values, temperature, rng)


def estimate(game: AnyGame, heuristic: Heuristic, state: Any, seat: Seat) -> float:
    """The seat's return where the game is over, otherwise what the heuristic expects it to be."""
    if game.is_over(state):
        return game.returns(state)[seat]
    return heuristic(game, state, seat)


def heuristic_for(game: AnyGame, weights: str = "") -> Heuristic | None:
    """The bundled evaluation of a game, or the one that a file of weights makes.

    Raises:
        ModelError: The file is missing, damaged, or for another game.
    """
    if not weights:
        return heuristic_of(game)
    from boardgames_cli.algorithms.evaluation_file import read_evaluation

    return read_evaluation(game, weights)


@runtime_checkable
class DescribesItself(Protocol):
    """A heuristic that can say what it goes by."""

    def facts(self, game: Any) -> Sequence[tuple[str, str]]:
        """Facts about it, as names and texts."""
        ...

    def curve(self) -> Sequence[Mapping[str, Any]]:
        """The points of its learning curve, numbers by name."""
        ...


@dataclass
class HeuristicAgent(Agent[S, A]):
    """An agent that puts a number on every action with the help of the game's heuristic."""

    _: KW_ONLY
    weights: str = option("", "a file of learned weights instead of the bundled evaluation")

    _game: Game[S, A, Any] = field(init=False, repr=False, compare=False)
    _heuristic: Heuristic = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: AnyGame) -> str | None:
        """Any game with a heuristic in which one seat acts at a time.

        Raises:
            ModelError: The file of weights is missing, damaged, or for another game.
        """
        if Traits.SIMULTANEOUS in game.traits:
            return "all seats act at once there, so no action has a value of its own"
        if self.weights and features_of(game) is None and network_of(game) is None:
            return "no weights can be learned for it"
        if heuristic_for(game, self.weights) is None:
            return "it has no heuristic"
        return None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Learn the rules and what the game's authors know about positions."""
        heuristic = heuristic_for(game, self.weights)
        assert heuristic is not None, "supports() refuses such games"
        self._game = game
        self._heuristic = heuristic

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        """The action with the highest value."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        return pick_best(self.evaluate_actions(seen, thinking), thinking.rng)

    def facts(self) -> list[tuple[str, str]]:
        """What the heuristic goes by; see `core.agent.HasLearned`."""
        heuristic = self._heuristic
        return list(heuristic.facts(self._game)) if isinstance(heuristic, DescribesItself) else []

    def curve(self) -> list[Mapping[str, Any]]:
        """How good the heuristic was in training; see `core.agent.HasLearned`."""
        return list(self._heuristic.curve()) if isinstance(self._heuristic, DescribesItself) else []

    @abstractmethod
    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """The value of every legal action; see `EvaluatesActions`."""
