"""Playing a match between agents, without any front end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from boardgames_cli.core.agent import (
    UNLIMITED,
    Agent,
    Budget,
    HearsTheEnd,
    Thinking,
    agent_failure,
    is_agents_fault,
)
from boardgames_cli.core.errors import AgentError, SeatError
from boardgames_cli.core.game import A, Game, Observation, S, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.randomness import CounterRandom


def seat_stream(seat: Seat) -> str:
    """The name of the random stream of a seat's agent."""
    return f"seat{seat}"


def ask(
    agent: Agent[S, A], seen: Observation[S, A], thinking: Thinking, name: str | None = None
) -> A:
    """Ask an agent for an action; the result is always one of the legal action objects.

    Args:
        agent: The agent.
        seen: Its seat's observation.
        thinking: Its limits.
        name: Its name in messages; by default the name of its class.

    Raises:
        AgentError: The agent raised an exception or returned an illegal action.
    """
    legal = seen.legal
    try:
        answer = agent.act(seen, thinking)
        for action in legal:  # almost all agents return one of the objects they were given
            if answer is action:
                return action
        for action in legal:
            # Compared both ways, since an object that claims to equal everything is not an action.
            if type(answer) is type(action) and answer == action and action == answer:
                return action
        text = str(answer)
    except BaseException as error:
        if not is_agents_fault(error):
            raise
        who = name or type(agent).__name__
        raise agent_failure(who, f"at ply {seen.ply}", error) from error
    who = name or type(agent).__name__
    raise AgentError(
        f'agent "{who}" answered "{text}" at ply {seen.ply}, which is not legal.',
        f"Legal: {', '.join(str(choice) for choice in legal[:12])}.",
    )


def feed(match: AnyMatch, agents: Sequence[Agent[Any, Any]]) -> None:
    """Reset the agents and show them the match so far."""
    for seat, agent in enumerate(agents):
        kind = type(agent)
        if kind.watch is not Agent.watch or kind.reset is not Agent.reset:
            seen = (match.observe_step(seat, ply) for ply in range(match.ply + 1))
            brief(agent, match.game, seat, seen)


def brief(
    agent: Agent[S, A],
    game: Game[S, A, Any] | None,
    seat: Seat,
    seen: Iterable[Observation[S, A]],
    name: str | None = None,
) -> None:
    """Reset an agent for a new game, if one is given, and show it past observations.

    Args:
        agent: The agent.
        game: The new game; None if the agent is already playing it.
        seat: The agent's seat.
        seen: The observations that it has not had yet.
        name: Its name in messages; by default the name of its class.

    Raises:
        AgentError: The agent raised an exception.
    """
    doing = "when the game began"
    try:
        if game is not None:
            agent.reset(game, seat)
        doing = "while it watched"
        if _watches(agent):
            for observation in seen:
                agent.watch(observation)
    except BaseException as error:
        if not is_agents_fault(error):
            raise
        raise agent_failure(name or type(agent).__name__, doing, error) from error


def announce_end(match: AnyMatch, agents: Iterable[object]) -> None:
    """Tell agents that listen for it how a match ended, or that it was abandoned."""
    # isinstance with a protocol takes longer than a whole decision.
    listeners = [agent for agent in agents if hasattr(agent, "game_over")]
    if not listeners:
        return
    reason = "left" if not match.is_over else "cut short" if match.truncated else "over"
    for agent in listeners:
        if isinstance(agent, HearsTheEnd):
            agent.game_over(match.returns if match.is_over else None, reason)


def _watches(agent: Agent[Any, Any]) -> bool:
    # Most agents ignore observations, and making one for every seat at every step has a cost.
    return type(agent).watch is not Agent.watch


def play(
    match: AnyMatch, agents: Sequence[Agent[Any, Any]], budget: Budget = UNLIMITED
) -> tuple[float, ...]:
    """Play a match to its end (or to its `max_plies`).

    Args:
        match: A match at any ply.
        agents: One agent for each seat.
        budget: The limits of every decision.

    Returns:
        The sum of rewards of every seat.

    Raises:
        SeatError: The number of agents is not the number of seats.
        AgentError: An agent failed or returned an illegal action.
    """
    if len(agents) != match.game.seats:
        raise SeatError(
            f"{match.game.info.name} has {match.game.seats} seats; you gave {len(agents)} agents."
        )
    feed(match, agents)
    deciders, watchers = [], []
    for seat, agent in enumerate(agents):
        deciders.append(_Decider(agent, match.rng(seat_stream(seat)), budget).decide)
        if _watches(agent):
            watchers.append((seat, agent))
    match.play_on(deciders, partial(_show_step, match, watchers) if watchers else None)
    announce_end(match, agents)
    return match.returns


def _show_step(match: AnyMatch, watchers: Sequence[tuple[Seat, Agent[Any, Any]]]) -> None:
    for seat, agent in watchers:
        brief(agent, None, seat, (match.observe_step(seat),))


class _Decider:
    """An agent with the random generator and the clock for its decisions."""

    __slots__ = ("_agent", "_rng", "_thinking")

    def __init__(self, agent: Agent[Any, Any], rng: CounterRandom, budget: Budget) -> None:
        self._agent = agent
        self._rng = rng
        self._thinking = Thinking(rng, budget)

    def decide(self, seen: Observation[Any, Any]) -> Any:
        thinking = self._thinking
        self._rng.move_to(seen.ply)
        thinking.restart()
        return ask(self._agent, seen, thinking)
