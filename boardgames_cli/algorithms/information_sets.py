"""Information sets and policies, for games with hidden information.

A *policy* gives every action at an observation a probability. An *information set* is the set of
histories that the seat to act can't tell apart. Its name is a string derived from the observation
alone.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from boardgames_cli.core.agent import UNLIMITED, Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S
from boardgames_cli.core.info import Traits

Policy: TypeAlias = Mapping[A, float]
"""The probabilities of the legal actions; they sum to 1."""

SAMPLES: Final = 400
"""Samples taken at each information set from an agent that can't state its policy."""


@runtime_checkable
class NamesInformationSets(Protocol):
    """A game with its own, shorter names of information sets."""

    def information_set(self, seen: Observation[Any, Any]) -> str:
        """The name of the information set of the viewer, who is to act."""
        ...


@runtime_checkable
class HasStages(Protocol):
    """A game that repeats a small stage game, each time independently.

    Its information sets must have the same names as those of the stage game.
    """

    def stage(self) -> AnyGame:
        """The stage game."""
        ...


@runtime_checkable
class HasPolicy(Protocol):
    """An agent that can state its policy."""

    def policy(self, seen: Observation[Any, Any]) -> Policy[Any]:
        """The probabilities of all of ``seen.legal``."""
        ...


def information_set(game: Game[S, A, Any], seen: Observation[S, A]) -> str:
    """The name of the information set that an observation belongs to.

    By default it is the seat with the redacted position as JSON. That is enough if observations
    have perfect recall, that is, hold everything that the seat has ever known.
    """
    if isinstance(game, NamesInformationSets):
        return game.information_set(seen)
    position = game.to_json(seen.state)
    return json.dumps({"seat": seen.seat, **position}, sort_keys=True, separators=(",", ":"))


def stage_of(game: AnyGame) -> AnyGame:
    """The stage game of a repeated game; otherwise the game itself."""
    return game.stage() if isinstance(game, HasStages) else game


def policy_of(
    agent: Agent[S, A], seen: Observation[S, A], watched: Sequence[Observation[S, A]]
) -> Policy[A]:
    """The policy of an agent, as stated by it or estimated by sampling.

    Args:
        agent: The agent, reset for the game.
        seen: The observation at its decision.
        watched: Its observations so far in order, ``seen`` last.
    """
    for earlier in watched:
        agent.watch(earlier)
    if isinstance(agent, HasPolicy):
        return agent.policy(seen)
    counts = dict.fromkeys(seen.legal, 0)
    for number in range(SAMPLES):
        counts[agent.act(seen, Thinking(random.Random(f"policy/{number}"), UNLIMITED))] += 1
    return {action: count / SAMPLES for action, count in counts.items()}


def draw(policy: Policy[A], rng: random.Random) -> A:
    """Sample an action from a policy."""
    actions = list(policy)
    return rng.choices(actions, [policy[action] for action in actions])[0]


def why_not_extensive(game: AnyGame) -> str | None:
    """None if a game's tree of histories can be built, otherwise the reason why not."""
    traits = game.traits
    if game.seats != 2 or Traits.ZERO_SUM not in traits:
        return "it needs two seats, one winning what the other loses"
    if Traits.SIMULTANEOUS in traits:
        return "both seats act at once there"
    if Traits.SAMPLED_CHANCE in traits:
        return "it has too many outcomes of chance to list"
    return None
