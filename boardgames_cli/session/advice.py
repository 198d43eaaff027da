"""What agents think of the choices of a seat, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from boardgames_cli.core.agent import Agent, EvaluatesActions, ExplainsActions, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Observation


@dataclass(frozen=True, slots=True)
class Advice:
    """What the adviser thinks of the choices of a seat."""

    best: Any
    values: tuple[tuple[Any, float | None], ...]
    """Every action with its expected return in [-1, 1], best first; None if unknown."""
    words: Mapping[Any, str] = field(default_factory=dict)
    """What it says of each action; those of which it knows nothing are missing."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What another agent at the table says of the same choices."""

    name: str
    """Whose opinion it is."""
    words: Mapping[Any, str]


def advise(
    agent: Agent[Any, Any], game: Any, seen: Observation[Any, Any], thinking: Thinking
) -> Advice:
    """Ask an agent for advice; takes as long as its thinking.

    Raises:
        GameError: The agent can't say.
    """
    if seen.seat is None or not seen.legal:
        raise GameError("it is nobody's turn to ask for.")
    agent.reset(game, seen.seat)
    agent.watch(seen)
    values: Mapping[Any, float] = {}
    words: Mapping[Any, str] = {}
    if isinstance(agent, EvaluatesActions) and isinstance(agent, ExplainsActions):
        luck = thinking.rng.getstate()
        values = agent.evaluate_actions(seen, _half(thinking))
        thinking.rng.setstate(luck)  # who samples shall say the same in numbers and in words
        words = agent.explain_actions(seen, _half(thinking))
    elif isinstance(agent, EvaluatesActions):
        values = agent.evaluate_actions(seen, thinking)
    elif isinstance(agent, ExplainsActions):
        words = agent.explain_actions(seen, _half(thinking))
    if values:
        ranked = sorted(values.items(), key=lambda item: -item[1])
        return Advice(ranked[0][0], tuple(ranked), words)
    best = agent.act(seen, thinking)
    others = [(action, None) for action in seen.legal if action != best]
    return Advice(best, ((best, None), *others), words)


def give_opinion(
    name: str,
    agent: Agent[Any, Any],
    game: Any,
    seen: Observation[Any, Any],
    thinking: Thinking,
) -> Opinion | None:
    """What an agent says of the choices of a seat that need not be its own; None if nothing."""
    if seen.seat is None or not isinstance(agent, ExplainsActions):
        return None
    agent.reset(game, seen.seat)
    agent.watch(seen)
    return Opinion(name, agent.explain_actions(seen, thinking))


def _half(thinking: Thinking) -> Thinking:
    """Half the time that an agent was given, from now on."""
    budget = thinking.budget
    if budget.seconds is not None:
        budget = replace(budget, seconds=budget.seconds / 2)
    return Thinking(thinking.rng, budget, thinking.cancelled, thinking.report)
