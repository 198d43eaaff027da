"""What agents think of the choices of a seat, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from boardgames_cli.core.agent import Agent, EvaluatesActions, ExplainsActions, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.play import ask, brief
from boardgames_cli.session.agent_processes import close, prepare, seat_agent
from boardgames_cli.session.seats import SeatHolder


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


def experience(match: AnyMatch, seat: Seat | None) -> tuple[Observation[Any, Any], ...]:
    """All that a seat has seen before the present moment, for agents that remember."""
    return tuple(match.observe(seat, ply) for ply in range(match.ply))


def advise(
    agent: Agent[Any, Any],
    game: Any,
    seen: Observation[Any, Any],
    thinking: Thinking,
    earlier: Sequence[Observation[Any, Any]] = (),
) -> Advice:
    """Ask an agent for advice; takes as long as it needs to get ready, and to think.

    Args:
        agent: Whom to ask.
        game: The rulebook.
        seen: What the seat to act sees.
        thinking: The limits; the clock runs anew when the agent is ready.
        earlier: What the seat saw before; see `experience`.

    Raises:
        GameError: The agent can't say.
    """
    if seen.seat is None or not seen.legal:
        raise GameError("it is nobody's turn to ask for.")
    brief(agent, game, seen.seat, (*earlier, seen))
    thinking = _limited(thinking, 1.0)
    values: Mapping[Any, float] = {}
    words: Mapping[Any, str] = {}
    if isinstance(agent, EvaluatesActions) and isinstance(agent, ExplainsActions):
        luck = thinking.rng.getstate()
        values = agent.evaluate_actions(seen, _limited(thinking, 0.5))
        thinking.rng.setstate(luck)  # who samples shall say the same in numbers and in words
        words = agent.explain_actions(seen, _limited(thinking, 0.5))
    elif isinstance(agent, EvaluatesActions):
        values = agent.evaluate_actions(seen, thinking)
    elif isinstance(agent, ExplainsActions):
        words = agent.explain_actions(seen, _limited(thinking, 0.5))
    if values:
        ranked = sorted(values.items(), key=lambda item: -item[1])
        return Advice(ranked[0][0], tuple(ranked), words)
    best = ask(agent, seen, thinking)
    others = [(action, None) for action in seen.legal if action != best]
    return Advice(best, ((best, None), *others), words)


def give_opinion(
    name: str,
    agent: Agent[Any, Any],
    game: Any,
    seen: Observation[Any, Any],
    thinking: Thinking,
    earlier: Sequence[Observation[Any, Any]] = (),
) -> Opinion | None:
    """What an agent says of the choices of a seat that need not be its own; None if nothing."""
    if seen.seat is None or not isinstance(agent, ExplainsActions):
        return None
    brief(agent, game, seen.seat, (*earlier, seen))
    return Opinion(name, agent.explain_actions(seen, _limited(thinking, 1.0)))


def find_rival(
    match: AnyMatch, occupants: Sequence[SeatHolder], seat: Seat, adviser: str
) -> tuple[str, Agent[Any, Any]] | None:
    """Another agent at the table that can say what it thinks of a seat's choices, by its name.

    It is made anew, so that it can be asked while its twin plays. Takes as long as an agent in a
    process of its own needs to get ready.

    Args:
        match: The match.
        occupants: Who is at the table.
        seat: Whose choices they are; its own agent is not asked.
        adviser: The specification of the agent that gives hints; it says the same already.
    """
    for other, occupant in enumerate(occupants):
        if other == seat or occupant.is_human or occupant.spec == adviser:
            continue
        agent = seat_agent(occupant.spec, match.game, match.seed)
        prepare([agent])
        if isinstance(agent, ExplainsActions):
            return occupant.name, agent
        close([agent])
    return None


def _limited(thinking: Thinking, share: float) -> Thinking:
    """A share of the time that an agent was given, from now on."""
    budget = thinking.budget
    if budget.seconds is not None:
        budget = replace(budget, seconds=budget.seconds * share)
    return Thinking(thinking.rng, budget, thinking.cancelled, thinking.report)
