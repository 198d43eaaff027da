"""Which agents at a table run in a process of their own, and how they get ready and leave."""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

from boardgames_cli.core.agent import Agent, RunsElsewhere
from boardgames_cli.core.agent_text import COMMAND, split_agent
from boardgames_cli.core.confinement import check_stranger
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.registry import is_bundled, make_agent, resolve_level, spec_of

PATIENCE_SECONDS: Final = 10.0
"""How long agents may take to start before a table is set up without knowing that they can."""


def seat_agent(
    text: str,
    game: AnyGame,
    seed: int,
    seat: Seat | None = None,
    seconds: float | None = None,
) -> Agent[Any, Any]:
    """An agent for a table: one that comes with this program itself, a stranger's elsewhere.

    Args:
        text: The agent's specification.
        game: The game it is to play.
        seed: The match's; a stranger's random numbers are made from it in a way that can't be
            found out by trying seeds.
        seat: Where it sits; None for one that is asked for advice.
        seconds: How long it may think, for programs that want to know; None is not known.

    Raises:
        UnknownNameError: There is no such agent, level or option.
        OptionError: An option can't have that value, or the agent can't play this game. Of a
            stranger that is found out later, by `prepare`.
        ConfinedError: A visitor may not choose it (`core.confinement`).
    """
    if os.name != "posix":
        return make_agent(text, game)
    if split_agent(text)[0] == COMMAND:
        from boardgames_cli.agents.external import ExternalAgent

        agent = make_agent(text, game)
        if isinstance(agent, ExternalAgent):
            agent.take_seat(game, seat, seconds, functools.partial(slow_key, seed))
        return agent
    # Most tables have no stranger, and need none of what it takes to keep one.
    if is_bundled(text, spec_of(game)):
        return make_agent(text, game)
    if resolve_level(text, spec_of(game)) not in spec_of(game).levels.values():
        check_stranger(*split_agent(text))
    from boardgames_cli.agents.process_agent import ProcessAgent

    return ProcessAgent(text, game, functools.partial(slow_key, seed))


@functools.lru_cache(maxsize=8)
def slow_key(seed: int) -> bytes:
    """A key that takes long to make from a seed, against those who would try them all."""
    from boardgames_cli.agents import process_link

    return process_link.slow_key(b"%d" % seed)


def prepare(agents: Iterable[object], patience: float = PATIENCE_SECONDS) -> None:
    """Start all agents that run elsewhere at the same time, and wait for them.

    One that needs longer than that goes on getting ready; its first decision waits for it.

    Args:
        agents: Those at the table; None are people.
        patience: Seconds to wait at most for all together.

    Raises:
        GameError: One can't be started, or can't play the game; all have been ended.
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
    """End all agents that run elsewhere."""
    for agent in agents:
        if isinstance(agent, RunsElsewhere):
            agent.close()


@contextlib.contextmanager
def released(agent: Agent[Any, Any]) -> Iterator[Agent[Any, Any]]:
    """Use an agent and end it afterwards, if it runs elsewhere."""
    try:
        yield agent
    finally:
        close([agent])
