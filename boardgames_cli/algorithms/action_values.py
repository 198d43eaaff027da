"""Choosing among actions by value, and the base of agents that evaluate every action."""

from __future__ import annotations

import math
import random
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat, Traits
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import heuristic_of

ActionT = TypeVar("ActionT")

_SAME: Final = 1e-9
"""Values that differ by less are equal; the difference is rounding."""


_UNFIT: Final = {
    Traits.HIDDEN: "it hides things from the seats",
    Traits.SIMULTANEOUS: "all seats act at once there",
    Traits.SAMPLED_CHANCE: "it has too many outcomes of chance to list",
    Traits.CHANCE: "chance has a part in it",
}


def why_unfit(game: AnyGame, *refused: Traits, is_duel: bool = False) -> str | None:
    """Why a method that can't deal with some traits can't have a game; None if it can.

    A duel is a game of two seats, one winning what the other loses.
    """
    for trait in refused:
        if trait in game.traits:
            return _UNFIT[trait]
    if is_duel and (game.seats != 2 or Traits.ZERO_SUM not in game.traits):
        return "it needs two seats, one winning what the other loses"
    return None


def pick_best(values: Mapping[ActionT, float], rng: random.Random) -> ActionT:
    """The action with the highest value; ties are broken uniformly at random."""
    top = max(values.values())
    return rng.choice([action for action, value in values.items() if value >= top - _SAME])


def pick_by_temperature(
    values: Mapping[ActionT, float], temperature: float, rng: random.Random
) -> ActionT:
    """Sample an action by its value (softmax).

    An action whose value is lower by the temperature is e times less likely; at 0 only the best
    actions are taken.
    """
    if temperature == 0:
        return pick_best(values, rng)
    top = max(values.values())
    weights = [math.exp((value - top) / temperature) for value in values.values()]
    return rng.choices(list(values), weights)[0]


def wins_at_once(game: AnyGame, state: Any, seat: Seat, action: Any) -> bool:
    """Whether an action of the only seat to act wins the game at once, alone or with its team.

    Nothing may be hidden in the state.
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
    """Sample like `pick_by_temperature`, but always take an immediate win.

    Even a weak player who can win with one action takes it.
    """
    if seen.seat is not None and Traits.HIDDEN not in game.traits:
        for action in values:
            if wins_at_once(game, seen.state, seen.seat, action):
                return action
    return pick_by_temperature(values, temperature, rng)


def estimate(game: AnyGame, heuristic: Heuristic, state: Any, seat: Seat) -> float:
    """The seat's return if the game is over, otherwise the heuristic's estimate."""
    if game.is_over(state):
        return game.returns(state)[seat]
    return heuristic(game, state, seat)


def loaded_heuristic(game: AnyGame) -> Heuristic | None:
    """The evaluation of a game with all that it reads, so that no decision waits for a file."""
    heuristic = heuristic_of(game)
    getattr(heuristic, "load", lambda _: None)(game)
    return heuristic


@dataclass
class HeuristicAgent(Agent[S, A]):
    """An agent that evaluates every action with the game's heuristic.

    What a heuristic reads for a game, it reads in ``load(game)``.
    """

    _game: Game[S, A, Any] = field(init=False, repr=False, compare=False)
    _heuristic: Heuristic = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        """Any game with a heuristic in which one seat acts at a time."""
        if Traits.SIMULTANEOUS in game.traits:
            return "all seats act at once there, so no action has a value of its own"
        return None if heuristic_of(game) else "it has no heuristic"

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        heuristic = loaded_heuristic(game)
        assert heuristic is not None, "supports() refuses such games"
        self._game = game
        self._heuristic = heuristic

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        if len(seen.legal) == 1:
            return seen.legal[0]
        return pick_best(self.evaluate_actions(seen, thinking), thinking.rng)

    @abstractmethod
    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """The value of every legal action; see `EvaluatesActions`."""
