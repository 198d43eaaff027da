"""Letting agents play a match out, without any front end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardgames_cli.core.agent import UNLIMITED, Agent, Budget, Thinking
from boardgames_cli.core.errors import AgentError, GameError, SeatError
from boardgames_cli.core.game import CHANCE, A, Observation, S, Seat
from boardgames_cli.core.match import Match


def seat_stream(seat: Seat) -> str:
    """The name of the random stream from which a seat's agent draws."""
    return f"seat{seat}"


def ask(agent: Agent[S, A], seen: Observation[S, A], thinking: Thinking) -> A:
    """An agent's answer, checked.

    Raises:
        AgentError: The agent raised an exception or answered with something that is not legal.
    """
    name = type(agent).__name__
    try:
        action = agent.act(seen, thinking)
    except GameError:
        raise
    except Exception as error:
        raise AgentError(
            f'agent "{name}" failed at ply {seen.ply} ({type(error).__name__}: {error}).'
        ) from error
    if action not in seen.legal:
        raise AgentError(
            f'agent "{name}" answered "{action}" at ply {seen.ply}, which is not legal.',
            f"Legal: {', '.join(str(choice) for choice in seen.legal[:12])}.",
        )
    return action


def feed(match: Match[Any, Any], agents: Sequence[Agent[Any, Any]]) -> None:
    """Seat the agents and show them everything that has happened in the match so far."""
    for seat, agent in enumerate(agents):
        agent.reset(match.game, seat)
        for ply in range(match.ply + 1):
            agent.watch(match.observe(seat, ply))


def play(
    match: Match[Any, Any], agents: Sequence[Agent[Any, Any]], budget: Budget = UNLIMITED
) -> tuple[float, ...]:
    """Play a match to its end (or to its `max_plies`).

    Args:
        match: A match at any ply.
        agents: One agent for each seat.
        budget: The limit of every decision.

    Returns:
        For every seat the sum of its rewards.

    Raises:
        SeatError: The number of agents is not the number of seats.
        AgentError: An agent failed or answered with an illegal action.
    """
    if len(agents) != match.game.seats:
        raise SeatError(
            f"{match.game.info.name} has {match.game.seats} seats; you gave {len(agents)} agents."
        )
    feed(match, agents)
    # Most agents need no memory, and an observation for every seat at every step is not free.
    watchers = [
        (seat, agent) for seat, agent in enumerate(agents) if type(agent).watch is not Agent.watch
    ]
    while waiting := match.waiting_for:
        if waiting[0] == CHANCE:
            match.resolve_chance()
        else:
            for seat in waiting:
                thinking = Thinking(match.rng(seat_stream(seat)), budget)
                match.submit(seat, ask(agents[seat], match.observe(seat), thinking))
        for seat, agent in watchers:
            agent.watch(match.observe(seat))
    return match.returns
