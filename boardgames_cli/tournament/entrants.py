"""Who takes part: agents that exist and can play, each with a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from boardgames_cli.agents.processes import close, prepare, seat_agent
from boardgames_cli.core.game import AnyGame
from boardgames_cli.tournament.config import Entrant


def name_entrants(agents: Iterable[str]) -> tuple[Entrant, ...]:
    """Entrants from specifications; who takes part several times gets numbers."""
    agents = list(agents)
    times = Counter(agents)
    seen: Counter[str] = Counter()
    found = []
    for agent in agents:
        seen[agent] += 1
        name = f"{agent} #{seen[agent]}" if times[agent] > 1 else agent
        found.append(Entrant(name, agent))
    return tuple(found)


def check_entrants(entrants: Sequence[Entrant], games: Sequence[AnyGame], seed: int) -> None:
    """Make every agent for every rulebook once, so that nothing begins that can't be played.

    Raises:
        GameError: An agent is unknown, can't be started, or can't play.
    """
    made = []
    try:
        for agent in dict.fromkeys(entrant.agent for entrant in entrants):
            made += [seat_agent(agent, game, seed) for game in games]
        prepare(made)
    finally:
        close(made)
