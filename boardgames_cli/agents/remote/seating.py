"""Creating agents for a session: which of them run in their own process, and their life cycle."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

from boardgames_cli.core.agent import COMMAND, Agent, RunsElsewhere, split_agent
from boardgames_cli.core.game import AnyGame, PassesTime, Seat
from boardgames_cli.core.plugins import check_stranger
from boardgames_cli.registry import is_bundled, level_of, make_agent, resolve_level, spec_of

PATIENCE_SECONDS: Final = 10.0
"""How long to wait for agents to start before a session continues without them being ready."""
_THINK_SECONDS: Final = 2.0


def default_seconds(game: AnyGame) -> float:
    """How long agents think about one action where nobody says it."""
    return game.think_seconds if isinstance(game, PassesTime) else _THINK_SECONDS


def seat_agent(
    text: str,
    game: AnyGame,
    seed: int,
    seat: Seat | None = None,
    seconds: float | None = None,
) -> Agent[Any, Any]:
    """Create an agent for a session; agents of other packages get their own process.

    Without POSIX they run in this one.

    Args:
        text: The agent's specification.
        game: The game it is to play.
        seed: The match's seed. The random numbers of foreign agents derive from it through a slow
            hash, so that it can't be found by trying seeds.
        seat: Its seat; None for an agent that only stands in for an analyst.
        seconds: Its thinking time, for programs that want to know it; None if unknown.

    Raises:
        UnknownNameError: There is no such agent, level or option.
        OptionError: An option has an invalid value, or the agent can't play this game. For foreign
            agents `prepare` finds this out later.
        ConfinedError: A visitor may not choose it (`core.plugins`).
    """
    if not hasattr(os, "fork"):  # nothing could end a process with all its children
        return make_agent(text, game)
    if split_agent(text)[0] == COMMAND:
        from boardgames_cli.agents.remote.program import ExternalAgent

        agent = make_agent(text, game)
        if isinstance(agent, ExternalAgent):
            agent.take_seat(game, seat, seconds, seed)
        return agent
    # Most sessions have no foreign agent and need none of these imports.
    spec = spec_of(game)
    if is_bundled(text, spec):
        return make_agent(text, game)
    if not level_of(resolve_level(text, spec), spec):
        check_stranger(*split_agent(text))
    from boardgames_cli.agents.remote.program import PluginAgent

    return PluginAgent(text, game, seat or 0, seed)


def prepare(agents: Iterable[object], patience: float = PATIENCE_SECONDS) -> None:
    """Start all agents in other processes concurrently, and wait some seconds for them.

    Agents that need longer keep starting; their first decision waits for it.

    Raises:
        GameError: An agent can't be started, or can't play the game; all have been closed.
    """
    elsewhere = [agent for agent in agents if isinstance(agent, RunsElsewhere)]
    deadline = time.monotonic() + patience
    try:
        for agent in elsewhere:
            agent.prepare(0.0)
        for agent in elsewhere:
            agent.prepare(max(0.0, deadline - time.monotonic()))
    except BaseException:
        close(elsewhere)
        raise


def close(agents: Iterable[object]) -> None:
    """Close all agents in other processes."""
    for agent in agents:
        if isinstance(agent, RunsElsewhere):
            agent.close()


@contextlib.contextmanager
def released(agent: Agent[Any, Any]) -> Iterator[Agent[Any, Any]]:
    """Use an agent, and close it afterwards if it runs in another process."""
    try:
        yield agent
    finally:
        close([agent])
