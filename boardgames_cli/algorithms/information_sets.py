"""What a decision goes by, and how an agent mixes: the words of games with secrets.

A *policy* gives every action of an observation a probability. An *information set* is all the
moments of a game that look the same to the seat that is to act; it is named by a text, made from
the observation alone.
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
"""Probabilities of the legal actions; they add up to 1."""

SAMPLES: Final = 400
"""Times that an agent is asked at each information set if it can't say how it mixes."""


@runtime_checkable
class NamesInformationSets(Protocol):
    """A game that names its information sets itself, shorter than `information_set` would."""

    def information_set(self, seen: Observation[Any, Any]) -> str:
        """The name of the information set of the seat that looks and is to act."""
        ...


@runtime_checkable
class HasStages(Protocol):
    """A game that repeats one small game, each time independent of the others.

    Its information sets must have the names of those of the stage.
    """

    def stage(self) -> AnyGame:
        """The game that is repeated."""
        ...


@runtime_checkable
class HasPolicy(Protocol):
    """An agent that can say with which probability it takes each action."""

    def policy(self, seen: Observation[Any, Any]) -> Policy[Any]:
        """The probabilities of all of ``seen.legal``."""
        ...


def information_set(game: Game[S, A, Any], seen: Observation[S, A]) -> str:
    """The name of the information set that an observation belongs to.

    By default it is the seat with the redacted position as JSON. That is enough for a game of
    perfect recall, in which an observation holds all that the seat has ever known.
    """
    if isinstance(game, NamesInformationSets):
        return game.information_set(seen)
    position = game.to_json(seen.state)
    return json.dumps({"seat": seen.seat, **position}, sort_keys=True, separators=(",", ":"))


def stage_of(game: AnyGame) -> AnyGame:
    """The game that a match repeats; the game itself, if it does not repeat any."""
    return game.stage() if isinstance(game, HasStages) else game


def policy_of(
    agent: Agent[S, A], seen: Observation[S, A], watched: Sequence[Observation[S, A]]
) -> Policy[A]:
    """How an agent mixes its actions, by its own word or by asking it often.

    Args:
        agent: The agent, seated at the game.
        seen: What it decides on.
        watched: All that it saw before, in order, ``seen`` last.
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
    """One action of a policy, with its probability."""
    actions = list(policy)
    return rng.choices(actions, [policy[action] for action in actions])[0]


def why_not_extensive(game: AnyGame) -> str | None:
    """None if a tree of histories can be built for a game, otherwise the reason why not."""
    traits = game.traits
    if game.seats != 2 or Traits.ZERO_SUM not in traits:
        return "it needs two seats, one winning what the other loses"
    if Traits.SIMULTANEOUS in traits:
        return "both seats act at once there"
    if Traits.SAMPLED_CHANCE in traits:
        return "it has too many outcomes of chance to list"
    return None
